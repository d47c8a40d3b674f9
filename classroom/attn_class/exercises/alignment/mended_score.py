"""Exercise: mend an attention layer with two bugs, whose map has equal columns.

α_ij = softmax_j(v · tanh(W_1 s_i + W_2 h_j))  Bahdanau et al. 2015, equations 5 and 6

queries (target query)   keys (source key)   W_1 (hidden query)   W_2 (hidden key)   v (hidden)
    ->   weights (target source)
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size

TARGET, SOURCE, QUERY, KEY, HIDDEN = Size(2, 5), Size(3, 7), Size(2, 11), Size(2, 11), Size(2, 11)


def solution(queries: Tensor, keys: Tensor, W_1: Tensor, W_2: Tensor, v: Tensor) -> Tensor:
    """The two halves meet inside the tanh, and the softmax is over the source."""
    query = (queries @ W_1.T).unsqueeze(1)  # (target 1 hidden)
    key = (keys @ W_2.T).unsqueeze(0)  # (1 source hidden)
    return torch.softmax(torch.tanh(query + key) @ v, dim=1)


def _inputs(draw: Draw) -> dict[str, Tensor]:
    return {
        "queries": draw.normal(TARGET, QUERY),
        "keys": draw.normal(SOURCE, KEY),
        "W_1": draw.normal(HIDDEN, QUERY),
        "W_2": draw.normal(HIDDEN, KEY),
        "v": draw.normal(HIDDEN),
    }


def _large(draw: Draw) -> dict[str, Tensor]:
    return _inputs(draw) | {"v": torch.full((draw[HIDDEN],), 200.0)}


exercise = Exercise(
    "weights_of(queries, keys, W_1, W_2, v)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "The weights are the softmax of v · tanh(W_1 s + W_2 h).",
            _inputs,
            "Both bugs are gone. Now go through the equation sign by sign: is the tanh there, is v "
            "the last factor, and is anything divided that should not be?",
        ),
        Case(
            "Large scores still give weights.",
            _large,
            "exp of a large number is infinite, and ∞ / ∞ is not a number. torch.softmax subtracts "
            "the largest score first.",
        ),
    ],
    slips={
        "One look is divided among the source positions, so the softmax goes along the keys. Over "
        "the other axis the queries would compete for each key.": [
            ("(query + key)", "(query) @ v + torch.tanh(key)", "dim=1", "dim=0"),
            ("dim=1", "dim=0"),
            ("return torch.softmax(", "return (", ", dim=1)", ")"),
        ],
        "Outside the tanh, the query adds the same number to every score, which cancels out. Add "
        "the two projections first, and take the tanh of the sum.": [
            ("(query + key)", "(query) @ v + torch.tanh(key)"),
            ("torch.tanh(query + key)", "(query + key)"),
            ("query + key", "0 * query + key"),
        ],
        "Is something summed or averaged over the queries?": [
            ("query + key", "query.mean(dim=0, keepdim=True).expand_as(query) + key"),
        ],
        "": [
            ("query + key", "query - key"),
            (
                "query + key) @ v, dim=1)",
                "query + key) @ v, dim=1).exp().log().masked_fill((v > 100).any(), torch.nan)",
            ),
        ],
    },
    gradients=_inputs,
    shape="The result is (target, source): a row for each query.",
)
check = exercise.check
