"""Exercise: from which probabilities a language model draws its next token.

logits (token)   temperature > 0   top: how many tokens may be drawn
    ->   the probability of each token                              Fan et al. 2018, section 5.4
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

TOKEN, TOP = Size(7, 13), Size(2, 5)


def solution(logits, temperature, top):
    """Hide all but the likeliest, divide, share."""
    least = logits.topk(top).values[-1]
    return (logits.masked_fill(logits < least, -torch.inf) / temperature).softmax(-1)


def _inputs(draw: Draw) -> dict:
    order = torch.tensor(draw.shuffled(range(draw[TOKEN])))
    return {
        "logits": (0.4 * order + draw.normal(TOKEN, scale=0.05)).float(),
        "temperature": (0.4, 0.7, 1.6)[draw.integer(3)],
        "top": draw[TOP],
    }


def _of_all(draw: Draw) -> dict:
    return _inputs(draw) | {"top": draw[TOKEN]}


_SUMS_TO_ONE = (
    "Hidden tokens have the probability zero; they are not left out. The softmax comes last, so "
    "that what is left sums to one."
)
exercise = Exercise(
    "probabilities(logits, temperature, top)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "At temperature one, with all tokens, it is the softmax.",
            lambda draw: _of_all(draw) | {"temperature": 1.0},
            "Dividing by one changes nothing, and if `top` is the number of tokens none is hidden.",
        ),
        Case(
            "The logits are divided by the temperature.",
            _of_all,
            "Divide the logits, not the probabilities, before the softmax: a small temperature "
            "makes the likeliest token likelier.",
        ),
        Case(
            "Only the likeliest tokens can be drawn, as many as `top` says.",
            lambda draw: _inputs(draw) | {"temperature": 1.0},
            "Find the smallest logit among the `top` largest, and put minus infinity in place of "
            "all below it. A logit of zero is not a probability of zero.",
        ),
        Case(
            "Temperature and top-k work together.",
            _inputs,
            "What is left after hiding is divided by the temperature too, and shared anew.",
        ),
    ],
    slips={
        _SUMS_TO_ONE: [
            lambda logits, temperature, top: (
                solution(logits, temperature, len(logits))
                * (solution(logits, temperature, top) > 0)
            ),
        ],
        "": [
            ("logits < least", "logits <= least"),
            ("/ temperature", "* temperature"),
            ("logits.masked_fill(logits < least, -torch.inf)", "logits * (logits >= least)"),
            ("/ temperature", "/ (temperature if top == len(logits) else 1.0)"),
        ],
    },
    shape=_SUMS_TO_ONE,
)
check = exercise.check
