import math

import torch

from attn_course.weights import attention_weights


def head_by_head(queries, keys, values, readable, heads):
    outputs = []
    parts = zip(*(matrix.chunk(heads, dim=1) for matrix in (queries, keys, values)), strict=True)
    for q, k, v in parts:
        outputs.append(attention_weights(q @ k.T / math.sqrt(q.shape[1]), readable) @ v)
    return torch.cat(outputs, dim=1)


def with_einsum(queries, keys, values, readable, heads):
    q, k, v = (matrix.reshape(len(matrix), heads, -1) for matrix in (queries, keys, values))
    scores = torch.einsum("thp,shp->hts", q, k) / q.shape[-1] ** 0.5
    weights = torch.softmax(scores - 1e9 * ~readable, dim=-1)
    return torch.einsum("hts,shp->thp", weights, v).reshape(len(queries), -1)


def by_powers(queries, keys, values, readable, heads):
    part, outputs = queries.shape[1] // heads, []
    for start in range(0, queries.shape[1], part):
        own = slice(start, start + part)
        powers = torch.exp(queries[:, own] @ keys[:, own].T * part**-0.5) * readable
        outputs.append(powers @ values[:, own] / powers.sum(dim=1, keepdim=True))
    return torch.hstack(outputs)
