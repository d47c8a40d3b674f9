"""Exercise: the loss of a language model, with the shift by one.

logits (batch position token), of a model that has read all of tokens (batch position)
    ->   the mean of -ln p of each token but the first
"""

import math

import torch
from torch.nn import functional as F

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

BATCH, POSITION, TOKEN = Size(2, 3), Size(4, 7), Size(5, 11)
exercise = Exercise("loss(logits, tokens)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(logits, tokens):
    """The logits at a position are about the token after it."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


@exercise.draws
def _inputs(draw: Draw) -> dict:
    tokens = torch.stack(
        [
            torch.tensor([draw.integer(TOKEN) for _ in range(draw[POSITION])])
            for _ in range(draw[BATCH])
        ]
    )
    return {"logits": draw.normal(BATCH, POSITION, TOKEN, scale=1.5), "tokens": tokens}


@exercise.must_also("One number comes back.", hint="The mean over all predictions, not a table.")
def one_number(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return shaped(torch.as_tensor(answer(**inputs)))


@exercise.must_also(
    "What the model says after the last token is not judged.",
    hint="Nothing comes after the last token, so its logits have no answer to be compared with: "
    "logits[:, :-1].",
)
def last_is_not_judged(answer: Answer, draw: Draw, inputs: dict) -> bool:
    logits = inputs["logits"].clone()
    logits[:, -1] = draw.normal(BATCH, TOKEN, scale=1.5)
    return answer.agrees(lambda **_: answer(**inputs), **inputs | {"logits": logits})


@exercise.must_also(
    "A model that is sure of each token that comes next loses next to nothing.",
    hint="The logits at position i are a prediction of token i + 1. Compare logits[:, :-1] with "
    "tokens[:, 1:].",
)
def knows_what_comes_next(answer: Answer, draw: Draw, inputs: dict) -> bool:
    following = inputs["tokens"].roll(-1, 1)
    sure = 20.0 * F.one_hot(following, draw[TOKEN]).float()
    return abs(float(answer(**inputs | {"logits": sure}))) < 1e-3


@exercise.must(
    "If all logits are equal, the loss is the logarithm of the number of tokens.",
    hint="The mean over batch and positions, in nats. It is minus the logarithm of a probability, "
    "and the softmax is over the tokens.",
)
def equal_logits(answer: Answer, draw: Draw, inputs: dict) -> bool:
    equal = torch.zeros_like(inputs["logits"])
    return abs(float(answer(**inputs | {"logits": equal})) - math.log(draw[TOKEN])) < 1e-4


@exercise.must(
    "It is the mean of -ln p over every prediction.",
    hint="Each row and each position but the last counts once. Are the logits flattened to "
    "(prediction, token) with the tokens in the same order?",
)
def mean_over_all(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return answer.agrees(solution, **inputs)


exercise.must_pass_gradients(solution, _inputs)
