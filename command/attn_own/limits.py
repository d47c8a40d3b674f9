"""What is known about a test before any training: what cannot be read, written or be right."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from attn_course.tasks.vocabulary import Vocabulary

_NAMED = 12  # symbols that are named


class Lacking(NamedTuple):
    """Symbols of the test that the training never has.

    symbols  the commonest of them
    kinds    how many there are
    rows     whether each test pair has one
    codes    a number for each test pair, the same for all that are the same to the model
    """

    symbols: list[str]
    kinds: int
    rows: np.ndarray
    codes: np.ndarray


class Limits(NamedTuple):
    """What is known about a test; every number but ``asked`` is of all its pairs.

    pairs      how many there are
    asked      how many of them are tried; drawn if there are more
    several    pairs whose source has another target in the test too
    best       the most that one answer to each source can get right, as a share, where sources that
               are the same to the model are one
    alike      pairs that have a source with another target among those that are the same to the
               model, although their own source has one target
    unread     pairs whose source has symbols that the training never has
    unwritten  pairs whose target has
    known      pairs that stand in the training or the validation, too; None if nobody knows
    shared     pairs whose source does, with whatever target
    lost       a sentence for each file of which lines were left out
    """

    pairs: int
    asked: int
    several: int
    best: float
    unread: int
    unread_kinds: int
    unread_symbols: list[str]
    unwritten: int
    unwritten_kinds: int
    unwritten_symbols: list[str]
    known: int | None
    shared: int
    lost: Sequence[str] = ()
    alike: int = 0


def limits_of(
    sources: np.ndarray,
    pairs: np.ndarray,
    asked: int,
    lacking: Sequence[Lacking],
    known: np.ndarray | None,
    shared: np.ndarray,
) -> Limits:
    """The limits of a test.

    sources, pairs  a number for each test pair, which tells its source, or both sides, from others
    lacking         on the side of the sources, and on that of the targets
    known, shared   whether each stands in training or validation, and whether its source does
    """
    unread, unwritten = lacking
    read = unread.codes
    # a target that can be written has a code of its own, and one that cannot does not matter
    _, as_read = np.unique(np.stack([read, unwritten.codes]), axis=1, return_inverse=True)
    as_read = as_read.reshape(-1)
    return Limits(
        len(sources),
        asked,
        several(sources, pairs),
        ceiling(read, as_read, ~unwritten.rows),
        int(unread.rows.sum()),
        unread.kinds,
        unread.symbols,
        int(unwritten.rows.sum()),
        unwritten.kinds,
        unwritten.symbols,
        None if known is None else int(known.sum()),
        int(shared.sum()),
        alike=int((_among_several(read, as_read) & ~_among_several(sources, pairs)).sum()),
    )


def several(sources: np.ndarray, pairs: np.ndarray) -> int:
    """How many pairs have a source that stands beside another target too."""
    return int(_among_several(sources, pairs).sum())


def _among_several(sources: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Which pairs have a source that stands beside another target too."""
    _, first = np.unique(pairs, return_index=True)
    found, counts = np.unique(sources[first], return_counts=True)
    return np.isin(sources, found[counts > 1])


def ceiling(sources: np.ndarray, pairs: np.ndarray, possible: np.ndarray) -> float:
    """The most that one answer to each source can get right: always its commonest target.

    possible  whether the target of a pair can be written at all
    """
    if not possible.any():
        return 0.0
    _, first, counts = np.unique(pairs[possible], return_index=True, return_counts=True)
    owners, owner = np.unique(sources[possible][first], return_inverse=True)
    most = np.zeros(len(owners), dtype=int)
    np.maximum.at(most, owner, counts)
    return float(most.sum() / len(pairs))


class Unknown:
    """Collects the symbols of texts that a vocabulary does not have."""

    def __init__(self, vocabulary: Vocabulary):
        self._vocabulary, self._found, self._rows = vocabulary, Counter(), array("b")
        self._codes = array("q")

    def add(self, text: str) -> None:
        """One more text."""
        known = self._vocabulary
        unknown = {symbol for symbol in known.split(text) if symbol not in known}
        self._found.update(unknown)
        self._rows.append(bool(unknown))
        self._codes.append(hash(tuple(known.encode(text))))

    def found(self) -> Lacking:
        """What came together."""
        rows, codes = np.array(self._rows, dtype=bool), np.array(self._codes, dtype=np.int64)
        return Lacking(named(self._found), len(self._found), rows, codes)


def named(found: Counter) -> list[str]:
    """The commonest symbols, and of equally common ones the first in the alphabet."""
    return sorted(found, key=lambda symbol: (-found[symbol], symbol))[:_NAMED]
