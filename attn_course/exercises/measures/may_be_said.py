"""Exercise: which sentence about two models may be said?

ours, theirs (seed, pair): 1 where an answer was right, 0 where it was wrong; in each seed both
models were asked the same pairs, and each seed drew its own
margin, written down before the run
    ->   "better"       in every seed our share is higher by at least the margin, and the Wilson
                        intervals of the shares over the pairs of all seeds do not overlap
         "worse"        the mirror case
         "level"        in every seed the shares differ by less than the margin
         "not settled"  otherwise

A ValueError if the shapes differ, there is only one seed or no pair, or an entry is not 0 or 1.
"""

import math

import torch
from torch import Tensor

from attn_course.exercises.frame import Answer, Draw, Exercise, Size

SEEDS, PAIRS = Size(3, 5), Size(13, 19)
WORDS = ("better", "worse", "level", "not settled")
MIRRORED = {"better": "worse", "worse": "better"}
SMALL, LARGE = 0.02, 0.25  # margins; the smaller one is less than a single pair counts
CLEARLY = 0.03  # so far apart, or overlapping so much, that other kinds of interval agree
exercise = Exercise("verdict(ours, theirs, margin)", minutes=30, difficulty="hard")
check = exercise.check


def solution(ours, theirs, margin):
    """Refuse first. "Worse" is "better" with the tables exchanged."""
    tables = ours, theirs
    if ours.shape != theirs.shape or len(ours) < 2 or ours.numel() == 0:
        raise ValueError("expected two tables of one shape, with two seeds or more, and pairs")
    if not all(((table == 0) | (table == 1)).all() for table in tables):
        raise ValueError("an answer is right, 1, or wrong, 0")

    def interval(table):
        n, z = table.numel(), 1.96
        p = float(table.double().mean())
        half = z * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
        return [(p + z**2 / (2 * n) + sign * half) / (1 + z**2 / n) for sign in (-1, 1)]

    more = ours.double().mean(dim=1) - theirs.double().mean(dim=1)
    (our_low, our_high), (their_low, their_high) = map(interval, tables)
    if (more >= margin).all() and our_low > their_high:
        return "better"
    if (more <= -margin).all() and their_low > our_high:
        return "worse"
    return "level" if (more.abs() < margin).all() else "not settled"


@exercise.must(
    "It returns one of the four sentences, in small letters.",
    hint="“better”, “worse”, “level” or “not settled”, as a text, whatever the tables hold.",
    weak=True,
)
def one_of_four_sentences(answer: Answer, draw: Draw) -> bool:
    tables = [draw.booleans(SEEDS, PAIRS, share=share).float() for share in (0.3, 0.5, 0.9)]
    return all(
        answer(ours=ours, theirs=theirs, margin=LARGE) in WORDS
        for ours in tables
        for theirs in tables
    )


@exercise.must(
    "Tables of different shapes are a ValueError.",
    hint="Both models were asked the same pairs in the same seeds. Do not rely on an error that "
    "comes later: a table with one row is stretched silently. Compare the shapes first.",
    weak=True,
)
def shapes_must_agree(answer: Answer, draw: Draw) -> bool:
    seeds, pairs = draw[SEEDS, PAIRS]
    ours = draw.booleans(seeds, pairs).float()
    shapes = (seeds, pairs + 1), (seeds + 1, pairs), (pairs, seeds), (1, pairs), (seeds, 1)
    others = [draw.booleans(*shape).float() for shape in shapes]
    return all(_refuses(answer, draw, ours, other) for other in others)


@exercise.must(
    "One seed alone is a ValueError.",
    hint="“In every seed” says nothing if there is one. Raise ValueError for fewer than two rows.",
    weak=True,
)
def one_seed_is_too_few(answer: Answer, draw: Draw) -> bool:
    one, two = ([draw.booleans(seeds, PAIRS).float() for _ in range(2)] for seeds in (1, 2))
    said = answer(ours=two[0], theirs=two[1], margin=LARGE)
    return said in WORDS and _refuses(answer, draw, *one)


@exercise.must(
    "Tables without a pair are a ValueError.",
    hint="A table (3, 0) has rows but no answers, and the mean of nothing is nan. Ask how many "
    "columns there are.",
    weak=True,
)
def no_pairs_say_nothing(answer: Answer, draw: Draw) -> bool:
    return _refuses(answer, draw, torch.zeros(draw[SEEDS], 0), torch.zeros(draw[SEEDS], 0))


