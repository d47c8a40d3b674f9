"""Measures: how many answers are right, and how well the weights agree with the truth."""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from attn_course._values import describe, expect_several

# Student's t, two-sided 95 %, for 1 to 9 degrees of freedom
_T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)


class Interval(NamedTuple):
    """A mean over runs with its 95 % confidence interval."""

    mean: float
    low: float
    high: float


def over_seeds(values: Sequence[float]) -> Interval:
    """The mean of a measure over seeds, and where the mean of many more seeds would likely lie.

        x̄ ± t s / √n                               Student 1908, 95 %, n - 1 degrees of freedom

    Three seeds are few: t is then 4.3, and the interval wide. It speaks of the luck of the seed
    alone, not of other data. It takes 2 to 10 values.
    """
    values = _numbers("values", values)
    if values.ndim != 1 or not 2 <= len(values) <= 10:
        raise ValueError(f"over_seeds takes 2 to 10 values, one a seed; got shape {values.shape}")
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is reported below
        half = _T95[len(values) - 2] * values.std(ddof=1) / math.sqrt(len(values))
        interval = Interval(values.mean(), values.mean() - half, values.mean() + half)
    if not np.isfinite(interval).all():
        raise ValueError(f"the values are too large for an interval; got {values.tolist()}")
    return interval


def correct(answers: Sequence[str], targets: Sequence[str]) -> np.ndarray:
    """For each answer: is it the target, symbol for symbol? (boolean)"""
    answers = expect_several("answers", answers, least=0)
    targets = expect_several("targets", targets, least=0)
    if len(answers) != len(targets):
        raise ValueError(f"{len(answers)} answers cannot be held against {len(targets)} targets")
    pairs = zip(answers, targets, strict=True)
    return np.array([given == right for given, right in pairs], dtype=bool)


def exact_match(answers: Sequence[str], targets: Sequence[str]) -> float:
    """The share of answers that are the target, symbol for symbol.

    One wrong digit in a date makes it another date: accuracy by symbol would flatter.
    """
    right = correct(answers, targets)
    if not len(right):
        raise ValueError("exact match over no answers is not defined")
    return float(right.mean())


def by_group(values: Sequence[float], groups: Sequence[Hashable]) -> dict[Hashable, float]:
    """The mean of a measure within each group, in the order in which groups first appear."""
    values = _numbers("values", values)
    groups = expect_several("groups", groups, least=0)
    if values.shape != (len(groups),):
        raise ValueError(f"each value must have a group; got {values.shape} and {len(groups)}")
    members = defaultdict(list)
    for value, group in zip(values, groups, strict=True):
        members[group].append(value)
    return {group: float(np.mean(within)) for group, within in members.items()}


def alignment_error_rate(weights, gold_sure, gold_possible=None) -> float:
    """How far the model's links are from the gold alignment; 0 is perfect, 1 is all wrong.

        AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|)        Och & Ney 2003, equation 3

    A is one link for each target step, to the position with the largest weight; S are the sure
    gold links, P the possible ones, and every sure link is possible too. A link that is merely
    possible does no harm; a sure link that is missed does. With one link a step a step with
    several *sure* links can never be right: call those possible.

    weights and gold are (target source), or (batch target source), or a sequence of tables of
    any sizes, as arrays or tensors; gold is boolean. Steps without any gold link (a hyphen that
    nobody wrote) have no right answer and are left out.
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


def _tables(weights, gold_sure, gold_possible):
    """Each sentence's weights, sure and possible links, checked."""
    if gold_possible is None:
        gold_possible = gold_sure
    weights, gold_sure, gold_possible = (
        [part] if getattr(part, "ndim", 3) == 2 else expect_several(name, part, least=0)
        for name, part in (
            ("weights", weights),
            ("gold_sure", gold_sure),
            ("gold_possible", gold_possible),
        )
    )
    if not len(weights) == len(gold_sure) == len(gold_possible):
        raise ValueError(
            f"{len(weights)} tables of weights, {len(gold_sure)} of sure links "
            f"and {len(gold_possible)} of possible ones"
        )
    for one in zip(weights, gold_sure, gold_possible, strict=True):
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


def _array(values: object) -> np.ndarray:
    """An array, also of tensors, of which neither the graph nor the device matters here."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
    if isinstance(values, list | tuple):
        values = [_array(value) for value in values]
    return np.asarray(values)
