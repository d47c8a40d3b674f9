"""Exercise: what did a translation leave unread?

weights (target, source), beta   ->   beta * sum_j ln min(sum_i weights_ij, 1)    Wu et al. 2016
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

TARGET, SOURCE = Size(7, 11), Size(3, 5)


def solution(weights, beta):
    """Sum over the target first: how much was each source position read in all?"""
    return beta * weights.sum(dim=0).clamp(max=1).log().sum().item()


def _in_full(draw: Draw) -> dict:
    return {"weights": torch.eye(draw[SOURCE]), "beta": 0.5}


def _thrice(draw: Draw) -> dict:
    weights = torch.eye(draw[SOURCE])[[0, 0, 0, *range(1, draw[SOURCE])]]
    return {"weights": weights, "beta": 1.0}


def _inputs(draw: Draw) -> dict:
    weights = draw.normal(TARGET, draw[SOURCE] + 4, scale=2.0).softmax(dim=-1)
    return {"weights": weights, "beta": 0.25 * (1 + draw.integer(5))}


exercise = Exercise(
    "penalty(weights, beta)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Weak(
            "It is one number, and 0 if every position was read in full.",
            _in_full,
            "Each position of the source adds its logarithm; ln 1 = 0.",
        ),
        Weak(
            "A position that is read twice does not make up for another.",
            _thrice,
            "Clamp each position's sum to at most 1 before the logarithm: `clamp(max=1)`.",
        ),
        Case(
            "It is beta times the sum, over source positions, of the logarithm of how much each "
            "was read.",
            _inputs,
            "Sum over the target first (dim=0), clamp, take the logarithm, sum over the source. A "
            "row of weights always sums to one; it is the columns that matter. And the sign: what "
            "is left unread makes a score smaller.",
        ),
    ],
    slips={
        "": [
            ("weights.sum(dim=0).clamp(max=1)", "weights.clamp(min=1e-9)"),
            (".clamp(max=1)", ""),
            ("sum(dim=0)", "sum(dim=1)"),
        ],
    },
)
check = exercise.check
