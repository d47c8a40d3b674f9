"""Right and wrong answers to `attn_course.classroom.exercises.self_attention.several_heads`."""

import math

import torch

from attn_course.weights import attention_weights


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


def over_the_targets(queries, keys, values, readable, heads):
    return mixed(queries, keys, values, readable, heads, dim=1)


def over_the_heads(queries, keys, values, readable, heads):
    return mixed(queries, keys, values, readable, heads, dim=0)


def mask_inverted(queries, keys, values, readable, heads):
    return mixed(queries, keys, values, readable, heads, hidden=readable)


def no_mask(queries, keys, values, readable, heads):
    return mixed(queries, keys, values, readable, heads, hidden=torch.zeros_like(readable))


def masked_after(queries, keys, values, readable, heads):
    return mixed(queries, keys, values, readable, heads, after=True)


def whole_size(queries, keys, values, readable, heads):
    return mixed(queries, keys, values, readable, heads, scale=math.sqrt(queries.shape[1]))


def not_scaled(queries, keys, values, readable, heads):
    return mixed(queries, keys, values, readable, heads, scale=1.0)


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


def keys_not_turned_over(queries, keys, values, readable, heads):
    return (queries @ keys / math.sqrt(queries.shape[1] // heads)).softmax(dim=-1) @ values


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


def scores_times_mask(queries, keys, values, readable, heads):
    return hidden_by(lambda scores: scores * readable, queries, keys, values, heads)


def mask_added(queries, keys, values, readable, heads):
    return hidden_by(lambda scores: scores + readable.float(), queries, keys, values, heads)


def divided_by_the_part(queries, keys, values, readable, heads):
    return mixed(queries, keys, values, readable, heads, scale=queries.shape[1] // heads)


RIGHT = [head_by_head, with_einsum, by_powers]
WRONG = {
    over_the_targets: "averages",
    over_the_heads: "averages",
    mask_inverted: "reads_what_it_may",
    no_mask: "reads_what_it_may",
    masked_after: "averages",
    whole_size: "by_the_equation",
    not_scaled: "by_the_equation",
    one_head: "heads_are_apart",
    viewed_at_once: "averages",
    heads_not_put_back: "averages",
    weights_alone: "one_vector_each",
    heads_averaged: "one_vector_each",
    keys_not_turned_over: "runs",
    scores_times_mask: "reads_what_it_may",
    mask_added: "reads_what_it_may",
    divided_by_the_part: "by_the_equation",
}
