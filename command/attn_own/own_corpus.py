"""A file of pairs: read once, split by a seed, and held as numbers."""

from __future__ import annotations

import hashlib
import random
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from attn_course._values import expect_count
from attn_course.tasks.vocabulary import Vocabulary
from attn_own.compact import CompactCorpus, Ragged, Texts
from attn_own.limits import Lacking, Limits, Unknown, limits_of, several
from attn_own.lines import Line, Reading, lines
from attn_own.losses import LeftOut, Lost, losses, remedies
from attn_own.opening import contents
from attn_own.refusal import Refusal
from attn_own.rival import symbol_table
from attn_own.suspicions import shown_first, suspected
from attn_own.wording import counted

TRAINING, VALIDATION, TEST = range(3)
SHARE = 0.1  # of all sources, for validation and for the test, each
_SOURCE, _TARGET = ("source", "both"), ("target", "both")  # sides that are split into words
MOST_ASKED = {VALIDATION: 300, TEST: 2000}  # pairs that are tried; drawn if there are more


class Pair(NamedTuple):
    """A pair with everything that its line says."""

    source: str
    target: str
    group: str = ""
    links: tuple[tuple[int, int], ...] | None = None


class OwnCorpus(NamedTuple):
    """The contents of a file of pairs, and of a test or validation file of its own if there is one.

    training    for `attn_course.training.train`
    validation  pairs on which a model is tried during its training
    test        pairs that are not used to choose anything
    counts      how many pairs each part has, training, validation and test
    several     how many pairs share their source with a pair that has another target: no model can
                get all of them right
    repeated    how many lines repeat an earlier pair; each of them counts
    rewritten   how many lines had a text that was not in the normal form
    left_out    the lines that are not used
    table       what a table of single symbols writes, see `attn_own.rival`
    commonest   the commonest target of the training
    lost        how much each file has lost
    limits      what is known about the test before any training
    told        how many validation pairs have a source that is in training as well
    own_files   which of validation and test have a file of their own
    seen        fingerprints of the sources of training and validation
    longest     the longest source and the longest target of the training, in symbols
    first       the first pair of the file
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
    rewritten: int
    left_out: list[LeftOut]
    table: dict[str, str]
    commonest: str
    lost: list[Lost]
    limits: Limits
    told: int
    own_files: list[str]
    seen: np.ndarray
    longest: tuple[int, int]
    first: Pair
    digest: str

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


def place_of(unit: str, seed: int) -> int:
    """A whole number below 2⁶⁴ that depends on a text and the seed alone, as if it were drawn."""
    expect_count("seed", seed, least=0)
    digest = hashlib.blake2b(f"{seed}\t{unit}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def part_of(source: str, seed: int) -> int:
    """The part that a source belongs to, which depends on its text and the seed alone.

    So no source is in two parts, and a line that is added later moves no other.
    """
    return _part_at(place_of(source, seed))


def _part_at(place: int) -> int:
    share = place / 2**64
    return TEST if share < SHARE else VALIDATION if share < 2 * SHARE else TRAINING


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


def read_corpus(files: Files) -> OwnCorpus:
    """Read a file of ``source<TAB>target`` lines, and those beside it.

    Bad lines are left out and reported; none is lost silently. A file without enough good lines is
    a `Refusal`. No more than one line is held as text, besides the pairs that a model will be
    tried on. It is read once; twice if its groups are divided, or if it is so small that the hashes
    of its sources leave a part empty.
    """
    paths = {files.corpus: None, files.validation: VALIDATION, files.test: TEST}
    held = {path: contents(path) for path in paths if path is not None}
    wanted = [
        part for part, path in ((TEST, files.test), (VALIDATION, files.validation)) if path is None
    ]
    ranked = _ranked(files, held, wanted) if files.by_group and wanted else None
    read = _Read(files, wanted, ranked).all(held)
    if ranked is None and not read.has_all_parts() and len(set(read.told.sources)) > len(wanted):
        read = _Read(files, wanted, _ranked(files, held, wanted)).all(held)
    _expect_enough(files, read, held)
    return read.corpus()


class _Read:
    """What has been read so far."""

    def __init__(self, files: Files, wanted: Sequence[int], ranked: Mapping[str, int] | None):
        self.files, self.wanted, self.ranked = files, wanted, ranked
        words = files.reading.words
        self.sources, self.targets = Texts(words in _SOURCE), Texts(words in _TARGET)
        self.parts, self.left_out, self.rewritten = array("B"), [], 0
        self.good: Counter[str] = Counter()
        self.keep, self.told = _Drawn(files.seed), _Told()
        self.first: Pair | None = None
        self.digest = hashlib.blake2b(digest_size=16)

    def all(self, held: Mapping[Path, bytes | None]) -> _Read:
        files = self.files
        self._add(files.corpus, held, None)
        for path, part in ((files.validation, VALIDATION), (files.test, TEST)):
            if path is not None:
                self.digest.update(f"\n{part}\n".encode())
                self._add(path, held, part)
        return self

    def _add(self, path: Path, held: Mapping[Path, bytes | None], fixed: int | None) -> None:
        of = "" if fixed is None else path.name
        for number, line in enumerate(lines(path, self.files.reading, held[path]), start=1):
            if not isinstance(line, Line):
                self.left_out.append(LeftOut(number, line.why, of))
                continue
            pair = Pair(*line[:4])
            self.first = self.first or pair
            self.good[of] += 1
            place = place_of(line.source, self.files.seed)
            part = self._part(pair, place) if fixed is None else fixed
            self.keep.add(part, pair)
            self.told.add(place, line.source, line.target)
            self.sources.add(line.source)
            self.targets.add(line.target)
            self.parts.append(part)
            self.rewritten += line.rewritten
            told = f"{line.source}\t{line.target}\n"
            if self.files.by_group:
                told = f"{line.group}\t{told}"
            self.digest.update(told.encode())

    def _part(self, pair: Pair, place: int) -> int:
        part = self.ranked[_unit(pair, self.files)] if self.ranked else _part_at(place)
        return part if part in self.wanted else TRAINING

    def has_all_parts(self) -> bool:
        return all(part in self.parts for part in (TRAINING, VALIDATION, TEST))

    def corpus(self) -> OwnCorpus:
        of_part = np.frombuffer(self.parts, np.uint8)
        chosen = of_part == TRAINING
        both = self.sources, self.targets
        vocabularies = [texts.vocabulary(chosen) for texts in both]
        encoded: list[Ragged] = []
        for texts, vocabulary in zip(both, vocabularies, strict=True):
            encoded.append(texts.encoded(vocabulary))
        rows, tested = np.flatnonzero(chosen), np.flatnonzero(of_part == TEST)
        lacking = [each.lacking(rows_, tested) for each, rows_ in zip(both, encoded, strict=True)]
        told, lost = self.told, losses(self.left_out, self.good)
        return OwnCorpus(
            CompactCorpus(*encoded, rows),
            self.keep.drawn[VALIDATION],
            self.keep.drawn[TEST],
            *vocabularies,
            tuple(int((of_part == part).sum()) for part in range(3)),
            *told.counts(),
            self.rewritten,
            self.left_out,
            symbol_table(*encoded, rows, vocabularies),
            self.targets.text(told.commonest(rows)),
            lost,
            told.limits(of_part, len(self.keep.drawn[TEST]), lacking)._replace(
                lost=list(map(str, lost))
            ),
            told.shared(of_part, VALIDATION, TRAINING),
            [
                name
                for part, name in ((VALIDATION, "validation"), (TEST, "test"))
                if part not in self.wanted
            ],
            np.unique(np.frombuffer(told.sources, np.uint64)[of_part != TEST]).view(np.int64),
            tuple(int(each.lengths[rows].max()) for each in encoded),
            self.first,
            self.digest.hexdigest(),
        )


class OwnTest(NamedTuple):
    """A test file that is read for a model that was trained before."""

    test: list[Pair]
    limits: Limits
    left_out: list[LeftOut]
    lost: list[Lost]


def read_test(
    path: Path, reading: Reading, seed: int, vocabularies: Sequence[Vocabulary], seen: Sequence[int]
) -> OwnTest:
    """Read a test file as the model's corpus was read.

    seen  fingerprints of the sources that the model was trained and validated on
    """
    keep, told, left_out, held = _Drawn(seed), _Told(), [], contents(path)
    lacking = [Unknown(vocabulary) for vocabulary in vocabularies]
    for number, line in enumerate(lines(path, reading, held), start=1):
        if not isinstance(line, Line):
            left_out.append(LeftOut(number, line.why))
            continue
        keep.add(TEST, Pair(*line[:4]))
        told.add(place_of(line.source, seed), line.source, line.target)
        for each, text in zip(lacking, line, strict=False):
            each.add(text)
    if not told.sources:
        raise Refusal(f"{path} has no good lines" + _why(left_out))
    sources, pairs = told.arrays()
    shared = np.isin(sources, np.asarray(seen, dtype=np.int64).view(np.uint64))
    found = [each.found() for each in lacking]
    limits = limits_of(sources, pairs, len(keep.drawn[TEST]), found, None, shared)
    lost = losses(left_out, Counter({"": len(pairs)}))
    limits = limits._replace(lost=list(map(str, lost)))
    return OwnTest(keep.drawn[TEST], limits, left_out, lost)


def expect_kept(
    lost: Sequence[Lost], left_out: Sequence[LeftOut], files: Sequence[Path], reading: Reading
) -> None:
    """Refuse files of which much would be lost for one reason, and say what would help.

    files  the first is the corpus; losses name the others
    """
    for each in lost:
        if not each.too_many:
            continue
        path = next((path for path in files[1:] if path.name == each.of), files[0])
        own = [line for line in left_out if line.of == each.of]
        said = [f"{path}: {each}", *remedies(path, reading, None, own)]
        if path.is_file():
            said += suspected(path, reading)
        said.append(
            f"Line {own[0].number} is the first. To go on without these lines, add --anyway."
        )
        raise Refusal("\n".join(dict.fromkeys(said)).removesuffix("."))


def _unit(pair: Pair, files: Files) -> str:
    """What decides to which part a pair belongs; one without a group is a group of its own."""
    return f"group {pair.group}" if files.by_group and pair.group else f"source {pair.source}"


def _ranked(
    files: Files, held: Mapping[Path, bytes | None], wanted: Sequence[int]
) -> dict[str, int]:
    """The part of each unit, for a part as near a tenth of all pairs as whole units can be."""
    found = lines(files.corpus, files.reading, held[files.corpus])
    sizes = Counter(_unit(Pair(*line[:4]), files) for line in found if isinstance(line, Line))
    if files.by_group and not any(unit.startswith("group ") for unit in sizes):
        raise Refusal(f"{files.corpus} has no groups to split by: expected them in a third column")
    if len(sizes) <= len(wanted):
        return dict.fromkeys(sizes, TRAINING)
    order = sorted(sizes, key=lambda unit: (place_of(unit, files.seed), unit))
    parts, room = dict.fromkeys(sizes, TRAINING), SHARE * sizes.total()
    for part in wanted:
        taken = 0
        for unit in order:
            # a large unit is passed over, lest hardly anything be left for the training
            if taken < room and taken + sizes[unit] <= 2 * room:
                parts[unit], taken = part, taken + sizes[unit]
        if not taken:
            smallest = min(order, key=sizes.__getitem__)
            parts[smallest] = part
        order = [unit for unit in order if parts[unit] == TRAINING]
    return parts


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
    """What tells the pairs apart, in 24 bytes for each: fingerprints of source, target and both."""

    def __init__(self):
        self.sources, self._targets, self._pairs = array("Q"), array("q"), array("q")

    def add(self, place: int, source: str, target: str) -> None:
        self.sources.append(place)
        self._targets.append(hash(target))
        self._pairs.append(hash((source, target)))

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """A number for each source, and one for each pair."""
        return np.frombuffer(self.sources, np.uint64), np.frombuffer(self._pairs, np.int64)

    def counts(self) -> tuple[int, int]:
        """How many pairs share their source with another target, and how many are repeats."""
        sources, pairs = self.arrays()
        return several(sources, pairs), len(pairs) - len(np.unique(pairs))

    def commonest(self, rows: np.ndarray) -> int:
        """A row with the target that most of these rows have; of equally common ones, the first."""
        targets = np.frombuffer(self._targets, np.int64)[rows]
        _, first, counts = np.unique(targets, return_index=True, return_counts=True)
        return int(rows[first[counts == counts.max()].min()])

    def shared(self, of_part: np.ndarray, one: int, other: int) -> int:
        """How many pairs of one part have a source that is in another."""
        sources, _ = self.arrays()
        return int(np.isin(sources[of_part == one], sources[of_part == other]).sum())

    def limits(self, of_part: np.ndarray, asked: int, lacking: Sequence[Lacking]) -> Limits:
        sources, pairs = self.arrays()
        tested = of_part == TEST
        known = np.isin(pairs[tested], pairs[~tested])
        shared = np.isin(sources[tested], sources[~tested])
        return limits_of(sources[tested], pairs[tested], asked, lacking, known, shared)


def _why(left_out: Sequence[LeftOut]) -> str:
    """How many lines are left out, and the commonest reason."""
    if not left_out:
        return ""
    why, count = Counter(each.why for each in left_out).most_common(1)[0]
    many = f"{len(left_out):,} are left out, {count:,} of them"
    return f"; {many if len(left_out) > 1 else '1 is left out'} for this reason: {why}"


def _expect_enough(files: Files, read: _Read, held: Mapping[Path, bytes | None]) -> None:
    if read.has_all_parts():
        return
    parts, left_out = read.parts, read.left_out
    total = counted(len(parts), "good line") if parts else "no good lines"
    total += _why(left_out)
    expected = "Expected a dozen good lines or more, source<TAB>target"
    if read.wanted:
        what = "groups" if files.by_group else "sources"
        expected += f", of at least {len(read.wanted) + 1} different {what}, since some are set "
        expected += "aside for validation or the test"
    names = ", ".join(str(path) for path in held)
    has, each = ("has", "") if len(held) == 1 else ("have", ", in each")
    said = [f"{names} {has} {total}. {expected}{each}."]
    for path, contents_ in held.items():
        of = "" if path == files.corpus else path.name
        own = [each for each in left_out if each.of == of]
        said += remedies(path, files.reading, contents_, own)
        said += suspected(path, files.reading, contents_)
        if left_out and (columns := shown_first(path, files.reading, contents_)):
            said.append(columns)
    raise Refusal("\n".join(said).removesuffix("."))
