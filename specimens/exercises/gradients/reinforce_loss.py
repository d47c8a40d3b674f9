"""Right and wrong answers to `attn_course.classroom.exercises.gradients.reinforce_loss`."""

import torch
from torch.nn import functional as F

from specimens.answers import named


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


def through_all_weights(weights, cells, rewards, baseline):
    value = by_gather(weights, cells, rewards, baseline)
    return (
        value + (weights - weights.detach()).square().sum() + weights.sum() - weights.sum().detach()
    )


RIGHT = [by_loop, by_gather, by_cross_entropy]
WRONG = {
    "runs": named(
        rows_as_cells=lambda weights, cells, rewards, baseline: (
            -((rewards - baseline) * weights[cells].log()).mean()
        )
    ),
    "is_one_number": named(
        one_for_each=lambda weights, cells, rewards, baseline: (
            -(rewards - baseline).detach() * drawn(weights, cells).log()
        ),
        columns_for_all=lambda weights, cells, rewards, baseline: (
            -((rewards - baseline).detach() * weights[:, cells].log()).mean(dim=0)
        ),
    ),
    "as_expected_is_zero": named(
        no_baseline=lambda weights, cells, rewards, baseline: by_gather(
            weights, cells, rewards, 0.0
        ),
        baseline_added=lambda weights, cells, rewards, baseline: by_gather(
            weights, cells, rewards, -baseline
        ),
        baseline_outside=lambda weights, cells, rewards, baseline: (
            by_gather(weights, cells, rewards, 0.0) - baseline
        ),
        baseline_from_the_logarithm=lambda weights, cells, rewards, baseline: (
            -(rewards.detach() * (drawn(weights, cells).log() - baseline)).mean()
        ),
        only_successes=lambda weights, cells, rewards, baseline: (
            -(rewards.detach() * drawn(weights, cells).log()).mean()
        ),
    ),
    "is_the_definition": named(
        positive=lambda *given: -by_gather(*given),
        a_sum=lambda weights, *others: by_gather(weights, *others) * len(weights),
        no_logarithm=lambda weights, cells, rewards, baseline: (
            -((rewards - baseline).detach() * drawn(weights, cells)).mean()
        ),
        in_bits=lambda weights, cells, rewards, baseline: (
            -((rewards - baseline).detach() * drawn(weights, cells).log2()).mean()
        ),
        the_largest_instead=lambda weights, cells, rewards, baseline: (
            -((rewards - baseline).detach() * weights.max(dim=1).values.log()).mean()
        ),
        means_multiplied=lambda weights, cells, rewards, baseline: (
            -(rewards - baseline).detach().mean() * drawn(weights, cells).log().mean()
        ),
        softmax_again=lambda weights, *others: by_gather(weights.softmax(dim=1), *others),
        every_pair=lambda weights, cells, rewards, baseline: (
            -((rewards - baseline).detach()[:, None] * weights[:, cells].log()).mean()
        ),
    ),
    "gradient_where_it_was_drawn": named(
        through_all_weights,
        as_a_number=lambda *given: by_gather(*given).item(),
        detached=lambda weights, *others: by_gather(weights.detach(), *others),
    ),
    "rewards_are_constants": named(
        rewards_attached=lambda weights, cells, rewards, baseline: (
            -((rewards - baseline) * drawn(weights, cells).log()).mean()
        )
    ),
}
