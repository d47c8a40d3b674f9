"""Exercise: a dictionary look-up as the limit of attention.

c = Σ_j α_j v_j,   α = softmax(e / τ),   e_j = q · k_j         at τ = 0: the value of the best key

query (size)   keys (source size)   values (source value)   temperature τ >= 0
    ->   context (value)

If several keys are best, they share equally: this is the limit of the softmax as τ goes to 0.
"""

import math

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

SOURCE, SIZE, VALUE = Size(5, 11), Size(2, 7), Size(2, 7)
exercise = Exercise(
    "look_up_softly(query, keys, values, temperature)", minutes=10, difficulty="moderate"
)
check = exercise.check


def solution(query, keys, values, temperature):
    """At 0 nothing can be divided: take the limit by hand."""
    scores = keys @ query
    if temperature == 0:
        best = (scores == scores.max()).float()
        return best / best.sum() @ values
    return torch.softmax(scores / temperature, dim=0) @ values


def _inputs(draw: Draw, temperature: float) -> dict:
    return {
        "query": draw.normal(SIZE, scale=1.0),
        "keys": draw.normal(SOURCE, SIZE, scale=1.0),
        "values": draw.normal(SOURCE, VALUE, scale=1.0),
        "temperature": temperature,
    }


def _scores(inputs: dict) -> list[float]:
    query = inputs["query"].tolist()
    keys = inputs["keys"].tolist()
    return [sum(q * k for q, k in zip(query, key, strict=True)) for key in keys]


def _by_loop(inputs: dict) -> Tensor:
    """The equation number by number."""
    scores = _scores(inputs)
    powers = [math.exp((e - max(scores)) / inputs["temperature"]) for e in scores]
    pairs = zip(powers, inputs["values"], strict=True)
    return sum(power / sum(powers) * value for power, value in pairs)


def _one_hot_keys(draw: Draw, best: list[int]) -> dict:
    """Keys of which these fit the query best: by a hair, and exactly alike."""
    keys = torch.zeros(draw[SOURCE], draw[SIZE])
    keys[:, 1], keys[best] = 1.0, torch.eye(draw[SIZE])[0]
    query = 0.02 * torch.eye(draw[SIZE])[0] + 0.01 * torch.eye(draw[SIZE])[1]
    return {**_inputs(draw, 0), "query": query, "keys": keys}


@exercise.must_also(
    "It returns one value.",
    hint="The result is as long as a row of values, however many there are: it is their average.",
)
def one_value(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw, 1.0)), draw[VALUE])


@exercise.must(
    "At temperature 1 it is attention with the dot product.",
    hint="Scores from the keys, a softmax over the source, an average of the values. The keys "
    "decide where to look, and the values are what is seen there. (If what is returned looks like "
    "what is expected: was something small added to the temperature? Treat 0 as a separate case "
    "instead.)",
)
def is_attention(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, 1.0)
    return answer.gives(_by_loop(inputs), **inputs)


@exercise.must(
    "A lower temperature sharpens, a higher one flattens.",
    hint="Divide the scores by the temperature, before the softmax.",
)
def temperature_divides(answer: Answer, draw: Draw) -> bool:
    for temperature in (0.4, 3.0):
        inputs = _inputs(draw, temperature)
        if not answer.gives(_by_loop(inputs), **inputs):
            return False
    return True


@exercise.must(
    "A very low temperature does no harm.",
    hint="exp of a large number is infinite, and ∞ / ∞ is not a number. torch.softmax subtracts "
    "the largest score first.",
)
def survives_low_temperatures(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw, 1e-4)
    scores = sorted(_scores(inputs))
    if scores[-1] - scores[-2] < 0.01:
        return True  # too close to call at five digits
    return answer.gives(_by_loop(inputs), **inputs)


@exercise.must(
    "At temperature 0 it is the value of the best key, exactly.",
    hint="Nothing can be divided by 0, so treat this case separately. The result is the value at "
    "the position with the largest score.",
)
def at_zero_it_is_a_dictionary(answer: Answer, draw: Draw) -> bool:
    place = draw.integer(SOURCE)
    inputs = _one_hot_keys(draw, [place])
    return answer.gives(inputs["values"][place], **inputs)


@exercise.must(
    "At temperature 0, keys that fit equally well share equally.",
    hint="argmax takes the first of several, but the softmax of equal scores stays equal however "
    "low the temperature is.",
)
def ties_are_shared(answer: Answer, draw: Draw) -> bool:
    inputs = _one_hot_keys(draw, [1, 2, 4])
    return answer.gives(inputs["values"][[1, 2, 4]].mean(dim=0), **inputs)


exercise.must_pass_gradients(solution, lambda draw: _inputs(draw, 1.0))
