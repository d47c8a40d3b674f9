"""Exercise: the threshold of a sparsemax.

Σ_j max(e_j - τ, 0) = 1                      Martins & Astudillo 2016, algorithm 1

scores (source)   ->   the threshold τ, one number
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

SOURCE = Size(3, 7)


def solution(scores: Tensor) -> float:
    """Include scores from the largest down, as long as the threshold stays below the next one."""
    total, line = 0.0, -torch.inf
    for count, score in enumerate(scores.sort(descending=True).values.tolist(), start=1):
        if score <= line:
            break
        total += score
        line = (total - 1) / count
    return line


def _equal(draw: Draw) -> dict[str, Tensor]:
    return {"scores": torch.full((draw[SOURCE],), float(draw.normal(1)))}


def _one_far_above(draw: Draw) -> dict[str, Tensor]:
    scores = draw.normal(SOURCE)
    scores[draw.integer(SOURCE)] = 5.0
    return {"scores": scores}


def _moved(draw: Draw) -> list[dict[str, Tensor]]:
    return [{"scores": draw.normal(SOURCE) + constant} for constant in (-9.0, -200.0, 200.0)]


exercise = Exercise(
    "threshold(scores)",
    minutes=15,
    difficulty="hard",
    solution=solution,
    cases=[
        Case(
            "Of equal scores e, each gets 1/n: the threshold is e - 1/n.",
            _equal,
            "What lies above the threshold must sum to one: n (e - τ) = 1. Is the 1 subtracted, "
            "and the sum divided by the number of scores included?",
        ),
        Weak(
            "If one score is far above all others, the threshold lies 1 below it.",
            _one_far_above,
            "Only the largest is included: e - τ = 1. The others lie below and must not count.",
        ),
        Case(
            "What lies above the threshold sums to one.",
            lambda draw: {"scores": draw.normal(SOURCE)},
            "Σ max(e_j - τ, 0) must be 1. Include the scores from the largest down, and stop at "
            "the first that lies below the threshold of those before it.",
        ),
        Case(
            "Adding a constant to all scores moves the threshold by the same amount.",
            _moved,
            "Where do you look for it? Nothing may be compared with 0 or any other number, and no "
            "score may be cut off there: only differences between scores count.",
        ),
    ],
    slips={
        "": [
            lambda scores: scores.mean(),
            lambda scores: (scores.sum() - 1) / len(scores),
            lambda scores: (
                solution(scores[scores > scores.max() - 1 / len(scores)])
                if scores.std()
                else solution(scores)
            ),
            lambda scores: max(solution(scores), -1.5),
        ],
    },
    shape="Return τ itself, not the weights: a float, or a tensor without axes.",
)
check = exercise.check
