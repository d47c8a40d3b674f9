"""Exercise: of all sets of the same size, how many stand apart at least as well?

    separation(S) = mean distance from S to the others / mean distance within S

distances (thing thing), symmetric, zero on the diagonal; chosen, numbers of at least two things
    ->   the share of all sets of this size, the chosen one included
"""

from itertools import combinations
from math import comb

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

THINGS = Size(8, 9)
exercise = Exercise("share(distances, chosen)", minutes=30, difficulty="hard")
check = exercise.check


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


@exercise.must_also(
    "The answer is one number, above 0 and at most 1.",
    hint="The chosen set stands apart as well as itself, so at least one set counts. With `>` in "
    "place of `>=` the best set of all would get 0.",
)
def is_a_share(answer: Answer, draw: Draw) -> bool:
    points = _points(draw)
    clustered = torch.cat([points[:3] / 50 + 9, points[3:]])
    for given in (clustered, points):
        result = answer(distances=_distances(given), chosen=[0, 1, 2])
        if not (isinstance(result, float) or shaped(result)) or not 0 < float(result) <= 1:
            return False
    return True


@exercise.must_also(
    "If three things lie close together and far from the rest, no other three stand apart as well.",
    hint="Of 8 things there are 56 sets of three, of 9 there are 84, and only one is as good: "
    "itself. Are all sets tried, each once, and only those of the same size?",
)
def a_cluster_is_the_only_one(answer: Answer, draw: Draw) -> bool:
    points = _points(draw)
    points[[1, 4, 6]] = points[[1, 4, 6]] / 50 + 9
    return answer.gives(1 / comb(draw[THINGS], 3), distances=_distances(points), chosen=[1, 4, 6])


@exercise.must_also(
    "The most scattered set is beaten by most others.",
    hint="A set stands apart if it is far from the others and close together: the first mean "
    "is divided by the second.",
)
def the_scattered_are_beaten(answer: Answer, draw: Draw) -> bool:
    points = _points(draw)
    points[0] += 20
    points[1] -= 20
    return float(answer(distances=_distances(points), chosen=[0, 1])) > 0.9


@exercise.must(
    "It is the share over every set, with the means as they are defined.",
    hint="Within a set of k there are k (k - 1) ordered pairs of different things; the zeros on "
    "the diagonal are no distances. From a set to the others there are k (n - k).",
)
def is_the_definition(answer: Answer, draw: Draw) -> bool:
    distances = _distances(_points(draw))
    return all(
        answer.gives(_counted(distances.tolist(), chosen), distances=distances, chosen=chosen)
        for chosen in ([0, 5], [2, 3, 6], [1, 2, 4, 5])
    )


def _points(draw: Draw) -> Tensor:
    return draw.normal(THINGS, 3).double()


def _distances(points: Tensor) -> Tensor:
    return torch.cdist(points, points, compute_mode="donot_use_mm_for_euclid_dist")


def _counted(table: list, chosen: list) -> float:
    values = {}
    for one in combinations(range(len(table)), len(chosen)):
        across = [table[a][b] for a in one for b in range(len(table)) if b not in one]
        within = [table[a][b] for a, b in combinations(one, 2)]
        values[one] = (sum(across) / len(across)) / (sum(within) / len(within))
    own = values[tuple(chosen)]
    return sum(value >= own * (1 - 1e-9) for value in values.values()) / len(values)
