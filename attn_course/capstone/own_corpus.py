"""A file of pairs: read once, split by a seed, and held as numbers."""

from __future__ import annotations

import hashlib
import random
from array import array
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attn_course._values import expect_count
from attn_course.capstone.compact import CompactCorpus, Ragged, Texts
from attn_course.capstone.lines import Line, lines
from attn_course.capstone.refusal import Refusal
from attn_course.capstone.rival import by_table, symbol_table
from attn_course.capstone.wording import counted
from attn_course.measures import exact_match
from attn_course.tasks.vocabulary import Vocabulary

TRAINING, VALIDATION, TEST = range(3)
SHARE = 0.1  # of all sources, for validation and for the test, each
MOST_ASKED = {VALIDATION: 300, TEST: 2000}  # pairs that are tried; drawn if there are more


class Pair(NamedTuple):
    """A pair with everything that its line says."""

    source: str
    target: str
    group: str = ""
    links: tuple[tuple[int, int], ...] | None = None


class LeftOut(NamedTuple):
    """A line that is not used: its number, counted from 1, and what is wrong with it."""

    number: int
    why: str


class OwnCorpus(NamedTuple):
    """The contents of a file of pairs.

    training    for `attn_course.training.train`
    validation  pairs on which a model is tried during its training
    test        pairs that are not used to choose anything
    counts      how many pairs each part has, training, validation and test
    several     how many pairs share their source with a pair that has another target: no model can
                get all of them right
    repeated    how many lines repeat an earlier pair; each of them counts
    left_out    the lines that are not used
    by_table    the share of the test pairs that a table of single symbols gets right, see
                `attn_course.capstone.rival`
    longest     the longest source and the longest target of the training, in symbols
    digest      a fingerprint of all pairs
    """

    training: CompactCorpus
    validation: list[Pair]
    test: list[Pair]
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    counts: tuple[int, int, int]
    several: int
    repeated: int
    left_out: list[LeftOut]
    by_table: float
    longest: tuple[int, int]
    digest: str


def part_of(source: str, seed: int) -> int:
    """The part that a source belongs to, which depends on its text and the seed alone.

    So no source is in two parts, and a line that is added later moves no other.
    """
    expect_count("seed", seed, least=0)
    digest = hashlib.blake2b(f"{seed}\t{source}".encode(), digest_size=8).digest()
    place = int.from_bytes(digest, "big") / 2**64
    return TEST if place < SHARE else VALIDATION if place < 2 * SHARE else TRAINING


def read_corpus(path: Path, *, seed: int = 0, words: bool = False, longest: int = 100) -> OwnCorpus:
    """Read a file of ``source<TAB>target`` lines, in one pass.

    Bad lines are left out and reported; none is lost silently. A file without enough good lines is
    a `Refusal`. No more than one line is held as text, besides the pairs that a model will be
    tried on.
    """
    sources, targets, parts = Texts(words), Texts(words), array("B")
    left_out, keep, digest = [], _Drawn(seed), hashlib.blake2b(digest_size=16)
    told = _Told()
    for number, line in enumerate(lines(path, longest, words), start=1):
        if not isinstance(line, Line):
            left_out.append(LeftOut(number, line.why))
            continue
        part = part_of(line.source, seed)
        keep.add(part, Pair(*line))
        told.add(line.source, line.target)
        sources.add(line.source)
        targets.add(line.target)
        parts.append(part)
        digest.update(f"{line.source}\t{line.target}\n".encode())
    _expect_enough(path, parts, left_out)
    of_part = np.frombuffer(parts, np.uint8)
    chosen = of_part == TRAINING
    vocabularies = [texts.vocabulary(chosen) for texts in (sources, targets)]
    encoded: list[Ragged] = []
    for texts, vocabulary in zip((sources, targets), vocabularies, strict=True):
        encoded.append(texts.encoded(vocabulary))
    rows = np.flatnonzero(chosen)
    table = symbol_table(*encoded, rows, vocabularies)
    rewritten = [by_table(pair.source, table, vocabularies[0]) for pair in keep.drawn[TEST]]
    return OwnCorpus(
        CompactCorpus(*encoded, rows),
        keep.drawn[VALIDATION],
        keep.drawn[TEST],
        *vocabularies,
        tuple(int((of_part == part).sum()) for part in range(3)),
        *told.counts(),
        left_out,
        exact_match(rewritten, [pair.target for pair in keep.drawn[TEST]]),
        tuple(int(each.lengths[rows].max()) for each in encoded),
        digest.hexdigest(),
    )


class Ceiling(NamedTuple):
    """The most that one answer to each source can get right.

    several  pairs whose source has another target too
    best     the share that is right if each answer is the commonest target of its source
    """

    several: int
    best: float


def ceiling(pairs: Sequence[Pair]) -> Ceiling:
    """The ceiling of these pairs; there is at least one."""
    targets: dict[str, Counter] = {}
    for pair in pairs:
        targets.setdefault(pair.source, Counter())[pair.target] += 1
    several = sum(each.total() for each in targets.values() if len(each) > 1)
    return Ceiling(several, sum(max(each.values()) for each in targets.values()) / len(pairs))


class _Drawn:
    """Some pairs of each part on which models are tried, each drawn with the same chance."""

    def __init__(self, seed: int):
        self.drawn: dict[int, list[Pair]] = {part: [] for part in MOST_ASKED}
        self._seen, self._random = Counter(), random.Random(seed)

    def add(self, part: int, pair: Pair) -> None:
        if part not in MOST_ASKED:
            return
        self._seen[part] += 1
        if len(self.drawn[part]) < MOST_ASKED[part]:
            self.drawn[part].append(pair)
        elif (place := self._random.randrange(self._seen[part])) < MOST_ASKED[part]:
            self.drawn[part][place] = pair  # Vitter 1985, algorithm R


class _Told:
    """Counts pairs whose source has several targets, and repeats, in eight bytes for each text."""

    def __init__(self):
        self._sources, self._pairs = array("q"), array("q")

    def add(self, source: str, target: str) -> None:
        self._sources.append(hash(source))
        self._pairs.append(hash((source, target)))

    def counts(self) -> tuple[int, int]:
        """How many pairs share their source with another target, and how many are repeats."""
        sources, pairs = (np.frombuffer(part, np.int64) for part in (self._sources, self._pairs))
        _, first = np.unique(pairs, return_index=True)
        found, counts = np.unique(sources[first], return_counts=True)
        return int(np.isin(sources, found[counts > 1]).sum()), len(pairs) - len(first)


def _expect_enough(path: Path, parts: array, left_out: list[LeftOut]) -> None:
    if all(part in parts for part in (TRAINING, VALIDATION, TEST)):
        return
    total = counted(len(parts), "good line") if parts else "no good lines"
    if left_out:
        why, count = Counter(each.why for each in left_out).most_common(1)[0]
        several = f"{len(left_out):,} are left out, {count:,} of them"
        total += f"; {several if len(left_out) > 1 else '1 is left out'} for this reason: {why}"
    raise Refusal(
        f"{path} has {total}. Expected 50 good lines or more, source<TAB>target, since a tenth is "
        "set aside for validation and a tenth for the test"
    )
