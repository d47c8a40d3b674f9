"""Measures: how many answers are right, and how well the weights agree with the truth."""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from attn_course._signature import checked
from attn_course._values import Count, CountOrZero, describe, expect_several

# Student's t, two-sided 95 %, for 1 to 9 degrees of freedom
_T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)


_Z95 = 1.959963984540054  # the normal distribution's, two-sided 95 %


class Interval(NamedTuple):
    """A mean, over runs or over pairs, with its 95 % confidence interval."""

    mean: float
    low: float
    high: float


def over_seeds(values: Sequence[float]) -> Interval:
    """The mean of a measure over seeds, and where the mean over many more seeds would likely lie.

        x̄ ± t s / √n                               Student 1908, 95 %, n - 1 degrees of freedom

    Three seeds are few: t is then 4.3, and the interval is wide. It reflects only what the seeds
    change, not what other data would. ``values`` has 2 to 10 entries.
    """
    array = _numbers("values", values)
    if array.ndim != 1 or not 2 <= len(array) <= 10:
        raise ValueError(f"over_seeds takes 2 to 10 values, one per seed; got shape {array.shape}")
    with np.errstate(over="ignore", invalid="ignore"):  # an overflow is reported below
        half = _T95[len(array) - 2] * array.std(ddof=1) / math.sqrt(len(array))
        interval = Interval(array.mean(), array.mean() - half, array.mean() + half)
    if not np.isfinite(interval).all():
        raise ValueError(f"the values are too large for an interval; got {array.tolist()}")
    return interval


@checked
def share(right: CountOrZero, asked: Count) -> Interval:
    """The share of right answers, and where it would likely lie with many more such questions.

        (k + z²/2 ± z √(k (n - k) / n + z²/4)) / (n + z²)          Wilson 1927, z = 1.96

    The interval lies between 0 and 1 and has a width even if all answers are right: 20 right out of
    20 are compatible with a share of 0.84. It tells what other questions would change, not what
    another training run would.

    ``right`` of ``asked`` answers; at least one was asked.
    """
    if right > asked:
        raise ValueError(f"right must be at most {asked}, as many as were asked; got {right}")
    return _wilson(right / asked, asked)


def share_by_source(right: Sequence[bool], sources: Sequence[Hashable]) -> Interval:
    """The share of right answers where one source may stand in several pairs.

        n* = (Σ_c n_c)² / Σ_c n_c²                         Kish 1965, the effective sample size

    `share` treats its pairs as independent. Those of one source c are not: a model writes the same
    answer to all n_c of them. So the interval is that of n* independent pairs: of 5 if 5 sources
    stand in 20 pairs each, although 100 answers were counted. The share itself is that of all
    pairs. Where a source has several targets, at most one of its pairs can be right, and the
    interval is wider than it would have to be.

    right    (pair) whether each answer is right; at least one was asked
    sources  (pair) what tells a source from the others
    """
    rights = _numbers("right", right)
    sources = expect_several("sources", sources)
    if rights.shape != (len(sources),) or not np.isin(rights, (0, 1)).all():
        raise ValueError(
            f"right must be 0 or 1 for each of {len(sources)} sources; got shape {rights.shape}"
        )
    counts = np.array(list(Counter(sources).values()), dtype=float)
    return _wilson(float(rights.mean()), float(counts.sum() ** 2 / (counts**2).sum()))


def _wilson(mean: float, count: float) -> Interval:
    z2 = _Z95**2
    right = mean * count
    centre = (right + z2 / 2) / (count + z2)
    half = _Z95 * math.sqrt(right * (1 - mean) + z2 / 4) / (count + z2)
    low = 0.0 if mean == 0 else centre - half
    high = 1.0 if mean == 1 else centre + half
    return Interval(mean, low, high)


class Paired(NamedTuple):
    """Two models on the same questions: how often only one of them was right.

    ahead   questions that only ours got right
    behind  questions that only theirs got right
    p       the probability of a difference as large as this or larger if each of these had been as
            likely to fall to the one as to the other
    """

    ahead: int
    behind: int
    p: float


def paired(
    ours: Sequence[bool], theirs: Sequence[bool], sources: Sequence[Hashable] | None = None
) -> Paired:
    """Compare two models that were asked the same questions.

        p = min(1, 2 Σ_{k ≤ min(b, c)} C(b + c, k) / 2^(b + c))     McNemar 1947, exact

    Only the questions on which exactly one of the two is right can tell them apart: b of ours, c of
    theirs. Comparing two intervals instead treats the two shares as independent, though questions
    that are easy for one model are mostly easy for the other: it overlooks differences that are
    there.

    ours, theirs  whether each answer is right, in the same order
    sources       what tells a source from the others: the pairs of one source count as one
                  question, and it falls to the model that has more of them right
    """
    one, other = _numbers("ours", ours), _numbers("theirs", theirs)
    if one.ndim != 1 or one.shape != other.shape or not len(one):
        raise ValueError(
            f"both must be a row of answers to the same questions; got {one.shape} and "
            f"{other.shape}"
        )
    if not np.isin([one, other], (0, 1)).all():
        raise ValueError("an answer is right, 1, or wrong, 0")
    more = one - other
    if sources is not None:
        sums: defaultdict[Hashable, float] = defaultdict(float)
        for source, gain in zip(expect_several("sources", sources), more, strict=True):
            sums[source] += gain
        more = np.array(list(sums.values()))
    ahead, behind = int((more > 0).sum()), int((more < 0).sum())
    count = ahead + behind
    tail = sum(math.comb(count, k) for k in range(min(ahead, behind) + 1))
    return Paired(ahead, behind, min(1.0, 2 * tail / 2**count))


