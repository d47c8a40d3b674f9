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

from attn_class.exercises.frame import Answer, Case, Draw, Exercise, Size, Weak, same

BATCH, TARGET, SOURCE = Size(1, 3), Size(2, 5), Size(4, 7)


def solution(scores, readable, temperature, upstream):
    """A hidden score becomes the largest that is read: finite, and its power is never used."""
    if not readable.any(dim=-1).all():
        raise ValueError("in one source nothing may be read")
    visible = readable.unsqueeze(1)
    largest = scores.masked_fill(~visible, -torch.inf).amax(dim=-1, keepdim=True)
    scaled = (scores - largest).masked_fill(~visible, 0.0) / temperature
    powers = torch.exp(scaled) * visible
    weights = powers / powers.sum(dim=-1, keepdim=True)

    upstream = upstream.masked_fill(~visible, 0.0)
    mean = (weights * upstream).sum(dim=-1, keepdim=True)
    to_scaled = weights * (upstream - mean)
    return weights, to_scaled / temperature, -(to_scaled * scaled).sum() / temperature


def _visible(inputs: dict) -> Tensor:
    return inputs["readable"].unsqueeze(1).expand_as(inputs["scores"])


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


def _shifted(draw: Draw) -> list[dict]:
    inputs = _inputs(draw)
    return [inputs | {"scores": inputs["scores"] + constant} for constant in (200.0, -200.0)]


def _nothing_to_read(draw: Draw) -> dict:
    inputs = _inputs(draw)
    inputs["readable"][draw.integer(BATCH)] = False
    return inputs


exercise = Exercise(
    "layer(scores, readable, temperature, upstream)",
    without=["softmax", "autograd"],
    minutes=40,
    difficulty="hard",
    solution=solution,
    cases=[
        Case(
            "The weights are a softmax of e / τ over what may be read.",
            _inputs,
            "The temperature divides the scores before exp. And is the softmax over the source, "
            "the last axis?",
            part=0,
        ),
        Case(
            "Adding 200 to all scores, or subtracting it, changes no weight.",
            _shifted,
            "Subtract the largest score of each row before exp: the largest of those that may be "
            "read.",
            part=0,
        ),
        Weak(
            "Where nothing may be read, it raises a ValueError.",
            _nothing_to_read,
            "Look for such a source before you divide: 0 / 0 is not a number.",
        ),
        Case(
            "The gradient at the scores is the way back through the softmax and the temperature.",
            _inputs,
            "First ∂L/∂(e/τ) = α (g - mean of g), as in exercise 4; then e/τ is a score divided by "
            "τ, and its gradient is divided by τ too.",
            part=1,
        ),
    ],
    slips={
        "": [
            lambda scores, readable, *others: solution(
                scores, readable | ~readable.any(dim=1, keepdim=True), *others
            ),
            lambda scores, readable, temperature, upstream: solution(
                scores, readable, 1 / temperature, upstream
            ),
            lambda scores, *others: solution(scores.clamp(-50, 50), *others),
            ('raise ValueError("in one source nothing may be read")', "pass"),
            ("to_scaled / temperature", "to_scaled"),
        ],
        "Three results: the weights and the gradients at the scores are (batch, target, source), "
        "and one temperature is used everywhere, so its gradient is a sum over everything.": [
            lambda *inputs: solution(*inputs)[0],
        ],
        "Hide before the powers are divided by their sum. The mask is (batch, source): it needs an "
        "axis of size one for the targets.": [
            lambda scores, readable, *others: (
                solution(scores, readable | True, *others)[0] * readable[:, None],
                *solution(scores, readable, *others)[1:],
            ),
            lambda scores, readable, *others: solution(scores, readable | True, *others),
        ],
        "A constant added to all scores of a row changes no weight, so it changes no loss. Did you "
        "subtract the mean of the upstream gradients, weighted by α, from each of them?": [
            ("(upstream - mean)", "upstream"),
            ("(weights * upstream).sum", "upstream.mean"),
        ],
    },
)


@exercise.must(
    "The gradient at the temperature adds up what comes back through every e_ij / τ.",
    hint="τ is in every e_ij / τ, whose derivative is -e_ij / τ². Multiply each by what arrives at "
    "e_ij / τ and add everything up, over the whole batch.",
)
def gradient_at_the_temperature(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    return _alike(answer(**inputs)[2:], solution(**inputs)[2:])


@exercise.must(
    "At a hidden place, neither the score nor the gradient that arrives makes a difference.",
    hint="A hidden score can be infinite, and 0 · ∞ is not a number: fill in a harmless number "
    "first, then compute. The same holds on the way back.",
)
def hidden_places_do_not_matter(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    expected, hidden = solution(**inputs), ~_visible(inputs)
    for other in (3e4, torch.inf):
        scores = inputs["scores"].masked_fill(hidden, other)
        upstream = inputs["upstream"].masked_fill(hidden, -other)
        if not _alike(answer(**inputs | {"scores": scores, "upstream": upstream}), expected):
            return False
    return True


def _alike(results: tuple, expected: tuple) -> bool:
    """Whether the results are the same, be the last one a number or a tensor with one."""
    return all(
        same(torch.as_tensor(one).reshape(two.shape), two)
        for one, two in zip(results, expected, strict=True)
    )


check = exercise.check
