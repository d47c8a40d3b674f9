"""How near answers come to their targets: symbol error rate and chrF, each with an interval.

An answer is right only if every symbol is, which says nothing of how wrong the others are. Here the
pairs of one source are one question, and where it has several targets, the nearest counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

_ORDER, _BETA = 6, 2  # of chrF: n-grams of up to six characters, and what recall weighs
_LONG = 20  # characters of a target; if most targets have more, chrF is given too
_DRAWS = 1000


class Score(NamedTuple):
    """A measure over all pairs, and its 95 % interval.

    The interval is None where another draw of the sources cannot change the measure.
    """

    value: float
    low: float | None
    high: float | None


class Nearness(NamedTuple):
    """How near the answers to all test pairs are to their targets."""

    edits: int  # symbols left out, added or replaced
    symbols: int  # of the targets
    error_rate: Score  # edits / symbols
    chrf: Score | None  # from 0 to 100; None where targets are short


def nearness(
    answers: Sequence[str],
    sources: Sequence[str],
    targets: Sequence[str],
    split: Callable[[str], list[str]],
) -> Nearness:
    """How near the answer to each source is to its targets.

    answers, sources, targets  (pair) texts; one source has one answer
    split                      makes a target's symbols of its text
    """
    written, references = dict(zip(sources, answers, strict=True)), defaultdict(list)
    for source, target in zip(sources, targets, strict=True):
        references[source].append(target)

    def counts(count: Callable[[str, str], np.ndarray], near: Callable) -> np.ndarray:
        """(source count) What is counted of the nearest target, as often as there are pairs."""
        nearest = [
            max((count(written[source], target) for target in sorted({*own})), key=near) * len(own)
            for source, own in sorted(references.items())  # so that order does not change draws
        ]
        return np.array(nearest)

    edits = counts(
        lambda answer, target: _edits(split(answer), split(target)),
        lambda row: (-row[0], row[1]),
    )
    is_long = np.median([len("".join(target.split())) for target in targets]) > _LONG
    return Nearness(
        *map(int, edits.sum(axis=0)),
        bootstrapped(edits, lambda row: row[..., 0] / row[..., 1]),
        bootstrapped(counts(shared_n_grams, chrf), chrf) if is_long else None,
    )


def bootstrapped(counts: np.ndarray, measure: Callable[[np.ndarray], np.ndarray]) -> Score:
    """A measure of summed counts, and where it lies if as many sources are drawn anew.

    The interval holds 95 % of 1,000 draws with replacement (Efron 1979, percentiles). A source is
    drawn with all its pairs, since its answer is the same in all of them.

    counts   (source count)
    measure  takes sums (count) or (draw count)
    """
    many = len(counts)
    times = np.random.default_rng(0).multinomial(many, np.full(many, 1 / many), size=_DRAWS)
    low, high = map(float, np.quantile(measure(times @ counts), [0.025, 0.975]))
    value = float(measure(counts.sum(axis=0)))
    return Score(value, low, high) if low < high else Score(value, None, None)


def _edits(answer: Sequence[str], target: Sequence[str]) -> np.ndarray:
    return np.array([edit_distance(answer, target), len(target)])


def edit_distance(answer: Sequence[str], target: Sequence[str]) -> int:
    """The fewest symbols left out, added or replaced that turn the target into the answer.

        d_ij = min(d_{i-1,j} + 1, d_{i,j-1} + 1, d_{i-1,j-1} + [y_i ≠ a_j])     Levenshtein 1966

    `attn_own.mistakes` counts two exchanged neighbours as one mistake, and the field does not.

    answer, target  their symbols
    """
    written, places = np.array(answer, dtype=object), np.arange(len(answer) + 1)
    row = places
    for i, symbol in enumerate(target, start=1):
        best = np.minimum(row[1:] + 1, row[:-1] + (written != symbol))
        # d_ij = min_k≤j (best_k + j - k): what stands after place k is added
        row = np.minimum.accumulate(np.append(i, best) - places) + places
    return int(row[-1])


def shared_n_grams(answer: str, target: str) -> np.ndarray:
    """For each n from 1 to 6 three counts: the n-grams of the answer, of the target, and of both.

    The n-grams are of characters, without white space. As in sacrebleu, those of an answer do not
    count where the target is too short to have any. The counts stand in one row of 18.
    """
    texts, rows = ["".join(text.split()) for text in (answer, target)], []
    for n in range(1, _ORDER + 1):
        ours, theirs = (
            Counter(text[at : at + n] for at in range(len(text) - n + 1)) for text in texts
        )
        rows += [ours.total() if theirs else 0, theirs.total(), (ours & theirs).total()]
    return np.array(rows)


def chrf(counts: np.ndarray) -> np.ndarray:
    """The F score of n-grams of characters, from 0 to 100, of counts as in `shared_n_grams`.

        chrF = 100 (1 + β²) P R / (β² P + R),  β = 2                    Popović 2015

    P and R are means over n: the share of the answer's n-grams that the target has, and the
    reverse. As in sacrebleu, an n for which either has none is left out.
    """
    ours, theirs, both = np.moveaxis(counts.reshape(*counts.shape[:-1], _ORDER, 3), -1, 0)
    orders = (ours > 0).sum(axis=-1).clip(min=1)
    precision = (both / ours.clip(min=1)).sum(axis=-1) / orders
    recall = (both / theirs.clip(min=1)).sum(axis=-1) / orders
    weighted = _BETA**2 * precision + recall
    shared = (1 + _BETA**2) * precision * recall
    return 100 * np.divide(shared, weighted, out=np.zeros_like(weighted), where=weighted > 0)
