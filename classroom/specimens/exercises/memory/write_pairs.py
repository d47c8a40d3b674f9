"""Right and wrong answers to `attn_class.exercises.memory.write_pairs`."""

from functools import partial

import torch

from attn_class.exercises.memory.write_pairs import solution
from specimens.answers import changed, named


def by_einsum(keys, values, query):
    matrix = torch.einsum("jv,jk->vk", values, keys)
    return matrix, torch.einsum("vk,k->v", matrix, query)


def by_loop(keys, values, query):
    matrix = torch.zeros(values.shape[1], keys.shape[1])
    for key, value in zip(keys, values, strict=True):
        matrix = matrix + torch.outer(value, key)
    return matrix, matrix @ query


def by_scores(keys, values, query):
    columns = [(values * keys[:, [k]]).sum(dim=0) for k in range(keys.shape[1])]
    return torch.stack(columns, dim=1), (keys @ query) @ values


but = partial(changed, solution)
RIGHT = [by_einsum, by_loop, by_scores]
WRONG = {
    "has_the_shape": named(
        turned=but("values.T @ keys", "keys.T @ values", "matrix @ query", "query @ matrix"),
        values_alone=lambda keys, values, query: (values, values.T @ (keys @ query)),
    ),
    "pairs_are_added": named(
        last_pair=but("values.T @ keys", "values[-1][:, None] * keys[-1]"),
        product_of_the_sums=but("values.T @ keys", "values.sum(dim=0)[:, None] * keys.sum(dim=0)"),
        mean=but("values.T @ keys", "values.T @ keys / len(keys)"),
    ),
    "one_pair": named(
        unit_keys=lambda keys, *others: by_loop(
            torch.nn.functional.normalize(keys, dim=-1), *others
        ),
        scaled=lambda keys, values, query: by_loop(keys / keys.shape[1] ** 0.5, values, query),
    ),
    "reads_by_a_product": named(
        softly=but("matrix @ query", "(keys @ query).softmax(dim=0) @ values"),
        reads_sign=but("matrix @ query", "(matrix @ query).abs()"),
        divided_by_the_scores=but("matrix @ query", "matrix @ query / (keys @ query).sum()"),
    ),
    "gradients_pass": named(
        detached=lambda *given: tuple(part.detach() for part in by_loop(*given))
    ),
    "runs": named(not_turned=but("values.T", "values")),
}
