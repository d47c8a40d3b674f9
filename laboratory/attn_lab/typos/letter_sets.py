"""Do some letters stand apart from the others? Compared with every set of letters of that size.

A picture of 26 points always has groups for whoever looks for them. The test is exact if, without
an effect, any letters are like any others: of all ways to choose as many, how many stand apart at
least as well? (Frequent letters may not be like others: `share_together` takes fewer sets.)

    separation(S) = mean distance from S to the other letters / mean distance within S

>>> import numpy as np
>>> line = np.array([[0.0], [0.1], [0.2], [5.0], [6.0], [8.0]])
>>> round(share_as_good(line, [0, 1, 2]), 3)       # of 20 sets of three, only itself
0.05
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np

from attn_course._values import describe, expect_count, expect_several


@lru_cache(maxsize=4)
def all_sets(count: int, size: int) -> np.ndarray:
    """Every way to choose ``size`` of ``count`` things: boolean (set, thing)."""
    chosen = np.array(list(combinations(range(count), size)))
    sets = np.zeros((len(chosen), count), dtype=bool)
    np.put_along_axis(sets, chosen, True, axis=1)
    return sets


def separations(vectors: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """How far each set stands apart: ``vectors`` (thing size), ``sets`` boolean (set, thing)."""
    distances = np.linalg.norm(vectors[:, None] - vectors[None], axis=-1)
    inside = sets.astype(float)
    size, count = inside[0].sum(), len(vectors)
    within = ((inside @ distances) * inside).sum(axis=1)  # each pair twice
    across = inside @ distances.sum(axis=1) - within
    return (across / (size * (count - size))) / (within / (size * (size - 1)))


def separation(vectors: np.ndarray, chosen: Sequence[int]) -> float:
    """How far these things stand apart; 1 means as far from the others as from one another."""
    return float(separations(vectors, _one_set(vectors, chosen))[0])


def share_as_good(vectors: np.ndarray, chosen: Sequence[int]) -> float:
    """The share of all sets of this size that stand apart at least as well, itself included.

    This is the p-value of an exact permutation test. At least 2 of the things must be chosen but
    not all, and so few that all sets can be tried.
    """
    one = _one_set(vectors, chosen)
    values = separations(vectors, all_sets(len(vectors), int(one.sum())))
    return float((values >= separations(vectors, one)[0] * (1 - 1e-9)).mean())


def share_together(
    several: Sequence[np.ndarray], chosen: Sequence[int], among: np.ndarray | None = None
) -> float:
    """The share of sets that stand apart as well in several embeddings of the same things together.

    Fisher's statistic is compared, the product of a set's shares in all embeddings. As all
    sets are compared, nothing is assumed of how one embedding depends on another.

    ``among``, boolean (set), leaves only some of `all_sets` to compare with; the chosen one counts.
    """
    one = _one_set(several[0], chosen)
    sets = all_sets(len(several[0]), int(one.sum()))
    logs = sum(np.log(_shares_of_all(vectors, sets)) for vectors in several)
    own = (sets == one).all(axis=1)
    counted = np.ones(len(sets), dtype=bool) if among is None else among | own
    return float((logs <= logs[own] + 1e-9)[counted].mean())


def _shares_of_all(vectors: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """`share_as_good` of each set."""
    values = separations(vectors, sets)
    below = np.searchsorted(np.sort(values), values * (1 - 1e-9))
    return 1 - below / len(values)


def fisher(shares: Sequence[float]) -> float:
    """The p-value of several *independent* p-values together (Fisher 1932).

    P(X > -2 Σ ln p_i)      X has a chi-squared distribution with 2n degrees of freedom
    """
    half = -float(np.sum(np.log(shares)))
    return math.exp(-half) * sum(half**k / math.factorial(k) for k in range(len(shares)))


def plane(vectors: np.ndarray) -> np.ndarray:
    """The things in the plane of the two largest principal components: (thing 2)."""
    centred = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    return centred @ directions[:2].T


def share_in_plane(vectors: np.ndarray) -> float:
    """The share of the squared distances that the plane of `plane` preserves."""
    centred = vectors - vectors.mean(axis=0)
    return float((plane(vectors) ** 2).sum() / (centred**2).sum())


def best_direction(vectors: np.ndarray, chosen: Sequence[int]) -> np.ndarray:
    """The direction that sets the chosen things apart best, by Fisher's linear discriminant.

        w = (W + λ I)^-1 (m_1 - m_2)      W the scatter within both groups, m their means

    λ is a hundredth of the mean of W's diagonal. The direction has the length 1.
    """
    inside = _one_set(vectors, chosen)[0]
    groups = vectors[inside], vectors[~inside]
    means = [group.mean(axis=0) for group in groups]
    parts = [group - mean for group, mean in zip(groups, means, strict=True)]
    scatter = sum(part.T @ part for part in parts)
    scatter += np.eye(len(scatter)) * np.trace(scatter) / len(scatter) / 100
    direction = np.linalg.solve(scatter, means[0] - means[1])
    return direction / np.linalg.norm(direction)


def is_parted(vectors: np.ndarray, chosen: Sequence[int]) -> bool:
    """Whether a cut across the best direction has just the chosen things on one side."""
    inside, along = _one_set(vectors, chosen)[0], vectors @ best_direction(vectors, chosen)
    return bool(along[inside].min() > along[~inside].max())


def _one_set(vectors: np.ndarray, chosen: Sequence[int]) -> np.ndarray:
    """The set as a row of `all_sets`, checked."""
    if getattr(vectors, "ndim", 0) != 2 or not np.isfinite(vectors).all():
        raise ValueError(f"vectors must be finite (thing size); got {describe(vectors)}")
    chosen = [
        expect_count("each of chosen", one, least=0) for one in expect_several("chosen", chosen)
    ]
    count = len(vectors)
    if max(chosen) >= count or len(set(chosen)) < len(chosen) or not 2 <= len(chosen) < count:
        raise ValueError(
            f"chosen must be 2 to {count - 1} distinct numbers below {count}; got {chosen}"
        )
    inside = np.zeros((1, count), dtype=bool)
    inside[0, chosen] = True
    return inside
