"""Exercise: a score that knows how far apart two positions are.

turn each pair of entries (2k, 2k+1) of the query by i · 10000^{-2k/size} and of the key by
j · 10000^{-2k/size}, and take the dot product   ->   a number    Su et al. 2021, section 3.2.2
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

HALF = Size(2, 4)


def solution(query, key, i, j):
    """Turning both is the same as turning one of them by the difference."""
    size = len(query)
    angle = (i - j) * 10_000 ** (-torch.arange(0, size, 2) / size)
    x, y = query[::2], query[1::2]
    turned = torch.stack([x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()])
    return (turned * torch.stack([key[::2], key[1::2]])).sum()


def _inputs(draw: Draw) -> dict:
    j = 1 + draw.integer(4)
    size = 2 * draw[HALF]
    return {
        "query": draw.normal(size, scale=1.0),
        "key": draw.normal(size, scale=1.0),
        "i": j + 1 + draw.integer(3),
        "j": j,
    }


def _at_one_place(draw: Draw) -> dict:
    inputs = _inputs(draw)
    return inputs | {"i": inputs["j"]}


exercise = Exercise(
    "score(query, key, i, j)",
    minutes=15,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "If both positions are the same, it is the plain dot product.",
            _at_one_place,
            "Both are then turned by the same angles, which leaves the product as it was. (Nothing "
            "is divided by √size here.)",
        ),
        Case(
            "Each pair of neighbouring entries is turned, the first by one radian per position, "
            "the next ones more slowly.",
            _inputs,
            "Pairs are the entries 2k and 2k+1. (Some models pair k with k + size/2: trained "
            "weights of one do not fit the other.) The angle is i · 10000^{-2k/size}, in radians. "
            "Is the query turned by i and the key by j, not the other way round or backwards?",
        ),
    ],
    slips={
        "Query and key are turned in the same direction, each by its own position. Is only one of "
        "them turned, or one of them backwards?": [
            ("(i - j)", "(i * i - j * j)"),
            ("(i - j)", "i"),
            ("(i - j)", "(i + j)"),
        ],
        "Are query and key turned at all? A distance |i - j| forgets the direction.": [
            lambda query, key, i, j: query @ key,
            (
                "x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()",
                "x * angle.cos(), y * angle.cos()",
            ),
        ],
        "": [
            lambda *inputs: solution(*inputs) / len(inputs[0]) ** 0.5,
            ("(i - j)", "(j - i)"),
            ("torch.arange(0, size, 2)", "torch.arange(size // 2)"),
        ],
    },
    gradients=_inputs,
)
check = exercise.check
