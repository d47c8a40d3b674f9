import torch


def by_einsum(keys, values, query):
    matrix = torch.einsum("jv,jk->vk", values, keys)
    return matrix, torch.einsum("vk,k->v", matrix, query)


def by_loop(keys, values, query):
    matrix = torch.zeros(values.shape[1], keys.shape[1])
    for key, value in zip(keys, values, strict=True):
        matrix = matrix + torch.outer(value, key)
    return matrix, matrix @ query


def by_scores(keys, values, query):
    columns = [(values * keys[:, [k]]).sum(dim=0) for k in range(keys.shape[1])]
    return torch.stack(columns, dim=1), (keys @ query) @ values
