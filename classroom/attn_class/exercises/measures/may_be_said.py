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
from typing import NamedTuple

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size

SEEDS, PAIRS = Size(3, 5), Size(13, 19)
WORDS = ("better", "worse", "level", "not settled")
MIRRORED = {"better": "worse", "worse": "better"}
SMALL, LARGE = 0.02, 0.25  # margins; the smaller one is less than a single pair counts
LEVEL = 0.05
exercise = Exercise("verdict(ours, theirs, margin)", minutes=30, difficulty="hard")
check = exercise.check


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


@exercise.must_also(
    "It returns one of the four sentences, in small letters.",
    hint="“better”, “worse”, “level” or “not settled”, as a text, whatever the tables hold.",
)
def one_of_four_sentences(answer: Answer, draw: Draw) -> bool:
    tables = [draw.booleans(SEEDS, PAIRS, share=share).float() for share in (0.3, 0.5, 0.9)]
    return all(
        answer(ours=ours, theirs=theirs, margin=LARGE) in WORDS
        for ours in tables
        for theirs in tables
    )


@exercise.must_also(
    "Tables of different shapes raise a ValueError.",
    hint="Both models were asked the same pairs in the same seeds. Do not rely on an error that "
    "comes later: a table with one row is stretched silently. Compare the shapes first.",
)
def shapes_must_agree(answer: Answer, draw: Draw) -> bool:
    seeds, pairs = draw[SEEDS, PAIRS]
    ours = draw.booleans(seeds, pairs).float()
    shapes = (seeds, pairs + 1), (seeds + 1, pairs), (pairs, seeds), (1, pairs), (seeds, 1)
    others = [draw.booleans(*shape).float() for shape in shapes]
    return all(_refuses(answer, draw, ours, other) for other in others)


@exercise.must_also(
    "A single seed raises a ValueError.",
    hint="“In every seed” says nothing if there is one. Raise ValueError for fewer than two rows.",
)
def one_seed_is_too_few(answer: Answer, draw: Draw) -> bool:
    one, two = ([draw.booleans(seeds, PAIRS).float() for _ in range(2)] for seeds in (1, 2))
    said = answer(ours=two[0], theirs=two[1], margin=LARGE)
    return said in WORDS and _refuses(answer, draw, *one)


@exercise.must_also(
    "Tables without a pair raise a ValueError.",
    hint="A table (3, 0) has rows but no answers, and the mean of nothing is nan. Ask how many "
    "columns there are.",
)
def no_pairs_say_nothing(answer: Answer, draw: Draw) -> bool:
    return _refuses(answer, draw, torch.zeros(draw[SEEDS], 0), torch.zeros(draw[SEEDS], 0))


@exercise.must_also(
    "An entry that is neither 0 nor 1, in either table, raises a ValueError.",
    hint="A probability, a count or nan in the table means that something else was measured. "
    "Comparing with the least and the greatest lets 0.5 and nan pass: ask whether each entry "
    "is 0 or 1.",
)
def only_right_or_wrong(answer: Answer, draw: Draw) -> bool:
    for entry in (2.0, -1.0, 0.5, math.nan):
        ours, theirs = (draw.booleans(SEEDS, PAIRS).float() for _ in range(2))
        spoilt = ours.clone()
        spoilt[draw.integer(SEEDS), draw.integer(PAIRS)] = entry
        if not (_refuses(answer, draw, spoilt, theirs) and _refuses(answer, draw, theirs, spoilt)):
            return False
    return True


@exercise.must_also(
    "A large difference in every seed is “better” one way round and “worse” the other.",
    hint="Ours is the first table. Does “worse” require all that “better” requires, with the "
    "tables exchanged?",
)
def a_large_difference_is_told(answer: Answer, draw: Draw) -> bool:
    return _both_ways(answer, draw, "better", _far(draw), LARGE)


@exercise.must_also(
    "If one seed falls short of the margin, it is not settled.",
    hint="A mean over the seeds hides the one in which there was no difference, and so do two "
    "seeds of three. *Every* seed must reach the margin.",
)
def every_seed_reaches_the_margin(answer: Answer, draw: Draw) -> bool:
    seeds = _far(draw)
    seeds[draw.integer(SEEDS)] = Seed(7, 1 + draw.integer(2), 0)
    return _both_ways(answer, draw, "not settled", seeds, LARGE)


@exercise.must_also(
    "A difference of exactly the margin reaches it, and a larger margin makes it level.",
    hint="“At least” is >=, “less than” is <, and the margin is the one that is given.",
)
def the_margin_itself_is_enough(answer: Answer, draw: Draw) -> bool:
    far, near = [Seed(3, 12, 0), Seed(4, 12, 0)], [Seed(0, 10, 5), Seed(1, 9, 4)]
    cases = [("better", far, 12 / 16), ("level", near, 5.5 / 16)]  # of 16, so shares are exact
    return all(_both_ways(answer, draw, *case, 16) for case in cases[:: 1 - 2 * draw.integer(2)])


@exercise.must_also(
    "If too few pairs tell the models apart, it is not settled, though the margin is reached.",
    hint="Pairs on which exactly one of the two is right, over all seeds, fall like a tossed "
    "coin if the models are equally good. Six heads of nine are no surprise, nor are twelve of "
    "twenty-one. Is p compared with 0.05?",
)
def few_pairs_settle_nothing(answer: Answer, draw: Draw) -> bool:
    few, even = Seed(4 + draw.integer(3), 2, 1), Seed(2 + draw.integer(3), 4, 3)
    return all(
        _both_ways(answer, draw, "not settled", [each] * draw[SEEDS], SMALL)
        for each in (few, even)[:: 1 - 2 * draw.integer(2)]
    )


