import torch

from attn_course.alignment import AdditiveScore


def by_loop(s, h, W_a, U_a, v):
    scores = []
    for j in range(len(h)):
        scores.append(v.dot(torch.tanh(W_a @ s + U_a @ h[j])))
    return torch.stack(scores)


def by_einsum(s, h, W_a, U_a, v):
    inside = torch.einsum("ks,s->k", W_a, s) + torch.einsum("ka,ja->jk", U_a, h)
    return torch.einsum("k,jk->j", v, torch.tanh(inside))


def by_concatenation(s, h, W_a, U_a, v):
    pairs = torch.cat([s.expand(len(h), -1), h], dim=1)
    return (torch.tanh(pairs @ torch.cat([W_a, U_a], dim=1).T) * v).sum(dim=1)


def in_double(s, h, W_a, U_a, v):
    return torch.tanh(W_a.double() @ s.double() + h.double() @ U_a.double().T) @ v.double()


def by_the_package(s, h, W_a, U_a, v):
    score = AdditiveScore(len(s), h.shape[1], len(v))
    weights = {
        "query_projection.weight": W_a,
        "key_projection.weight": U_a,
        "energy.weight": v.unsqueeze(0),
    }
    queries, keys = s.view(1, 1, -1), h.unsqueeze(0)
    return torch.func.functional_call(score, weights, (queries, keys), strict=False).flatten()


def as_a_list(s, h, W_a, U_a, v):
    return [torch.tanh(W_a @ s + U_a @ h_j) @ v for h_j in h]
