"""A file of pairs: read once, split by a seed, and stored as numbers."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from attn_course._values import expect_count
from attn_course.tasks.vocabulary import Vocabulary
from attn_own.compact import CompactCorpus
from attn_own.limits import Limits, among_several, limits_of, symbol_table
from attn_own.lines import PairFile, Reading
from attn_own.losses import LeftOut, Lost, Tally, why_left_out
from attn_own.spaced import words_of
from attn_own.suspicions import first_columns
from attn_own.wording import Refusal, counted

TRAINING, VALIDATION, TEST = range(3)
SHARE = 0.1  # of all sources, for validation and for the test, each
MOST_TRIED = {VALIDATION: 300, TEST: 2000}  # pairs that are tried; drawn if there are more


class Pair(NamedTuple):
    """A pair with everything that its line says."""

    source: str
    target: str
    group: str = ""
    links: tuple[tuple[int, int], ...] | None = None


class Files(NamedTuple):
    """The files of a corpus, and how they are read and divided.

    test, validation  files of their own, if there are any; their pairs are in no other part
    by_group          whether the group, not the source, decides to which part a pair belongs
    """

    corpus: Path
    reading: Reading = Reading()
    seed: int = 0
    test: Path | None = None
    validation: Path | None = None
    by_group: bool = False


@dataclass
class OwnCorpus:
    """A file of pairs, divided, and a test or validation file of its own if there is one."""

    training: CompactCorpus  # for `attn_course.training.train`
    validation: list[Pair]  # those on which a model is tried during its training
    test: list[Pair]  # those that are not used to choose anything
    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    counts: tuple[int, ...]  # of pairs, for training, validation and test
    several: int  # pairs that share their source with a pair that has another target
    repeated: int  # lines that repeat an earlier pair; each of them counts
    rewritten: int  # lines that had a text that was not in the normal form
    table: dict[str, str]  # what a table of single symbols writes, see `symbol_table`
    commonest: str  # the commonest target of the training
    limits: Limits
    leaked: int  # validation pairs with a source that is in training as well
    own_files: list[str]  # which of validation and test have a file of their own
    seen: np.ndarray  # fingerprints of the sources of training and validation
    longest: tuple[int, ...]  # source and target of the training, in symbols
    first: Pair
    digest: str  # a fingerprint of all pairs
    tallies: list[Tally]  # what came of the files, the corpus first
    reading: Reading  # how they were read

    @property
    def left_out(self) -> list[LeftOut]:
        """The lines that are not used."""
        return [line for tally in self.tallies for line in tally.left_out]

    @property
    def lost(self) -> list[Lost]:
        """How much each file has lost that has lost anything."""
        return [tally.lost for tally in self.tallies if tally.lost]

    def facts(self) -> dict:
        """What the report says about the corpus."""
        names = ("several", "repeated", "rewritten", "table", "commonest", "own_files")
        return {name: getattr(self, name) for name in names} | {
            "pairs": list(self.counts),
            "left_out": len(self.left_out),
            "limits": self.limits._asdict(),
            "seen": torch.from_numpy(self.seen),
            "longest_source": self.longest[0],
            "longest_target": self.longest[1],
        }


def read_corpus(files: Files) -> OwnCorpus:
    """Read a file of ``source<TAB>target`` lines, and those beside it.

    Bad lines are left out and reported; none is lost silently. A file without enough good lines is
    a `Refusal`. All pairs are held as texts while they are divided and counted; afterwards those of
    the training are numbers, and those that a model will be tried on are texts.
    """
    own = {VALIDATION: files.validation, TEST: files.test}
    file = PairFile(files.corpus, files.reading)
    if files.reading.words == "auto":
        file.reading = file.reading._replace(words=words_of(file))
    tallies = [Tally(file)]
    pairs, digest, rewritten = [], hashlib.blake2b(digest_size=16), 0
    fixed: list[int] = []  # the part of each pair of a file of its own
    for part, path in ((None, files.corpus), *own.items()):
        if path is None:
            continue
        if part is not None:
            tallies.append(Tally(PairFile(path, file.reading), path.name))
            digest.update(f"\n{part}\n".encode())
        for line in tallies[-1].lines():
            pairs.append(Pair(*line[:4]))
            rewritten += line.rewritten
            group = f"{line.group}\t" if files.by_group else ""
            digest.update(f"{group}{line.source}\t{line.target}\n".encode())
        fixed += [part] * tallies[-1].good if part is not None else []
    wanted = [part for part in (TEST, VALIDATION) if own[part] is None]
    divided = _divided(pairs[: tallies[0].good], wanted, files, fixed)
    parts = np.array([*divided, *fixed])
    if not {TRAINING, VALIDATION, TEST} <= set(parts.tolist()):
        raise _too_few(files, tallies, wanted)
    files = files._replace(reading=file.reading)
    return _corpus(files, pairs, parts, tallies, digest=digest.hexdigest(), rewritten=rewritten)


def _divided(
    pairs: Sequence[Pair], wanted: Sequence[int], files: Files, fixed: Sequence[int]
) -> list[int]:
    """The part of each pair of the corpus; files of their own already make the ``fixed`` parts."""
    if files.by_group and wanted:
        if not any(pair.group for pair in pairs):
            raise Refusal(
                f"{files.corpus} has no groups to split by: expected them in a third column"
            )
        # a pair without a group is a group of its own
        units = [f"group {p.group}" if p.group else f"source {p.source}" for p in pairs]
        return _ranked(units, files.seed, wanted)
    parts = [part_of(pair.source, files.seed) for pair in pairs]
    parts = [part if part in wanted else TRAINING for part in parts]
    if len({*parts, *fixed}) == 3:
        return parts
    return _ranked([f"source {pair.source}" for pair in pairs], files.seed, wanted)


def _ranked(units: Sequence[str], seed: int, wanted: Sequence[int]) -> list[int]:
    """The part of each pair by its unit, as near a tenth of all pairs as whole units can be."""
    sizes = Counter(units)
    parts, room = dict.fromkeys(sizes, TRAINING), SHARE * sizes.total()
    order = sorted(sizes, key=lambda unit: (place_of(unit, seed), unit))
    for part in wanted if len(sizes) > len(wanted) else ():
        taken = 0
        for unit in order:
            # a large unit is passed over, lest hardly anything be left for the training
            if taken < room and taken + sizes[unit] <= 2 * room:
                parts[unit], taken = part, taken + sizes[unit]
        if not taken:
            parts[min(order, key=sizes.__getitem__)] = part
        order = [unit for unit in order if parts[unit] == TRAINING]
    return [parts[unit] for unit in units]


def place_of(unit: str, seed: int) -> int:
    """A whole number below 2⁶⁴ that depends on a text and the seed alone, as if it were drawn."""
    expect_count("seed", seed, least=0)
    digest = hashlib.blake2b(f"{seed}\t{unit}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def part_of(source: str, seed: int) -> int:
    """The part that a source belongs to, which depends on its text and the seed alone.

    So no source is in two parts, and a line that is added later moves no other.
    """
    share = place_of(source, seed) / 2**64
    return TEST if share < SHARE else VALIDATION if share < 2 * SHARE else TRAINING


def _places(pairs: Iterable[Pair], seed: int) -> np.ndarray:
    """A fingerprint of each source."""
    return np.fromiter((place_of(pair.source, seed) for pair in pairs), np.uint64)


def _drawn(pairs: Sequence[Pair], parts: Sequence[int], seed: int) -> dict[int, list[Pair]]:
    """The pairs of validation and test on which models are tried, each as likely as another."""
    drawn: dict[int, list[Pair]] = {part: [] for part in MOST_TRIED}
    counts, rng = Counter(), random.Random(seed)
    for pair, part in zip(pairs, parts, strict=True):
        if part not in MOST_TRIED:
            continue
        counts[part] += 1
        if len(drawn[part]) < MOST_TRIED[part]:
            drawn[part].append(pair)
        elif (place := rng.randrange(counts[part])) < MOST_TRIED[part]:
            drawn[part][place] = pair  # Vitter 1985, algorithm R
    return drawn


class OwnTest(NamedTuple):
    """A test file that is read for a model that was trained before."""

    test: list[Pair]
    limits: Limits
    tally: Tally
    first: Pair


def read_test(
    path: Path, reading: Reading, seed: int, vocabularies: Sequence[Vocabulary], old: Sequence[int]
) -> OwnTest:
    """Read a test file as the model's corpus was read.

    old  fingerprints of the sources that the model was trained and validated on
    """
    tally = Tally(PairFile(path, reading))
    pairs = [Pair(*line[:4]) for line in tally.lines()]
    if not pairs:
        raise _unfit([tally], "Expected lines source<TAB>target")
    drawn = _drawn(pairs, [TEST] * len(pairs), seed)[TEST]
    shared = np.isin(_places(pairs, seed), np.asarray(old, dtype=np.int64).view(np.uint64))
    lost = [str(tally.lost)] if tally.lost else []
    limits = limits_of(pairs, vocabularies)._replace(
        asked=len(drawn), shared=int(shared.sum()), lost=lost
    )
    return OwnTest(drawn, limits, tally, pairs[0])


def _corpus(
    files: Files, pairs: list[Pair], parts: np.ndarray, tallies: list[Tally], **facts
) -> OwnCorpus:
    """What is held of the pairs once each has its part."""
    trained = parts == TRAINING
    training = [pair for pair, chosen in zip(pairs, trained, strict=True) if chosen]
    sides = [[pair[side] for pair in training] for side in (0, 1)]
    vocabularies = [*map(_vocabulary, sides, files.reading.split)]
    places = _places(pairs, files.seed)
    several = among_several((pair.source for pair in pairs), (pair.target for pair in pairs))
    drawn, compact = _drawn(pairs, parts, files.seed), CompactCorpus(sides, vocabularies)
    own = {"validation": files.validation, "test": files.test}
    return OwnCorpus(
        training=compact,
        validation=drawn[VALIDATION],
        test=drawn[TEST],
        source_vocabulary=vocabularies[0],
        target_vocabulary=vocabularies[1],
        counts=tuple(int((parts == part).sum()) for part in range(3)),
        several=int(several.sum()),
        repeated=len(pairs) - len(np.unique(_numbers(pairs))),
        table=symbol_table(*sides, vocabularies),
        commonest=Counter(sides[1]).most_common(1)[0][0],
        limits=_limits(pairs, parts == TEST, places, vocabularies)._replace(
            asked=len(drawn[TEST]), lost=[str(tally.lost) for tally in tallies if tally.lost]
        ),
        leaked=int(np.isin(places[parts == VALIDATION], places[trained]).sum()),
        own_files=[name for name, path in own.items() if path],
        seen=np.unique(places[parts != TEST]).view(np.int64),
        longest=compact.longest,
        first=pairs[0],
        tallies=tallies,
        reading=files.reading,
        **facts,
    )


def _vocabulary(texts: Sequence[str], words: bool) -> Vocabulary:
    if not words:
        return Vocabulary.from_texts(texts)
    return Vocabulary(sorted(set().union(*map(str.split, texts))), separator=" ")


def _limits(
    pairs: list[Pair], tested: np.ndarray, places: np.ndarray, vocabularies: Sequence[Vocabulary]
) -> Limits:
    """The limits of the test pairs, with what training and validation have too."""
    numbers = _numbers(pairs)
    test = [pair for pair, chosen in zip(pairs, tested, strict=True) if chosen]
    return limits_of(test, vocabularies)._replace(
        known=int(np.isin(numbers[tested], numbers[~tested]).sum()),
        shared=int(np.isin(places[tested], places[~tested]).sum()),
    )


def _numbers(pairs: Iterable[Pair]) -> np.ndarray:
    """A number for each pair, the same for the same two texts."""
    return np.fromiter((hash(pair[:2]) for pair in pairs), np.int64)


def _too_few(files: Files, tallies: Sequence[Tally], wanted: Sequence[int]) -> Refusal:
    """That the good lines do not fill all parts, and what may be wrong with the others."""
    expected = "Expected a dozen good lines or more, source<TAB>target"
    if wanted:
        expected += (
            f", of at least {len(wanted) + 1} different {'groups' if files.by_group else 'sources'}"
            ", since some are set aside for validation or the test"
        )
    return _unfit(tallies, expected)


def _unfit(tallies: Sequence[Tally], expected: str) -> Refusal:
    """How few good lines files have, why the others are left out, and what would help."""
    left_out = [line for tally in tallies for line in tally.left_out]
    good = sum(tally.good for tally in tallies)
    names = list(dict.fromkeys(str(tally.file.path) for tally in tallies))
    has, where = ("has", "") if len(names) == 1 else ("have", ", in each")
    total = counted(good, "good line") if good else "no good lines"
    sentences = [f"{', '.join(names)} {has} {total}{why_left_out(left_out)}. {expected}{where}."]
    for tally in tallies:
        sentences += tally.advice()
        if left_out and (columns := first_columns(tally.file)):
            sentences.append(columns)
    return Refusal("\n".join(dict.fromkeys(sentences)).removesuffix("."))
