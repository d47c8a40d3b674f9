"""Right and wrong answers to `attn_course.classroom.exercises.search.coverage_penalty`."""

import math

import torch


def by_loops(weights, beta):
    read = [sum(float(row[j]) for row in weights) for j in range(weights.shape[1])]
    return beta * sum(math.log(min(each, 1.0)) for each in read)


def with_minimum(weights, beta):
    read = torch.einsum("ij->j", weights)
    return beta * torch.minimum(read, torch.ones_like(read)).log().sum()


def rows_instead_of_columns(weights, beta):
    return beta * weights.sum(dim=1).clamp(max=1).log().sum()


def not_bounded(weights, beta):
    return beta * weights.sum(dim=0).log().sum()


def bounded_too_late(weights, beta):
    return beta * weights.sum(dim=0).log().sum().clamp(max=0)


def logarithm_of_the_sum(weights, beta):
    return beta * weights.sum(dim=0).clamp(max=1).mean().log()


def without_beta(weights, beta):
    return weights.sum(dim=0).clamp(max=1).log().sum()


def wrong_sign(weights, beta):
    return -beta * weights.sum(dim=0).clamp(max=1).log().sum()


def each_weight(weights, beta):
    return beta * weights.clamp(min=1e-9).log().sum()


def without_the_logarithm(weights, beta):
    return beta * (weights.sum(dim=0).clamp(max=1) - 1).sum()


def axis_that_is_not_there(weights, beta):
    return beta * weights.sum(dim=2).clamp(max=1).log().sum()


RIGHT = [by_loops, with_minimum]
WRONG = {
    axis_that_is_not_there: "runs",
    each_weight: "nothing_left_unread",
    not_bounded: "twice_is_no_more_than_once",
    bounded_too_late: "the_sum_of_the_logarithms",
    rows_instead_of_columns: "the_sum_of_the_logarithms",
    logarithm_of_the_sum: "the_sum_of_the_logarithms",
    without_beta: "the_sum_of_the_logarithms",
    wrong_sign: "the_sum_of_the_logarithms",
    without_the_logarithm: "the_sum_of_the_logarithms",
}
