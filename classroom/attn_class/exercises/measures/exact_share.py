"""Exercise: of all sets of the same size, how many stand apart at least as well?

    separation(S) = mean distance from S to the others / mean distance within S

distances (thing thing), symmetric, zero on the diagonal; chosen, numbers of at least two things
    ->   the share of all sets of this size, the chosen one included
"""

from itertools import combinations

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

THINGS = Size(8, 9)


def solution(distances, chosen):
    """Rounding may make a set seem a little smaller than itself."""

    def separation(inside):
        outside = [n for n in range(len(distances)) if n not in inside]
        across = distances[inside][:, outside].mean()
        within = distances[inside][:, inside].sum() / (len(inside) * (len(inside) - 1))
        return across / within

    limit = separation(list(chosen)) * (1 - 1e-9)
    sets = combinations(range(len(distances)), len(chosen))
    as_good = [bool(separation(list(one)) >= limit) for one in sets]
    return sum(as_good) / len(as_good)


def _points(draw: Draw) -> Tensor:
    return draw.normal(THINGS, 3).double()


def _distances(points: Tensor) -> Tensor:
    return torch.cdist(points, points, compute_mode="donot_use_mm_for_euclid_dist")


def _clustered(draw: Draw) -> dict:
    points = _points(draw)
    points[[1, 4, 6]] = points[[1, 4, 6]] / 50 + 9
    return {"distances": _distances(points), "chosen": [1, 4, 6]}


def _scattered(draw: Draw) -> dict:
    points = _points(draw)
    points[0] += 20
    points[1] -= 20
    return {"distances": _distances(points), "chosen": [0, 1]}


def _of_any_size(draw: Draw) -> list[dict]:
    distances = _distances(_points(draw))
    sets = [0, 5], [2, 3, 6], [1, 2, 4, 5]
    return [{"distances": distances, "chosen": chosen} for chosen in draw.shuffled(sets)]


_IS_A_SHARE = (
    "The chosen set stands apart as well as itself, so at least one set counts. With `>` in place "
    "of `>=` the best set of all would get 0."
)
exercise = Exercise(
    "share(distances, chosen)",
    minutes=30,
    difficulty="hard",
    solution=solution,
    cases=[
        Weak(
            "If three things lie close together and far from the rest, no other three stand apart "
            "as well.",
            _clustered,
            "Of 8 things there are 56 sets of three, of 9 there are 84, and only one is as good: "
            "itself. Are all sets tried, each once, and only those of the same size?",
        ),
        Weak(
            "The most scattered set is beaten by most others.",
            _scattered,
            "A set stands apart if it is far from the others and close together: the first mean is "
            "divided by the second.",
        ),
        Case(
            "It is the share over every set, with the means as they are defined.",
            _of_any_size,
            "Within a set of k there are k (k - 1) ordered pairs of different things; the zeros on "
            "the diagonal are no distances. From a set to the others there are k (n - k).",
        ),
    ],
    slips={
        _IS_A_SHARE: [("(1 - 1e-9)", "(1 + 1e-8)")],
        "": [
            (">= limit", "<= limit"),
            ("return across / within", "return across"),
            ("return across / within", "return within / across"),
            ("return across / within", "return across - within"),
            ("for one in sets", "for one in sets if chosen[0] in one"),
            ("[:, inside].sum()", "[:, inside].max()"),
            ("return sum(as_good) / len(as_good)", "return float(sum(as_good))"),
            ("[:, outside].mean()", "[:, outside].max()"),
        ],
    },
    shape=_IS_A_SHARE,
)
check = exercise.check
