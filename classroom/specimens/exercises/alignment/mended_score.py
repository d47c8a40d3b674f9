"""Right and wrong answers to `attn_class.exercises.alignment.mended_score`."""

from functools import partial

import torch

from attn_class.exercises.alignment.mended_score import solution
from attn_course.alignment import AdditiveScore
from attn_course.weights import attention_weights
from specimens.answers import changed, named


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


def over_everything(queries, keys, W_1, W_2, v):
    scores = scores_of(queries, keys, W_1, W_2, v)
    return scores.flatten().softmax(dim=0).view_as(scores)


def naive_softmax(queries, keys, W_1, W_2, v):
    inside = (queries @ W_1.T).unsqueeze(1) + (keys @ W_2.T).unsqueeze(0)
    powers = torch.exp(torch.tanh(inside) @ v)
    return powers / powers.sum(dim=1, keepdim=True)


but = partial(changed, solution)
RIGHT = [by_loop, by_pairs, by_the_package]
WRONG = {
    "survives_large_scores": [naive_softmax],
    "one_weight_a_pair": named(
        transposed=lambda *given: scores_of(*given).T.softmax(dim=-1), without_v=but(" @ v", "")
    ),
    "each_row_is_a_distribution": named(
        over_everything,
        as_it_was=but("(asked + offered)", "(asked) @ v + torch.tanh(offered)", "dim=1", "dim=0"),
        only_the_tanh_mended=but("dim=1", "dim=0"),
        no_softmax=lambda *given: scores_of(*given),
    ),
    "the_query_counts": named(
        only_the_axis_mended=but("(asked + offered)", "(asked) @ v + torch.tanh(offered)"),
        without_tanh=but("torch.tanh(asked + offered)", "(asked + offered)"),
        query_left_out=but("asked + offered", "0 * asked + offered"),
    ),
    "queries_are_apart": named(
        mean_of_the_queries=but("(queries @", "((queries + queries.mean(dim=0)) / 2 @"),
        first_query_for_all=but("(queries @", "(queries[:1].expand_as(queries) @"),
    ),
    "is_the_definition": named(
        v_inside=but(
            "(asked + offered) @ v", "((asked + offered) @ v) * (1 + (asked + offered) @ v)"
        ),
        scaled=but("@ v", "@ v / len(v) ** 0.5"),
        minus=but("asked + offered", "offered - asked"),
        sigmoid_for_tanh=but("torch.tanh", "torch.sigmoid"),
        product_for_sum=but("asked + offered", "asked * offered"),
    ),
    "runs": named(not_expanded=but("(queries @ W_1.T).unsqueeze(1)", "queries @ W_1.T")),
}
