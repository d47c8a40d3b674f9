"""Exercise: which weights put the context on a given point?

α_1 p_1 + α_2 p_2 + α_3 p_3 = x,   Σ_j α_j = 1           barycentric coordinates (Möbius 1827)

point (2)   corners (3 2)   ->   weights (3)

A point outside the triangle is a ValueError: no average reaches it.
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Case, Draw, Exercise, Weak


def solution(point, corners):
    """Three equations in three unknowns: two for the point, one for the sum."""
    equations = torch.cat([corners.T, torch.ones(1, 3)])  # (3 3)
    wanted = torch.cat([point, torch.ones(1)])
    weights = torch.linalg.solve(equations, wanted)
    if (weights < -1e-6).any():
        raise ValueError("the point lies outside the triangle: no average reaches it")
    return weights


def _corners(draw: Draw) -> Tensor:
    """A triangle that is not nearly flat, away from the origin."""
    turn = torch.tensor([0.0, 2.1, 4.2]) + draw.normal(3, scale=0.2) + draw.integer(6)
    around = torch.stack([turn.cos(), turn.sin()], dim=1)
    return around * (1.5 + draw.normal(3, 1, scale=0.2)) + draw.normal(2, scale=2.0)


def _weights(draw: Draw) -> Tensor:
    return draw.normal(3, scale=0.8).softmax(dim=0)


def _inside(draw: Draw) -> dict:
    corners = _corners(draw)
    return {"point": _weights(draw) @ corners, "corners": corners}


def _outside(draw: Draw) -> list[dict]:
    """Beyond each edge: by a little, by more, and far away."""
    corners = _corners(draw)
    out = [(torch.eye(3)[place], by) for place in range(3) for by in (0.002, 0.05, 3.0)]
    weights = [(0.5 + by / 2) * (1 - corner) - by * corner for corner, by in out]
    return [{"point": row @ corners, "corners": corners} for row in weights]


exercise = Exercise(
    "weights_for(point, corners)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "The corners, averaged by the weights, give the point.",
            _inside,
            "Near is not the same as on it: weights by distance do not average to the point. "
            "Compute weights @ corners and compare.",
        ),
        Weak(
            "A point outside the triangle raises a ValueError.",
            _outside,
            "There a weight comes out negative, and softmax gives no negative weights. Set to zero "
            "and rescaled they would belong to another point: raise ValueError instead.",
        ),
    ],
    slips={
        "The sum is a third equation beside the two of the point. Without it there are many "
        "solutions, and you get some other one.": [
            lambda point, corners: torch.linalg.pinv(corners.T) @ point
        ],
        "": [
            lambda point, corners: torch.softmax(-(corners - point).norm(dim=1), dim=0),
            ("weights < -1e-6", "weights < -0.5"),
            ("ValueError", "AssertionError"),
        ],
    },
    shape="Three numbers in one vector.",
)
check = exercise.check


@exercise.must_also(
    "A corner and the middle of an edge can be reached.",
    hint="On the edge of the triangle one weight is zero, and rounding may put it a hair below: "
    "allow for that when you ask whether a weight is negative.",
)
def the_edge_belongs_to_it(answer: Answer, draw: Draw) -> bool:
    corners = _corners(draw)
    for place in range(3):
        for weights in (torch.eye(3)[place], 0.5 - 0.5 * torch.eye(3)[place]):
            inputs = {"point": weights @ corners, "corners": corners}
            if answer.refuses(ValueError, **inputs) or not answer.gives(weights, **inputs):
                return False
    return True
