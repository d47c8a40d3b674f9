"""Right and wrong answers to `attn_course.classroom.exercises.memory.write_pairs`."""

import torch

from attn_course.weights import attention_weights


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


def values_alone(keys, values, query):
    return values, values.T @ (keys @ query)


def mean(keys, values, query):
    matrix = values.T @ keys / len(keys)
    return matrix, matrix @ query


def last_pair(keys, values, query):
    matrix = torch.outer(values[-1], keys[-1])
    return matrix, matrix @ query


def unit_keys(keys, values, query):
    return by_loop(torch.nn.functional.normalize(keys, dim=-1), values, query)


def scaled(keys, values, query):
    return by_loop(keys / keys.shape[1] ** 0.5, values, query)


def softly(keys, values, query):
    weights = attention_weights(keys @ query)
    return by_loop(keys, values, query)[0], weights @ values


def reads_sign(keys, values, query):
    matrix, read = by_loop(keys, values, query)
    return matrix, read.abs()


def detached(keys, values, query):
    return tuple(part.detach() for part in by_loop(keys, values, query))


def not_turned(keys, values, query):
    matrix = values @ keys
    return matrix, matrix @ query


def by_scores(keys, values, query):
    columns = [(values * keys[:, [k]]).sum(dim=0) for k in range(keys.shape[1])]
    return torch.stack(columns, dim=1), (keys @ query) @ values


def divided_by_the_scores(keys, values, query):
    matrix = values.T @ keys
    return matrix, matrix @ query / (keys @ query).sum()


def product_of_the_sums(keys, values, query):
    matrix = torch.outer(values.sum(dim=0), keys.sum(dim=0))
    return matrix, matrix @ query


RIGHT = [by_einsum, by_loop, by_scores]
WRONG = {
    turned: "has_the_shape",
    values_alone: "has_the_shape",
    mean: "pairs_are_added",
    last_pair: "pairs_are_added",
    unit_keys: "one_pair",
    scaled: "one_pair",
    softly: "reads_by_a_product",
    reads_sign: "reads_by_a_product",
    detached: "gradients_pass",
    not_turned: "runs",
    divided_by_the_scores: "reads_by_a_product",
    product_of_the_sums: "pairs_are_added",
}
