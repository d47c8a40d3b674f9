"""Right and wrong answers to `attn_course.classroom.exercises.self_attention.several_heads`."""

import math
from functools import partial

import torch

from attn_course.weights import attention_weights
from specimens.answers import named


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


def mixed(queries, keys, values, readable, heads, *, dim=-1, scale=None, hidden=None, after=False):
    """Each option changes one thing, for the wrong answers below."""
    q, k, v = (each.unflatten(-1, (heads, -1)).transpose(0, 1) for each in (queries, keys, values))
    scores = q @ k.transpose(1, 2) / (scale or math.sqrt(q.shape[-1]))
    hidden = ~readable if hidden is None else hidden
    if after:
        weights = scores.softmax(dim=dim) * ~hidden
    else:
        weights = scores.masked_fill(hidden, -1e9).softmax(dim=dim)
    return (weights @ v).transpose(0, 1).flatten(1)


def one_head(queries, keys, values, readable, heads):
    part = queries.shape[1] // heads
    return mixed(queries, keys, values, readable, 1, scale=math.sqrt(part))


def viewed_at_once(queries, keys, values, readable, heads):
    q, k, v = (each.reshape(heads, len(each), -1) for each in (queries, keys, values))
    scores = (q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).masked_fill(~readable, -torch.inf)
    return (scores.softmax(dim=-1) @ v).reshape(len(queries), -1)


def heads_not_put_back(queries, keys, values, readable, heads):
    found = mixed(queries, keys, values, readable, heads).unflatten(1, (heads, -1))
    return found.transpose(0, 1).reshape(len(queries), -1)


def weights_alone(queries, keys, values, readable, heads):
    scores = (queries @ keys.T).masked_fill(~readable, -torch.inf)
    return scores.softmax(dim=-1)


def heads_averaged(queries, keys, values, readable, heads):
    found = mixed(queries, keys, values, readable, heads).unflatten(1, (heads, -1))
    return found.mean(dim=1)


def by_powers(queries, keys, values, readable, heads):
    part, found = queries.shape[1] // heads, []
    for start in range(0, queries.shape[1], part):
        own = slice(start, start + part)
        powers = torch.exp(queries[:, own] @ keys[:, own].T * part**-0.5) * readable
        found.append(powers @ values[:, own] / powers.sum(dim=1, keepdim=True))
    return torch.hstack(found)


def hidden_by(change, queries, keys, values, heads):
    q, k, v = (each.unflatten(-1, (heads, -1)).transpose(0, 1) for each in (queries, keys, values))
    weights = change(q @ k.mT / math.sqrt(q.shape[-1])).softmax(dim=-1)
    return (weights @ v).transpose(0, 1).flatten(1)


RIGHT = [head_by_head, with_einsum, by_powers]
WRONG = {
    "averages": named(
        viewed_at_once,
        heads_not_put_back,
        over_the_targets=partial(mixed, dim=1),
        over_the_heads=partial(mixed, dim=0),
        masked_after=partial(mixed, after=True),
    ),
    "reads_what_it_may": named(
        mask_inverted=lambda queries, keys, values, readable, heads: mixed(
            queries, keys, values, readable, heads, hidden=readable
        ),
        no_mask=lambda queries, keys, values, readable, heads: mixed(
            queries, keys, values, readable, heads, hidden=torch.zeros_like(readable)
        ),
        scores_times_mask=lambda queries, keys, values, readable, heads: hidden_by(
            lambda scores: scores * readable, queries, keys, values, heads
        ),
        mask_added=lambda queries, keys, values, readable, heads: hidden_by(
            lambda scores: scores + readable.float(), queries, keys, values, heads
        ),
    ),
    "by_the_equation": named(
        whole_size=lambda queries, *others: mixed(
            queries, *others, scale=math.sqrt(queries.shape[1])
        ),
        not_scaled=partial(mixed, scale=1.0),
        divided_by_the_part=lambda queries, keys, values, readable, heads: mixed(
            queries, keys, values, readable, heads, scale=queries.shape[1] // heads
        ),
    ),
    "heads_are_apart": [one_head],
    "one_vector_each": [weights_alone, heads_averaged],
    "runs": named(
        keys_not_turned_over=lambda queries, keys, values, readable, heads: (
            (queries @ keys / math.sqrt(queries.shape[1] // heads)).softmax(dim=-1) @ values
        )
    ),
}
