import torch

from attn_course.alignment import ConcatScore


def by_pairs(queries, keys, W, v):
    target, source = len(queries), len(keys)
    wanting = queries.unsqueeze(1).expand(-1, source, -1)
    offered = keys.unsqueeze(0).expand(target, -1, -1)
    return torch.tanh(torch.cat([wanting, offered], dim=-1) @ W.T) @ v


def by_loop(queries, keys, W, v):
    rows = [[v @ torch.tanh(W @ torch.cat([s, h])) for h in keys] for s in queries]
    return torch.stack([torch.stack(row) for row in rows])


def by_einsum(queries, keys, W, v):
    W_s, W_h = W.split([queries.shape[1], keys.shape[1]], dim=1)
    inside = torch.einsum("ks,is->ik", W_s, queries)[:, None] + torch.einsum("kh,jh->jk", W_h, keys)
    return torch.einsum("k,ijk->ij", v, inside.tanh())


def by_the_package(queries, keys, W, v):
    score = ConcatScore(queries.shape[1], keys.shape[1], len(v))
    weights = {"pair_projection.weight": W, "energy.weight": v.unsqueeze(0)}
    pair = queries.unsqueeze(0), keys.unsqueeze(0)
    return torch.func.functional_call(score, weights, pair)[0]
