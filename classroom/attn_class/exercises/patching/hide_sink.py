"""Exercise: hide the first position from all later ones, without scaling the rest.

α'_i0 = 0 for i > 0, every other weight as it is      c_i = Σ_j α'_ij v_j

weights (head position position), causal   values (head position part)   ->   (head position part)
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

HEADS, POSITIONS, PART = Size(2, 3), Size(4, 11), Size(5, 7)


def solution(weights, values):
    """The first row keeps its only weight; the others find less, and nothing new."""
    rest = weights.clone()
    rest[:, 1:, 0] = 0.0
    return rest @ values


def _inputs(draw: Draw) -> dict:
    scores = draw.normal(HEADS, POSITIONS, POSITIONS, scale=1.0)
    hidden = torch.ones(draw[POSITIONS, POSITIONS], dtype=torch.bool).triu(1)
    return {
        "weights": scores.masked_fill(hidden, -torch.inf).softmax(dim=-1),
        "values": draw.normal(HEADS, POSITIONS, PART, scale=1.0),
    }


exercise = Exercise(
    "contexts(weights, values)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "The other weights stay as they are.",
            _inputs,
            "Do not divide by what is left: then the rows would sum to 1 again, and what the "
            "others give would grow.",
        )
    ],
    slips={
        "It has nothing else to read. Only the later rows lose their weight on it.": [
            ("1:, 0", ":, 0"),
            ("1:, 0", "0, :"),
        ],
        "The weight on position 0 must be exactly 0 in every row but the first: column 0, not row "
        "0.": [("1:, 0", "2:, 0"), ("rest[:, 1:, 0] = 0.0", "pass")],
        "": [("rest @", "rest / rest.sum(dim=-1, keepdim=True) @")],
    },
    gradients=_inputs,
    shape="The first position is hidden, not removed: the weights keep their shape. Have you "
    "averaged the values?",
)
check = exercise.check
