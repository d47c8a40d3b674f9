import numpy as np
import torch


def _refuse(weights):
    if weights.min() < -1e-4:
        raise ValueError("outside")
    return weights


def _area(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def by_areas(point, corners):
    one, two, three = corners
    parts = torch.stack(
        [_area(point, two, three), _area(one, point, three), _area(one, two, point)]
    )
    return _refuse(parts / _area(one, two, three))


def from_the_first_corner(point, corners):
    edges = (corners[1:] - corners[0]).T
    last = torch.linalg.inv(edges) @ (point - corners[0])
    return _refuse(torch.cat([1 - last.sum(0, keepdim=True), last]))


def in_numpy(point, corners):
    equations = np.vstack([corners.numpy().T, np.ones(3)]).astype(float)
    return _refuse(np.linalg.solve(equations, np.append(point.numpy(), 1)))


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


WRONG = {"the_edge_belongs_to_it": [("weights < -1e-6", "weights < 1e-3")]}
