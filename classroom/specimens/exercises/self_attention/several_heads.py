"""Right and wrong answers to `attn_class.exercises.self_attention.several_heads`."""

import math
from functools import partial

import torch

from attn_class.exercises.self_attention.several_heads import solution
from attn_course.weights import attention_weights
from specimens.answers import changed, named


def head_by_head(queries, keys, values, readable, heads):
    found = []
    parts = zip(*(each.chunk(heads, dim=1) for each in (queries, keys, values)), strict=True)
    for q, k, v in parts:
        found.append(attention_weights(q @ k.T / math.sqrt(q.shape[1]), readable) @ v)
    return torch.cat(found, dim=1)


def with_einsum(queries, keys, values, readable, heads):
    q, k, v = (each.reshape(len(each), heads, -1) for each in (queries, keys, values))
    scores = torch.einsum("thp,shp->hts", q, k) / q.shape[-1] ** 0.5
    weights = torch.softmax(scores - 1e9 * ~readable, dim=-1)
    return torch.einsum("hts,shp->thp", weights, v).reshape(len(queries), -1)


def by_powers(queries, keys, values, readable, heads):
    part, found = queries.shape[1] // heads, []
    for start in range(0, queries.shape[1], part):
        own = slice(start, start + part)
        powers = torch.exp(queries[:, own] @ keys[:, own].T * part**-0.5) * readable
        found.append(powers @ values[:, own] / powers.sum(dim=1, keepdim=True))
    return torch.hstack(found)


but = partial(changed, solution)
RIGHT = [head_by_head, with_einsum, by_powers]
WRONG = {
    "averages": named(
        viewed_at_once=but(
            "unflatten(-1, (heads, -1)).transpose(0, 1)",
            "reshape(heads, len(each), -1)",
            ".transpose(0, 1).flatten(1)",
            ".reshape(len(queries), -1)",
        ),
        heads_not_put_back=but(".transpose(0, 1).flatten(1)", ".reshape(len(queries), -1)"),
        over_the_targets=but("-torch.inf).softmax(dim=-1)", "-1e9).softmax(dim=1)"),
        over_the_heads=but("-torch.inf).softmax(dim=-1)", "-1e9).softmax(dim=0)"),
        masked_after=but(
            "masked_fill(~readable, -torch.inf).softmax(dim=-1)", "softmax(dim=-1) * readable"
        ),
    ),
    "reads_what_it_may": named(
        mask_inverted=but("~readable, -torch.inf", "readable, -1e9"),
        no_mask=but("scores.masked_fill(~readable, -torch.inf)", "scores"),
        scores_times_mask=but("scores.masked_fill(~readable, -torch.inf)", "(scores * readable)"),
        mask_added=but("scores.masked_fill(~readable, -torch.inf)", "(scores + readable.float())"),
    ),
    "by_the_equation": named(
        whole_size=but("q.shape[-1]", "queries.shape[1]"),
        not_scaled=but(" / math.sqrt(q.shape[-1])", ""),
        divided_by_the_part=but("math.sqrt(q.shape[-1])", "q.shape[-1]"),
    ),
    "heads_are_apart": named(
        one_head=but("(heads, -1)", "(1, -1)", "q.shape[-1]", "(queries.shape[1] // heads)")
    ),
    "one_vector_each": named(
        weights_alone=but("(weights @ v).transpose(0, 1).flatten(1)", "weights[0]"),
        heads_averaged=but("transpose(0, 1).flatten(1)", "mean(dim=0)"),
    ),
    "runs": named(keys_not_turned_over=but("k.transpose(1, 2)", "k")),
}
