import torch

from attn_course.alignment import AdditiveScore
from attn_course.weights import attention_weights


def by_loop(queries, keys, W_1, W_2, v):
    rows = [
        torch.stack([v @ torch.tanh(W_1 @ s + W_2 @ h) for h in keys]).softmax(dim=0)
        for s in queries
    ]
    return torch.stack(rows)


def by_pairs(queries, keys, W_1, W_2, v):
    wanting = queries.unsqueeze(1).expand(-1, len(keys), -1)
    offered = keys.expand(len(queries), -1, -1)
    pairs = torch.cat([wanting, offered], dim=-1) @ torch.cat([W_1, W_2], dim=1).T
    scores = torch.tanh(pairs) @ v
    powers = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    return powers / powers.sum(dim=-1, keepdim=True)


def by_the_package(queries, keys, W_1, W_2, v):
    score = AdditiveScore(queries.shape[1], keys.shape[1], len(v))
    weights = {
        "query_projection.weight": W_1,
        "key_projection.weight": W_2,
        "energy.weight": v.unsqueeze(0),
    }
    pair = queries.unsqueeze(0), keys.unsqueeze(0)
    return attention_weights(torch.func.functional_call(score, weights, pair, strict=False))[0]
