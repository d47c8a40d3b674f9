"""Exercise: the share of runs of n pieces that BLEU counts.

written, target: lists of pieces; n   ->   clipped n-gram precision    Papineni et al. 2002
"""

from collections import Counter

from attn_class.exercises.frame import Case, Draw, Exercise, Weak


def solution(written, target, n):
    """A run counts at most as often as it occurs in the target: an intersection of counts."""

    def runs(pieces):
        return Counter(tuple(pieces[k : k + n]) for k in range(len(pieces) - n + 1))

    counts = runs(written)
    return sum((counts & runs(target)).values()) / max(sum(counts.values()), 1)


def _pieces(draw: Draw, count: int) -> list[str]:
    """Pieces that differ from each other."""
    start = draw.integer(10)
    return [f"p{start + k}" for k in range(count)]


def _perfect(draw: Draw) -> list[dict]:
    pieces = _pieces(draw, 7)
    return [{"written": pieces, "target": pieces, "n": n} for n in (1, 2, 4)]


def _too_often(draw: Draw) -> dict:
    times = 2 + draw.integer(3)
    return {"written": ["the"] * 5, "target": ["the"] * times + ["cat"] * 6, "n": 1}


def _beginning_alone(draw: Draw) -> dict:
    """Runs that stand elsewhere in the target, which goes on with something else."""
    run = _pieces(draw, 5 + draw.integer(4))
    target = [*run[: 2 + draw.integer(len(run) - 2)], *"uvwzt" * 2][:10]
    return {"written": ["x", "y", *run], "target": target, "n": 2}


exercise = Exercise(
    "precision(written, target, n)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Weak(
            "In a perfect translation every run counts.",
            _perfect,
            "A share lies between 0 and 1: divide by the number of runs that were written.",
        ),
        Weak(
            "A text that is too short for a run of n gets 0.",
            lambda draw: {"written": _pieces(draw, 3), "target": _pieces(draw, 3), "n": 4},
            "Three pieces have no run of four. Return 0 where there is nothing to divide by.",
        ),
        Weak(
            "A run counts at most as often as it occurs in the target.",
            _too_often,
            "“the the the” against “the cat”: one of three. Count both sides, and take the smaller "
            "count of each run.",
        ),
        Weak(
            "The pieces of a run stand side by side, in order.",
            lambda draw: {"written": ["b", "a", "c"], "target": ["a", "b", "c"], "n": 2},
            "A run of two is (pieces[k], pieces[k + 1]). The same pieces in another order are "
            "another run.",
        ),
        Case(
            "Where a run stands does not matter, and the share is taken of the written runs.",
            _beginning_alone,
            "Divide by the number of runs of `written`, not of `target`: how long the target is "
            "does not matter here.",
        ),
    ],
    slips={
        "": [
            ("max(sum(counts.values()), 1)", "len(written)"),
            lambda written, target, n: solution(written, target, n) if len(written) >= n else 1.0,
            ("Counter(tuple", "Counter({tuple", "+ 1))", "+ 1)})"),
            ("tuple(pieces", "tuple(sorted(pieces", "k + n]) ", "k + n])) "),
            ("sum(counts.values())", "sum(runs(target).values())"),
        ],
    },
)
check = exercise.check
