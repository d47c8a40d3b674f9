"""Right and wrong answers to `attn_course.classroom.exercises.memory.write_pairs`."""

import torch

from attn_course.classroom.exercises.memory.write_pairs import solution
from attn_course.weights import attention_weights
from specimens.answers import changed, named


def by_einsum(keys, values, query):
    matrix = torch.einsum("jv,jk->vk", values, keys)
    return matrix, torch.einsum("vk,k->v", matrix, query)


def by_loop(keys, values, query):
    matrix = torch.zeros(values.shape[1], keys.shape[1])
    for key, value in zip(keys, values, strict=True):
        matrix = matrix + torch.outer(value, key)
    return matrix, matrix @ query


def turned(keys, values, query):
    matrix = keys.T @ values
    return matrix, query @ matrix


def last_pair(keys, values, query):
    matrix = torch.outer(values[-1], keys[-1])
    return matrix, matrix @ query


def softly(keys, values, query):
    weights = attention_weights(keys @ query)
    return by_loop(keys, values, query)[0], weights @ values


def reads_sign(keys, values, query):
    matrix, read = by_loop(keys, values, query)
    return matrix, read.abs()


def by_scores(keys, values, query):
    columns = [(values * keys[:, [k]]).sum(dim=0) for k in range(keys.shape[1])]
    return torch.stack(columns, dim=1), (keys @ query) @ values


def product_of_the_sums(keys, values, query):
    matrix = torch.outer(values.sum(dim=0), keys.sum(dim=0))
    return matrix, matrix @ query


RIGHT = [by_einsum, by_loop, by_scores]
WRONG = {
    "has_the_shape": named(
        turned, values_alone=lambda keys, values, query: (values, values.T @ (keys @ query))
    ),
    "pairs_are_added": named(
        last_pair,
        product_of_the_sums,
        mean=changed(solution, "values.T @ keys", "values.T @ keys / len(keys)"),
    ),
    "one_pair": named(
        unit_keys=lambda keys, *others: by_loop(
            torch.nn.functional.normalize(keys, dim=-1), *others
        ),
        scaled=lambda keys, values, query: by_loop(keys / keys.shape[1] ** 0.5, values, query),
    ),
    "reads_by_a_product": named(
        softly,
        reads_sign,
        divided_by_the_scores=changed(
            solution, "matrix @ query", "matrix @ query / (keys @ query).sum()"
        ),
    ),
    "gradients_pass": named(
        detached=lambda *given: tuple(part.detach() for part in by_loop(*given))
    ),
    "runs": named(not_turned=changed(solution, "values.T", "values")),
}
