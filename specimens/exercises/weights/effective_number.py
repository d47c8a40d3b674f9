"""Right and wrong answers to `attn_course.classroom.exercises.weights.effective_number`."""

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


def of_all_rows(weights):
    return effective_positions(weights).mean()


def over_the_targets(weights):
    return torch.exp(-torch.xlogy(weights, weights).sum(dim=0))


def entropy_itself(weights):
    return -torch.xlogy(weights, weights).sum(dim=-1)


def minus_forgotten(weights):
    return torch.exp(torch.xlogy(weights, weights).sum(dim=-1))


def in_bits(weights):
    return torch.exp(-torch.xlogy(weights, weights).sum(dim=-1) / math.log(2))


def logarithms_alone(weights):
    return torch.exp(-weights.log().mean(dim=-1))


def inverse_of_squares(weights):
    return 1 / (weights**2).sum(dim=-1)


def inverse_of_the_largest(weights):
    return 1 / weights.max(dim=-1).values


def count_above(weights):
    return (weights > 0.5 / weights.shape[-1]).sum(dim=-1).float()


def nan_at_zero(weights):
    return torch.exp(-(weights * weights.log()).sum(dim=-1))


def something_added(weights):
    return torch.exp(-(weights * (weights + 1e-6).log()).sum(dim=-1))


def raised_to_a_least(weights):
    weights = weights.clamp(min=1e-4)
    return torch.exp(-(weights * weights.log()).sum(dim=-1))


def cut_off(weights):
    return torch.exp(-torch.where(weights > 1e-5, weights * weights.log(), 0.0).sum(dim=-1))


def in_place(weights):
    weights[weights == 0] = 1
    return torch.exp(-(weights * weights.log()).sum(dim=-1))


def of_numbers(weights):
    return math.exp(-weights * math.log(weights))


def one_wherever_there_is_a_zero(weights):
    logarithms = weights.clamp(min=1e-30).log()
    numbers = torch.exp(-(weights * logarithms).sum(dim=-1))
    return torch.where((weights == 0).any(dim=-1), 1.0, numbers)


RIGHT = [by_loops, by_the_package, by_nan_to_num, by_powers, by_xlogy]
WRONG = {
    one_wherever_there_is_a_zero: "zeros_add_nothing",
    of_all_rows: "one_number_a_row",
    over_the_targets: "one_number_a_row",
    entropy_itself: "equal_weights_are_counted",
    minus_forgotten: "equal_weights_are_counted",
    in_bits: "equal_weights_are_counted",
    logarithms_alone: "is_the_exponential_of_the_entropy",
    inverse_of_squares: "is_the_exponential_of_the_entropy",
    inverse_of_the_largest: "is_the_exponential_of_the_entropy",
    count_above: "is_the_exponential_of_the_entropy",
    nan_at_zero: "zeros_add_nothing",
    something_added: "small_weights_stay_small",
    raised_to_a_least: "zeros_add_nothing",
    cut_off: "small_weights_stay_small",
    in_place: "leaves_its_inputs_alone",
    of_numbers: "runs",
}
