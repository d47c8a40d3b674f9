"""What is known before any training: what a test asks in vain, and what a table would write."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from attn_course.tasks.vocabulary import Vocabulary

MOST_READ = 20_000  # pairs that a table is made from; drawn if there are more
_NAMED = 12  # symbols that are named


class Limits(NamedTuple):
    """What is known about a test before any training; all but ``asked`` is of all its pairs.

    Sources that differ only in symbols that the training never has are the same to the model.
    """

    pairs: int
    several: int  # pairs whose source has another target in the test too
    best: float  # the most that one answer to each source can get right, as a share
    unread: int  # pairs whose source has symbols that the training never has
    unread_kinds: int
    unread_symbols: list[str]
    unwritten: int  # pairs whose target has
    unwritten_kinds: int
    unwritten_symbols: list[str]
    alike: int  # pairs whose source has another target only among those that are the same
    asked: int = 0  # pairs that are tried; drawn if there are more
    known: int | None = None  # pairs that training or validation have, too; None: nobody knows
    shared: int = 0  # pairs whose source they have, with whatever target
    lost: Sequence[str] = ()  # a sentence for each file of which lines were left out


def limits_of(pairs: Sequence, vocabularies: Sequence[Vocabulary]) -> Limits:
    """What follows for test pairs from the symbols of the training, source's and target's."""
    sides = [[pair[side] for pair in pairs] for side in (0, 1)]
    codes, lacking = [], []
    for texts, vocabulary in zip(sides, vocabularies, strict=True):
        codes.append([np.array(vocabulary.encode(text)).tobytes() for text in texts])
        known = set(vocabulary.symbols)
        lacking.append([set(vocabulary.split(text)) - known for text in texts])
    unread, unwritten = (Counter(symbol for row in side for symbol in row) for side in lacking)
    several = among_several(*sides)
    return Limits(
        len(pairs),
        int(several.sum()),
        ceiling(*codes, [not row for row in lacking[1]]),
        sum(map(bool, lacking[0])),
        len(unread),
        _commonest(unread),
        sum(map(bool, lacking[1])),
        len(unwritten),
        _commonest(unwritten),
        int((among_several(*codes) & ~several).sum()),
    )


def _commonest(counts: Counter[str]) -> list[str]:
    """The commonest symbols, and of equally common ones the first in the alphabet."""
    return sorted(counts, key=lambda symbol: (-counts[symbol], symbol))[:_NAMED]


def among_several(sources: Iterable[Hashable], targets: Iterable[Hashable]) -> np.ndarray:
    """Which pairs have a source that stands beside another target too."""
    rows = zip(sources, targets, strict=True)
    hashes = np.fromiter(((hash(row[0]), hash(row)) for row in rows), np.dtype((np.int64, 2)))
    ones, pairs = hashes.T
    _, first = np.unique(pairs, return_index=True)
    different, counts = np.unique(ones[first], return_counts=True)
    return np.isin(ones, different[counts > 1])


def ceiling(
    sources: Sequence[Hashable], targets: Sequence[Hashable], possible: Sequence[bool]
) -> float:
    """The most that one answer to each source can get right: always its commonest target.

    possible  whether the target of a pair can be written at all
    """
    counts: dict[Hashable, Counter] = defaultdict(Counter)
    for source, target, can_be in zip(sources, targets, possible, strict=True):
        counts[source][target] += bool(can_be)
    return sum(max(targets.values()) for targets in counts.values()) / len(sources)


# ---- a baseline without a network


def symbol_table(
    sources: Sequence[str], targets: Sequence[str], vocabularies: Sequence[Vocabulary]
) -> dict[str, str]:
    """For each symbol of a source the one that most often stands in its place.

    Pairs whose sides differ in length are skipped. Of equally common partners it is the first in
    sorted order.
    """
    ours, theirs = (vocabulary.split for vocabulary in vocabularies)
    both = zip(sources, targets, strict=True)
    rows = [row for row, (one, other) in enumerate(both) if len(ours(one)) == len(theirs(other))]
    if len(rows) > MOST_READ:
        rows = np.random.default_rng(0).choice(rows, MOST_READ, replace=False)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for one, other in zip(ours(sources[row]), theirs(targets[row]), strict=True):
            counts[one][other] += 1
    return {
        one: min(others, key=lambda other: (-others[other], other))
        for one, others in counts.items()
    }


def by_table(text: str, table: Mapping[str, str], vocabulary: Vocabulary, joined: str) -> str:
    """A source with each symbol rewritten; a symbol that the table lacks stays as it is.

    vocabulary  of the sources: it says where a symbol ends
    joined      what stands between two symbols of a target
    """
    return joined.join(table.get(symbol, symbol) for symbol in vocabulary.split(text))
