"""Right and wrong answers to `attn_class.exercises.measures.wilson_interval`."""

import math
from functools import partial

import numpy as np

from specimens.answers import changed, named

Z = 1.96


def expect_some(count):
    if count < 1:
        raise ValueError("nothing was asked")


def as_written(right, count, z=Z):
    expect_some(count)
    p, n = right / count, count
    root = z * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return [(p + z**2 / (2 * n) + sign * root) / (1 + z**2 / n) for sign in (-1, 1)]


def in_whole_answers(right, count):
    expect_some(count)
    half = Z * math.sqrt(right * (count - right) / count + Z**2 / 4)
    ends = np.array([right + Z**2 / 2 - half, right + Z**2 / 2 + half])
    return ends / (count + Z**2)


def as_roots_of_a_quadratic(right, count):
    """(p - q)² = z² q (1 - q) / n, solved for q."""
    if not count:
        raise ValueError("nothing was asked")
    p, s = right / count, Z**2 / count
    root = math.sqrt((2 * p + s) ** 2 - 4 * (1 + s) * p**2)
    return (2 * p + s - root) / (2 + 2 * s), (2 * p + s + root) / (2 + 2 * s)


def one_side(right, count):
    low, high = as_written(right, count)
    return (low + high) / 2, high


def simple(right, count):
    expect_some(count)
    p = right / count
    half = Z * math.sqrt(p * (1 - p) / count) + 1e-9
    return p - half, p + half


def two_more_of_each(right, count):
    """Agresti and Coull's, which is nearly the same."""
    expect_some(count)
    n = count + Z**2
    p = (right + Z**2 / 2) / n
    half = Z * math.sqrt(p * (1 - p) / n)
    return p - half, p + half


def cut_off(right, count):
    low, high = simple(right, count)
    return max(low, 0.0), min(high, 1.0)


def always_as_wide(right, count):
    expect_some(count)
    return max(right / count - 0.2, 0.0), min(right / count + 0.2, 1.0)


def hoeffding(right, count):
    expect_some(count)
    half = math.sqrt(math.log(2 / 0.05) / (2 * count))
    return max(right / count - half, 0.0), min(right / count + half, 1.0)


def by_the_quadratic(right, count):
    if not count:
        raise ValueError("no answers")
    a, b, c = count + 1.96**2, -(2 * right + 1.96**2), right**2 / count
    root = math.sqrt(max(b * b - 4 * a * c, 0.0))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def around_the_share(right, count):
    low, high = by_the_quadratic(right, count)
    return right / count - (high - low) / 2, right / count + (high - low) / 2


but = partial(changed, as_written)
RIGHT = [as_written, in_whole_answers, as_roots_of_a_quadratic, by_the_quadratic]
WRONG = {
    "two_ends": named(
        centre_and_half=changed(one_side, "2, high", "2, (high - low) / 200"),
        upper_first=lambda right, count: as_written(right, count)[::-1],
        with_the_share=lambda right, count: (right / count, *as_written(right, count)),
    ),
    "contains_the_share": named(
        one_side, of_the_wrong_ones=lambda right, count: as_written(count - right, count)
    ),
    "stays_between_0_and_1": named(
        simple,
        two_more_of_each,
        around_the_share,
        not_divided=but(" / (1 + z**2 / n)", ""),
        n_is_not_squared=but("(4 * n**2)", "(4 * n)"),
    ),
    "none_right_is_not_never": [cut_off],
    "mirrored_for_the_wrong_ones": named(
        rule_of_three=lambda right, count: (0.0, 3 / count) if right == 0 else cut_off(right, count)
    ),
    "four_times_the_answers_halve_it": [always_as_wide],
    "as_far_as_chance_reaches": named(
        hoeffding,
        ninety_per_cent=partial(as_written, z=1.645),
        two_deviations_and_a_half=partial(as_written, z=2.576),
    ),
    "no_answers_no_share": named(
        divides_by_nothing=but("expect_some(count)", "pass"),
        anything_may_be=lambda right, count: as_written(right, count) if count else (0.0, 1.0),
    ),
    "runs": named(
        takes_the_share=lambda share: as_written(share, 1),
        root_of_a_negative=lambda right, count: (math.sqrt(right / count - 2), 1.0),
    ),
}
