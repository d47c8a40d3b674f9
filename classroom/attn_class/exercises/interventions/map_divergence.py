"""Exercise: how different are two maps, row by row?

JS(p, q) = (KL(p ‖ m) + KL(q ‖ m)) / 2,   m = (p + q) / 2,   KL(p ‖ m) = Σ_j p_j ln(p_j / m_j)
                                             Lin 1991, in nats

one, other (target source)   ->   (target)
"""

import math

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

TARGET, SOURCE = Size(2, 5), Size(3, 11)
exercise = Exercise("apart(one, other)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(one, other):
    """A weight of 0 adds 0, as xlogy has it."""
    middle = (one + other) / 2
    parts = [torch.special.xlogy(p, p) - torch.special.xlogy(p, middle) for p in (one, other)]
    return sum(part.sum(dim=-1) for part in parts) / 2


def _inputs(draw: Draw) -> dict:
    return {name: draw.normal(TARGET, SOURCE, scale=1.0).softmax(-1) for name in ("one", "other")}


def _certain(place: int, draw: Draw) -> torch.Tensor:
    rows = torch.zeros(draw[TARGET], draw[SOURCE])
    rows[:, place] = 1.0
    return rows


@exercise.must_also(
    "There is one number for each row.",
    hint="Sum over the source, not over the targets.",
)
def one_for_each_row(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[TARGET])


@exercise.must_also(
    "The divergence of a map from itself is 0.",
    hint="For p = q each logarithm is ln 1. (Do not take a root: it would magnify rounding "
    "errors.)",
)
def alike_is_zero(answer: Answer, draw: Draw) -> bool:
    one = _inputs(draw)["one"]
    return same(answer(one=one, other=one.clone()), torch.zeros(draw[TARGET]))


@exercise.must_also(
    "It is the same if the two maps change places.",
    hint="A KL divergence is not. Compare both maps with their mean, and take the mean of the two.",
)
def is_symmetric(answer: Answer, draw: Draw) -> bool:
    given = _inputs(draw)
    turned = answer(one=given["other"], other=given["one"])
    return same(answer(**given), turned)


@exercise.must_also(
    "Weights of 0 do no harm: two maps that share no place are ln 2 apart.",
    hint="0 · ln 0 counts as 0, but in PyTorch it is NaN; torch.special.xlogy returns 0. Is each "
    "map compared with the mean of the two, and not with the other map? Is the logarithm the "
    "natural one? Is a half missing, or did you take a root?",
)
def nothing_shared_is_ln_two(answer: Answer, draw: Draw) -> bool:
    apart = answer(one=_certain(0, draw), other=_certain(2, draw))
    return same(apart, torch.full((draw[TARGET],), math.log(2)))


@exercise.must(
    "For any two maps it is the mean of their two divergences from the mean map.",
    hint="m = (p + q) / 2, entry by entry; then KL(p ‖ m) and KL(q ‖ m).",
)
def is_what_the_equation_says(answer: Answer, draw: Draw) -> bool:
    given = _inputs(draw)
    return answer.agrees(solution, **given)


exercise.must_pass_gradients(solution, _inputs)
