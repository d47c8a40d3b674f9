"""Exercise: mend an attention layer with two bugs, whose map has equal columns.

α_ij = softmax_j(v · tanh(W_1 s_i + W_2 h_j))  Bahdanau et al. 2015, equations 5 and 6

queries (target query)   keys (source key)   W_1 (hidden query)   W_2 (hidden key)   v (hidden)
    ->   weights (target source)
"""

import math

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

TARGET, SOURCE, QUERY, KEY, HIDDEN = Size(2, 5), Size(3, 7), Size(2, 11), Size(2, 11), Size(2, 11)
exercise = Exercise("weights_of(queries, keys, W_1, W_2, v)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(queries: Tensor, keys: Tensor, W_1: Tensor, W_2: Tensor, v: Tensor) -> Tensor:
    """The two halves meet inside the tanh, and the softmax is over the source."""
    asked = (queries @ W_1.T).unsqueeze(1)  # (target 1 hidden)
    offered = (keys @ W_2.T).unsqueeze(0)  # (1 source hidden)
    return torch.softmax(torch.tanh(asked + offered) @ v, dim=1)


@exercise.must_also(
    "Every pair of a query and a key gets one weight.",
    hint="The result is (target, source): a row for each query.",
)
def one_weight_a_pair(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[TARGET], draw[SOURCE])


@exercise.must_also(
    "The weights of each query are positive and sum to one.",
    hint="One look is divided among the source positions, so the softmax goes along the keys. "
    "Over the other axis the queries would compete for each key.",
)
def each_row_is_a_distribution(answer: Answer, draw: Draw) -> bool:
    weights = answer(**_inputs(draw))
    return bool((weights >= 0).all()) and same(weights.sum(dim=1), torch.ones(draw[TARGET]))


@exercise.must_also(
    "A different query gets different weights.",
    hint="Outside the tanh, the query adds the same number to every score, which cancels out. "
    "Add the two projections first, and take the tanh of the sum.",
)
def the_query_counts(answer: Answer, draw: Draw, inputs: dict) -> bool:
    other = inputs | {"queries": draw.normal(TARGET, QUERY, scale=2)}
    return not same(answer(**other), answer(**inputs))


@exercise.must_also(
    "One query's weights do not depend on the other queries.",
    hint="Is something summed or averaged over the queries?",
)
def queries_are_apart(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before = answer(**inputs)
    return same(answer(**inputs | {"queries": inputs["queries"][1:]}), before[1:])


@exercise.must_also(
    "Large scores still give weights.",
    hint="exp of a large number is infinite, and ∞ / ∞ is not a number. torch.softmax subtracts "
    "the largest score first.",
)
def survives_large_scores(answer: Answer, draw: Draw, inputs: dict) -> bool:
    weights = answer(**inputs | {"v": torch.full_like(inputs["v"], 200.0)})
    return same(weights.sum(dim=1), torch.ones(draw[TARGET]))


@exercise.must(
    "The weights are the softmax of v · tanh(W_1 s + W_2 h).",
    hint="Both bugs are gone. Now go through the equation sign by sign: is the tanh there, is v "
    "the last factor, and is anything divided that should not be?",
)
def is_the_definition(answer: Answer, draw: Draw) -> bool:
    return answer.agrees(_by_loops, **_inputs(draw))


@exercise.draws
def _inputs(draw: Draw) -> dict[str, Tensor]:
    return {
        "queries": draw.normal(TARGET, QUERY),
        "keys": draw.normal(SOURCE, KEY),
        "W_1": draw.normal(HIDDEN, QUERY),
        "W_2": draw.normal(HIDDEN, KEY),
        "v": draw.normal(HIDDEN),
    }


def _by_loops(queries: Tensor, keys: Tensor, W_1: Tensor, W_2: Tensor, v: Tensor) -> Tensor:
    """The equation pair by pair."""
    rows = []
    for query in queries:
        powers = []
        for key in keys:
            inside = (W_1 @ query + W_2 @ key).tolist()
            score = sum(f * math.tanh(x) for f, x in zip(v.tolist(), inside, strict=True))
            powers.append(math.exp(score))
        rows.append([power / sum(powers) for power in powers])
    return torch.tensor(rows)


exercise.must_pass_gradients(solution, _inputs)
