"""Exercise: between which shares does the share of right answers likely lie?

(p + z²/2n ± z √(p (1 - p) / n + z²/4n²)) / (1 + z²/n)        Wilson 1927, z = 1.96

right of count answers, whole numbers, p = right / count, n = count   ->   the two ends

Without answers there is no share: a count of 0 is a ValueError.
"""

import math

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same

Z, COUNT = 1.96, Size(7, 19)
exercise = Exercise("interval(right, count)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(right, count):
    """Both ends have the same centre and the same divisor."""
    if count == 0:
        raise ValueError("without answers there is no share")
    p, spread = right / count, 1.96**2 / count
    half = math.sqrt(spread * p * (1 - p) + spread**2 / 4)
    return (p + spread / 2 - half) / (1 + spread), (p + spread / 2 + half) / (1 + spread)


@exercise.must_also(
    "It returns two numbers, the lower end first.",
    hint="Minus makes the lower end, plus the upper one: `return low, high`.",
)
def two_ends(answer: Answer, draw: Draw) -> bool:
    low, high = _ends(answer, 1 + draw.integer(draw[COUNT] - 1), draw[COUNT])
    return low < high


@exercise.must_also(
    "It contains the share that was found.",
    hint="The share is right / count. Is the root added on one side and taken off on the other?",
)
def contains_the_share(answer: Answer, draw: Draw) -> bool:
    for right in _rights(draw):
        low, high = _ends(answer, right, draw[COUNT])
        if not low - 1e-5 <= right / draw[COUNT] <= high + 1e-5:
            return False
    return True


@exercise.must_also(
    "It stays between 0 and 1.",
    hint="No share is negative or above 1. With p near an end, p ± z √(p (1 - p) / n) leaves this "
    "range. Are both terms with z² in the numerator, and is all of it divided by 1 + z²/n?",
)
def stays_between_0_and_1(answer: Answer, draw: Draw) -> bool:
    ends = [_ends(answer, right, draw[COUNT]) for right in _rights(draw)]
    return all(low >= -1e-5 and high <= 1 + 1e-5 for low, high in ends)


@exercise.must_also(
    "If none were right, it still reaches above 0.",
    hint="0 of 20 is no proof of “never”: with p = 0 the terms with z² are what is left. Cutting "
    "another interval off at 0 and 1 does not give it a width.",
)
def none_right_is_not_never(answer: Answer, draw: Draw) -> bool:
    return _ends(answer, 0, draw[COUNT])[1] > 0.01


@exercise.must_also(
    "The wrong answers have the mirrored interval.",
    hint="If the share of right ones lies between low and high, that of wrong ones lies between "
    "1 - high and 1 - low. Does p (1 - p) stand under the root, and z²/2n beside p?",
)
def mirrored_for_the_wrong_ones(answer: Answer, draw: Draw) -> bool:
    for right in _rights(draw):
        low, high = _ends(answer, right, draw[COUNT])
        if not same(_ends(answer, draw[COUNT] - right, draw[COUNT]), (1 - high, 1 - low)):
            return False
    return True


@exercise.must_also(
    "With four times as many answers it is about half as wide.",
    hint="The width falls with the root of n: p (1 - p) / n stands under the root.",
)
def four_times_the_answers_halve_it(answer: Answer, draw: Draw) -> bool:
    count = 400 + draw.integer(100)
    right = count // 3 + draw.integer(count // 3)
    narrow, wide = _ends(answer, 4 * right, 4 * count), _ends(answer, right, count)
    return 0.49 < (narrow[1] - narrow[0]) / (wide[1] - wide[0]) < 0.52


@exercise.must(
    "Each end q lies z √(q (1 - q) / n) away from the share.",
    hint="At an end q, the found share is z √(q (1 - q) / n) away. That is where the formula comes "
    "from. Compute 20 of 20 by hand: from 0.839 to 1. Is z 1.96?",
)
def as_far_as_chance_reaches(answer: Answer, draw: Draw) -> bool:
    for right in _rights(draw):
        for end in _ends(answer, right, draw[COUNT]):
            reach = Z * math.sqrt(max(end * (1 - end), 0.0) / draw[COUNT])
            if abs(abs(right / draw[COUNT] - end) - reach) > 2e-3:
                return False
    return True


@exercise.must_also(
    "A count of 0 raises a ValueError.",
    hint="If count is 0, raise ValueError before anything is divided.",
)
def no_answers_no_share(answer: Answer, draw: Draw) -> bool:
    low, high = _ends(answer, draw.integer(COUNT), draw[COUNT])
    return low < high and answer.refuses(ValueError, right=0, count=0)


def _rights(draw: Draw) -> list[int]:
    """None, all, all but one, and some others."""
    count = draw[COUNT]
    return [0, count, count - 1, *(draw.integer(count) for _ in range(3))]


def _ends(answer: Answer, right: int, count: int) -> tuple[float, float]:
    low, high = answer(right=right, count=count)
    return float(low), float(high)
