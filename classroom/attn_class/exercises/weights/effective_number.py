"""Exercise: how many positions are read.

n = exp(H),   H = -Σ_j α_j ln α_j,   with 0 ln 0 = 0        Shannon 1948

weights (target source)   ->   one number for each target (target)
"""

import math

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

TARGET, SOURCE = Size(2, 5), Size(3, 7)
exercise = Exercise("effective(weights)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(weights: Tensor) -> Tensor:
    """A weight of 0 adds nothing, so its logarithm may be replaced by any number, such as ln 1."""
    logarithms = torch.where(weights > 0, weights, 1.0).log()
    return torch.exp(-(weights * logarithms).sum(dim=-1))


@exercise.must_also(
    "Every row of weights gets one number.",
    hint="Sum over the source, the last axis (dim=-1), and keep the targets: the result is "
    "(target).",
)
def one_number_a_row(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(weights=_weights(draw)), draw[TARGET])


@exercise.must_also(
    "Positions that share equally are all counted.",
    hint="n equal weights have the entropy ln n, in nats, and exp(ln n) = n. Is the minus sign "
    "missing, exp forgotten, or the logarithm to base 2?",
)
def equal_weights_are_counted(answer: Answer, draw: Draw) -> bool:
    expected = torch.full((draw[TARGET],), float(draw[SOURCE]))
    return answer.gives(
        expected, weights=torch.full((draw[TARGET], draw[SOURCE]), 1 / draw[SOURCE])
    )


@exercise.must(
    "Any weights above zero give exp of their entropy.",
    hint="H = -Σ α ln α, with the weight in front of the logarithm. Counting weights above some "
    "bound, 1 / Σ α² and 1 / max α agree with it only for equal weights.",
)
def is_the_exponential_of_the_entropy(answer: Answer, draw: Draw) -> bool:
    weights = _weights(draw)
    return answer.gives(_by_loops(weights), weights=weights)


@exercise.must(
    "A weight of zero adds nothing: one position with all the weight counts as one, and a row "
    "with one zero counts the others.",
    hint="0 · ln 0 is NaN for a computer, and 0 in the equation, since x ln x goes to 0 with x. "
    "What has no weight must add nothing.",
)
def zeros_add_nothing(answer: Answer, draw: Draw) -> bool:
    weights = torch.zeros(draw[TARGET], draw[SOURCE])
    weights[:, draw.integer(SOURCE)] = 1
    if not answer.gives(torch.ones(draw[TARGET]), weights=weights):
        return False
    some = _weights(draw)
    some[:, draw.integer(SOURCE)] = 0
    some = some / some.sum(dim=-1, keepdim=True)
    return answer.gives(_by_loops(some), weights=some)


@exercise.must_also(
    "A very small weight adds very little, but it does add it.",
    hint="Is something added under the logarithm? Are small weights raised to a minimum, or left "
    "out? That changes rows that have many of them.",
)
def small_weights_stay_small(answer: Answer, draw: Draw) -> bool:
    weights = torch.full((draw[TARGET], 401), 1e-6)
    weights[:, 0] = 1 - 400e-6
    weights[0] = torch.eye(401)[draw.integer(401)]
    return answer.gives(_by_loops(weights), weights=weights)


def _weights(draw: Draw) -> Tensor:
    return torch.softmax(draw.normal(TARGET, SOURCE, scale=1.0), dim=-1)


def _by_loops(weights: Tensor) -> Tensor:
    rows = weights.tolist()
    return torch.tensor([math.exp(-sum(a * math.log(a) for a in row if a)) for row in rows])
