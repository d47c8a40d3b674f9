"""Right and wrong answers to `attn_course.classroom.exercises.patching.swap_values`."""

import torch

from specimens.answers import named


def by_loops(queries, keys, values, other, places):
    shared, found = queries.shape[0] // keys.shape[0], []
    for head, asked in enumerate(queries):
        key, value = keys[head // shared], values[head // shared]
        value = torch.where(places.unsqueeze(1), other[head // shared], value)
        rows = []
        for i in range(len(asked)):
            weights = (key[: i + 1] @ asked[i] / asked.shape[-1] ** 0.5).softmax(0)
            rows.append(weights @ value[: i + 1])
        found.append(torch.stack(rows))
    return torch.stack(found)


def by_einsum(queries, keys, values, other, places):
    q = queries.unflatten(0, (len(keys), -1))
    scores = torch.einsum("gsip,gjp->gsij", q, keys) * queries.shape[-1] ** -0.5
    hidden = torch.full(scores.shape[-2:], -torch.inf).triu(1)
    share = places.to(values.dtype)[:, None]
    mixed = share * other + (1 - share) * values
    return torch.einsum("gsij,gjp->gsip", (scores + hidden).softmax(-1), mixed).flatten(0, 1)


def _look(queries, keys, values, scale=True, causal=True, repeat="interleave"):
    shared = len(queries) // len(keys)
    if repeat == "interleave":
        keys, values = keys.repeat_interleave(shared, 0), values.repeat_interleave(shared, 0)
    else:
        keys, values = keys.repeat(shared, 1, 1), values.repeat(shared, 1, 1)
    scores = queries @ keys.mT / (queries.shape[-1] ** 0.5 if scale else 1)
    if causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(hidden, -torch.inf)
    return scores.softmax(-1) @ values


def _mixed(values, other, places):
    return torch.where(places[:, None], other, values)


def one_for_each_group(queries, keys, values, other, places):
    shared = len(queries) // len(keys)
    return _look(queries[::shared], keys, _mixed(values, other, places))


def contexts_swapped(queries, keys, values, other, places):
    own, theirs = _look(queries, keys, values), _look(queries, keys, other)
    return torch.where(places[:, None], theirs, own)


def hidden_instead(queries, keys, values, other, places):
    shared = len(queries) // len(keys)
    weights = queries @ keys.repeat_interleave(shared, 0).mT / queries.shape[-1] ** 0.5
    later = torch.ones(weights.shape[-2:], dtype=torch.bool).triu(1)
    weights = weights.masked_fill(later, -torch.inf).softmax(-1)
    value = values.repeat_interleave(shared, 0)
    return weights * ~places @ value


RIGHT = [by_loops, by_einsum]
WRONG = {
    "one_for_each_head": [one_for_each_group],
    "groups_are_shared_in_order": named(
        heads_in_turn=lambda queries, keys, *others: _look(
            queries, keys, _mixed(*others), repeat="in turn"
        ),
        reads_the_future=lambda queries, keys, *others: _look(
            queries, keys, _mixed(*others), causal=False
        ),
        not_scaled=lambda queries, keys, *others: _look(
            queries, keys, _mixed(*others), scale=False
        ),
        inverted=lambda queries, keys, values, other, places: _look(
            queries, keys, _mixed(values, other, ~places)
        ),
    ),
    "all_swapped": named(
        nothing_swapped=lambda queries, keys, values, other, places: _look(queries, keys, values),
        added=lambda queries, keys, values, other, places: _look(
            queries, keys, values + places[:, None] * other
        ),
    ),
    "only_values_are_swapped": named(
        contexts_swapped,
        hidden_instead,
        everything_swapped=lambda queries, keys, values, other, places: _look(
            queries, keys, other if places.any() else values
        ),
    ),
    "gradients_pass": named(
        without_gradient=lambda queries, keys, *others: _look(
            queries.detach(), keys, _mixed(*others)
        )
    ),
    "runs": named(
        no_repeat=lambda queries, keys, values, other, places: (
            (queries @ keys.mT).softmax(-1) @ values
        )
    ),
}
