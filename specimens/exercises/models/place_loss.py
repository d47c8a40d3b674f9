"""Right and wrong answers to `attn_course.classroom.exercises.models.place_loss`."""

import torch
from torch.nn import functional as F


def by_loop(weights, places):
    total = 0.0
    for row, place in zip(weights, places, strict=True):
        total = total - row[place].log()
    return total / len(weights)


def by_nll(weights, places):
    return F.nll_loss(weights.log(), places)


def by_gather(weights, places):
    return -weights.gather(1, places[:, None]).log().mean()


def by_one_hot(weights, places):
    return -(F.one_hot(places, weights.shape[1]) * weights.log()).sum(dim=1).mean()


def one_for_each(weights, places):
    return -weights[torch.arange(len(weights)), places].log()


def columns_for_all(weights, places):
    return -weights[:, places].log().mean(dim=0)


def softmax_again(weights, places):
    return F.cross_entropy(weights, places)


def positive(weights, places):
    return weights[torch.arange(len(weights)), places].log().mean()


def a_sum(weights, places):
    return by_nll(weights, places) * len(weights)


def in_bits(weights, places):
    return -weights[torch.arange(len(weights)), places].log2().mean()


def mean_before_the_logarithm(weights, places):
    return -weights[torch.arange(len(weights)), places].mean().log()


def every_pair(weights, places):
    return -weights[:, places].log().mean()


def of_the_largest(weights, places):
    return -weights.max(dim=1).values.log().mean()


def share_that_misses(weights, places):
    return 1 - weights[torch.arange(len(weights)), places].mean()


def cut_off(weights, places):
    return by_nll(weights, places).item()


def detached(weights, places):
    return by_nll(weights.detach(), places)


def rows_and_places_swapped(weights, places):
    return by_nll(places, weights)


RIGHT = [by_loop, by_nll, by_gather, by_one_hot]
WRONG = {
    one_for_each: "is_one_number",
    columns_for_all: "is_one_number",
    softmax_again: "sure_and_right_is_zero",
    every_pair: "sure_and_right_is_zero",
    positive: "even_is_the_logarithm",
    a_sum: "even_is_the_logarithm",
    in_bits: "even_is_the_logarithm",
    share_that_misses: "even_is_the_logarithm",
    mean_before_the_logarithm: "is_the_definition",
    of_the_largest: "is_the_definition",
    cut_off: "has_a_gradient",
    detached: "has_a_gradient",
    rows_and_places_swapped: "runs",
}
