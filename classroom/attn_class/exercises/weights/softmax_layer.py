"""Exercise: a whole softmax layer, forwards, and backwards by hand.

    α_ij = exp(e_ij / τ) / Σ_k exp(e_ik / τ)    over the k that may be read
    ∂L/∂e_ik    where L is any loss, of which only g_ij = ∂L/∂α_ij is known
    ∂L/∂τ

scores (batch target source)   readable (batch source), booleans   temperature τ, above 0
upstream g (batch target source)
    ->   weights (batch target source), ∂L/∂e of the same shape, ∂L/∂τ, a number
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

BATCH, TARGET, SOURCE = Size(1, 3), Size(2, 5), Size(4, 7)
exercise = Exercise(
    "layer(scores, readable, temperature, upstream)",
    without=["softmax", "autograd"],
    minutes=40,
    difficulty="hard",
)
check = exercise.check


def solution(scores, readable, temperature, upstream):
    """A hidden score becomes the largest that is read: finite, and its power is never used."""
    if not readable.any(dim=-1).all():
        raise ValueError("in one source nothing may be read")
    seen = readable.unsqueeze(1)
    largest = scores.masked_fill(~seen, -torch.inf).amax(dim=-1, keepdim=True)
    scaled = (scores - largest).masked_fill(~seen, 0.0) / temperature
    powers = torch.exp(scaled) * seen
    weights = powers / powers.sum(dim=-1, keepdim=True)

    upstream = upstream.masked_fill(~seen, 0.0)
    mean = (weights * upstream).sum(dim=-1, keepdim=True)
    to_scaled = weights * (upstream - mean)
    return weights, to_scaled / temperature, -(to_scaled * scaled).sum() / temperature


@exercise.must_also(
    "It returns weights and gradients in the shape of the scores, and one number.",
    hint="Three results: the weights and the gradients at the scores are (batch, target, source), "
    "and one temperature is used everywhere, so its gradient is a sum over everything.",
)
def returns_three(answer: Answer, draw: Draw) -> bool:
    weights, to_scores, to_temperature = answer(**_inputs(draw))
    shape = draw[BATCH, TARGET, SOURCE]
    one = torch.as_tensor(to_temperature).numel() == 1
    return shaped(weights, *shape) and shaped(to_scores, *shape) and one


@exercise.must(
    "The weights of every row sum to one, and what is hidden has none.",
    hint="Hide before the powers are divided by their sum. The mask is (batch, source): it needs "
    "an axis of size one for the targets.",
)
def weights_are_shares(answer: Answer, draw: Draw, inputs: dict) -> bool:
    weights, _, _ = answer(**inputs)
    hidden = weights[~_seen(inputs)]
    return same(weights.sum(dim=-1), torch.ones(draw[BATCH, TARGET])) and same(hidden, 0 * hidden)


@exercise.must(
    "The weights are a softmax of e / τ over what may be read.",
    hint="The temperature divides the scores before exp. And is the softmax over the source, the "
    "last axis?",
)
def weights_are_a_softmax(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return same(answer(**inputs)[0], _by_autograd(**inputs)[0])


@exercise.must(
    "Adding 200 to all scores, or subtracting it, changes no weight.",
    hint="Subtract the largest score of each row before exp: the largest of those that may be "
    "read.",
)
def survives_large_scores(answer: Answer, draw: Draw, inputs: dict) -> bool:
    expected = _by_autograd(**inputs)[0]
    return all(
        same(answer(**inputs | {"scores": inputs["scores"] + constant})[0], expected)
        for constant in (200.0, -200.0)
    )


@exercise.must_also(
    "Where nothing may be read, it raises a ValueError.",
    hint="Look for such a source before you divide: 0 / 0 is not a number.",
)
def nothing_to_read_is_an_error(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["readable"][draw.integer(BATCH)] = False
    return answer.refuses(ValueError, **inputs)


@exercise.must_also(
    "The gradients at the scores of a row sum to zero.",
    hint="A constant added to all scores of a row changes no weight, so it changes no loss. Did "
    "you subtract the mean of the upstream gradients, weighted by α, from each of them?",
)
def gradients_sum_to_zero(answer: Answer, draw: Draw) -> bool:
    _, to_scores, _ = answer(**_inputs(draw))
    return same(to_scores.sum(dim=-1), torch.zeros(draw[BATCH, TARGET]))


@exercise.must(
    "The gradient at the scores is the way back through the softmax and the temperature.",
    hint="First ∂L/∂(e/τ) = α (g - mean of g), as in exercise 4; then e/τ is a score divided by τ, "
    "and its gradient is divided by τ too.",
)
def gradient_at_the_scores(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return same(answer(**inputs)[1], _by_autograd(**inputs)[1])


@exercise.must(
    "The gradient at the temperature adds up what comes back through every e_ij / τ.",
    hint="τ is in every e_ij / τ, whose derivative is -e_ij / τ². Multiply each by what arrives at "
    "e_ij / τ and add everything up, over the whole batch.",
)
def gradient_at_the_temperature(answer: Answer, draw: Draw, inputs: dict) -> bool:
    found = torch.as_tensor(answer(**inputs)[2]).reshape(())
    return same(found, _by_autograd(**inputs)[2])


@exercise.must(
    "At a hidden place, neither the score nor the gradient that arrives makes a difference.",
    hint="A hidden score can be infinite, and 0 · ∞ is not a number: fill in a harmless number "
    "first, then compute. The same holds on the way back.",
)
def hidden_places_do_not_matter(answer: Answer, draw: Draw, inputs: dict) -> bool:
    expected = _by_autograd(**inputs)
    hidden = ~_seen(inputs)
    for other in (3e4, torch.inf):
        scores = inputs["scores"].masked_fill(hidden, other)
        upstream = inputs["upstream"].masked_fill(hidden, -other)
        if not _alike(answer(**inputs | {"scores": scores, "upstream": upstream}), expected):
            return False
    return True


def _seen(inputs: dict) -> Tensor:
    return inputs["readable"].unsqueeze(1).expand_as(inputs["scores"])


def _alike(found: tuple, expected: tuple) -> bool:
    *tensors, number = found
    return all(map(same, (*tensors, torch.as_tensor(number).reshape(())), expected))


def _by_autograd(scores, readable, temperature, upstream) -> tuple[Tensor, Tensor, Tensor]:
    """By torch, in double precision, and row by row over what may be read."""
    scores = scores.double().requires_grad_()
    temperature = torch.tensor(temperature, dtype=torch.float64, requires_grad=True)
    weights = torch.zeros_like(scores)
    for b, places in enumerate(readable):
        weights[b, :, places] = torch.softmax(scores[b, :, places] / temperature, dim=-1)
    loss = (weights * upstream).sum()
    to_scores, to_temperature = torch.autograd.grad(loss, [scores, temperature])
    return weights.detach().float(), to_scores.float(), to_temperature.float()


@exercise.draws
def _inputs(draw: Draw) -> dict:
    readable = draw.booleans(BATCH, SOURCE, share=0.7)
    for row in readable:  # at least two places are read, and one is hidden
        places = draw.integer(SOURCE)
        row[places - 1] = row[places - 2] = True
        row[places - 3] = False
    return {
        "scores": draw.normal(BATCH, TARGET, SOURCE, scale=1.0),
        "readable": readable,
        "temperature": 0.5 + draw.integer(4) / 4 + 0.1,  # never 1
        "upstream": draw.normal(BATCH, TARGET, SOURCE, scale=1.0),
    }
