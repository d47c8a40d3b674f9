"""Exercise: positions as waves.

P_{p, 2k} = sin(p / 10000^{2k/size})   P_{p, 2k+1} = cos(p / 10000^{2k/size})
                                                Vaswani et al. 2017, section 3.5
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

LENGTH, HALF = Size(5, 11), Size(2, 4)


def solution(length, size):
    """One angle for each pair of entries; its sine and its cosine are neighbours."""
    angles = torch.arange(length)[:, None] / 10_000 ** (torch.arange(0, size, 2) / size)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def _of_many_sizes(draw: Draw) -> list[dict]:
    sizes = [(draw[LENGTH], 2 * draw[HALF]), (3 + draw.integer(40), 4 + 2 * draw.integer(20))]
    return [{"length": length, "size": size} for length, size in sizes]


exercise = Exercise(
    "places(length, size)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Each pair of entries turns more slowly than the one before, as the equation says.",
            _of_many_sizes,
            "Both entries of a pair have the same angle, p / 10000^{2k/size}: with 2k = 0, 2, 4 .. "
            "Did you write k instead of 2k, or give the cosine an angle of its own?",
        )
    ],
    slips={
        "sin 0 = 0 and cos 0 = 1, and they alternate: even entries are sines. Do positions count "
        "from 0?": [
            (
                "torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)",
                "torch.cat([angles.sin(), angles.cos()], dim=1)",
            ),
            ("torch.arange(length)", "torch.arange(1, length + 1)"),
            ("angles.sin(), angles.cos()", "angles.cos(), angles.sin()"),
        ],
        "For k = 0 the angle is p itself, in radians.": [
            ("/ 10_000", "* torch.pi / 180 / 10_000"),
            ("(torch.arange(0, size, 2) / size)", "torch.arange(0, size, 2) / size"),
        ],
        "": [("torch.arange(0, size, 2)", "torch.arange(size // 2)")],
    },
    shape="Half of the entries are sines, half are cosines. (The size is even here.)",
)
check = exercise.check
