"""Right and wrong answers to `attn_course.classroom.exercises.measures.wilson_interval`."""

import math

import numpy as np

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


def upper_first(right, count):
    return as_written(right, count)[::-1]


def with_the_share(right, count):
    return right / count, *as_written(right, count)


def centre_and_half(right, count):
    low, high = as_written(right, count)
    return (low + high) / 2, (high - low) / 200


def of_the_wrong_ones(right, count):
    return as_written(count - right, count)


def one_side(right, count):
    low, high = as_written(right, count)
    return (low + high) / 2, high


def simple(right, count):
    expect_some(count)
    p = right / count
    half = Z * math.sqrt(p * (1 - p) / count) + 1e-9
    return p - half, p + half


def not_divided(right, count):
    low, high = as_written(right, count)
    return low * (1 + Z**2 / count), high * (1 + Z**2 / count)


def two_more_of_each(right, count):
    """Agresti and Coull's, which is nearly the same."""
    expect_some(count)
    n = count + Z**2
    p = (right + Z**2 / 2) / n
    half = Z * math.sqrt(p * (1 - p) / n)
    return p - half, p + half


def n_is_not_squared(right, count):
    expect_some(count)
    p, n = right / count, count
    root = Z * math.sqrt(p * (1 - p) / n + Z**2 / (4 * n))
    return [(p + Z**2 / (2 * n) + sign * root) / (1 + Z**2 / n) for sign in (-1, 1)]


def cut_off(right, count):
    low, high = simple(right, count)
    return max(low, 0.0), min(high, 1.0)


def rule_of_three(right, count):
    return (0.0, 3 / count) if right == 0 else cut_off(right, count)


def always_as_wide(right, count):
    expect_some(count)
    return max(right / count - 0.2, 0.0), min(right / count + 0.2, 1.0)


def hoeffding(right, count):
    expect_some(count)
    half = math.sqrt(math.log(2 / 0.05) / (2 * count))
    return max(right / count - half, 0.0), min(right / count + half, 1.0)


def ninety_per_cent(right, count):
    return as_written(right, count, z=1.645)


def two_deviations_and_a_half(right, count):
    return as_written(right, count, z=2.576)


def divides_by_nothing(right, count):
    z, p = Z, right / count
    half = z * math.sqrt(p * (1 - p) / count + z**2 / (4 * count**2))
    centre, divisor = p + z**2 / (2 * count), 1 + z**2 / count
    return (centre - half) / divisor, (centre + half) / divisor


def anything_may_be(right, count):
    return as_written(right, count) if count else (0.0, 1.0)


def takes_the_share(share):
    return as_written(share, 1)


def root_of_a_negative(right, count):
    return math.sqrt(right / count - 2), 1.0


def by_the_quadratic(right, count):
    if not count:
        raise ValueError("no answers")
    a, b, c = count + 1.96**2, -(2 * right + 1.96**2), right**2 / count
    root = math.sqrt(max(b * b - 4 * a * c, 0.0))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def around_the_share(right, count):
    low, high = by_the_quadratic(right, count)
    return right / count - (high - low) / 2, right / count + (high - low) / 2


def all_or_nothing(right, count):
    return by_the_quadratic(right, count) if count else (0.0, 1.0)


RIGHT = [as_written, in_whole_answers, as_roots_of_a_quadratic, by_the_quadratic]
WRONG = {
    upper_first: "two_ends",
    with_the_share: "two_ends",
    centre_and_half: "two_ends",
    of_the_wrong_ones: "contains_the_share",
    one_side: "contains_the_share",
    simple: "stays_between_0_and_1",
    not_divided: "stays_between_0_and_1",
    two_more_of_each: "stays_between_0_and_1",
    n_is_not_squared: "stays_between_0_and_1",
    cut_off: "none_right_is_not_never",
    rule_of_three: "mirrored_for_the_wrong_ones",
    always_as_wide: "four_times_the_answers_halve_it",
    hoeffding: "as_far_as_chance_reaches",
    ninety_per_cent: "as_far_as_chance_reaches",
    two_deviations_and_a_half: "as_far_as_chance_reaches",
    divides_by_nothing: "no_answers_no_share",
    anything_may_be: "no_answers_no_share",
    takes_the_share: "runs",
    root_of_a_negative: "runs",
    around_the_share: "stays_between_0_and_1",
    all_or_nothing: "no_answers_no_share",
}