@exercise.must_also(
    "The pairs of all seeds count together.",
    hint="One test over seeds times pairs answers. In single seeds there are fewer pairs to tell "
    "the models apart, and hardly anything could be said.",
)
def all_pairs_count_together(answer: Answer, draw: Draw) -> bool:
    return _both_ways(answer, draw, "better", [Seed(0, 3, 0)] * draw[SEEDS], SMALL)


@exercise.must_also(
    "Pairs that both models get right, or both wrong, change nothing.",
    hint="They cannot tell one model from the other. Two intervals, one for each share, overlap "
    "here, since each is as wide as if the other model had been asked other pairs. Count the pairs "
    "on which exactly one is right.",
)
def agreement_tells_nothing(answer: Answer, draw: Draw) -> bool:
    return all(
        _both_ways(answer, draw, "better", [Seed(both, 3, 0)] * draw[SEEDS], SMALL)
        for both in (5, draw[PAIRS] - 3)[:: 1 - 2 * draw.integer(2)]
    )


@exercise.must_also(
    "Both directions count: five heads of five are not yet rare enough.",
    hint="Five of five have a probability of 1/32, but five of five tails would have surprised you "
    "as much: p is twice as large.",
)
def both_sides_count(answer: Answer, draw: Draw) -> bool:
    return _both_ways(answer, draw, "not settled", _seeds(draw, 5, 0), SMALL)


@exercise.must_also(
    "Two models that agree on every pair are level.",
    hint="No pair tells them apart: b + c is 0, and p is 1. Is something divided by b + c?",
)
def the_same_answers_are_level(answer: Answer, draw: Draw) -> bool:
    return _both_ways(answer, draw, "level", [Seed(draw.integer(9), 0, 0)] * draw[SEEDS], SMALL)


@exercise.must_also(
    "Below the margin in every seed it is level, in either direction, whatever p is.",
    hint="“Level” asks about the margin alone: with many pairs even a difference too small to "
    "matter has a small p. The difference may have either sign.",
)
def level_below_the_margin(answer: Answer, draw: Draw) -> bool:
    turning = [Seed(5, 3, 0) if seed % 2 else Seed(5, 0, 3) for seed in range(draw[SEEDS])]
    far = [Seed(1, draw[PAIRS] - 3, 0)] * draw[SEEDS]
    cases = (turning, LARGE), (far, 0.97)
    return all(_both_ways(answer, draw, "level", *case) for case in cases)


@exercise.must_also(
    "It is level only if it is so in every seed.",
    hint="Much better in one seed and much worse in the next has the mean 0, but is not level: "
    "take the absolute value of each seed's difference, before any mean.",
)
def level_in_every_seed(answer: Answer, draw: Draw) -> bool:
    alike = [Seed(6 + draw.integer(2), 0, 0)] * draw[SEEDS]
    against = [Seed(5, 5, 0), Seed(5, 0, 5), *alike[2:]]
    alone = list(alike)
    alone[draw.integer(SEEDS)] = Seed(5, 5, 0)
    cases = against, alone
    return all(_both_ways(answer, draw, "not settled", case, LARGE) for case in cases)


@exercise.must(
    "The test is exact: one pair more decides.",
    hint="Nearly right. Approximations (a normal distribution, χ² with or without a correction) "
    "differ from the sum over binomial coefficients where there are so few pairs.",
)
def as_exact_as_the_sum(answer: Answer, draw: Draw) -> bool:
    for behind in range(6):
        first = next(b for b in range(behind, 99) if _p(b, behind) < LEVEL)
        for ahead, word in ((first, "better"), (first - 1, "not settled")):
            if not _both_ways(answer, draw, word, _seeds(draw, ahead, behind), SMALL):
                return False
    return True


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


def _both_ways(
    answer: Answer,
    draw: Draw,
    word: str,
    seeds: list[Seed],
    margin: float,
    pairs: Size | int = PAIRS,
) -> bool:
    """Whether such tables give this word, and the mirrored ones its mirror.

    Which of the two comes first is drawn.
    """
    one, two = _tables(draw, seeds, draw[pairs])
    cases = [(one, two, word), (two, one, MIRRORED.get(word, word))]
    return all(
        answer.gives(expected, ours=ours, theirs=theirs, margin=margin)
        for ours, theirs, expected in cases[:: 1 - 2 * draw.integer(2)]
    )


def _tables(draw: Draw, seeds: list[Seed], pairs: int) -> tuple[Tensor, Tensor]:
    """Both tables; which pairs of a seed are right is drawn."""
    ranks = draw.normal(len(seeds), pairs).argsort(dim=1).argsort(dim=1)
    both, ahead, behind = (torch.tensor(each)[:, None] for each in zip(*seeds, strict=True))
    ours = ranks < both + ahead
    theirs = (ranks < both) | (ours.logical_not() & (ranks < both + ahead + behind))
    return ours.float(), theirs.float()


def _p(ahead: int, behind: int) -> float:
    """The two tails of a binomial distribution, by its probabilities one after another."""
    count, fewer = ahead + behind, min(ahead, behind)
    probability = total = 0.5**count
    for k in range(1, fewer + 1):
        probability *= (count - k + 1) / k
        total += probability
    return min(1.0, 2 * total)


def _refuses(answer: Answer, draw: Draw, ours: Tensor, theirs: Tensor) -> bool:
    one, two = (ours, theirs) if draw.integer(2) else (theirs, ours)
    return answer.refuses(ValueError, ours=one, theirs=two, margin=LARGE)
