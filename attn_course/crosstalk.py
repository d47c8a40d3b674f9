"""Crosstalk: how the pairs in a memory disturb one another when their keys are not orthogonal.

A memory that sums up v_j k_jᵀ and is asked for k_i returns

    S k_i = v_i (k_i · k_i) + Σ_{j≠i} v_j (k_j · k_i)

the value of k_i and a share of every other value. For random keys of length 1 the shares have a
mean of zero and a variance of 1 / key_size, so the noise grows with the number of pairs and shrinks
with the size of the state. Nothing here is trained.
"""

import math

import numpy as np
import torch

from attn_course._values import expect_count, expect_number

_POINTS = 201  # at which the integral over the noise on the right value is evaluated


def relative_error(pairs: int, key_size: int, rule: str = "sum") -> float:
    """The expected squared error of what is read, for values of length 1 and random keys.

        sum             (p - 1) / d
        least squares   max(0, 1 - d / p)

    The best matrix makes no error as long as there are no more pairs than a key has entries. A sum
    of outer products makes an error from the second pair on. The delta rule, given the same pairs
    again and again, approaches the best matrix.
    """
    expect_count("pairs", pairs)
    expect_count("key_size", key_size)
    if rule not in ("sum", "least squares"):
        raise ValueError(f"rule must be 'sum' or 'least squares'; got {rule!r}")
    return (pairs - 1) / key_size if rule == "sum" else max(0.0, 1 - key_size / pairs)


def expected_recall(pairs: int, key_size: int, value_size: int, values: int) -> float:
    """The chance that a sum of outer products gives the right one of V = ``values`` values.

        σ² = (p - 1) / d_k · ((1 - 1/V) / d_v + 1/V)
        P = ∫ φ(z) (1 - E_a[Φ(-√((1 - a) / (1 + a)) (1 + σ z) / σ)])^(V - 1) dz

    for random unit keys and V random unit values, one of them drawn for each pair. The answer is
    the value with the largest product with what is read. σ is the noise on each product: it comes
    from values that are similar and from pairs that have the same value. a is the product of the
    right value with a wrong one, and also the correlation of the noise on the two. The wrong values
    are assumed to err independently, so where P is small the truth is somewhat better.

    As long as there are many more values than a value has entries, σ² is about the number of other
    pairs divided by the numbers in the state: it takes a matrix of twice the numbers to hold twice
    the pairs.
    """
    expect_count("pairs", pairs)
    expect_count("key_size", key_size)
    expect_count("value_size", value_size, least=2)
    expect_count("values", values)
    spread = (pairs - 1) / key_size * ((1 - 1 / values) / value_size + 1 / values)
    if spread == 0:
        return 1.0  # a single pair
    noise = math.sqrt(spread)
    z = np.linspace(-6, 6, _POINTS)
    density = np.exp(-(z**2) / 2)
    alike = np.linspace(-1, 1, _POINTS + 2)[1:-1]
    likely = (1 - alike**2) ** ((value_size - 3) / 2)  # products of random directions
    ahead = np.sqrt((1 - alike) / (1 + alike))[:, None] * (1 + noise * z) / noise
    wrong = likely / likely.sum() @ _below(-ahead)
    return float((density / density.sum()) @ (1 - wrong) ** (values - 1))


def _below(z: np.ndarray) -> np.ndarray:
    """Φ(z), the distribution function of the normal distribution."""
    return torch.special.ndtr(torch.from_numpy(z)).numpy()


def pairs_held(key_size: int, value_size: int, values: int, share: float | int = 0.9) -> float:
    """The number of pairs at which this ``share`` of the answers is expected to be right.

    Seldom a whole number: `expected_recall` is interpolated linearly between two counts.
    """
    wanted = expect_number("share", share)
    expect_count("values", values, least=2)  # with one, there is nothing to choose from
    if not 1 / values < wanted < 1:
        raise ValueError(
            f"share must lie between 1 / {values}, which a guess gets, and 1; got {wanted:g}"
        )
    low, high = 1, 2
    while expected_recall(high, key_size, value_size, values) >= wanted:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if expected_recall(middle, key_size, value_size, values) >= wanted:
            low = middle
        else:
            high = middle
    above, below = (expected_recall(p, key_size, value_size, values) for p in (low, high))
    return low + (above - wanted) / (above - below)
