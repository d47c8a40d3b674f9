"""Crosstalk: how the pairs in a memory disturb one another when their keys are not orthogonal.

A memory that sums up v_j k_jᵀ and is asked for k_i returns

    S k_i = v_i (k_i · k_i) + Σ_{j≠i} v_j (k_j · k_i)

the value of k_i and a share of every other value. For random keys of length 1 the shares have a
mean of zero and a variance of 1 / key_size, so the noise grows with the number of pairs and shrinks
with the size of the state. Nothing here is trained.
"""

import math
from typing import Annotated, Literal

import numpy as np
import torch

from attn_course._signature import checked
from attn_course._values import Count, at_least

Several = Annotated[int, at_least(2)]
_POINTS = 201  # at which the integral over the noise on the right value is evaluated


@checked
def relative_error(
    pairs: Count, key_size: Count, rule: Literal["sum", "least squares"] = "sum"
) -> float:
    """The expected squared error of what is read, for values of length 1 and random keys.

        "sum"             (p - 1) / d           p = ``pairs``, d = ``key_size``
        "least squares"   max(0, 1 - d / p)

    The best matrix makes no error as long as there are no more pairs than a key has entries. A sum
    of outer products makes an error from the second pair on. The delta rule, given the same pairs
    again and again, approaches the best matrix if there are no more pairs than entries; with more,
    only a small strength brings it near.
    """
    return (pairs - 1) / key_size if rule == "sum" else max(0.0, 1 - key_size / pairs)


@checked
def expected_recall(pairs: Count, key_size: Count, value_size: Several, values: Count) -> float:
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


@checked
def pairs_held(key_size: Count, value_size: Several, values: Several, share: float = 0.9) -> float:
    """The number of pairs at which this ``share`` of the answers is expected to be right.

    Seldom a whole number: `expected_recall` is interpolated linearly between two counts. A
    ``share`` that is not between 1 / ``values``, which a guess gets, and 1 is a ValueError.
    """
    if not 1 / values < share < 1:
        raise ValueError(
            f"share must lie between 1 / {values}, which a guess gets, and 1; got {share:g}"
        )
    low, high = 1, 2
    while expected_recall(high, key_size, value_size, values) >= share:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if expected_recall(middle, key_size, value_size, values) >= share:
            low = middle
        else:
            high = middle
    above, below = (expected_recall(p, key_size, value_size, values) for p in (low, high))
    return low + (above - share) / (above - below)
