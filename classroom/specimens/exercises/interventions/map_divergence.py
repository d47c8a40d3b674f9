import torch


def _kl(p, q):
    positive = torch.where(p > 0, p, 1.0)
    against = torch.where(p > 0, q, 1.0)
    return (positive * (positive.log() - against.log()) * (p > 0)).sum(dim=-1)


def by_two_divergences(one, other):
    middle = (one + other) / 2
    return (_kl(one, middle) + _kl(other, middle)) / 2


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
