"""Right and wrong answers to `attn_class.exercises.weights.effective_number`."""

import math

import numpy as np
import torch

from attn_course.weights import effective_positions
from specimens.answers import named


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


def raised_to_a_least(weights):
    weights = weights.clamp(min=1e-4)
    return torch.exp(-(weights * weights.log()).sum(dim=-1))


def one_wherever_there_is_a_zero(weights):
    logarithms = weights.clamp(min=1e-30).log()
    numbers = torch.exp(-(weights * logarithms).sum(dim=-1))
    return torch.where((weights == 0).any(dim=-1), 1.0, numbers)


RIGHT = [by_loops, by_the_package, by_nan_to_num, by_powers, by_xlogy]
WRONG = {
    "zeros_add_nothing": named(
        one_wherever_there_is_a_zero,
        raised_to_a_least,
        nan_at_zero=lambda weights: torch.exp(-(weights * weights.log()).sum(dim=-1)),
    ),
    "one_number_a_row": named(
        of_all_rows=lambda weights: effective_positions(weights).mean(),
        over_the_targets=lambda weights: torch.exp(-torch.xlogy(weights, weights).sum(dim=0)),
    ),
    "equal_weights_are_counted": named(
        entropy_itself=lambda weights: -torch.xlogy(weights, weights).sum(dim=-1),
        minus_forgotten=lambda weights: torch.exp(torch.xlogy(weights, weights).sum(dim=-1)),
        in_bits=lambda weights: torch.exp(-torch.xlogy(weights, weights).sum(dim=-1) / math.log(2)),
    ),
    "is_the_exponential_of_the_entropy": named(
        logarithms_alone=lambda weights: torch.exp(-weights.log().mean(dim=-1)),
        inverse_of_squares=lambda weights: 1 / (weights**2).sum(dim=-1),
        inverse_of_the_largest=lambda weights: 1 / weights.max(dim=-1).values,
        count_above=lambda weights: (weights > 0.5 / weights.shape[-1]).sum(dim=-1).float(),
    ),
    "small_weights_stay_small": named(
        something_added=lambda weights: torch.exp(-(weights * (weights + 1e-6).log()).sum(dim=-1)),
        cut_off=lambda weights: torch.exp(
            -torch.where(weights > 1e-5, weights * weights.log(), 0.0).sum(dim=-1)
        ),
    ),
    "runs": named(of_numbers=lambda weights: math.exp(-weights * math.log(weights))),
}
