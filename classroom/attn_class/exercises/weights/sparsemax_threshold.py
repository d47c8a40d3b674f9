"""Exercise: the threshold of a sparsemax.

Σ_j max(e_j - τ, 0) = 1                      Martins & Astudillo 2016, algorithm 1

scores (source)   ->   the threshold τ, one number
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same

SOURCE = Size(3, 7)
exercise = Exercise("threshold(scores)", minutes=15, difficulty="hard")
check = exercise.check


def solution(scores: Tensor) -> float:
    """Include scores from the largest down, as long as the threshold stays below the next one."""
    total, line = 0.0, -torch.inf
    for count, score in enumerate(scores.sort(descending=True).values.tolist(), start=1):
        if score <= line:
            break
        total += score
        line = (total - 1) / count
    return line


@exercise.must_also(
    "The threshold is one number.",
    hint="Return τ itself, not the weights: a float, or a tensor without axes.",
)
def is_one_number(answer: Answer, draw: Draw) -> bool:
    result = answer(scores=draw.normal(SOURCE))
    return isinstance(result, float) or (isinstance(result, Tensor) and result.dim() == 0)


@exercise.must(
    "Of equal scores e, each gets 1/n: the threshold is e - 1/n.",
    hint="What lies above the threshold must sum to one: n (e - τ) = 1. Is the 1 subtracted, and "
    "the sum divided by the number of scores included?",
)
def equal_scores_share_alike(answer: Answer, draw: Draw) -> bool:
    score = float(draw.normal(1))
    return answer.gives(score - 1 / draw[SOURCE], scores=torch.full((draw[SOURCE],), score))


@exercise.must_also(
    "If one score is far above all others, the threshold lies 1 below it.",
    hint="Only the largest is included: e - τ = 1. The others lie below and must not count.",
)
def a_clear_winner_takes_all(answer: Answer, draw: Draw) -> bool:
    scores = draw.normal(SOURCE)
    best = draw.integer(SOURCE)
    scores[best] = 5.0
    return answer.gives(4.0, scores=scores)


@exercise.must(
    "What lies above the threshold sums to one.",
    hint="Σ max(e_j - τ, 0) must be 1. Include the scores from the largest down, and stop at the "
    "first that lies below the threshold of those before it.",
)
def what_is_above_sums_to_one(answer: Answer, draw: Draw) -> bool:
    scores = draw.normal(SOURCE)
    line = float(answer(scores=scores))
    return same((scores - line).clamp(min=0).sum(), 1.0)


@exercise.must(
    "Adding a constant to all scores moves the threshold by the same amount.",
    hint="Where do you look for it? Nothing may be compared with 0 or any other number, and no "
    "score may be cut off there: only differences between scores count.",
)
def moves_with_the_scores(answer: Answer, draw: Draw) -> bool:
    scores = draw.normal(SOURCE)
    for constant in (-9.0, -200.0, 200.0):
        line = float(answer(scores=scores + constant))
        if abs(float((scores + constant - line).clamp(min=0).sum()) - 1) > 1e-3:
            return False
    return answer.gives(_by_halving(scores) - 9.0, scores=scores - 9.0)


def _by_halving(scores: Tensor) -> float:
    """Halve the interval that contains the threshold until it is found."""
    low, high = scores.min().item() - 1, scores.max().item()
    for _ in range(60):
        middle = (low + high) / 2
        if (scores.double() - middle).clamp(min=0).sum() > 1:
            low = middle
        else:
            high = middle
    return high
