"""Exercise: the weights of local attention around a predicted centre.

scores (source), centre p, half_width D
->   softmax over |j - p| <= D, times exp(-(j - p)² / (2 σ²)), σ = D / 2    Luong et al. 2015
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

SOURCE = Size(11, 17)
exercise = Exercise("look(scores, centre, half_width)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(scores, centre, half_width):
    """Hide before the softmax, fade after it."""
    distance = torch.arange(len(scores)) - centre
    inside = scores.masked_fill(distance.abs() > half_width, -torch.inf)
    return inside.softmax(dim=0) * torch.exp(-(distance**2) / (2 * (half_width / 2) ** 2))


@exercise.must_also(
    "There is one weight for each source position.",
    hint="Return a tensor as long as the scores; outside the window the weights are zero.",
)
def one_weight_each(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[SOURCE])


@exercise.must_also(
    "Outside the window the weights are zero, and only there.",
    hint="The window is |j - p| ≤ D, both ends included, even if the centre is not a whole number.",
)
def zero_outside_alone(answer: Answer, draw: Draw) -> bool:
    for centre in (4.0, 5.5, 0.25):
        inputs = _inputs(draw) | {"centre": centre}
        inside = (torch.arange(draw[SOURCE]) - centre).abs() <= inputs["half_width"]
        if not same(answer(**inputs) > 1e-7, inside):
            return False
    return True


@exercise.must_also(
    "What lies outside does not change what is inside.",
    hint="Softmax over all positions first, and zeros afterwards, leaves part of the unit outside. "
    "Set the scores outside to minus infinity before the softmax.",
)
def outside_does_not_matter(answer: Answer, draw: Draw, inputs: dict) -> bool:
    outside = (torch.arange(draw[SOURCE]) - inputs["centre"]).abs() > inputs["half_width"]
    other = inputs | {"scores": torch.where(outside, 3.0, inputs["scores"])}
    return same(answer(**inputs), answer(**other))


@exercise.must(
    "Equal scores give a bell around the centre, which need not sum to one.",
    hint="Multiply by exp(-(j - p)² / (2 σ²)) after the softmax, with σ = D/2, and do not divide "
    "by the sum again. The bell is highest at the centre itself, not at the nearest position.",
)
def a_bell_for_equal_scores(answer: Answer, draw: Draw) -> bool:
    centre, half_width = 3.0 + draw.integer(9) / 2, 2 + draw.integer(2)
    distance = torch.arange(draw[SOURCE]) - centre
    inside = distance.abs() <= half_width
    bell = torch.exp(-2 * distance**2 / half_width**2) * inside / inside.sum()
    inputs = {"scores": torch.zeros(draw[SOURCE]), "centre": centre, "half_width": half_width}
    return answer.gives(bell, **inputs)


@exercise.must(
    "Each weight is its share of the softmax over the window, times its bell.",
    hint="The bell multiplies the weights. If its exponent were added to the scores, the weights "
    "would sum to one.",
)
def as_in_the_paper(answer: Answer, draw: Draw, inputs: dict) -> bool:
    total, expected = 0.0, torch.zeros(draw[SOURCE])
    centre, half_width = inputs["centre"], inputs["half_width"]
    for j in range(draw[SOURCE]):
        if abs(j - centre) <= half_width:
            power = inputs["scores"][j].exp()
            total += power
            expected[j] = power * torch.tensor(-2 * (j - centre) ** 2 / half_width**2).exp()
    return answer.gives(expected / total, **inputs)


@exercise.draws
def _inputs(draw: Draw) -> dict:
    centre = 3.0 + draw.integer(20) / 4
    return {"scores": draw.normal(SOURCE), "centre": centre, "half_width": 2}


exercise.must_pass_gradients(solution, _inputs)