@exercise.must(
    "An entry that is neither 0 nor 1 is a ValueError, in either table.",
    hint="A probability, a count or nan in the table means that something else was measured. "
    "Comparing with the least and the greatest lets 0.5 and nan pass: ask whether each entry "
    "*is* 0 or 1.",
    weak=True,
)
def only_right_or_wrong(answer: Answer, draw: Draw) -> bool:
    for entry in (2.0, -1.0, 0.5, math.nan):
        ours, theirs = (draw.booleans(SEEDS, PAIRS).float() for _ in range(2))
        spoilt = ours.clone()
        spoilt[draw.integer(SEEDS), draw.integer(PAIRS)] = entry
        if not (_refuses(answer, draw, spoilt, theirs) and _refuses(answer, draw, theirs, spoilt)):
            return False
    return True


@exercise.must(
    "A large difference in every seed is “better” one way round and “worse” the other.",
    hint="Ours is the first table. Does “worse” require all that “better” requires, with the "
    "tables exchanged?",
    weak=True,
)
def a_large_difference_is_told(answer: Answer, draw: Draw) -> bool:
    ours = [draw[PAIRS] - draw.integer(3) for _ in range(draw[SEEDS])]
    theirs = [2 + draw.integer(3) for _ in range(draw[SEEDS])]
    return _both_ways(answer, draw, "better", ours, theirs, LARGE)


@exercise.must(
    "If one seed falls short of the margin, it is not settled.",
    hint="A mean over the seeds hides the one in which there was no difference, and so do two "
    "seeds of three. *Every* seed must reach the margin.",
    weak=True,
)
def every_seed_reaches_the_margin(answer: Answer, draw: Draw) -> bool:
    ours = [draw[PAIRS] - draw.integer(2) for _ in range(draw[SEEDS])]
    theirs = [2 + draw.integer(2) for _ in range(draw[SEEDS])]
    place = draw.integer(SEEDS)
    ours[place], theirs[place] = 8 + draw.integer(2), 7
    return _both_ways(answer, draw, "not settled", ours, theirs, LARGE)


@exercise.must(
    "A difference of exactly the margin reaches it, and a larger margin makes it level.",
    hint="“At least” is >=, “less than” is <, and the margin is the one that is given.",
    weak=True,
)
def the_margin_itself_is_enough(answer: Answer, draw: Draw) -> bool:
    far, near = ([15, 16], [3, 4]), ([10, 11], [5, 6])  # of 16, so the shares are exact
    cases = [("better", *far, 12 / 16), ("level", *near, 5.5 / 16)][:: 1 - 2 * draw.integer(2)]
    return all(_both_ways(answer, draw, *case, pairs=16) for case in cases)


@exercise.must(
    "If the two intervals overlap, it is not settled, though every seed reaches the margin.",
    hint="Few pairs settle little. Two intervals do not overlap if the lower end of one lies above "
    "the *upper end* of the other, not merely above its share.",
    weak=True,
)
def intervals_may_not_overlap(answer: Answer, draw: Draw) -> bool:
    theirs = [4 + draw.integer(3) for _ in range(draw[SEEDS])]
    more = max(k for k in range(1, draw[PAIRS] - 6) if _gap(draw, theirs, k) < -CLEARLY)
    ours = [right + more for right in theirs]
    return _both_ways(answer, draw, "not settled", ours, theirs, SMALL)


@exercise.must(
    "The pairs of all seeds count together.",
    hint="One interval for each model, over seeds times pairs answers. Those of single seeds are "
    "wider, and with them hardly anything could be said.",
    weak=True,
)
def all_pairs_count_together(answer: Answer, draw: Draw) -> bool:
    theirs = [4 + draw.integer(3) for _ in range(draw[SEEDS])]
    more = min(k for k in range(1, draw[PAIRS] - 6) if _gap(draw, theirs, k) > CLEARLY)
    ours = [right + more for right in theirs]
    return _both_ways(answer, draw, "better", ours, theirs, SMALL)


@exercise.must(
    "A model that is always right has an interval too.",
    hint="p ± z √(p (1 - p) / n) has no width there, as if no other pair could ever be wrong. "
    "Wilson's interval has one: see exercise 2. Is z 1.96?",
    weak=True,
)
def always_right_is_not_certain(answer: Answer, draw: Draw) -> bool:
    ours = [draw[PAIRS]] * draw[SEEDS]
    less = max(k for k in range(1, 5) if _gap(draw, [right - k for right in ours], k) < 0)
    theirs = [right - less for right in ours]
    return _both_ways(answer, draw, "not settled", ours, theirs, SMALL)


