"""Exercise: average annotations, some of which come from another source.

c_i = Σ_{j not swapped} α_ij h_j + Σ_{j swapped} α_ij g_j

weights (target source)   annotations h, other g (source annotation)   places (source), boolean
    ->   contexts (target annotation)
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

TARGET, SOURCE, ANNOTATION = Size(2, 5), Size(3, 11), Size(2, 7)
exercise = Exercise("mixed(weights, annotations, other, places)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(weights, annotations, other, places):
    """Choose row by row, then average as always."""
    return weights @ torch.where(places.unsqueeze(-1), other, annotations)


@exercise.draws
def _inputs(draw: Draw) -> dict:
    return {
        "weights": draw.normal(TARGET, SOURCE).softmax(dim=-1),
        "annotations": draw.normal(SOURCE, ANNOTATION),
        "other": draw.normal(SOURCE, ANNOTATION),
        "places": draw.booleans(SOURCE),
    }


@exercise.must_also(
    "There is one context for each target position.",
    hint="Weights (target, source) times annotations (source, annotation).",
)
def has_the_shape(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[TARGET], draw[ANNOTATION])


@exercise.must(
    "With nothing swapped, the contexts are those of this source.",
    hint="Where `places` is False the annotation is this source's own.",
)
def nothing_swapped(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["places"] = torch.zeros_like(inputs["places"])
    return same(answer(**inputs), inputs["weights"] @ inputs["annotations"])


@exercise.must(
    "With everything swapped, the contexts average the other source's annotations.",
    hint="Where `places` is True the annotation of the other source replaces this source's; it is "
    "not added to it.",
)
def everything_swapped(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["places"] = torch.ones_like(inputs["places"])
    return same(answer(**inputs), inputs["weights"] @ inputs["other"])


@exercise.must(
    "Each annotation is taken from the source that `places` says, with the weight of its place.",
    hint="A row of annotations is swapped as a whole, and the weights stay where they are.",
)
def each_place_by_itself(answer: Answer, draw: Draw) -> bool:
    return answer.agrees(solution, **_inputs(draw))


exercise.must_pass_gradients(solution, _inputs)
