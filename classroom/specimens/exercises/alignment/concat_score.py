"""Right and wrong answers to `attn_class.exercises.alignment.concat_score`."""

from functools import partial

import torch

from attn_class.exercises.alignment.concat_score import solution
from attn_course.alignment import ConcatScore
from specimens.answers import changed, named


def by_pairs(queries, keys, W, v):
    target, source = len(queries), len(keys)
    asked = queries.unsqueeze(1).expand(-1, source, -1)
    offered = keys.unsqueeze(0).expand(target, -1, -1)
    return torch.tanh(torch.cat([asked, offered], dim=-1) @ W.T) @ v


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


def key_first(queries, keys, W, v):
    size = keys.shape[-1]
    return torch.tanh((queries @ W[:, size:].T).unsqueeze(1) + keys @ W[:, :size].T) @ v


but = partial(changed, solution)
RIGHT = [by_pairs, by_loop, by_einsum, by_the_package]
WRONG = {
    "one_score_a_pair": named(
        without_v=but(" @ v", ""),
        transposed=lambda queries, keys, W, v: by_loop(queries, keys, W, v).T,
        flat=lambda queries, keys, W, v: by_loop(queries, keys, W, v).flatten(),
    ),
    "reads_its_own_key": named(
        softmaxed=lambda queries, keys, W, v: by_loop(queries, keys, W, v).softmax(dim=-1),
        first_key_for_all=lambda queries, keys, *others: by_loop(queries, keys[:1], *others).expand(
            -1, len(keys)
        ),
        mean_of_the_keys=lambda queries, keys, *others: by_loop(
            queries, keys + keys.mean(dim=0), *others
        ),
    ),
    "query_and_key_meet": named(
        stacked=but(
            "torch.tanh(asked.unsqueeze(1) + offered.unsqueeze(0)) @ v",
            "(torch.tanh(asked) @ v).unsqueeze(1) + torch.tanh(offered) @ v",
        ),
        without_tanh=but("torch.tanh", ""),
        query_left_out=but("asked.unsqueeze(1)", "0 * asked.unsqueeze(1)"),
    ),
    "is_the_definition": named(
        key_first,
        v_inside=but(
            "torch.tanh(asked.unsqueeze(1) + offered.unsqueeze(0)) @ v",
            "torch.tanh((asked.unsqueeze(1) + offered.unsqueeze(0)) @ v)",
        ),
        minus=but("(1) + ", "(1) - "),
        sigmoid_for_tanh=but("torch.tanh", "torch.sigmoid"),
        scaled=but("@ v", "@ v / len(v) ** 0.5"),
    ),
    "runs": named(
        not_expanded=lambda queries, keys, W, v: (
            torch.tanh(torch.cat([queries, keys], dim=-1) @ W.T) @ v
        )
    ),
}
