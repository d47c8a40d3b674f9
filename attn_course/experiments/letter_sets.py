"""Do some letters stand apart from the others? Compared with every set of letters of that size.

A picture of 26 points always has groups for whoever looks for them. The test is exact and needs no
assumption: of all ways to choose as many letters, how many stand apart at least as well?

    separation(S) = mean distance from S to the other letters / mean distance within S

>>> import numpy as np
>>> line = np.array([[0.0], [0.1], [0.2], [5.0], [6.0], [8.0]])
>>> round(share_as_good(line, [0, 1, 2]), 3)       # of 20 sets of three, only itself
0.05
"""

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
