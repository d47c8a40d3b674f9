"""Exercise: the scaled dot product.

e_ij = s_i · h_j / √d                          Vaswani et al. 2017, equation 1

queries (batch target d)   keys (batch source d)   ->   scores (batch target source)
"""

import math

import torch
from torch import Tensor

from attn_course.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

BATCH, TARGET, SOURCE, SIZE = Size(1, 3), Size(2, 5), Size(3, 7), Size(2, 11)
exercise = Exercise("scaled_dot_of(queries, keys)")
check = exercise.check


def solution(queries: Tensor, keys: Tensor) -> Tensor:
    """d is the size of what is multiplied: the last axis, of either."""
    return queries @ keys.transpose(1, 2) / math.sqrt(queries.shape[-1])


@exercise.must(
    "Every pair of a query and a key of one sentence gets one number.",
    hint="The result is (batch, target, source): only the last two axes of the keys change places.",
)
def one_score_a_pair(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[BATCH], draw[TARGET], draw[SOURCE])


@exercise.must(
    "Twice the key has twice the score.",
    hint="A dot product grows with the length of the key; nothing here is normalised, and no "
    "softmax is taken yet.",
)
def grows_with_the_key(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    single = answer(**inputs)
    return answer.gives(2 * single, **inputs | {"keys": 2 * inputs["keys"]})


@exercise.must(
    "A longer source changes no score of the positions that were there.",
    hint="d is the size of a query, not the number of keys. Which axis did you take the root of?",
)
def length_of_the_source_does_not_matter(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    longer = torch.cat([inputs["keys"], draw.normal(BATCH, 6, SIZE)], dim=1)
    before = answer(**inputs)
    return same(answer(**inputs | {"keys": longer})[:, :, : draw[SOURCE]], before)


@exercise.must(
    "More queries change no score of the queries that were there.",
    hint="d is the size of a query, not the number of queries. Which axis did you take the root "
    "of?",
)
def number_of_queries_does_not_matter(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    more = torch.cat([inputs["queries"], draw.normal(BATCH, 8, SIZE)], dim=1)
    before = answer(**inputs)
    return same(answer(**inputs | {"queries": more})[:, : draw[TARGET]], before)


@exercise.must(
    "Four times the size, with each entry written four times, gives twice the scores.",
    hint="s · h is then four times as large and √d is twice as large. Is the division there, once, "
    "and by the root of d?",
)
def divided_by_the_root_of_the_size(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    single = answer(**inputs)
    wider = {name: part.repeat(1, 1, 4) for name, part in inputs.items()}
    return answer.gives(2 * single, **wider)


@exercise.must(
    "Every score is s · h / √d.",
    hint="Nearly: compare one score with the equation by hand.",
)
def is_the_definition(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    pairs = inputs["queries"].unsqueeze(2) * inputs["keys"].unsqueeze(1)
    return answer.gives(pairs.sum(dim=-1) / draw[SIZE] ** 0.5, **inputs)


def _inputs(draw: Draw) -> dict[str, Tensor]:
    return {"queries": draw.normal(BATCH, TARGET, SIZE), "keys": draw.normal(BATCH, SOURCE, SIZE)}


exercise.must_pass_gradients(solution, _inputs)
