"""Exercise: the concat score of every pair at once.

e_ij = v · tanh(W [s_i ; h_j])                 Luong et al. 2015, section 3.1

queries (target query)   keys (source key)   W (hidden query+key)   v (hidden)
    ->   scores (target source)
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size

TARGET, SOURCE, QUERY, KEY, HIDDEN = Size(2, 5), Size(3, 7), Size(2, 11), Size(2, 11), Size(2, 11)


def solution(queries: Tensor, keys: Tensor, W: Tensor, v: Tensor) -> Tensor:
    """W's left columns belong to the query, the others to the key: no pair has to be built."""
    size = queries.shape[-1]
    query = queries @ W[:, :size].T  # (target hidden)
    key = keys @ W[:, size:].T  # (source hidden)
    return torch.tanh(query.unsqueeze(1) + key.unsqueeze(0)) @ v


def _inputs(draw: Draw) -> dict[str, Tensor]:
    return {
        "queries": draw.normal(TARGET, QUERY),
        "keys": draw.normal(SOURCE, KEY),
        "W": draw.normal(HIDDEN, draw[QUERY] + draw[KEY]),
        "v": draw.normal(HIDDEN),
    }


exercise = Exercise(
    "concat_of(queries, keys, W, v)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Every score is v · tanh(W [s ; h]).",
            _inputs,
            "All the parts are there. The query stands first in the pair, so W's first columns are "
            "the query's; tanh comes after W and before v, and nothing comes after v.",
        )
    ],
    slips={
        "e_ij reads h_j alone. Was a softmax taken already, or a mean over the keys? Does one key "
        "stand for all? In a list of pairs, each query meets all keys before the next query comes: "
        "repeat_interleave for the queries, repeat for the keys.": [
            lambda *inputs: solution(*inputs).softmax(dim=-1),
            ("+ key", "+ key[:1].expand_as(key)"),
            ("+ key", "+ key + key.mean(dim=0)"),
        ],
        "The query adds the same number to every score, or nothing at all. A softmax cancels what "
        "is the same for all: the two halves must meet inside the tanh.": [
            (
                "torch.tanh(query.unsqueeze(1) + key.unsqueeze(0))",
                "(torch.tanh(query.unsqueeze(1)) + torch.tanh(key.unsqueeze(0)))",
            ),
            ("torch.tanh", ""),
            ("query.unsqueeze(1)", "0 * query.unsqueeze(1)"),
        ],
        "": [
            ("(1) + ", "(1) - "),
            (
                "torch.tanh(query.unsqueeze(1) + key.unsqueeze(0)) @ v",
                "torch.tanh((query.unsqueeze(1) + key.unsqueeze(0)) @ v)",
            ),
        ],
    },
    gradients=_inputs,
    shape="Rows are queries and columns are keys: the result is (target, source). v · tanh(...) is "
    "one number for each pair, so the axis of W's rows is gone in the end.",
)
check = exercise.check