@checked
def correct(answers: Sequence[str], targets: Sequence[str]) -> np.ndarray:
    """Whether each answer equals its target, symbol for symbol: a boolean array."""
    if len(answers) != len(targets):
        raise ValueError(f"{len(answers)} answers cannot be compared with {len(targets)} targets")
    pairs = zip(answers, targets, strict=True)
    return np.array([written == right for written, right in pairs], dtype=bool)


@checked
def exact_match(answers: Sequence[str], targets: Sequence[str]) -> float:
    """The share of answers that equal their target, symbol for symbol.

    One wrong digit makes a date a different date, so accuracy per symbol would flatter the model.
    """
    right = correct(answers, targets)
    if not len(right):
        raise ValueError("exact match over no answers is not defined")
    return float(right.mean())


def by_group(values: Sequence[float], groups: Sequence[Hashable]) -> dict[Hashable, float]:
    """The mean of a measure within each group, in the order in which groups first appear."""
    array = _numbers("values", values)
    groups = expect_several("groups", groups, least=0)
    if array.shape != (len(groups),):
        raise ValueError(f"each value must have one group; got {array.shape} and {len(groups)}")
    members: defaultdict[Hashable, list[float]] = defaultdict(list)
    for value, group in zip(array, groups, strict=True):
        members[group].append(value)
    return {group: float(np.mean(within)) for group, within in members.items()}


def alignment_error_rate(weights: Any, gold_sure: Any, gold_possible: Any = None) -> float:
    """How far the model's links are from the gold alignment; 0 is perfect, 1 is all wrong.

        AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)        Och & Ney 2003, section 5

    A has one link per target step, to the position with the largest weight. S are the sure gold
    links, P the possible ones; every sure link is also possible. Choosing a link that is merely
    possible costs nothing; missing a sure one costs something. With one link per step, a step with
    several *sure* links can never be fully right: declare such links possible instead.

    weights and gold are (target source), or (batch target source), or a sequence of tables of
    any sizes, as arrays or tensors; gold is boolean. Steps without a gold link (such as a hyphen
    that the source does not have) have no right answer and are left out.
    """
    agree = size = 0
    for table, sure, possible in _tables(weights, gold_sure, gold_possible):
        counted = np.flatnonzero(possible.any(axis=1))
        links = table[counted].argmax(axis=1)
        agree += sure[counted, links].sum() + possible[counted, links].sum()
        size += len(counted) + sure.sum()
    if size == 0:
        raise ValueError("no target step has a gold link: the alignment error is not defined")
    return float(1 - agree / size)


def _tables(
    weights: Any, gold_sure: Any, gold_possible: Any
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """The weights, the sure links and the possible links of each sentence, checked."""
    if gold_possible is None:
        gold_possible = gold_sure
    parts = {"weights": weights, "gold_sure": gold_sure, "gold_possible": gold_possible}
    tables: list[list[Any]] = [
        [part] if getattr(part, "ndim", 3) == 2 else expect_several(name, part, least=0)
        for name, part in parts.items()
    ]
    counts = [len(part) for part in tables]
    if len(set(counts)) > 1:
        raise ValueError(
            f"{counts[0]} tables of weights, {counts[1]} of sure links "
            f"and {counts[2]} of possible ones"
        )
    for one in zip(*tables, strict=True):
        table, sure, possible = (_array(part) for part in one)
        if not table.shape == sure.shape == possible.shape or table.ndim != 2:
            raise ValueError(
                f"weights and gold must share one shape (target source); "
                f"got {table.shape}, {sure.shape} and {possible.shape}"
            )
        if sure.dtype != bool or possible.dtype != bool:
            raise TypeError(f"gold links must be boolean; got {sure.dtype} and {possible.dtype}")
        yield _numbers("weights", table), sure, sure | possible


def _numbers(name: str, values: object) -> np.ndarray:
    """Finite real numbers as an array; booleans count as 0 and 1."""
    array = _array(values)
    if array.dtype.kind not in "biuf" and array.size:
        raise TypeError(f"{name} must be real numbers; got {describe(array)}")
    array = array.astype(float)
    if not np.isfinite(array).all():
        kind = "NaN" if np.isnan(array).any() else "infinity"
        raise ValueError(f"{name} must be finite; got {kind} in {array.shape}")
    return array


def _array(values: Any) -> np.ndarray:
    """Anything as an array, tensors included: their graph and device do not matter here."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
    if isinstance(values, list | tuple):
        return np.asarray([_array(value) for value in values])
    return np.asarray(values)
