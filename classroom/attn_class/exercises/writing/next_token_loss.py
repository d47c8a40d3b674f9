"""Exercise: the loss of a language model, with the shift by one.

logits (batch position token), of a model that has read all of tokens (batch position)
    ->   the mean of -ln p of each token but the first
"""

import math

import torch
from torch.nn import functional as F

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

BATCH, POSITION, TOKEN = Size(2, 3), Size(4, 7), Size(5, 11)


def solution(logits, tokens):
    """The logits at a position are about the token after it."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def _inputs(draw: Draw) -> dict:
    tokens = torch.stack(
        [
            torch.tensor([draw.integer(TOKEN) for _ in range(draw[POSITION])])
            for _ in range(draw[BATCH])
        ]
    )
    return {"logits": draw.normal(BATCH, POSITION, TOKEN, scale=1.5), "tokens": tokens}


def _sure(draw: Draw) -> dict:
    inputs = _inputs(draw)
    following = F.one_hot(inputs["tokens"].roll(-1, 1), draw[TOKEN])
    return inputs | {"logits": 20.0 * following.float()}


def _even(draw: Draw) -> dict:
    inputs = _inputs(draw)
    return inputs | {"logits": torch.zeros_like(inputs["logits"])}


exercise = Exercise(
    "loss(logits, tokens)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Weak(
            "A model that is sure of each token that comes next loses next to nothing.",
            _sure,
            "The logits at position i are a prediction of token i + 1. Compare logits[:, :-1] with "
            "tokens[:, 1:].",
        ),
        Weak(
            "If all logits are equal, the loss is the logarithm of the number of tokens.",
            _even,
            "The mean over batch and positions, in nats. It is minus the logarithm of a "
            "probability, and the softmax is over the tokens.",
        ),
        Case(
            "It is the mean of -ln p over every prediction.",
            _inputs,
            "Each row and each position but the last counts once. Are the logits flattened to "
            "(prediction, token) with the tokens in the same order?",
        ),
    ],
    slips={
        "Nothing comes after the last token, so its logits have no answer to be compared with: "
        "logits[:, :-1].": [
            ("logits[:, :-1]", "logits", "tokens[:, 1:]", "tokens"),
            ("logits[:, :-1]", "logits", "tokens[:, 1:]", "tokens.roll(-1, 1)"),
            ("logits[:, :-1]", "logits[:, 1:]", "tokens[:, 1:]", "tokens[:, :-1]"),
        ],
        "": [
            ("tokens[:, 1:]", "tokens[:, :-1]"),
            lambda logits, tokens: solution(logits, tokens) / math.log(2),
            lambda logits, tokens: solution(logits[:1], tokens[:1]),
        ],
    },
    gradients=_inputs,
    shape="The mean over all predictions, not a table.",
)
check = exercise.check
