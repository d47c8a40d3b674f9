"""Right and wrong answers to `attn_course.classroom.exercises.alignment.mended_score`."""

import torch

from attn_course.alignment import AdditiveScore
from attn_course.weights import attention_weights
from specimens.answers import named


def by_loop(queries, keys, W_1, W_2, v):
    rows = [
        torch.stack([v @ torch.tanh(W_1 @ s + W_2 @ h) for h in keys]).softmax(dim=0)
        for s in queries
    ]
    return torch.stack(rows)


def by_pairs(queries, keys, W_1, W_2, v):
    asked = queries.unsqueeze(1).expand(-1, len(keys), -1)
    offered = keys.expand(len(queries), -1, -1)
    pairs = torch.cat([asked, offered], dim=-1) @ torch.cat([W_1, W_2], dim=1).T
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


def scores_of(queries, keys, W_1, W_2, v):
    return torch.tanh((queries @ W_1.T).unsqueeze(1) + keys @ W_2.T) @ v


def as_it_was(queries, keys, W_1, W_2, v):
    asked = torch.tanh(queries @ W_1.T) @ v
    offered = torch.tanh(keys @ W_2.T) @ v
    return torch.softmax(asked.unsqueeze(1) + offered.unsqueeze(0), dim=0)


def over_everything(queries, keys, W_1, W_2, v):
    scores = scores_of(queries, keys, W_1, W_2, v)
    return scores.flatten().softmax(dim=0).view_as(scores)


def only_the_axis_mended(queries, keys, W_1, W_2, v):
    asked = torch.tanh(queries @ W_1.T) @ v
    offered = torch.tanh(keys @ W_2.T) @ v
    return torch.softmax(asked.unsqueeze(1) + offered.unsqueeze(0), dim=1)


def mean_of_the_queries(queries, keys, W_1, W_2, v):
    mean = (queries + queries.mean(dim=0)) / 2
    return scores_of(mean, keys, W_1, W_2, v).softmax(dim=1)


def v_inside(queries, keys, W_1, W_2, v):
    inside = ((queries @ W_1.T).unsqueeze(1) + keys @ W_2.T) @ v
    return torch.softmax(torch.tanh(inside) + inside * torch.tanh(inside), dim=1)


def naive_softmax(queries, keys, W_1, W_2, v):
    inside = (queries @ W_1.T).unsqueeze(1) + (keys @ W_2.T).unsqueeze(0)
    powers = torch.exp(torch.tanh(inside) @ v)
    return powers / powers.sum(dim=1, keepdim=True)


RIGHT = [by_loop, by_pairs, by_the_package]
WRONG = {
    "survives_large_scores": [naive_softmax],
    "one_weight_a_pair": named(
        transposed=lambda *given: scores_of(*given).T.softmax(dim=-1),
        without_v=lambda queries, keys, W_1, W_2, v: torch.softmax(
            torch.tanh((queries @ W_1.T).unsqueeze(1) + keys @ W_2.T), dim=1
        ),
    ),
    "each_row_is_a_distribution": named(
        as_it_was,
        over_everything,
        only_the_tanh_mended=lambda *given: scores_of(*given).softmax(dim=0),
        no_softmax=lambda queries, keys, W_1, W_2, v: scores_of(queries, keys, W_1, W_2, v),
    ),
    "the_query_counts": named(
        only_the_axis_mended,
        without_tanh=lambda queries, keys, W_1, W_2, v: torch.softmax(
            ((queries @ W_1.T).unsqueeze(1) + keys @ W_2.T) @ v, dim=1
        ),
        query_left_out=lambda queries, keys, W_1, W_2, v: (
            (torch.tanh(keys @ W_2.T) @ v).softmax(dim=0).expand(len(queries), -1) + 0
        ),
    ),
    "queries_are_apart": named(
        mean_of_the_queries,
        first_query_for_all=lambda queries, *others: (
            by_loop(queries[:1], *others).expand(len(queries), -1) + 0
        ),
    ),
    "is_the_definition": named(
        v_inside,
        scaled=lambda queries, keys, W_1, W_2, v: (
            scores_of(queries, keys, W_1, W_2, v) / len(v) ** 0.5
        ).softmax(dim=1),
        minus=lambda queries, *others: scores_of(-queries, *others).softmax(dim=1),
        sigmoid_for_tanh=lambda queries, keys, W_1, W_2, v: (
            torch.sigmoid((queries @ W_1.T).unsqueeze(1) + keys @ W_2.T) @ v
        ).softmax(dim=1),
        product_for_sum=lambda queries, keys, W_1, W_2, v: (
            torch.tanh((queries @ W_1.T).unsqueeze(1) * (keys @ W_2.T)) @ v
        ).softmax(dim=1),
    ),
    "runs": named(
        not_expanded=lambda queries, keys, W_1, W_2, v: (
            torch.tanh(queries @ W_1.T + keys @ W_2.T) @ v
        ).softmax(dim=1)
    ),
}
