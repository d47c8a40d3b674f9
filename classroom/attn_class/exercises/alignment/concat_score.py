"""Exercise: the concat score of every pair at once.

e_ij = v · tanh(W [s_i ; h_j])                 Luong et al. 2015, section 3.1

queries (target query)   keys (source key)   W (hidden query+key)   v (hidden)
    ->   scores (target source)
"""

import math

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

TARGET, SOURCE, QUERY, KEY, HIDDEN = Size(2, 5), Size(3, 7), Size(2, 11), Size(2, 11), Size(2, 11)
exercise = Exercise("concat_of(queries, keys, W, v)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(queries: Tensor, keys: Tensor, W: Tensor, v: Tensor) -> Tensor:
    """W's left columns belong to the query, the others to the key: no pair has to be built."""
    size = queries.shape[-1]
    asked = queries @ W[:, :size].T  # (target hidden)
    offered = keys @ W[:, size:].T  # (source hidden)
    return torch.tanh(asked.unsqueeze(1) + offered.unsqueeze(0)) @ v


@exercise.must_also(
    "Every pair of a query and a key gets one number.",
    hint="Rows are queries and columns are keys: the result is (target, source). v · tanh(...) is "
    "one number for each pair, so the axis of W's rows is gone in the end.",
)
def one_score_a_pair(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[TARGET], draw[SOURCE])


@exercise.must(
    "A different key at one position changes the scores there, and nowhere else.",
    hint="e_ij reads h_j alone. Was a softmax taken already, or a mean over the keys? Does one "
    "key stand for all? In a list of pairs, each query meets all keys before the next query comes: "
    "repeat_interleave for the queries, repeat for the keys.",
)
def reads_its_own_key(answer: Answer, draw: Draw, inputs: dict) -> bool:
    j = draw.integer(SOURCE)
    other = inputs["keys"].clone()
    other[j] = draw.normal(KEY)
    moved = answer(**inputs | {"keys": other}) - answer(**inputs)
    rest = torch.arange(draw[SOURCE]) != j
    return not same(moved[:, j], torch.zeros(draw[TARGET])) and same(
        moved[:, rest], torch.zeros(draw[TARGET], draw[SOURCE] - 1)
    )


@exercise.must_also(
    "A different query changes some of its scores more than others.",
    hint="The query adds the same number to every score, or nothing at all. A softmax cancels "
    "what is the same for all: the two halves must meet inside the tanh.",
)
def query_and_key_meet(answer: Answer, draw: Draw, inputs: dict) -> bool:
    i = draw.integer(TARGET)
    other = inputs["queries"].clone()
    other[i] = draw.normal(QUERY)
    moved = (answer(**inputs | {"queries": other}) - answer(**inputs))[i]
    return not same(moved - moved.mean(), torch.zeros(draw[SOURCE]))


@exercise.must(
    "Every score is v · tanh(W [s ; h]).",
    hint="All the parts are there. The query stands first in the pair, so W's first columns are "
    "the query's; tanh comes after W and before v, and nothing comes after v.",
)
def is_the_definition(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return answer.gives(torch.tensor(_by_loops(**inputs)), **inputs)


@exercise.draws
def _inputs(draw: Draw) -> dict[str, Tensor]:
    return {
        "queries": draw.normal(TARGET, QUERY),
        "keys": draw.normal(SOURCE, KEY),
        "W": draw.normal(HIDDEN, draw[QUERY] + draw[KEY]),
        "v": draw.normal(HIDDEN),
    }


def _by_loops(queries: Tensor, keys: Tensor, W: Tensor, v: Tensor) -> list[list[float]]:
    """The equation pair by pair and number by number."""
    rows = []
    for query in queries.tolist():
        row = []
        for key in keys.tolist():
            pair = [*query, *key]
            inside = [sum(w * x for w, x in zip(line, pair, strict=True)) for line in W.tolist()]
            row.append(sum(f * math.tanh(x) for f, x in zip(v.tolist(), inside, strict=True)))
        rows.append(row)
    return rows


exercise.must_pass_gradients(solution, _inputs)
