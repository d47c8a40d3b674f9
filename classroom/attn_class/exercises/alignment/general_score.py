"""Exercise: the general score of a whole batch.

e_ij = s_i · W h_j                             Luong et al. 2015, section 3.1

queries (batch target query)   keys (batch source key)   W (query key)
    ->   scores (batch target source)
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

BATCH, TARGET, SOURCE, SIZE = Size(1, 3), Size(2, 5), Size(3, 7), Size(2, 11)
SEVERAL = Size(2, 3)  # sentences
exercise = Exercise("general_of(queries, keys, W)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    """q and k are summed over; the letters that are left give the shape."""
    return torch.einsum("biq,qk,bjk->bij", queries, W, keys)


@exercise.must_also(
    "Every sentence of the batch gets its own table (target, source).",
    hint="The batch stays in front: (batch, target, source). In an einsum every tensor that has a "
    "batch gets the same letter for it, and the result keeps that letter.",
)
def one_table_a_sentence(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[BATCH], draw[TARGET], draw[SOURCE])


@exercise.must_also(
    "A different sentence elsewhere in the batch changes no score of this one.",
    hint="The sentences of a batch do not depend on each other. Is the batch summed over, "
    "or does one sentence stand for all?",
)
def sentences_are_apart(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, SEVERAL)
    before = answer(**inputs)
    alone = {name: inputs[name][1:] if name != "W" else inputs["W"] for name in inputs}
    return same(answer(**alone), before[1:])


@exercise.must(
    "A different key changes the scores of its own position alone.",
    hint="e_ij reads h_j and no other key. Was a softmax taken already? Or were axes exchanged by "
    "view or reshape, which keep the order of the numbers? transpose exchanges axes.",
)
def reads_its_own_key(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    j = draw.integer(SOURCE)
    other = inputs["keys"].clone()
    other[:, j] = draw.normal(BATCH, SIZE)
    moved = (answer(**inputs | {"keys": other}) - answer(**inputs)).abs().sum(dim=(0, 1)) > 1e-5
    return moved.tolist() == [place == j for place in range(draw[SOURCE])]


@exercise.must(
    "With W = 1, the identity, the score is the dot product.",
    hint="s · W h with W = 1 is s · h: there is no tanh in it, no √d, and no division by lengths.",
)
def with_the_identity_it_is_dot(answer: Answer, draw: Draw) -> bool:
    return answer.agrees(_by_loops, **_inputs(draw) | {"W": torch.eye(draw[SIZE])})


@exercise.must(
    "Every score is s · W h, with the query on the left of W.",
    hint="W has a row for each entry of the query and a column for each entry of the key. With "
    "the two exchanged it still runs here, since both sizes are the same: then it is Wᵀ.",
)
def is_the_definition(answer: Answer, draw: Draw) -> bool:
    return answer.agrees(_by_loops, **_inputs(draw))


def _inputs(draw: Draw, batch: Size = BATCH) -> dict[str, Tensor]:
    return {
        "queries": draw.normal(batch, TARGET, SIZE),
        "keys": draw.normal(batch, SOURCE, SIZE),
        "W": draw.normal(SIZE, SIZE),
    }


def _by_loops(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    """The equation pair by pair."""
    return torch.tensor(
        [
            [
                [
                    sum(
                        s * sum(w * h for w, h in zip(row, key, strict=True))
                        for s, row in zip(query, W.tolist(), strict=True)
                    )
                    for key in of_keys
                ]
                for query in of_queries
            ]
            for of_queries, of_keys in zip(queries.tolist(), keys.tolist(), strict=True)
        ]
    )


exercise.must_pass_gradients(solution, _inputs)
