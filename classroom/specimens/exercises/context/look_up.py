"""Right and wrong answers to `attn_class.exercises.context.look_up`."""

from functools import partial

import torch

from attn_course.alignment import DotScore
from attn_course.weights import attention_weights
from specimens.answers import changed, named


def shared(powers):
    return powers / powers.sum()


def hard(scores):
    return shared((scores >= scores.max()).float())


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


def with_an_if(query, keys, values, temperature):
    scores = keys @ query
    weights = torch.softmax(scores / temperature, dim=0) if temperature else hard(scores)
    return weights @ values


but = partial(changed, with_an_if)
RIGHT = [by_the_package, by_mean_of_the_best, by_a_tiny_temperature, with_an_if]
WRONG = {
    "one_value": named(
        all_values=but("weights @ values", "weights[:, None] * values"),
        the_weights=but("weights @ values", "weights"),
    ),
    "is_attention": named(
        keys_averaged=but("@ values", "@ keys[:, :1].expand(-1, values.shape[1])"),
        values_compared=but("keys @ query", "values[:, :1].expand(-1, len(query)) @ query"),
        always_hard=lambda query, keys, values, temperature: hard(keys @ query) @ values,
        scaled_by_the_size=lambda query, *others: by_mean_of_the_best(query / 3**0.5, *others),
        a_little_added=but("/ temperature", "/ (temperature + 1e-3)"),
    ),
    "temperature_divides": named(
        temperature_ignored=but("/ temperature", ""),
        temperature_multiplied=but("/ temperature", "* temperature"),
        after_the_softmax=but(
            "torch.softmax(scores / temperature, dim=0)", "shared(scores.softmax(0) / temperature)"
        ),
    ),
    "survives_low_temperatures": named(
        overflowing=but(
            "torch.softmax(scores / temperature, dim=0)", "shared(torch.exp(scores / temperature))"
        )
    ),
    "at_zero_it_is_a_dictionary": named(
        divided_by_zero=but(" if temperature else hard(scores)", ""),
        uniform_at_zero=but("hard(scores)", "shared(torch.ones_like(scores))"),
        nearly_best_at_zero=but("hard(scores)", "shared((scores > scores.max() - 0.5).float())"),
        key_at_zero=but("@ values", "@ (values if temperature else keys[:, :2])"),
        worst_key_at_zero=but("hard(scores)", "hard(-scores)"),
        not_cold_enough=but("hard(scores)", "scores.softmax(0)"),
        cold_but_not_zero=but("hard(scores)", "torch.softmax(scores / 0.05, dim=0)"),
        a_tenth_for_zero=but("hard(scores)", "torch.softmax(scores / 0.1, dim=0)"),
    ),
    "ties_are_shared": named(
        first_of_the_best=but("hard(scores)", "torch.eye(len(scores))[scores.argmax()]"),
        sum_of_the_best=but("hard(scores)", "(scores == scores.max()).float()"),
    ),
    "runs": named(transposed=but("keys @ query", "query @ keys")),
}
