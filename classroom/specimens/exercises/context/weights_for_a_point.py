"""Right and wrong answers to `attn_class.exercises.context.weights_for_a_point`."""

from functools import partial

import numpy as np
import torch

from attn_class.exercises.context.weights_for_a_point import solution
from specimens.answers import changed, named


def refuse(weights):
    if weights.min() < -1e-4:
        raise ValueError("outside")
    return weights


def area(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def by_areas(point, corners):
    one, two, three = corners
    parts = torch.stack([area(point, two, three), area(one, point, three), area(one, two, point)])
    return refuse(parts / area(one, two, three))


def from_the_first_corner(point, corners):
    edges = (corners[1:] - corners[0]).T
    last = torch.linalg.inv(edges) @ (point - corners[0])
    return refuse(torch.cat([1 - last.sum(0, keepdim=True), last]))


def in_numpy(point, corners):
    equations = np.vstack([corners.numpy().T, np.ones(3)]).astype(float)
    return refuse(np.linalg.solve(equations, np.append(point.numpy(), 1)))


def clamped_where_only_rounding_is_cut(point, corners):
    return by_areas(point, corners).clamp(min=0)


def as_a_list(point, corners):
    one, two, three = by_areas(point, corners)
    return [one, two, three]


def as_a_list_of_plain_numbers(point, corners):
    return by_areas(point, corners).tolist()


def as_a_tuple(point, corners):
    equations = torch.cat([corners.T, torch.ones(1, 3)])
    weights = torch.linalg.solve(equations, torch.cat([point, torch.ones(1)]))
    if (weights < -1e-5).any():
        raise ValueError("outside")
    return tuple(weights.tolist())


but = partial(changed, solution)

RIGHT = [as_a_tuple, by_areas, from_the_first_corner, in_numpy, clamped_where_only_rounding_is_cut]

RIGHT += [as_a_list, as_a_list_of_plain_numbers]

WRONG = {"the_edge_belongs_to_it": named(no_zero_allowed=but("weights < -1e-6", "weights < 1e-3"))}
