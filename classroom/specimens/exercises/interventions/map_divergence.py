"""Right and wrong answers to `attn_class.exercises.interventions.map_divergence`."""

import math
from functools import partial

import torch

from attn_class.exercises.interventions.map_divergence import solution
from specimens.answers import changed, named


def kl(p, q):
    kept = torch.where(p > 0, p, 1.0)
    against = torch.where(p > 0, q, 1.0)
    return (kept * (kept.log() - against.log()) * (p > 0)).sum(dim=-1)


def by_two_divergences(one, other):
    middle = (one + other) / 2
    return (kl(one, middle) + kl(other, middle)) / 2


def by_entropies(one, other):
    def entropy(p):
        return -torch.special.xlogy(p, p).sum(dim=-1)

    return entropy((one + other) / 2) - (entropy(one) + entropy(other)) / 2


def by_special_entropy(one, other):
    halves = torch.special.entr(one) + torch.special.entr(other)
    return (torch.special.entr((one + other) / 2) - halves / 2).sum(-1)


def by_kl_div(one, other):
    middle = ((one + other) / 2).clamp(min=1e-30).log()
    halves = [
        torch.nn.functional.kl_div(middle, p, reduction="none").sum(dim=1) for p in (one, other)
    ]
    return sum(halves) / 2


def the_root(one, other):
    apart = by_two_divergences(one, other)
    return apart.where(apart > 1e-6, 0.0).clamp(min=1e-12).sqrt() * (apart > 1e-6)


def from_each_other(one, other):
    p, q = one + 1e-12, other + 1e-12
    return ((p * (p / q).log()).sum(dim=1) + (q * (q / p).log()).sum(dim=1)) / 2


but = partial(changed, solution)
RIGHT = [by_two_divergences, by_entropies, by_special_entropy, by_kl_div]
WRONG = {
    "one_for_each_row": named(
        over_the_targets=lambda one, other: by_two_divergences(one.T, other.T),
        all_together=lambda one, other: by_two_divergences(one, other).mean(),
    ),
    "alike_is_zero": named(
        of_the_entropies=lambda one, other: torch.special.entr((one + other) / 2).sum(-1),
        overlap=lambda one, other: (one * other).sum(dim=-1),
    ),
    "is_symmetric": named(
        one_sided=lambda one, other: kl(one, (one + other) / 2),
        kl_of_one=lambda one, other: kl(one, other.clamp(min=1e-9)),
    ),
    "nothing_shared_is_ln_two": named(
        the_root,
        from_each_other,
        with_logarithms_of_zero=but(
            "torch.special.xlogy(p, p) - torch.special.xlogy(p, middle)", "p * (p / middle).log()"
        ),
        kl_div_turned_round=but(
            "torch.special.xlogy(p, p) - torch.special.xlogy(p, middle)",
            "middle * (middle / p).log()",
        ),
        in_bits=lambda one, other: by_two_divergences(one, other) / math.log(2),
        without_the_half=lambda one, other: 2 * by_two_divergences(one, other),
    ),
    "is_what_the_equation_says": named(
        variation=lambda one, other: (one - other).abs().sum(dim=-1) / 2 * math.log(2),
        hellinger=lambda one, other: (1 - (one * other).sqrt().sum(dim=-1)) * math.log(2),
    ),
    "gradients_pass": named(
        without_gradient=lambda one, other: by_two_divergences(one.detach(), other)
    ),
    "runs": named(wrong_axis=lambda one, other: one @ other),
}
