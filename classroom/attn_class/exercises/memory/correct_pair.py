"""Exercise: write one pair by the delta rule.

S' = S + β (v - S k) kᵀ                            Schlag et al. 2021

state (value key)   key (key)   value (value)   strength β, 0 to 1   ->   the new state (value key)
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

KEY, VALUE = Size(2, 5), Size(2, 7)


def solution(state, key, value, strength):
    """Only what is new about the value is written."""
    new = value - state @ key
    return state + strength * torch.outer(new, key)


def _inputs(draw: Draw, strength: float = 1.0) -> dict:
    return {
        "state": draw.normal(VALUE, KEY),
        "key": _unit(draw.normal(KEY)),
        "value": draw.normal(VALUE),
        "strength": strength,
    }


def _unit(vector):
    return vector / vector.norm()


def _empty(draw: Draw) -> dict:
    inputs = _inputs(draw)
    return inputs | {"state": torch.zeros_like(inputs["state"])}


exercise = Exercise(
    "correct(state, key, value, strength)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Into an empty state it writes the pair as it is.",
            _empty,
            "S k = 0, so there is nothing to correct: what is added is the outer product of v and "
            "k.",
        ),
        Case(
            "With a key of length 1 and strength 1, the pair reads back exactly.",
            _inputs,
            "S' k = S k + (v - S k) (k · k). Do you subtract what the state says about this key?",
        ),
        Case(
            "The strength says how far to go: at 0 nothing changes, at a half it goes half the "
            "way.",
            lambda draw: [_inputs(draw, 0.0), _inputs(draw, 0.5)],
            "β multiplies the whole of v - S k, including what is subtracted.",
        ),
        Case(
            "A key of any length is taken as it is.",
            lambda draw: _inputs(draw) | {"key": draw.normal(KEY)},
            "Do not bring the key to length 1: the rule uses k as it is, both times.",
        ),
    ],
    slips={
        "Each row may change only by a multiple of k: nothing is scaled down or changed besides.": [
            ("torch.outer(new, key)", "(torch.outer(value, key) - state)"),
            (
                "value - state @ key",
                "value",
                "state + strength",
                "(1 - strength) * state + strength",
            ),
        ],
        "": [
            ("state + ", "state - "),
            ("value - state @ key", "value"),
            ("strength * ", ""),
            ("(new, key)", "(new, key) / (key @ key)"),
        ],
    },
    gradients=_inputs,
    shape="What is added is an outer product, (value, key), like the state.",
)
check = exercise.check
