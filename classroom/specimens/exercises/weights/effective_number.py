import math

import numpy as np
import torch

from attn_course.weights import effective_positions


def by_loops(weights):
    rows = weights.tolist()
    return torch.tensor([math.exp(-sum(a * math.log(a) for a in row if a > 0)) for row in rows])


def by_the_package(weights):
    return effective_positions(weights)


def by_nan_to_num(weights):
    return torch.exp(-torch.nan_to_num(weights * weights.log()).sum(dim=-1))


def by_powers(weights):
    """α^-α is 1 where α is 0: the product needs no exception."""
    return np.prod(weights.numpy() ** -weights.numpy(), axis=1)


def by_xlogy(weights):
    return torch.exp(-torch.xlogy(weights, weights).sum(dim=1))
