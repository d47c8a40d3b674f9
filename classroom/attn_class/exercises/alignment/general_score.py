"""Exercise: the general score of a whole batch.

e_ij = s_i · W h_j                             Luong et al. 2015, section 3.1

queries (batch target query)   keys (batch source key)   W (query key)
    ->   scores (batch target source)
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size

BATCH, TARGET, SOURCE, SIZE = Size(1, 3), Size(2, 5), Size(3, 7), Size(2, 11)


def solution(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    """q and k are summed over; the letters that are left give the shape."""
    return torch.einsum("biq,qk,bjk->bij", queries, W, keys)


def _inputs(draw: Draw) -> dict[str, Tensor]:
    return {
        "queries": draw.normal(BATCH, TARGET, SIZE),
        "keys": draw.normal(BATCH, SOURCE, SIZE),
        "W": draw.normal(SIZE, SIZE),
    }


exercise = Exercise(
    "general_of(queries, keys, W)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "With W = 1, the identity, the score is the dot product.",
            lambda draw: _inputs(draw) | {"W": torch.eye(draw[SIZE])},
            "s · W h with W = 1 is s · h: there is no tanh in it, no √d, and no division by "
            "lengths.",
        ),
        Case(
            "Every score is s · W h, with the query on the left of W.",
            _inputs,
            "W has a row for each entry of the query and a column for each entry of the key. With "
            "the two exchanged it still runs here, since both sizes are the same: then it is Wᵀ.",
        ),
    ],
    slips={
        "The sentences of a batch do not depend on each other. Is the batch summed over, or does "
        "one sentence stand for all?": [
            ("bjk->bij", "cjk->bij"),
            lambda queries, keys, W: queries @ W @ keys[0].T,
        ],
        "e_ij reads h_j and no other key. Was a softmax taken already? Or were axes exchanged by "
        "view or reshape, which keep the order of the numbers? transpose exchanges axes.": [
            lambda *inputs: solution(*inputs).softmax(dim=-1),
            lambda queries, keys, W: solution(queries, keys - keys.mean(dim=1, keepdim=True), W),
            lambda queries, keys, W: queries @ W @ keys.reshape(len(keys), -1, keys.shape[1]),
        ],
        "": [
            lambda queries, keys, W: solution(queries, keys, W) / len(W) ** 0.5,
            lambda queries, keys, W: solution(queries, keys, W.T),
        ],
    },
    gradients=_inputs,
    shape="The batch stays in front: (batch, target, source). In an einsum every tensor that has a "
    "batch gets the same letter for it, and the result keeps that letter.",
)
check = exercise.check
