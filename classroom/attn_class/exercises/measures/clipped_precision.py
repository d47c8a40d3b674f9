"""Exercise: the share of runs of n pieces that BLEU counts.

written, target: lists of pieces; n   ->   clipped n-gram precision    Papineni et al. 2002
"""

from collections import Counter

from attn_class.exercises.frame import Answer, Draw, Exercise

exercise = Exercise("precision(written, target, n)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(written, target, n):
    """A run counts at most as often as it occurs in the target: an intersection of counts."""

    def runs(pieces):
        return Counter(tuple(pieces[k : k + n]) for k in range(len(pieces) - n + 1))

    found = runs(written)
    return sum((found & runs(target)).values()) / max(sum(found.values()), 1)


@exercise.must_also(
    "In a perfect translation every run counts.",
    hint="A share lies between 0 and 1: divide by the number of runs that were written.",
)
def all_of_it_counts(answer: Answer, draw: Draw) -> bool:
    pieces = _pieces(draw, 7)
    return all(answer.gives(1.0, written=pieces, target=list(pieces), n=n) for n in (1, 2, 4))


@exercise.must_also(
    "A text that is too short for a run of n gets 0.",
    hint="Three pieces have no run of four. Return 0 where there is nothing to divide by.",
)
def too_short_is_nothing(answer: Answer, draw: Draw) -> bool:
    pieces = _pieces(draw, 3)
    return answer.gives(0.0, written=pieces, target=pieces, n=4)


@exercise.must_also(
    "A run counts at most as often as it occurs in the target.",
    hint="“the the the” against “the cat”: one of three. Count both sides, and take the smaller "
    "count of each run.",
)
def a_run_is_clipped(answer: Answer, draw: Draw) -> bool:
    times = 2 + draw.integer(3)
    given = {"written": ["the"] * 5, "target": ["the"] * times + ["cat"] * 6, "n": 1}
    return answer.gives(times / 5, **given)


@exercise.must_also(
    "The pieces of a run stand side by side, in order.",
    hint="A run of two is (pieces[k], pieces[k + 1]). The same pieces in another order are another "
    "run.",
)
def order_matters(answer: Answer, draw: Draw) -> bool:
    given = {"written": ["b", "a", "c"], "target": ["a", "b", "c"], "n": 2}
    return answer.gives(0.0, **given)


@exercise.must(
    "Where a run stands does not matter, and the share is taken of the written runs.",
    hint="Divide by the number of runs of `written`, not of `target`: how long the target is does "
    "not matter here.",
)
def a_share_of_what_was_written(answer: Answer, draw: Draw) -> bool:
    run = _pieces(draw, 5 + draw.integer(4))
    kept = 2 + draw.integer(len(run) - 2)  # the target goes on with something else
    given = {"written": ["x", "y", *run], "target": [*run[:kept], *"uvwzt" * 2][:10], "n": 2}
    return answer.gives((kept - 1) / (len(run) + 1), **given)


def _pieces(draw: Draw, count: int) -> list[str]:
    """Pieces that differ from each other."""
    start = draw.integer(10)
    return [f"p{start + k}" for k in range(count)]
