"""Right and wrong answers to `attn_course.classroom.exercises.context.look_up`."""

import torch

from attn_course.alignment import DotScore
from attn_course.weights import attention_weights
from specimens.answers import changed, named


def hard(scores):
    best = (scores >= scores.max()).float()
    return best / best.sum()


def by_the_package(query, keys, values, temperature):
    scores = DotScore()(query.view(1, 1, -1), keys.unsqueeze(0))[0, 0]
    weights = attention_weights(scores, temperature=temperature) if temperature else hard(scores)
    return weights @ values


def by_mean_of_the_best(query, keys, values, temperature):
    scores = torch.einsum("jk,k->j", keys, query)
    if temperature == 0:
        return values[scores == scores.max()].mean(dim=0)
    return (scores.sub(scores.max()).div(temperature).softmax(0)[:, None] * values).sum(0)


def by_a_tiny_temperature(query, keys, values, temperature):
    scores = (keys @ query).double()
    weights = torch.softmax((scores - scores.max()) / max(temperature, 1e-12), dim=0)
    return (weights @ values.double()).float()


def keys_averaged(query, keys, values, temperature):
    first = keys[:, :1].expand(-1, values.shape[1])
    return by_mean_of_the_best(query, keys, first, temperature)


def values_compared(query, keys, values, temperature):
    first = values[:, :1].expand(-1, len(query))
    return by_mean_of_the_best(query, first, values, temperature)


def temperature_ignored(query, keys, values, temperature):
    scores = keys @ query
    return (scores.softmax(0) if temperature else hard(scores)) @ values


def temperature_multiplied(query, keys, values, temperature):
    scores = keys @ query
    return (torch.softmax(scores * temperature, 0) if temperature else hard(scores)) @ values


def after_the_softmax(query, keys, values, temperature):
    scores = keys @ query
    if temperature == 0:
        return hard(scores) @ values
    weights = scores.softmax(0) / temperature
    return weights / weights.sum() @ values


def overflowing(query, keys, values, temperature):
    scores = keys @ query
    if temperature == 0:
        return hard(scores) @ values
    powers = torch.exp(scores / temperature)
    return powers / powers.sum() @ values


def divided_by_zero(query, keys, values, temperature):
    return torch.softmax(keys @ query / temperature, dim=0) @ values


def uniform_at_zero(query, keys, values, temperature):
    if temperature == 0:
        return values.mean(dim=0)
    return divided_by_zero(query, keys, values, temperature)


def nearly_best_at_zero(query, keys, values, temperature):
    scores = keys @ query
    if temperature == 0:
        return values[scores > scores.max() - 0.5].mean(dim=0)
    return divided_by_zero(query, keys, values, temperature)


def key_at_zero(query, keys, values, temperature):
    if temperature == 0:
        return keys[(keys @ query).argmax()][:2]
    return divided_by_zero(query, keys, values, temperature)


def worst_key_at_zero(query, keys, values, temperature):
    if temperature == 0:
        return values[(keys @ query).argmin()]
    return divided_by_zero(query, keys, values, temperature)


def first_of_the_best(query, keys, values, temperature):
    if temperature == 0:
        return values[(keys @ query).argmax()]
    return divided_by_zero(query, keys, values, temperature)


def sum_of_the_best(query, keys, values, temperature):
    scores = keys @ query
    if temperature == 0:
        return values[scores == scores.max()].sum(0)
    return divided_by_zero(query, keys, values, temperature)


RIGHT = [by_the_package, by_mean_of_the_best, by_a_tiny_temperature]
WRONG = {
    "one_value": named(
        all_values=lambda query, keys, values, temperature: (
            torch.softmax(keys @ query, dim=0)[:, None] * values
        ),
        the_weights=lambda query, keys, values, temperature: torch.softmax(keys @ query, dim=0),
    ),
    "is_attention": named(
        keys_averaged,
        values_compared,
        always_hard=lambda query, keys, values, temperature: hard(keys @ query) @ values,
        scaled_by_the_size=lambda query, *others: by_mean_of_the_best(query / 3**0.5, *others),
        a_little_added=lambda query, keys, values, temperature: (
            torch.softmax(keys @ query / (temperature + 1e-3), dim=0) @ values
        ),
    ),
    "temperature_divides": [temperature_ignored, temperature_multiplied, after_the_softmax],
    "survives_low_temperatures": [overflowing],
    "at_zero_it_is_a_dictionary": named(
        divided_by_zero,
        uniform_at_zero,
        nearly_best_at_zero,
        key_at_zero,
        worst_key_at_zero,
        not_cold_enough=lambda query, keys, values, temperature: divided_by_zero(
            query, keys, values, max(temperature, 1.0 if not temperature else 0)
        ),
        cold_but_not_zero=lambda query, keys, values, temperature: divided_by_zero(
            query, keys, values, max(temperature, 0.05 if not temperature else 0)
        ),
        a_tenth_for_zero=lambda query, keys, values, temperature: (
            torch.softmax(keys @ query / (temperature or 0.1), dim=0) @ values
        ),
    ),
    "ties_are_shared": [first_of_the_best, sum_of_the_best],
    "runs": named(
        transposed=changed(divided_by_zero, "keys @ query / temperature", "query @ keys")
    ),
}
