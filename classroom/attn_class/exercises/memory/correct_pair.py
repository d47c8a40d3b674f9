"""Exercise: write one pair by the delta rule.

S' = S + β (v - S k) kᵀ                            Schlag et al. 2021

state (value key)   key (key)   value (value)   strength β, 0 to 1   ->   the new state (value key)
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

KEY, VALUE = Size(2, 5), Size(2, 7)
exercise = Exercise("correct(state, key, value, strength)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(state, key, value, strength):
    """Only what is new about the value is written."""
    new = value - state @ key
    return state + strength * torch.outer(new, key)


@exercise.draws
def _inputs(draw: Draw, strength: float = 1.0) -> dict:
    return {
        "state": draw.normal(VALUE, KEY),
        "key": _unit(draw.normal(KEY)),
        "value": draw.normal(VALUE),
        "strength": strength,
    }


def _unit(vector):
    return vector / vector.norm()


@exercise.must_also(
    "The state keeps its shape.",
    hint="What is added is an outer product, (value, key), like the state.",
)
def keeps_its_shape(answer: Answer, draw: Draw) -> bool:
    return shaped(answer(**_inputs(draw)), draw[VALUE], draw[KEY])


@exercise.must(
    "Into an empty state it writes the pair as it is.",
    hint="S k = 0, so there is nothing to correct: what is added is the outer product of v and k.",
)
def writes_into_an_empty_state(answer: Answer, draw: Draw, inputs: dict) -> bool:
    inputs["state"] = torch.zeros_like(inputs["state"])
    return answer.gives(torch.outer(inputs["value"], inputs["key"]), **inputs)


@exercise.must(
    "With a key of length 1 and strength 1, the pair reads back exactly.",
    hint="S' k = S k + (v - S k) (k · k). Do you subtract what the state says about this key?",
)
def reads_back(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return same(answer(**inputs) @ inputs["key"], inputs["value"])


@exercise.must_also(
    "A key at a right angle to this one reads back what it did before.",
    hint="Each row may change only by a multiple of k: nothing is scaled down or changed besides.",
)
def others_stay(answer: Answer, draw: Draw, inputs: dict) -> bool:
    other = draw.normal(KEY)
    other = other - (other @ inputs["key"]) * inputs["key"]
    return same(answer(**inputs) @ other, inputs["state"] @ other)


@exercise.must(
    "The strength says how far to go: at 0 nothing changes, at a half it goes half the way.",
    hint="β multiplies the whole of v - S k, including what is subtracted.",
)
def goes_as_far_as_asked(answer: Answer, draw: Draw) -> bool:
    return all(
        answer.agrees(solution, **inputs) for inputs in (_inputs(draw, 0.0), _inputs(draw, 0.5))
    )


@exercise.must(
    "A key of any length is taken as it is.",
    hint="Do not bring the key to length 1: the rule uses k as it is, both times.",
)
def the_key_is_taken_as_it_is(answer: Answer, draw: Draw) -> bool:
    return answer.agrees(solution, **_inputs(draw) | {"key": draw.normal(KEY)})


exercise.must_pass_gradients(solution, _inputs)
