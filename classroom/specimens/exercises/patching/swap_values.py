"""Right and wrong answers to `attn_class.exercises.patching.swap_values`."""

from functools import partial

import torch

from attn_class.exercises.patching.swap_values import solution
from specimens.answers import changed, named


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


but = partial(changed, solution)
RIGHT = [by_loops, by_einsum]
WRONG = {
    "one_for_each_head": named(one_for_each_group=but("@ mixed", "[::shared] @ mixed[::shared]")),
    "groups_are_shared_in_order": named(
        heads_in_turn=but(
            "other, values).repeat_interleave(shared, dim=0)",
            "other, values).repeat(shared, 1, 1)",
            "keys.repeat_interleave(shared, dim=0)",
            "keys.repeat(shared, 1, 1)",
        ),
        reads_the_future=but("scores.masked_fill(later, -torch.inf)", "scores"),
        not_scaled=but(" / math.sqrt(queries.shape[-1])", ""),
        inverted=but("places[:, None], other", "~places[:, None], other"),
    ),
    "all_swapped": named(
        nothing_swapped=but("places[:, None], other", "places[:, None], values"),
        added=but(
            "torch.where(places[:, None], other, values)", "(values + places[:, None] * other)"
        ),
    ),
    "only_values_are_swapped": named(
        contexts_swapped=lambda q, k, v, other, places: torch.where(
            places[:, None], solution(q, k, other, other, places), solution(q, k, v, v, places)
        ),
        hidden_instead=but("softmax(dim=-1) @", "softmax(dim=-1) * ~places @"),
        everything_swapped=but("places[:, None], other", "places.any(), other"),
    ),
    "gradients_pass": named(without_gradient=but("= queries @", "= queries.detach() @")),
    "runs": named(no_repeat=but("keys.repeat_interleave(shared, dim=0)", "keys")),
}
