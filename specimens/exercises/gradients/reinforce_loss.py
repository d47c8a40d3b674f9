"""Right and wrong answers to `attn_course.classroom.exercises.gradients.reinforce_loss`."""

import torch
from torch.nn import functional as F


def by_loop(weights, cells, rewards, baseline):
    total = 0.0
    for row, cell, reward in zip(weights, cells, rewards.tolist(), strict=True):
        total = total - (reward - baseline) * row[cell].log()
    return total / len(weights)


def by_gather(weights, cells, rewards, baseline):
    chosen = weights.gather(1, cells.unsqueeze(1)).squeeze(1)
    return (chosen.log() * (baseline - rewards.detach())).mean()


def by_cross_entropy(weights, cells, rewards, baseline):
    each = F.nll_loss(weights.log(), cells, reduction="none")
    return (each * (rewards.detach() - baseline)).mean()


def drawn(weights, cells):
    return weights[torch.arange(len(weights)), cells]


def one_for_each(weights, cells, rewards, baseline):
    return -(rewards - baseline).detach() * drawn(weights, cells).log()


def columns_for_all(weights, cells, rewards, baseline):
    return -((rewards - baseline).detach() * weights[:, cells].log()).mean(dim=0)


def no_baseline(weights, cells, rewards, baseline):
    return by_gather(weights, cells, rewards, 0.0)


def baseline_added(weights, cells, rewards, baseline):
    return by_gather(weights, cells, rewards, -baseline)


def baseline_outside(weights, cells, rewards, baseline):
    return by_gather(weights, cells, rewards, 0.0) - baseline


def baseline_from_the_logarithm(weights, cells, rewards, baseline):
    return -(rewards.detach() * (drawn(weights, cells).log() - baseline)).mean()


def only_successes(weights, cells, rewards, baseline):
    return -(rewards.detach() * drawn(weights, cells).log()).mean()


def positive(weights, cells, rewards, baseline):
    return -by_gather(weights, cells, rewards, baseline)


def a_sum(weights, cells, rewards, baseline):
    return by_gather(weights, cells, rewards, baseline) * len(weights)


def no_logarithm(weights, cells, rewards, baseline):
    return -((rewards - baseline).detach() * drawn(weights, cells)).mean()


def in_bits(weights, cells, rewards, baseline):
    return -((rewards - baseline).detach() * drawn(weights, cells).log2()).mean()


def the_largest_instead(weights, cells, rewards, baseline):
    return -((rewards - baseline).detach() * weights.max(dim=1).values.log()).mean()


def means_multiplied(weights, cells, rewards, baseline):
    return -(rewards - baseline).detach().mean() * drawn(weights, cells).log().mean()


def softmax_again(weights, cells, rewards, baseline):
    return by_gather(weights.softmax(dim=1), cells, rewards, baseline)


def every_pair(weights, cells, rewards, baseline):
    return -((rewards - baseline).detach()[:, None] * weights[:, cells].log()).mean()


def as_a_number(weights, cells, rewards, baseline):
    return by_gather(weights, cells, rewards, baseline).item()


def detached(weights, cells, rewards, baseline):
    return by_gather(weights.detach(), cells, rewards, baseline)


def through_all_weights(weights, cells, rewards, baseline):
    value = by_gather(weights, cells, rewards, baseline)
    return (
        value + (weights - weights.detach()).square().sum() + weights.sum() - weights.sum().detach()
    )


def rewards_attached(weights, cells, rewards, baseline):
    return -((rewards - baseline) * drawn(weights, cells).log()).mean()


def rows_as_cells(weights, cells, rewards, baseline):
    return -((rewards - baseline) * weights[cells].log()).mean()


RIGHT = [by_loop, by_gather, by_cross_entropy]
WRONG = {
    rows_as_cells: "runs",
    one_for_each: "is_one_number",
    columns_for_all: "is_one_number",
    no_baseline: "as_expected_is_zero",
    baseline_added: "as_expected_is_zero",
    baseline_outside: "as_expected_is_zero",
    baseline_from_the_logarithm: "as_expected_is_zero",
    only_successes: "as_expected_is_zero",
    positive: "is_the_definition",
    a_sum: "is_the_definition",
    no_logarithm: "is_the_definition",
    in_bits: "is_the_definition",
    the_largest_instead: "is_the_definition",
    means_multiplied: "is_the_definition",
    softmax_again: "is_the_definition",
    every_pair: "is_the_definition",
    as_a_number: "gradient_where_it_was_drawn",
    detached: "gradient_where_it_was_drawn",
    through_all_weights: "gradient_where_it_was_drawn",
    rewards_attached: "rewards_are_constants",
}
