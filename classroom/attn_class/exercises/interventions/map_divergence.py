"""Exercise: how different are two maps, row by row?

JS(p, q) = (KL(p ‖ m) + KL(q ‖ m)) / 2,   m = (p + q) / 2,   KL(p ‖ m) = Σ_j p_j ln(p_j / m_j)
                                             Lin 1991, in nats

one, other (target source)   ->   (target)
"""

import math

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

TARGET, SOURCE = Size(2, 5), Size(3, 11)


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


def _the_same(draw: Draw) -> dict:
    one = _inputs(draw)["one"]
    return {"one": one, "other": one.clone()}


exercise = Exercise(
    "apart(one, other)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Weak(
            "The divergence of a map from itself is 0.",
            _the_same,
            "For p = q each logarithm is ln 1. (Do not take a root: it would magnify rounding "
            "errors.)",
        ),
        Weak(
            "Weights of 0 do no harm: two maps that share no place are ln 2 apart.",
            lambda draw: {"one": _certain(0, draw), "other": _certain(2, draw)},
            "0 · ln 0 counts as 0, but in PyTorch it is NaN; torch.special.xlogy returns 0. Is "
            "each map compared with the mean of the two, and not with the other map? Is the "
            "logarithm the natural one? Is a half missing, or did you take a root?",
        ),
        Case(
            "For any two maps it is the mean of their two divergences from the mean map.",
            _inputs,
            "m = (p + q) / 2, entry by entry; then KL(p ‖ m) and KL(q ‖ m).",
        ),
    ],
    slips={
        "A KL divergence is not. Compare both maps with their mean, and take the mean of the "
        "two.": [
            ("for p in (one, other)", "for p in (one, one)"),
            ("(one + other) / 2\n", "other\n", "for p in (one, other)", "for p in (one, one)"),
        ],
        "": [
            lambda one, other: (one * other).sum(dim=-1),
            (
                "torch.special.xlogy(p, p) - torch.special.xlogy(p, middle)",
                "p * (p / middle).log()",
            ),
            lambda one, other: (one - other).abs().sum(dim=-1) / 2 * math.log(2),
        ],
    },
    gradients=_inputs,
    shape="Sum over the source, not over the targets.",
)
check = exercise.check
