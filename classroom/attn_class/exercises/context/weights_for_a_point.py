"""Exercise: which weights put the context on a given point?

α_1 p_1 + α_2 p_2 + α_3 p_3 = x,   Σ_j α_j = 1           barycentric coordinates (Möbius 1827)

point (2)   corners (3 2)   ->   weights (3)

A point outside the triangle is a ValueError: no average reaches it.
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, same, shaped, vector

exercise = Exercise("weights_for(point, corners)", minutes=10, difficulty="moderate")
check = exercise.check


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


@exercise.must_also("It returns one weight for each corner.", hint="Three numbers in one vector.")
def one_weight_a_corner(answer: Answer, draw: Draw) -> bool:
    return shaped(vector(answer(**_inside(draw))), 3)


@exercise.must_also(
    "The weights sum to one.",
    hint="The sum is a third equation beside the two of the point. Without it there are many "
    "solutions, and you get some other one.",
)
def weights_sum_to_one(answer: Answer, draw: Draw) -> bool:
    return same(vector(answer(**_inside(draw))).sum(), 1.0)


@exercise.must(
    "The corners, averaged by the weights, give the point.",
    hint="Near is not the same as on it: weights by distance do not average to the point. Compute "
    "weights @ corners and compare.",
)
def they_give_the_point(answer: Answer, draw: Draw) -> bool:
    inputs = _inside(draw)
    return same(vector(answer(**inputs)).float() @ inputs["corners"], inputs["point"])


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


@exercise.must_also(
    "A point outside the triangle raises a ValueError.",
    hint="There a weight comes out negative, and softmax gives no negative weights. Set to zero "
    "and rescaled they would belong to another point: raise ValueError instead.",
)
def outside_is_refused(answer: Answer, draw: Draw) -> bool:
    corners = _corners(draw)
    for place in range(3):
        for out in (0.002, 0.05, 3.0):  # beyond an edge by a little, by more, and far away
            weights = (0.5 + out / 2) * (1 - torch.eye(3)[place]) - out * torch.eye(3)[place]
            if not answer.refuses(ValueError, point=weights @ corners, corners=corners):
                return False
    return True
