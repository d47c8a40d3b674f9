"""Exercise: the largest weight of each row.

m_i = max_j α_ij,   α = softmax(e)

scores (target source)   ->   one number for each target (target)
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Exercise, Size

TARGET, SOURCE = Size(2, 5), Size(3, 7)


def solution(scores: Tensor) -> Tensor:
    """The largest share of each row."""
    return torch.softmax(scores, dim=-1).amax(dim=-1)


exercise = Exercise(
    "largest(scores)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "It is the row's largest weight.",
            lambda draw: {"scores": draw.normal(TARGET, SOURCE)},
            "A softmax first, over the source.",
        )
    ],
    slips={
        "": [
            lambda scores: scores.amax(-1),
            ("dim=-1).amax", "dim=0).amax"),
        ],
    },
    shape="The maximum over the source.",
)
check = exercise.check
