"""Right and wrong answers to `attn_class.exercises.models.place_loss`."""

import torch
from torch.nn import functional as F

from specimens.answers import named


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


RIGHT = [by_loop, by_nll, by_gather, by_one_hot]
WRONG = {
    "is_one_number": named(
        one_for_each=lambda weights, places: -weights[torch.arange(len(weights)), places].log(),
        columns_for_all=lambda weights, places: -weights[:, places].log().mean(dim=0),
    ),
    "sure_and_right_is_zero": named(
        softmax_again=lambda weights, places: F.cross_entropy(weights, places),
        every_pair=lambda weights, places: -weights[:, places].log().mean(),
    ),
    "even_is_the_logarithm": named(
        positive=lambda weights, places: weights[torch.arange(len(weights)), places].log().mean(),
        a_sum=lambda weights, places: by_nll(weights, places) * len(weights),
        in_bits=lambda weights, places: -weights[torch.arange(len(weights)), places].log2().mean(),
        share_that_misses=lambda weights, places: (
            1 - weights[torch.arange(len(weights)), places].mean()
        ),
    ),
    "is_the_definition": named(
        mean_before_the_logarithm=lambda weights, places: (
            -weights[torch.arange(len(weights)), places].mean().log()
        ),
        of_the_largest=lambda weights, places: -weights.max(dim=1).values.log().mean(),
    ),
    "has_a_gradient": named(
        cut_off=lambda weights, places: by_nll(weights, places).item(),
        detached=lambda weights, places: by_nll(weights.detach(), places),
    ),
    "runs": named(rows_and_places_swapped=lambda weights, places: by_nll(places, weights)),
}
