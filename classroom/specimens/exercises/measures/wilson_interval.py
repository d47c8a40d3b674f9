import math

import numpy as np

Z = 1.96


def _expect_some(count):
    if count < 1:
        raise ValueError("nothing was asked")


def as_written(right, count):
    _expect_some(count)
    p, n = right / count, count
    root = Z * math.sqrt(p * (1 - p) / n + Z**2 / (4 * n**2))
    return [(p + Z**2 / (2 * n) + sign * root) / (1 + Z**2 / n) for sign in (-1, 1)]


def in_whole_answers(right, count):
    _expect_some(count)
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
