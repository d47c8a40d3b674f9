"""Everything that a report card says about a trained model, as numbers and texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attn_course.capstone import questions
from attn_course.capstone.mistakes import Mistake, mistakes
from attn_course.capstone.own_corpus import Pair
from attn_course.capstone.trained import Trained, load, load_test
from attn_course.measures import Interval, alignment_error_rate, correct, share
from attn_course.search import Answer

MOST_ASKED = 200  # pairs to which the four questions are put
_GROUPS = 30


class Row(NamedTuple):
    """One group of test pairs: its name, how many, and the share that is right."""

    name: str
    count: int
    right: Interval


class Alignment(NamedTuple):
    """How far the map is from the gold links, where there are any; 0 is perfect.

    diagonal  the error of a pointer that moves along the source at an even pace
    """

    pairs: int
    error: float
    diagonal: float


class CardFindings(NamedTuple):
    """What was found; there is one of the ``answers`` for each of the ``pairs``."""

    trained: Trained
    pairs: list[Pair]
    answers: list[Answer]
    right: np.ndarray
    overall: Interval
    copied: float
    by_length: list[Row]
    by_group: list[Row]
    mistakes: list[Mistake]
    alignment: Alignment | None
    questions: questions.Findings


def find(folder: Path) -> CardFindings:
    """Try the model in a folder on all its test pairs, and put its map to the test."""
    trained = load(folder)
    pairs = load_test(folder, trained.choices["words"])
    answers = trained.ask([pair.source for pair in pairs])
    right = correct([answer.text for answer in answers], [pair.target for pair in pairs])
    vocabularies = trained.source_vocabulary, trained.target_vocabulary
    split = trained.target_vocabulary.split
    wrong = [
        mistake
        for answer, pair, well in zip(answers, pairs, right, strict=True)
        if not well
        for mistake in mistakes(split(answer.text), split(pair.target))
    ]
    asked = pairs[:MOST_ASKED]
    return CardFindings(
        trained,
        pairs,
        answers,
        right,
        share(int(right.sum()), len(right)),
        float(np.mean([pair.source == pair.target for pair in pairs])),
        by_length([len(vocabularies[0].split(pair.source)) for pair in pairs], right),
        by_group([pair.group for pair in pairs], right),
        wrong,
        _alignment(trained, pairs, answers, right),
        questions.ask(trained.model, asked, *vocabularies, longest=trained.longest),
    )


def by_length(lengths: Sequence[int], right: np.ndarray) -> list[Row]:
    """The share of right answers by length: for the shortest, and in up to five classes above."""
    lengths = np.asarray(lengths)
    borders = np.unique(np.quantile(lengths, np.linspace(0, 1, 6), method="closest_observation"))
    rows, least = [], int(lengths.min())
    for most in map(int, borders):
        inside = (lengths >= least) & (lengths <= most)
        if inside.any():
            name = f"{least}" if least == most else f"{least} to {most}"
            rows.append(Row(name, int(inside.sum()), share(int(right[inside].sum()), inside.sum())))
        least = most + 1
    return rows


def by_group(groups: Sequence[str], right: np.ndarray) -> list[Row]:
    """The share of right answers in each group, the largest first; none if there are no groups."""
    if not any(groups):
        return []
    rows = []
    for name, count in Counter(groups).most_common(_GROUPS):
        inside = np.array([group == name for group in groups])
        rows.append(Row(name or "without a group", count, share(int(right[inside].sum()), count)))
    return rows


def gold(pair: Pair, source: int, target: int) -> np.ndarray:
    """The links of a pair as a table (target source)."""
    table = np.zeros((target, source), dtype=bool)
    for j, i in pair.links or ():
        table[i, j] = True
    return table


def _alignment(
    trained: Trained, pairs: list[Pair], answers: list[Answer], right: np.ndarray
) -> Alignment | None:
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
    errors = [alignment_error_rate(each, sure, possible) for each in (tables, even)]
    return Alignment(len(tables), *errors)


def _diagonal(target: int, source: int) -> np.ndarray:
    """A pointer that moves along the source at an even pace."""
    places = ((np.arange(target) + 0.5) * source / target).astype(int)
    return np.eye(source)[places]
