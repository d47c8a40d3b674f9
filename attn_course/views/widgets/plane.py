"""Points in the plane in which a query and keys can be moved."""

from collections.abc import Sequence

REACH = 3.0  # how far the plane extends from its middle to each side
KEYS = (2, 5)  # fewest and most


def point(name: str, entries: Sequence[float]) -> list[float]:
    """A point (x, y) as a list; ValueError if it lies outside the plane."""
    if len(entries) != 2 or not all(abs(entry) <= REACH for entry in entries):
        raise ValueError(f"{name} must be (x, y), each from {-REACH} to {REACH}; got {entries}")
    return [float(entry) for entry in entries]


def points(name: str, vectors: Sequence[Sequence[float]]) -> list[list[float]]:
    """Several points of one kind; one outside the plane is named by its number."""
    return [point(f"{name} {number}", vector) for number, vector in enumerate(vectors, start=1)]


def keys_in_the_plane(vectors: Sequence[Sequence[float]]) -> list[list[float]]:
    """2 to 5 points; ValueError for fewer or more."""
    if not KEYS[0] <= len(vectors) <= KEYS[1]:
        raise ValueError(f"keys must be {KEYS[0]} to {KEYS[1]} points; got {len(vectors)}")
    return points("key", vectors)
