"""Exercise: positions as waves.

P_{p, 2k} = sin(p / 10000^{2k/size})   P_{p, 2k+1} = cos(p / 10000^{2k/size})
                                                Vaswani et al. 2017, section 3.5
"""

import math

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

LENGTH, HALF = Size(5, 11), Size(2, 4)
exercise = Exercise("places(length, size)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(length, size):
    """One angle for each pair of entries; its sine and its cosine are neighbours."""
    angles = torch.arange(length)[:, None] / 10_000 ** (torch.arange(0, size, 2) / size)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@exercise.must_also(
    "There is one vector of the given size for each position.",
    hint="Half of the entries are sines, half are cosines. (The size is even here.)",
)
def one_vector_each(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    return shaped(answer(**inputs), inputs["length"], inputs["size"])


@exercise.must_also(
    "Position 0 has 0, 1, 0, 1, and so on.",
    hint="sin 0 = 0 and cos 0 = 1, and they alternate: even entries are sines. Do positions count "
    "from 0?",
)
def begins_with_zero(answer: Answer, draw: Draw) -> bool:
    first = answer(**_inputs(draw))[0]
    return bool((first == torch.tensor([0.0, 1.0]).repeat(draw[HALF])).all())


@exercise.must_also(
    "The first pair turns by one radian per position.",
    hint="For k = 0 the angle is p itself, in radians.",
)
def first_pair(answer: Answer, draw: Draw) -> bool:
    waves = answer(**_inputs(draw))
    angles = torch.arange(draw[LENGTH])
    expected = torch.stack([angles.sin(), angles.cos()], dim=1)
    return torch.allclose(waves[:, :2].double(), expected.double(), atol=1e-4)


@exercise.must(
    "Each pair of entries turns more slowly than the one before, as the equation says.",
    hint="Both entries of a pair have the same angle, p / 10000^{2k/size}: with 2k = 0, 2, 4 .. "
    "Did you write k instead of 2k, or give the cosine an angle of its own?",
)
def by_the_equation(answer: Answer, draw: Draw) -> bool:
    inputs = {"length": 3 + draw.integer(40), "size": 4 + 2 * draw.integer(20)}
    size = inputs["size"]
    expected = torch.tensor(
        [
            [
                (math.cos if entry % 2 else math.sin)(p / 10_000 ** ((entry - entry % 2) / size))
                for entry in range(size)
            ]
            for p in range(inputs["length"])
        ]
    )
    return answer.gives(expected, **inputs)


def _inputs(draw: Draw) -> dict:
    return {"length": draw[LENGTH], "size": 2 * draw[HALF]}
