"""Exercise: which sentence about two models may be said?

ours, theirs (seed, pair): 1 where an answer was right, 0 where it was wrong; in each seed both
models were asked the same pairs, and each seed drew its own
margin, written down before the run
    ->   "better"       in every seed our share is higher by at least the margin, and p < 0.05
         "worse"        the mirror case
         "level"        in every seed the shares differ by less than the margin
         "not settled"  otherwise

p is that of an exact sign test: over all seeds, b pairs were right in ours alone, and c in theirs
alone.

    p = min(1, 2 Σ_{k ≤ min(b, c)} C(b + c, k) / 2^(b + c))      McNemar 1947, exact

A ValueError if the shapes differ, there is only one seed or no pair, or an entry is not 0 or 1.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

SEEDS, PAIRS = Size(3, 5), Size(13, 19)
SMALL, LARGE = 0.02, 0.25  # margins; the smaller one is less than a single pair counts


def solution(ours, theirs, margin):
    """Refuse first. "Worse" is "better" with the tables exchanged."""
    tables = ours, theirs
    if ours.shape != theirs.shape or len(ours) < 2 or ours.numel() == 0:
        raise ValueError("expected two tables of one shape, with two seeds or more, and pairs")
    if not all(((table == 0) | (table == 1)).all() for table in tables):
        raise ValueError("an answer is right, 1, or wrong, 0")

    more = ours.double().mean(dim=1) - theirs.double().mean(dim=1)
    ahead, behind = int((ours > theirs).sum()), int((ours < theirs).sum())
    count, fewer = ahead + behind, min(ahead, behind)
    p = min(1, 2 * sum(math.comb(count, k) for k in range(fewer + 1)) / 2**count)
    if (more >= margin).all() and p < 0.05:
        return "better"
    if (more <= -margin).all() and p < 0.05:
        return "worse"
    return "level" if (more.abs() < margin).all() else "not settled"


class Seed(NamedTuple):
    """How many pairs of a seed both models have right, and how many only one of them."""

    both: int
    ahead: int
    behind: int


def _far(draw: Draw) -> list[Seed]:
    return [Seed(1 + draw.integer(2), draw[PAIRS] - 4, draw.integer(2)) for _ in range(draw[SEEDS])]


def _seeds(draw: Draw, ahead: int, behind: int) -> list[Seed]:
    """So many pairs in all, spread over the seeds so that ours is ahead in each."""
    count = draw[SEEDS]
    parts = [
        [(total + count - 1 - at) // count for at in range(count)] for total in (ahead, behind)
    ]
    return [Seed(1 + draw.integer(3), b, c) for b, c in zip(*parts, strict=True)]


def _tables(draw: Draw, seeds: list[Seed], pairs: int) -> tuple[Tensor, Tensor]:
    """Both tables; which pairs of a seed are right is drawn."""
    ranks = draw.normal(len(seeds), pairs).argsort(dim=1).argsort(dim=1)
    both, ahead, behind = (torch.tensor(part)[:, None] for part in zip(*seeds, strict=True))
    ours = ranks < both + ahead
    theirs = (ranks < both) | (ours.logical_not() & (ranks < both + ahead + behind))
    return ours.float(), theirs.float()


def _turned(draw: Draw, ours: Tensor, theirs: Tensor, margin: float = LARGE) -> list[dict]:
    """Both ways round, in an order that is drawn."""
    pairs = draw.shuffled([(ours, theirs), (theirs, ours)])
    return [{"ours": one, "theirs": two, "margin": margin} for one, two in pairs]


def _shapes(draw: Draw) -> list[dict]:
    seeds, pairs = draw[SEEDS, PAIRS]
    ours = draw.booleans(seeds, pairs).float()
    shapes = (seeds, pairs + 1), (seeds + 1, pairs), (pairs, seeds), (1, pairs), (seeds, 1)
    others = [draw.booleans(*shape).float() for shape in shapes]
    return [inputs for other in others for inputs in _turned(draw, ours, other)]


def _one_seed_or_two(draw: Draw) -> list[dict]:
    return [
        inputs
        for seeds in (2, 1)
        for inputs in _turned(draw, *(draw.booleans(seeds, PAIRS).float() for _ in range(2)))
    ]


def _spoilt(draw: Draw) -> list[dict]:
    inputs = []
    for entry in (2.0, -1.0, 0.5, math.nan):
        ours, theirs = (draw.booleans(SEEDS, PAIRS).float() for _ in range(2))
        ours[draw.integer(SEEDS), draw.integer(PAIRS)] = entry
        inputs += _turned(draw, ours, theirs)
    return inputs


def _of(
    *kinds: Callable[[Draw], list[Seed]], margin: float = SMALL, pairs: Size | int = PAIRS
) -> Callable[[Draw], list[dict]]:
    """Draw tables of these kinds of seeds, both ways round."""
    return lambda draw: [
        inputs
        for kind in draw.shuffled(kinds)
        for inputs in _turned(draw, *_tables(draw, kind(draw), draw[pairs]), margin)
    ]


def _same(both: int, ahead: int, behind: int) -> Callable[[Draw], list[Seed]]:
    return lambda draw: [Seed(both, ahead, behind)] * draw[SEEDS]


def _one_falls_short(draw: Draw) -> list[Seed]:
    seeds = _far(draw)
    seeds[draw.integer(SEEDS)] = Seed(7, 1 + draw.integer(2), 0)
    return seeds


def _turning(draw: Draw) -> list[Seed]:
    return [Seed(5, 3, 0) if seed % 2 else Seed(5, 0, 3) for seed in range(draw[SEEDS])]


def _against(draw: Draw) -> list[Seed]:
    return [Seed(5, 5, 0), Seed(5, 0, 5), *_same(6, 0, 0)(draw)[2:]]


def _alone(draw: Draw) -> list[Seed]:
    seeds = _same(6, 0, 0)(draw)
    seeds[draw.integer(SEEDS)] = Seed(5, 5, 0)
    return seeds


_NEAR_P = [  # so many behind, and ahead as few as settle it, or one less
    lambda draw, ahead=first - less, behind=behind: _seeds(draw, ahead, behind)
    for behind, first in enumerate((6, 8, 10, 12, 13, 15))
    for less in (0, 1)
]
_EXACT = (
    lambda draw: [Seed(3, 12, 0), Seed(4, 12, 0)],
    lambda draw: [Seed(0, 10, 5), Seed(1, 9, 4)],
)
exercise = Exercise(
    "verdict(ours, theirs, margin)",
    minutes=30,
    difficulty="hard",
    solution=solution,
    cases=[
        Weak(
            "Tables of different shapes raise a ValueError.",
            _shapes,
            "Both models were asked the same pairs in the same seeds. Do not rely on an error that "
            "comes later: a table with one row is stretched silently. Compare the shapes first.",
        ),
        Weak(
            "A single seed raises a ValueError.",
            _one_seed_or_two,
            "“In every seed” says nothing if there is one. Raise ValueError for fewer than two "
            "rows.",
        ),
        Weak(
            "Tables without a pair raise a ValueError.",
            lambda draw: _turned(draw, *torch.zeros(2, draw[SEEDS], 0)),
            "A table (3, 0) has rows but no answers, and the mean of nothing is nan. Ask how many "
            "columns there are.",
        ),
        Weak(
            "An entry that is neither 0 nor 1, in either table, raises a ValueError.",
            _spoilt,
            "A probability, a count or nan in the table means that something else was measured. "
            "Comparing with the least and the greatest lets 0.5 and nan pass: ask whether each "
            "entry is 0 or 1.",
        ),
        Weak(
            "A large difference in every seed is “better” one way round and “worse” the other.",
            _of(_far, margin=LARGE),
            "Ours is the first table. Does “worse” require all that “better” requires, with the "
            "tables exchanged?",
        ),
        Weak(
            "If one seed falls short of the margin, it is not settled.",
            _of(_one_falls_short, margin=LARGE),
            "A mean over the seeds hides the one in which there was no difference, and so do two "
            "seeds of three. *Every* seed must reach the margin.",
        ),
        Weak(
            "A difference of exactly the margin reaches it, and a larger margin makes it level.",
            lambda draw: [
                *_of(_EXACT[0], margin=12 / 16, pairs=16)(draw),
                *_of(_EXACT[1], margin=5.5 / 16, pairs=16)(draw),
            ],
            "“At least” is >=, “less than” is <, and the margin is the one that is given.",
        ),
        Weak(
            "If too few pairs tell the models apart, it is not settled, though the margin is "
            "reached.",
            _of(_same(5, 2, 1), _same(3, 4, 3)),
            "Pairs on which exactly one of the two is right, over all seeds, fall like a tossed "
            "coin if the models are equally good. Six heads of nine are no surprise, nor are "
            "twelve of twenty-one. Is p compared with 0.05?",
        ),
        Weak(
            "The pairs of all seeds count together.",
            _of(_same(0, 3, 0)),
            "One test over seeds times pairs answers. In single seeds there are fewer pairs to "
            "tell the models apart, and hardly anything could be said.",
        ),
        Weak(
            "Pairs that both models get right, or both wrong, change nothing.",
            _of(_same(5, 3, 0), lambda draw: _same(draw[PAIRS] - 3, 3, 0)(draw)),
            "They cannot tell one model from the other. Two intervals, one for each share, overlap "
            "here, since each is as wide as if the other model had been asked other pairs. Count "
            "the pairs on which exactly one is right.",
        ),
        Weak(
            "Both directions count: five heads of five are not yet rare enough.",
            _of(lambda draw: _seeds(draw, 5, 0)),
            "Five of five have a probability of 1/32, but five of five tails would have surprised "
            "you as much: p is twice as large.",
        ),
        Weak(
            "Two models that agree on every pair are level.",
            _of(lambda draw: _same(draw.integer(9), 0, 0)(draw)),
            "No pair tells them apart: b + c is 0, and p is 1. Is something divided by b + c?",
        ),
        Weak(
            "Below the margin in every seed it is level, in either direction, whatever p is.",
            lambda draw: [
                *_of(_turning, margin=LARGE)(draw),
                *_of(lambda draw: _same(1, draw[PAIRS] - 3, 0)(draw), margin=0.97)(draw),
            ],
            "“Level” asks about the margin alone: with many pairs even a difference too small to "
            "matter has a small p. The difference may have either sign.",
        ),
        Weak(
            "It is level only if it is so in every seed.",
            _of(_against, _alone, margin=LARGE),
            "Much better in one seed and much worse in the next has the mean 0, but is not level: "
            "take the absolute value of each seed's difference, before any mean.",
        ),
        Case(
            "The test is exact: one pair more decides.",
            _of(*_NEAR_P),
            "Nearly right. Approximations (a normal distribution, χ² with or without a correction) "
            "differ from the sum over binomial coefficients where there are so few pairs.",
        ),
    ],
    slips={
        "“better”, “worse”, “level” or “not settled”, as a text, whatever the tables hold.": [
            lambda *inputs: solution(*inputs).capitalize()
        ],
        "": [
            ("ours.shape != theirs.shape", "ours.numel() != theirs.numel()"),
            ("len(ours) < 2 or ", ""),
            (" or ours.numel() == 0", ""),
            ("(table == 0) | (table == 1)", "(table >= 0) & (table <= 1)"),
            ('return "worse"', 'return "not settled"'),
            ("(more >= margin).all()", "(more.mean() >= margin)"),
            ("more >= margin", "more > margin", "more <= -margin", "more < -margin"),
            ("p = min(", "p = 0 * min("),
            ('0.05:\n        return "better"', '0.001:\n        return "better"'),
            (
                "int((ours > theirs).sum())",
                "int(ours.sum())",
                "int((ours < theirs).sum())",
                "int(theirs.sum())",
            ),
            ("min(1, 2 * sum(", "min(1, sum("),
            ('return "level" if', 'return "level" if count and'),
            ('return "level" if', 'return "level" if p >= 0.05 and'),
            ("(more.abs() < margin).all()", "abs(more.mean()) < margin"),
            (
                "p = min(1, 2 * sum(math.comb(count, k) for k in range(fewer + 1)) / 2**count)",
                "p = math.erfc(abs(ahead - behind) / math.sqrt(2 * max(count, 1)))",
            ),
        ],
    },
)
check = exercise.check
