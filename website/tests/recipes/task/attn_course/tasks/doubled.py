"""Random letters, each to be written twice: a target that is longer than its source.

>>> pair = doubled_pairs(1, seed=0, length=3)[0]
>>> pair.target[::2] == pair.source == pair.target[1::2]
True
"""

import random
import string
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class DoubledPair:
    """Letters, and the same with each of them twice."""

    source: str
    target: str


def doubled_pairs(count: int, seed: int, length: int) -> list[DoubledPair]:
    """Draw pairs; the same arguments give the same pairs."""
    if count < 1 or length < 1:
        raise ValueError(f"count and length must be 1 or more; got {count} and {length}")
    rng = random.Random(seed)
    sources = ["".join(rng.choices(string.ascii_lowercase, k=length)) for _ in range(count)]
    return [DoubledPair(source, "".join(2 * letter for letter in source)) for source in sources]


def gold_alignment(pair: DoubledPair) -> np.ndarray:
    """Which letter each letter of the target is: boolean, (target, source), one link per row."""
    return np.repeat(np.eye(len(pair.source), dtype=bool), 2, axis=0)
