import torch
from torch.nn import functional as F

from attn_course.alignment import CosineScore


def by_normalize(queries, keys, temperature):
    return F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).T / temperature


def by_similarity(queries, keys, temperature):
    pairs = F.cosine_similarity(queries[:, None], keys[None], dim=-1, eps=1e-12)
    return pairs / temperature


def by_where(queries, keys, temperature):
    lengths = queries.norm(dim=-1)[:, None] * keys.norm(dim=-1)
    products = queries @ keys.T
    return torch.where(lengths > 0, products / lengths, torch.zeros(())) / temperature


def by_the_package(queries, keys, temperature):
    return CosineScore()(queries.unsqueeze(0), keys.unsqueeze(0))[0] / temperature


def _nan_is_nothing(queries, keys, temperature):
    parts = [part / part.norm(dim=-1, keepdim=True) for part in (queries, keys)]
    return torch.nan_to_num(parts[0] @ parts[1].T / temperature)


def _one_length_at_most(queries, keys, temperature):
    limits = {"min": 1e-12, "max": 1e6}
    parts = [part / part.norm(dim=-1, keepdim=True).clamp(**limits) for part in (queries, keys)]
    return torch.nan_to_num(parts[0] @ parts[1].T, posinf=1.0, neginf=-1.0) / temperature


WRONG = {"infinity_is_not_hidden": [_one_length_at_most, _nan_is_nothing]}
