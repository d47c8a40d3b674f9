import numpy as np
import torch


def by_other_queries(score, queries, keys):
    one = torch.softmax(score(queries, keys), dim=-1)
    other = torch.softmax(score(-queries, keys), dim=-1)
    return not torch.allclose(one, other, atol=1e-6)


def by_differences(score, queries, keys):
    scores = score(queries, keys)
    within = scores - scores[..., :1]
    return bool((within - within[:, :1]).abs().max() > 1e-4)


def by_loop(score, queries, keys):
    rows = [score(queries[:, i : i + 1], keys).softmax(dim=-1) for i in range(queries.shape[1])]
    return any(not torch.allclose(row, rows[0], atol=1e-6) for row in rows[1:])


def as_a_truth_of_numpy(score, queries, keys):
    return np.bool_(by_loop(score, queries, keys))
