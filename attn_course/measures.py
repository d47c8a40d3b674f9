"""Measures: how many answers are right, and how well the weights agree with the truth."""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

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
    values = np.asarray(values, dtype=float)
    if values.ndim != 1 or not 2 <= len(values) <= 10:
        raise ValueError(f"over_seeds takes 2 to 10 values, one a seed; got shape {values.shape}")
    if np.isnan(values).any():
        raise ValueError(f"a value is NaN: {values.tolist()}")
    half = _T95[len(values) - 2] * values.std(ddof=1) / math.sqrt(len(values))
    return Interval(values.mean(), values.mean() - half, values.mean() + half)


def correct(answers: Sequence[str], targets: Sequence[str]) -> np.ndarray:
    """For each answer: is it the target, symbol for symbol? (boolean)"""
    if len(answers) != len(targets):
        raise ValueError(f"{len(answers)} answers cannot be held against {len(targets)} targets")
    return np.array([given == right for given, right in zip(answers, targets, strict=True)])


def exact_match(answers: Sequence[str], targets: Sequence[str]) -> float:
    """The share of answers that are the target, symbol for symbol.

    One wrong digit in a date makes it another date: accuracy by symbol would flatter.
    """
    if not len(targets):
        raise ValueError("exact match over no answers is not defined")
    return float(correct(answers, targets).mean())


def by_group(values: Sequence[float], groups: Sequence[Hashable]) -> dict[Hashable, float]:
    """The mean of a measure within each group, in the order in which groups first appear."""
    if len(values) != len(groups):
        raise ValueError(f"{len(values)} values but {len(groups)} groups")
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
    any sizes; gold is boolean. Steps without any gold link (a hyphen that nobody wrote) have no
    right answer and are left out.
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
        [part] if getattr(part, "ndim", 3) == 2 else list(part)
        for part in (weights, gold_sure, gold_possible)
    )
    if not len(weights) == len(gold_sure) == len(gold_possible):
        raise ValueError(
            f"{len(weights)} tables of weights, {len(gold_sure)} of sure links "
            f"and {len(gold_possible)} of possible ones"
        )
    for one in zip(weights, gold_sure, gold_possible, strict=True):
        table, sure, possible = (np.asarray(part) for part in one)
        if not table.shape == sure.shape == possible.shape or table.ndim != 2:
            raise ValueError(
                f"weights and gold must share one shape (target source); "
                f"got {table.shape}, {sure.shape} and {possible.shape}"
            )
        if sure.dtype != bool or possible.dtype != bool:
            raise TypeError(f"gold links must be boolean; got {sure.dtype} and {possible.dtype}")
        if np.isnan(table).any():
            raise ValueError("the weights hold NaN")
        yield table, sure, sure | possible
