"""Exercise: how many positions are read.

n = exp(H),   H = -Σ_j α_j ln α_j,   with 0 ln 0 = 0        Shannon 1948

weights (target source)   ->   one number for each target (target)
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

TARGET, SOURCE = Size(2, 5), Size(3, 7)


def solution(weights: Tensor) -> Tensor:
    """A weight of 0 adds nothing, so its logarithm may be replaced by any number, such as ln 1."""
    logarithms = torch.where(weights > 0, weights, 1.0).log()
    return torch.exp(-(weights * logarithms).sum(dim=-1))


def _weights(draw: Draw) -> Tensor:
    return torch.softmax(draw.normal(TARGET, SOURCE, scale=1.0), dim=-1)


def _equal(draw: Draw) -> dict[str, Tensor]:
    return {"weights": torch.full((draw[TARGET], draw[SOURCE]), 1 / draw[SOURCE])}


def _with_zeros(draw: Draw) -> list[dict[str, Tensor]]:
    one = torch.eye(draw[SOURCE])[draw.integer(SOURCE)].repeat(draw[TARGET], 1)
    some = _weights(draw)
    some[:, draw.integer(SOURCE)] = 0
    return [{"weights": one}, {"weights": some / some.sum(dim=-1, keepdim=True)}]


def _small(draw: Draw) -> dict[str, Tensor]:
    weights = torch.full((draw[TARGET], 401), 1e-6)
    weights[:, 0] = 1 - 400e-6
    weights[0] = torch.eye(401)[draw.integer(401)]
    return {"weights": weights}


exercise = Exercise(
    "effective(weights)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Weak(
            "Positions that share equally are all counted.",
            _equal,
            "n equal weights have the entropy ln n, in nats, and exp(ln n) = n. Is the minus sign "
            "missing, exp forgotten, or the logarithm to base 2?",
        ),
        Case(
            "Any weights above zero give exp of their entropy.",
            lambda draw: {"weights": _weights(draw)},
            "H = -Σ α ln α, with the weight in front of the logarithm. Counting weights above some "
            "bound, 1 / Σ α² and 1 / max α agree with it only for equal weights.",
        ),
        Case(
            "A weight of zero adds nothing: one position with all the weight counts as one, and a "
            "row with one zero counts the others.",
            _with_zeros,
            "0 · ln 0 is NaN for a computer, and 0 in the equation, since x ln x goes to 0 with x. "
            "What has no weight must add nothing.",
        ),
        Weak(
            "A very small weight adds very little, but it does add it.",
            _small,
            "Is something added under the logarithm? Are small weights raised to a minimum, or "
            "left out? That changes rows that have many of them.",
        ),
    ],
    slips={
        "": [
            (
                "torch.exp(-(weights * logarithms).sum(dim=-1))",
                "-(weights * logarithms).sum(dim=-1)",
            ),
            lambda weights: 1 / (weights**2).sum(dim=-1),
            ("torch.where(weights > 0, weights, 1.0)", "weights"),
            ("torch.where(weights > 0, weights, 1.0)", "(weights + 1e-6)"),
        ],
    },
    shape="Sum over the source, the last axis (dim=-1), and keep the targets: the result is "
    "(target).",
)
check = exercise.check
