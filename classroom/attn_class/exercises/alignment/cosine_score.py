"""Exercise: the cosine, made sharp by a temperature.

    e_ij = cos(s_i, h_j) / τ                       Graves et al. 2014, equations 5 and 6 (β = 1/τ)

    queries (target d)   keys (source d)   temperature   ->   scores (target source)

A vector of zeros has no direction: its score is 0, never NaN.
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

TARGET, SOURCE, SIZE = Size(2, 5), Size(3, 7), Size(2, 11)
exercise = Exercise("cosine_of(queries, keys, temperature)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(queries: Tensor, keys: Tensor, temperature: float) -> Tensor:
    """The smallest length allowed is tiny, so only a vector of zeros meets it."""
    queries, keys = (
        part / part.norm(dim=-1, keepdim=True).clamp(min=1e-12) for part in (queries, keys)
    )
    return queries @ keys.T / temperature


@exercise.must_also(
    "Every pair of a query and a key gets one number.",
    hint="The result is (target, source). torch.cosine_similarity compares two tables row by "
    "row; here every query meets every key.",
)
def one_score_a_pair(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[TARGET], draw[SOURCE])


@exercise.must_also(
    "A longer key in the same direction has the same score, and so has a longer query.",
    hint="Each vector is divided by its own length: the norm along the last axis, kept as an axis "
    "of size one (keepdim=True) so that each row meets its own.",
)
def only_the_direction_counts(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before = answer(**inputs)
    longer = inputs["keys"] * draw.normal(SOURCE, 1, scale=0.5).exp()
    further = inputs["queries"] * draw.normal(TARGET, 1, scale=0.5).exp()
    return same(answer(**inputs | {"keys": longer}), before) and same(
        answer(**inputs | {"queries": further}), before
    )


@exercise.must_also(
    "Half the temperature gives twice the scores.",
    hint="The cosine is divided by the temperature: below 1 it makes the weights sharper. It "
    "comes last; the lengths have nothing to do with it.",
)
def temperature_divides(answer: Answer, draw: Draw, inputs: dict) -> bool:
    single = answer(**inputs)
    return answer.gives(2 * single, **inputs | {"temperature": inputs["temperature"] / 2})


@exercise.must_also(
    "With temperature 1 the score of a vector with itself is 1.",
    hint="cos(s, s) = 1. Were the vectors divided by their squared length, or by the sum of their "
    "entries? Was a softmax taken, or an angle computed?",
)
def one_with_itself(answer: Answer, draw: Draw) -> bool:
    queries = draw.normal(TARGET, SIZE)
    found = answer(queries=queries, keys=queries, temperature=1.0)
    return same(found.diagonal(), torch.ones(draw[TARGET]))


@exercise.must(
    "Every score is the cosine over the temperature.",
    hint="Nearly: compare one score with the equation by hand. A cosine may be negative.",
)
def is_the_definition(answer: Answer, draw: Draw, inputs: dict) -> bool:
    pairs = torch.cosine_similarity(
        inputs["queries"].unsqueeze(1), inputs["keys"].unsqueeze(0), dim=-1
    )
    return answer.gives(pairs / inputs["temperature"], **inputs)


@exercise.must_also(
    "Very short vectors are compared as well as long ones.",
    hint="Something was added to every length, or the smallest length allowed is too large: it "
    "then shrinks the scores of honest short vectors. 1e-12 is enough.",
)
def short_is_not_nothing(answer: Answer, draw: Draw, inputs: dict) -> bool:
    before = answer(**inputs)
    return same(answer(**inputs | {"keys": 1e-4 * inputs["keys"]}), before)


@exercise.must(
    "A query or a key of zeros has the score 0 with everything.",
    hint="0 / 0 is not a number, and one NaN makes a whole row of weights NaN. Let no length, of "
    "a query or of a key, be smaller than a tiny number: norm.clamp(min=1e-12).",
)
def zeros_are_safe(answer: Answer, draw: Draw, inputs: dict) -> bool:
    query, key = draw.integer(TARGET), draw.integer(SOURCE)
    inputs["queries"][query] = 0
    inputs["keys"][key] = 0
    found = answer(**inputs)
    zero = torch.cat([found[query], found[:, key]])
    safe = bool(found.isfinite().all()) and bool(found.any())
    return safe and same(zero, torch.zeros(draw[SOURCE] + draw[TARGET]))


@exercise.must(
    "A vector with an infinite entry is not passed off as one with a direction.",
    hint="An infinite entry means that something went wrong before. Its scores stay NaN, or the "
    "call raises an error; nan_to_num hides it, along with the vectors of zeros for which it was "
    "meant. Make the division itself safe.",
)
def infinity_is_not_hidden(answer: Answer, draw: Draw, inputs: dict) -> bool:
    key = draw.integer(SOURCE)
    inputs["keys"][key, draw.integer(SIZE)] = torch.inf
    return answer.refuses(Exception, **inputs) or not answer(**inputs)[:, key].isfinite().any()


@exercise.draws
def _inputs(draw: Draw) -> dict[str, Tensor | float]:
    return {
        "queries": draw.normal(TARGET, SIZE),
        "keys": draw.normal(SOURCE, SIZE),
        "temperature": 0.7 + draw.integer(3) / 10,
    }


exercise.must_pass_gradients(solution, _inputs)
