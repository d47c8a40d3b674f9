"""Right and wrong answers to `attn_course.classroom.exercises.interventions.map_divergence`."""

import math

import torch


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


def over_the_targets(one, other):
    return by_two_divergences(one.T, other.T)


def all_together(one, other):
    return by_two_divergences(one, other).mean()


def of_the_entropies(one, other):
    return torch.special.entr((one + other) / 2).sum(-1)


def overlap(one, other):
    return (one * other).sum(dim=-1)


def one_sided(one, other):
    return kl(one, (one + other) / 2)


def kl_of_one(one, other):
    return kl(one, other.clamp(min=1e-9))


def with_logarithms_of_zero(one, other):
    middle = (one + other) / 2
    parts = [(p * (p / middle).log()).sum(dim=-1) for p in (one, other)]
    return sum(parts) / 2


def in_bits(one, other):
    return by_two_divergences(one, other) / math.log(2)


def without_the_half(one, other):
    return 2 * by_two_divergences(one, other)


def variation(one, other):
    return (one - other).abs().sum(dim=-1) / 2 * math.log(2)


def hellinger(one, other):
    return (1 - (one * other).sqrt().sum(dim=-1)) * math.log(2)


def without_gradient(one, other):
    return by_two_divergences(one.detach(), other)


def wrong_axis(one, other):
    return one @ other


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


def kl_div_turned_round(one, other):
    middle = (one + other) / 2
    halves = [
        torch.nn.functional.kl_div(p.log(), middle, reduction="none").sum(dim=1)
        for p in (one, other)
    ]
    return sum(halves) / 2


RIGHT = [by_two_divergences, by_entropies, by_special_entropy, by_kl_div]
WRONG = {
    over_the_targets: "one_for_each_row",
    all_together: "one_for_each_row",
    of_the_entropies: "alike_is_zero",
    overlap: "alike_is_zero",
    one_sided: "is_symmetric",
    kl_of_one: "is_symmetric",
    with_logarithms_of_zero: "nothing_shared_is_ln_two",
    in_bits: "nothing_shared_is_ln_two",
    without_the_half: "nothing_shared_is_ln_two",
    variation: "is_what_the_equation_says",
    hellinger: "is_what_the_equation_says",
    without_gradient: "gradients_pass",
    wrong_axis: "runs",
    the_root: "nothing_shared_is_ln_two",
    from_each_other: "nothing_shared_is_ln_two",
    kl_div_turned_round: "nothing_shared_is_ln_two",
}