@exercise.must(
    "Below the margin in every seed it is level, in either direction, whatever the intervals.",
    hint="“Level” asks about the margin alone: with many pairs even a difference too small to "
    "matter has intervals apart. The difference may have either sign.",
    weak=True,
)
def level_below_the_margin(answer: Answer, draw: Draw) -> bool:
    theirs = [6 + draw.integer(3) for _ in range(draw[SEEDS])]
    ours = [right + 3 * (-1) ** seed for seed, right in enumerate(theirs)]
    few, many = [1] * draw[SEEDS], [draw[PAIRS] - 2] * draw[SEEDS]
    return _both_ways(answer, draw, "level", ours, theirs, LARGE) and _both_ways(
        answer, draw, "level", few, many, 0.97
    )


@exercise.must(
    "It is level only if it is so in every seed.",
    hint="Much better in one seed and much worse in the next has the mean 0, but is not level: "
    "take the absolute value of each seed's difference, before any mean.",
    weak=True,
)
def level_in_every_seed(answer: Answer, draw: Draw) -> bool:
    theirs = [6 + draw.integer(2) for _ in range(draw[SEEDS])]
    ours = list(theirs)
    ours[0], ours[1] = ours[0] + 5, ours[1] - 5
    alone = list(theirs)
    alone[draw.integer(SEEDS)] += 5
    return _both_ways(answer, draw, "not settled", ours, theirs, LARGE) and _both_ways(
        answer, draw, "not settled", alone, theirs, LARGE
    )


@exercise.must(
    "The intervals are exactly Wilson's: the last that overlap and the first that do not.",
    hint="Nearly right: one pair more in each seed decides here. Compare your interval with that "
    "of exercise 2. Is z 1.96?",
)
def as_wide_as_wilsons(answer: Answer, draw: Draw) -> bool:
    for _ in range(8):
        theirs = [2 + draw.integer(3) for _ in range(draw[SEEDS])]
        first = min(k for k in range(1, draw[PAIRS] - 4) if _gap(draw, theirs, k) > 0)
        for more, word in ((first, "better"), (first - 1, "not settled")):
            ours = [right + more for right in theirs]
            if not _both_ways(answer, draw, word, ours, theirs, SMALL):
                return False
    return True


def _both_ways(
    answer: Answer,
    draw: Draw,
    word: str,
    ours: list[int],
    theirs: list[int],
    margin: float,
    pairs: Size | int = PAIRS,
) -> bool:
    """Whether tables with so many right answers give this word, and the mirrored ones its mirror.

    Which of the two comes first is drawn.
    """
    one, two = (_table(draw, counts, draw[pairs]) for counts in (ours, theirs))
    cases = [(one, two, word), (two, one, MIRRORED.get(word, word))]
    return all(
        answer.gives(expected, ours=ours, theirs=theirs, margin=margin)
        for ours, theirs, expected in cases[:: 1 - 2 * draw.integer(2)]
    )


def _table(draw: Draw, counts: list[int], pairs: int) -> Tensor:
    """So many ones in each row, at places that are drawn."""
    ranks = draw.normal(len(counts), pairs).argsort(dim=1).argsort(dim=1)
    return (ranks < torch.tensor(counts)[:, None]).float()


def _refuses(answer: Answer, draw: Draw, ours: Tensor, theirs: Tensor) -> bool:
    one, two = (ours, theirs) if draw.integer(2) else (theirs, ours)
    return answer.refuses(ValueError, ours=one, theirs=two, margin=LARGE)


def _gap(draw: Draw, theirs: list[int], more: int) -> float:
    """How far the intervals are apart if so many more of each seed's answers are right."""
    seeds, pairs = draw[SEEDS, PAIRS]
    right = sum(theirs)
    return _end(right + more * seeds, seeds * pairs, -1) - _end(right, seeds * pairs, 1)


def _end(right: int, count: int, sign: int) -> float:
    """An end q of Wilson's interval, where (p - q)² = z² q (1 - q) / n: a quadratic equation."""
    z2 = 1.96**2
    a, b, c = count + z2, -(2 * right + z2), right**2 / count
    return (-b + sign * math.sqrt(b * b - 4 * a * c)) / (2 * a)
