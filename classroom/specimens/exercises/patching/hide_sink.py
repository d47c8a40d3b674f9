import torch


def by_a_mask(weights, values):
    later = torch.arange(weights.shape[1]) > 0
    hidden = later[:, None] & (torch.arange(weights.shape[2]) == 0)
    return torch.einsum("hij,hjp->hip", weights.masked_fill(hidden, 0.0), values)


def by_subtraction(weights, values):
    whole = weights @ values
    taken = weights[:, :, :1] * values[:, :1]
    return torch.cat([whole[:, :1], (whole - taken)[:, 1:]], dim=1)
