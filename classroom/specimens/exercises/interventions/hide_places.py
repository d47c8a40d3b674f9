import torch


def by_product(weights, places):
    left = weights * (~places).float()
    return left / left.sum(-1).unsqueeze(-1)


def by_a_softmax_of_logarithms(weights, places):
    return weights.log().masked_fill(places, -torch.inf).softmax(dim=-1)


def by_rows(weights, places):
    rows = [torch.where(places, 0.0, row) for row in weights]
    return torch.stack([row / row.sum() for row in rows])


def by_normalize(weights, places):
    return torch.nn.functional.normalize(weights * ~places, p=1, dim=-1)
