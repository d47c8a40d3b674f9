"""Exercise: how often is the best possible reader right?

    ceiling = Σ_x max_y p(x, y)                     the Bayes-optimal decision

chances (wrong word, right word), joint probabilities that sum to one   ->   one number
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

WRONG, RIGHT = Size(3, 7), Size(3, 11)


def solution(chances):
    """The reader names the likeliest right word for each wrong one, and is right that often."""
    return chances.max(dim=1).values.sum()


def _chances(draw: Draw) -> Tensor:
    numbers = draw.normal(WRONG, RIGHT, scale=2.0)
    return numbers.flatten().softmax(dim=0).view_as(numbers)


def _certain(draw: Draw) -> dict[str, Tensor]:
    rows = torch.tensor([draw.integer(RIGHT) for _ in range(draw[WRONG])])
    return {"chances": torch.eye(draw[RIGHT])[rows] / draw[WRONG]}


def _rare(draw: Draw) -> dict[str, Tensor]:
    chances = torch.zeros(draw[WRONG, RIGHT])
    chances[0, 0], chances[1:, :] = 0.93, 0.07 / ((draw[WRONG] - 1) * draw[RIGHT])
    return {"chances": chances}


exercise = Exercise(
    "ceiling(chances)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Weak(
            "If each wrong word comes from one word only, the reader is always right.",
            _certain,
            "Then nothing is ambiguous, and the ceiling is 1. Are the probabilities added, not "
            "averaged? And is the largest taken in each row, that is, for each wrong word?",
        ),
        Weak(
            "What is rarely seen counts little.",
            _rare,
            "A wrong word that hardly ever occurs must not weigh as much as a frequent one: p(x, "
            "y) already holds how often x occurs, so do not divide by it.",
        ),
        Case(
            "It is the sum of the largest probabilities, one for each wrong word.",
            lambda draw: {"chances": _chances(draw)},
            "The largest of each row: the reader sees the wrong word and names a right one.",
        ),
    ],
    slips={
        "There are as many columns as right words. The reader names one for each row.": [
            lambda chances: chances.sum()
        ],
        "": [
            (".values.sum()", ".values.mean()"),
            ("dim=1", "dim=0"),
            lambda chances: (chances / chances.sum(dim=1, keepdim=True)).max(dim=1).values.mean(),
            lambda chances: (chances**2 / chances.sum(dim=1, keepdim=True)).sum(),
        ],
    },
    shape="Add up over the wrong words: one share, not one for each of them.",
)
check = exercise.check
