"""Everything that a report card says about a trained model, as numbers and texts."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attn_course.measures import (
    Interval,
    Paired,
    alignment_error_rate,
    correct,
    paired,
    share_by_source,
)
from attn_course.search import Answer
from attn_own import joint, questions
from attn_own.limits import Limits, by_table
from attn_own.lines import Reading
from attn_own.mistakes import Mistake, mistakes
from attn_own.nearness import Nearness, nearness
from attn_own.own_corpus import Pair, read_test
from attn_own.sentences import sentences
from attn_own.suspicions import suspected
from attn_own.trained import Trained, load, load_test
from attn_own.wording import Refusal, counted, quoted

MOST_TRIED = 200  # pairs about which the four questions are asked
_GROUPS = 30
PARTS = {"quarter": 1 / 4, "half": 1 / 2}  # of the training pairs, each in a folder of its own
LEVEL = 0.05  # of a sign test
JOINT = "writing piece by piece, by a joint n-gram model"


class Row(NamedTuple):
    """One group of test pairs: its name, how many, and the share that is right."""

    name: str
    count: int
    right: Interval


class Alignment(NamedTuple):
    """How far the map is from the gold links, where there are any; 0 is perfect."""

    pairs: int
    error: float
    diagonal: float  # the error of a pointer that moves along the source at an even pace


class Rival(NamedTuple):
    """Something simpler, on the same pairs: the share that it gets right, and the comparison."""

    name: str  # in the middle of a sentence
    right: float
    compared: Paired
    is_model: bool = False  # whether it is another network, and no baseline

    @property
    def differs(self) -> bool:
        """Whether the two have been shown to differ."""
        return self.compared.p < LEVEL

    @property
    def is_better(self) -> bool:
        """Whether the model has been shown to be worse."""
        return self.differs and self.compared.behind > self.compared.ahead

    @property
    def is_level(self) -> bool:
        """Whether neither has been shown to be better."""
        return not self.differs or self.compared.behind == self.compared.ahead


class Point(NamedTuple):
    """The share of test pairs that a model has right if it is trained on so many pairs."""

    pairs: int
    right: Interval


class Curve(NamedTuple):
    """A learning curve over a quarter, half and all of the training pairs."""

    points: list[Point]
    doubled: Paired  # the model of all pairs beside that of half


class CardFindings(NamedTuple):
    """What was found; each of the ``pairs``, in random order, has one of the ``answers``."""

    trained: Trained
    on: str  # the name of the test file, if it is not that of the training
    pairs: list[Pair]
    answers: list[Answer]
    right: np.ndarray
    overall: Interval
    near: Nearness
    limits: Limits  # what was known about the test before any training
    curve: Curve | None  # None if it was not asked for when the model was trained
    rivals: list[Rival]  # baselines without a network, and another model if there is one
    lacking: str  # why a joint n-gram model is not among them
    by_length: list[Row]
    by_group: list[Row]
    mistakes: list[Mistake]
    alignment: Alignment | None
    questions: questions.Findings


def find(
    folder: Path,
    on: Path | None = None,
    against: Path | None = None,
    reading: Reading | None = None,
    anyway: bool = False,
) -> CardFindings:
    """Try the model in a folder on all its test pairs, and put its map to the test.

    on       a test file to be used instead
    against  the folder of another model, which is asked the same pairs
    reading  the columns of the test file; its texts are read as those of the training were
    anyway   whether to go on where much of the test file is lost
    """
    trained = load(folder)
    pairs, limits = tested(trained, folder, on, reading or Reading(), anyway)
    rng = random.Random(trained.choices["seed"])  # a file may be sorted
    pairs = rng.sample(pairs, len(pairs))
    sources, targets = [pair.source for pair in pairs], [pair.target for pair in pairs]
    answers = trained.ask(sources)
    texts = [answer.text for answer in answers]
    right = correct(texts, targets)
    other = [model_rival(against, trained, pairs, right)] if against else []
    distinct = list({pair.source: pair for pair in pairs}.values())  # repeats tell nothing new
    distinct = rng.sample(distinct, min(len(distinct), MOST_TRIED))
    vocabularies = trained.source_vocabulary, trained.target_vocabulary
    split = trained.target_vocabulary.split
    return CardFindings(
        trained,
        on.name if on else "",
        pairs,
        answers,
        right,
        share_by_source(right, sources),
        nearness(texts, sources, targets, split),
        limits,
        learning_curve(folder, trained, pairs, right),
        [*rivals(trained, pairs, right), *other],
        why_not_joint(trained, pairs),
        by_length([len(vocabularies[0].split(source)) for source in sources], right, sources),
        by_group([pair.group for pair in pairs], right, sources),
        [
            mistake
            for text, target, well in zip(texts, targets, right, strict=True)
            if not well
            for mistake in mistakes(split(text), split(target))
        ],
        _alignment(pairs, answers, right),
        questions.ask(trained.first, distinct, *vocabularies, longest=trained.longest),
    )


def tested(
    trained: Trained, folder: Path, on: Path | None, reading: Reading, anyway: bool
) -> tuple[list[Pair], Limits]:
    """The pairs that a model is tried on, and what is known about them beforehand."""
    if on is None:
        return load_test(folder, trained.reading), Limits(**trained.facts["limits"])
    vocabularies = trained.source_vocabulary, trained.target_vocabulary
    seed, known = trained.choices["seed"], trained.facts["seen"]
    own = trained.reading
    reading = reading._replace(words=own.words, longest=own.longest, form=own.form)
    read = read_test(on, reading, seed, vocabularies, known)
    if not anyway:
        read.tally.expect_most()
    for sentence in sentences("of_test", read.first, suspected(read.tally.file)):
        print(f"{on.name}: {sentence}", file=sys.stderr)
    left_out = read.tally.left_out
    for line in left_out[:10]:
        print(f"Left out of {on.name}: {line}", file=sys.stderr)
    if len(left_out) > 10:
        print(f"and {len(left_out) - 10:,} more", file=sys.stderr)
    return read.test, read.limits


def rivals(trained: Trained, pairs: Sequence[Pair], right: np.ndarray) -> list[Rival]:
    """What baselines without a network get right."""
    facts, sources = trained.facts, [pair.source for pair in pairs]
    targets, commonest = [pair.target for pair in pairs], facts["commonest"]
    table = partial(
        by_table,
        table=facts["table"],
        vocabulary=trained.source_vocabulary,
        joined=trained.target_vocabulary.separator,
    )
    texts = {
        "copying the source": sources,
        f"always writing the commonest target of the training, {quoted(commonest)},": [commonest]
        * len(pairs),
        "rewriting each symbol on its own, by a table made from the training pairs,": [
            *map(table, sources)
        ],
    }
    if not why_not_joint(trained, pairs):
        texts[f"{JOINT} of the training pairs,"] = _by_pieces(trained, sources)
    return [_rival(name, right, correct(own, targets), sources) for name, own in texts.items()]


def learning_curve(
    folder: Path, trained: Trained, pairs: Sequence[Pair], right: np.ndarray
) -> Curve | None:
    """What the models of a quarter and of half of the pairs get right, if there are any."""
    if not all((folder / name / "model.pt").exists() for name in PARTS):
        return None
    sources, targets = [pair.source for pair in pairs], [pair.target for pair in pairs]
    parts = [load(folder / name) for name in PARTS]
    well = [*(correct(part.read(sources), targets) for part in parts), right]
    points = [
        Point(part.facts["pairs"][0], share_by_source(own, sources))
        for part, own in zip([*parts, trained], well, strict=True)
    ]
    return Curve(points, paired(right, well[-2], sources))


def why_not_joint(trained: Trained, pairs: Sequence[Pair]) -> str:
    """Why a joint n-gram model cannot be asked, if it cannot."""
    if "joint" not in trained.facts:
        return "this model was trained by a version of this program that had none"
    if not trained.facts["joint"]["rows"]:
        return (
            "no target of the training is at most twice as long as its source, or there are more "
            f"than {joint.MOST_SYMBOLS:,} symbols"
        )
    size = sum(len(trained.source_vocabulary.split(pair.source)) for pair in pairs)
    if size > joint.MOST_ANSWERED:
        return f"the test has {size:,} source symbols, and it would take minutes"
    return ""


def _by_pieces(trained: Trained, sources: Sequence[str]) -> list[str]:
    """What a joint n-gram model writes for each source."""
    model = joint.JointModel(joint.Cuts(**trained.facts["joint"]))
    split, join = trained.source_vocabulary.split, trained.target_vocabulary.separator.join
    answers = {source: join(model.answer(split(source))) for source in dict.fromkeys(sources)}
    return [answers[source] for source in sources]


def model_rival(folder: Path, trained: Trained, pairs: Sequence[Pair], right: np.ndarray) -> Rival:
    """Another model on the same pairs; a Refusal if it was trained on some of them."""
    other = load(folder)
    sources = [pair.source for pair in pairs]
    if known := int(other.has_seen(sources).sum()):
        raise Refusal(
            f"{known:,} of the {len(pairs):,} test pairs belong to the training or validation of "
            f"the model in {folder}: train both on the same file with the same --seed, or give a "
            "test file that neither has seen with --on"
        )
    targets = [pair.target for pair in pairs]
    well = correct([answer.text for answer in other.ask(sources)], targets)
    return _rival(f"the model in {folder}", right, well, sources)._replace(is_model=True)


def _rival(name: str, right: np.ndarray, theirs: np.ndarray, sources: Sequence[str]) -> Rival:
    return Rival(name, float(theirs.mean()), paired(right, theirs, sources))


def by_length(lengths: Sequence[int], right: np.ndarray, sources: Sequence[str]) -> list[Row]:
    """The share of right answers by length: for the shortest, and in up to five classes above."""
    lengths = np.asarray(lengths)
    borders = np.unique(np.quantile(lengths, np.linspace(0, 1, 6), method="closest_observation"))
    rows, least = [], int(lengths.min())
    for most in map(int, borders):
        inside = (lengths >= least) & (lengths <= most)
        if inside.any():
            name = f"{least}" if least == most else f"{least} to {most}"
            rows.append(_row(name, inside, right, sources))
        least = most + 1
    return rows


def by_group(groups: Sequence[str], right: np.ndarray, sources: Sequence[str]) -> list[Row]:
    """The share of right answers in each group, the largest first; none if there are no groups.

    Groups beyond the thirtieth share a row.
    """
    if not any(groups):
        return []
    names = [name for name, _ in Counter(groups).most_common()]
    groups, rows = np.array(groups, dtype=object), []
    for name in names[:_GROUPS]:
        rows.append(_row(name or "without a group", groups == name, right, sources))
    if more := names[_GROUPS:]:
        rest = set(more)
        inside = np.array([group in rest for group in groups])
        rows.append(_row(counted(len(more), "smaller group"), inside, right, sources))
    return rows


def _row(name: str, inside: np.ndarray, right: np.ndarray, sources: Sequence[str]) -> Row:
    own = [source for source, within in zip(sources, inside, strict=True) if within]
    return Row(name, int(inside.sum()), share_by_source(right[inside], own))


def gold(pair: Pair, source: int, target: int) -> np.ndarray:
    """The links of a pair as a table (target source)."""
    table = np.zeros((target, source), dtype=bool)
    for j, i in pair.links or ():
        table[i, j] = True
    return table


def _alignment(pairs: list[Pair], answers: list[Answer], right: np.ndarray) -> Alignment | None:
    """The alignment error of the right answers that have gold links.

    Where a step has several links, they count as possible: one look could not find them all.
    """
    tables, sure, possible, even = [], [], [], []
    for pair, answer, well in zip(pairs, answers, right, strict=True):
        if not well or not pair.links:
            continue
        links = gold(pair, answer.weights.shape[1], len(answer.weights))
        tables.append(answer.weights)
        possible.append(links)
        sure.append(links & (links.sum(axis=1, keepdims=True) == 1))
        even.append(_diagonal(*links.shape))
    if not tables:
        return None
    errors = [alignment_error_rate(maps, sure, possible) for maps in (tables, even)]
    return Alignment(len(tables), *errors)


def _diagonal(target: int, source: int) -> np.ndarray:
    """A pointer that moves along the source at an even pace."""
    places = ((np.arange(target) + 0.5) * source / target).astype(int)
    return np.eye(source)[places]
