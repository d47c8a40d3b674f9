"""Exercise: a score that knows how far apart two positions are.

turn each pair of entries (2k, 2k+1) of the query by i · 10000^{-2k/size} and of the key by
j · 10000^{-2k/size}, and take the dot product   ->   a number    Su et al. 2021, section 3.2.2
"""

import cmath

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same

HALF = Size(2, 4)
exercise = Exercise("score(query, key, i, j)", minutes=15, difficulty="moderate")
check = exercise.check


def solution(query, key, i, j):
    """Turning both is the same as turning one of them by the difference."""
    size = len(query)
    angle = (i - j) * 10_000 ** (-torch.arange(0, size, 2) / size)
    x, y = query[::2], query[1::2]
    turned = torch.stack([x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()])
    return (turned * torch.stack([key[::2], key[1::2]])).sum()


@exercise.must(
    "If both positions are the same, it is the plain dot product.",
    hint="Both are then turned by the same angles, which leaves the product as it was. (Nothing is "
    "divided by √size here.)",
)
def plain_at_one_place(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["i"] = inputs["j"]
    return _is(answer(**inputs), inputs["query"] @ inputs["key"])


@exercise.must_also(
    "Only the difference of the positions counts.",
    hint="Query and key are turned in the same direction, each by its own position. Is only one of "
    "them turned, or one of them backwards?",
)
def difference_alone(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before = answer(**inputs)
    further = {place: inputs[place] + 3 for place in ("i", "j")}
    return same(answer(**inputs | further), before)


@exercise.must_also(
    "Before and after are not the same.",
    hint="Are query and key turned at all? A distance |i - j| forgets the direction.",
)
def has_a_direction(answer: Answer, draw: Draw, inputs: dict) -> bool:
    ahead = answer(**inputs)
    behind = answer(**inputs | {"i": inputs["j"], "j": inputs["i"]})
    return _is(ahead, _by_numbers(**inputs)) or not same(ahead, behind)


@exercise.must(
    "Each pair of neighbouring entries is turned, the first by one radian per position, the next "
    "ones more slowly.",
    hint="Pairs are the entries 2k and 2k+1. (Some models pair k with k + size/2: trained weights "
    "of one do not fit the other.) The angle is i · 10000^{-2k/size}, in radians. Is the query "
    "turned by i and the key by j, not the other way round or backwards?",
)
def by_the_equation(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return _is(answer(**inputs), _by_numbers(**inputs))


@exercise.draws
def _inputs(draw: Draw) -> dict:
    j = 1 + draw.integer(4)
    size = 2 * draw[HALF]
    return {
        "query": draw.normal(size, scale=1.0),
        "key": draw.normal(size, scale=1.0),
        "i": j + 1 + draw.integer(3),
        "j": j,
    }


def _by_numbers(query, key, i, j):
    """Each pair as a complex number."""
    total = 0.0
    for k in range(len(query) // 2):
        turn = cmath.exp(1j * (i - j) * 10_000 ** (-2 * k / len(query)))
        q = complex(query[2 * k], query[2 * k + 1]) * turn
        total += (q * complex(key[2 * k], -key[2 * k + 1])).real
    return torch.tensor(total)


def _is(result: object, expected: torch.Tensor) -> bool:
    return same(torch.as_tensor(result).squeeze().double(), expected.double())


exercise.must_pass_gradients(solution, _inputs)
