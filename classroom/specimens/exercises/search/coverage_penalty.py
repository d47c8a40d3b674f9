"""Right and wrong answers to `attn_class.exercises.search.coverage_penalty`."""

import math

import torch

from specimens.answers import named


def by_loops(weights, beta):
    read = [sum(float(row[j]) for row in weights) for j in range(weights.shape[1])]
    return beta * sum(math.log(min(each, 1.0)) for each in read)


def with_minimum(weights, beta):
    read = torch.einsum("ij->j", weights)
    return beta * torch.minimum(read, torch.ones_like(read)).log().sum()


RIGHT = [by_loops, with_minimum]
WRONG = {
    "runs": named(
        axis_that_is_not_there=lambda weights, beta: (
            beta * weights.sum(dim=2).clamp(max=1).log().sum()
        )
    ),
    "nothing_left_unread": named(
        each_weight=lambda weights, beta: beta * weights.clamp(min=1e-9).log().sum()
    ),
    "twice_is_no_more_than_once": named(
        not_bounded=lambda weights, beta: beta * weights.sum(dim=0).log().sum()
    ),
    "the_sum_of_the_logarithms": named(
        bounded_too_late=lambda weights, beta: beta * weights.sum(dim=0).log().sum().clamp(max=0),
        rows_instead_of_columns=lambda weights, beta: (
            beta * weights.sum(dim=1).clamp(max=1).log().sum()
        ),
        logarithm_of_the_sum=lambda weights, beta: (
            beta * weights.sum(dim=0).clamp(max=1).mean().log()
        ),
        without_beta=lambda weights, beta: weights.sum(dim=0).clamp(max=1).log().sum(),
        wrong_sign=lambda weights, beta: -beta * weights.sum(dim=0).clamp(max=1).log().sum(),
        without_the_logarithm=lambda weights, beta: (
            beta * (weights.sum(dim=0).clamp(max=1) - 1).sum()
        ),
    ),
}
