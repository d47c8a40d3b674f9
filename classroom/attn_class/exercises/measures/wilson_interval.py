"""Exercise: between which shares does the share of right answers likely lie?

(p + z²/2n ± z √(p (1 - p) / n + z²/4n²)) / (1 + z²/n)        Wilson 1927, z = 1.96

right of count answers, whole numbers, p = right / count, n = count   ->   the two ends

Without answers there is no share: a count of 0 is a ValueError.
"""

import math

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

Z, COUNT = 1.96, Size(7, 19)


def solution(right, count):
    """Both ends have the same centre and the same divisor."""
    if count == 0:
        raise ValueError("without answers there is no share")
    p, spread = right / count, 1.96**2 / count
    half = math.sqrt(spread * p * (1 - p) + spread**2 / 4)
    return (p + spread / 2 - half) / (1 + spread), (p + spread / 2 + half) / (1 + spread)


def _of_some(draw: Draw) -> list[dict]:
    """All but one, none, all, and some others."""
    count = draw[COUNT]
    rights = [count - 1, 0, count, *(draw.integer(count) for _ in range(3))]
    return [{"right": right, "count": count} for right in rights]


def _simple(right: int, count: int, least: float = -9.0, most: float = 9.0) -> tuple[float, float]:
    """Without the terms with z²."""
    half = Z * math.sqrt(right * (count - right) / count**3) + 1e-9
    return max(right / count - half, least), min(right / count + half, most)


_TWO_ENDS = "Minus makes the lower end, plus the upper one: `return low, high`."
exercise = Exercise(
    "interval(right, count)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Each end q lies z √(q (1 - q) / n) away from the share.",
            _of_some,
            "At an end q, the found share is z √(q (1 - q) / n) away. That is where the formula "
            "comes from. Compute 20 of 20 by hand: from 0.839 to 1. Is z 1.96?",
        ),
        Weak(
            "A count of 0 raises a ValueError.",
            lambda draw: {"right": 0, "count": 0},
            "If count is 0, raise ValueError before anything is divided.",
        ),
    ],
    slips={
        "": [
            ("1.96", "1.645"),
            ("count == 0", "count < 0"),
            lambda right, count: solution(right, count) if count else (0.0, 1.0),
        ],
        "The share is right / count. Is the root added on one side and taken off on the other?": [
            lambda right, count: solution(count - right, count)
        ],
        "No share is negative or above 1. With p near an end, p ± z √(p (1 - p) / n) leaves this "
        "range. Are both terms with z² in the numerator, and is all of it divided by 1 + z²/n?": [
            _simple
        ],
        "0 of 20 is no proof of “never”: with p = 0 the terms with z² are what is left. Cutting "
        "another interval off at 0 and 1 does not give it a width.": [
            lambda *inputs: _simple(*inputs, 0.0, 1.0)
        ],
        "If the share of right ones lies between low and high, that of wrong ones lies between 1 - "
        "high and 1 - low. Does p (1 - p) stand under the root, and z²/2n beside p?": [
            ("spread * p * (1 - p)", "spread * p"),
        ],
        "The width falls with the root of n: p (1 - p) / n stands under the root.": [
            lambda right, count: (max(right / count - 0.2, 0.0), min(right / count + 0.2, 1.0))
        ],
        _TWO_ENDS: [lambda *inputs: solution(*inputs)[::-1]],
    },
    shape=_TWO_ENDS,
)
check = exercise.check
