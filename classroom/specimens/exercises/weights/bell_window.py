import math

import torch


def _distances(scores, centre):
    return torch.arange(len(scores)) - centre


def _bell(scores, centre, half_width):
    return torch.exp(-(_distances(scores, centre) ** 2) / (2 * (half_width / 2) ** 2))


def by_index(scores, centre, half_width):
    first, last = math.ceil(centre - half_width), math.floor(centre + half_width)
    places = torch.arange(max(first, 0), min(last, len(scores) - 1) + 1)
    weights = torch.zeros_like(scores)
    weights[places] = scores[places].softmax(dim=0)
    return weights * _bell(scores, centre, half_width)


def by_exponentials(scores, centre, half_width):
    distance = torch.arange(len(scores)) - centre
    powers = scores.exp() * (distance.abs() <= half_width)
    return powers / powers.sum() * (-2 * (distance / half_width) ** 2).exp()
