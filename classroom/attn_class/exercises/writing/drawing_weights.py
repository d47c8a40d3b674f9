"""Exercise: from which probabilities a language model draws its next token.

logits (token)   temperature > 0   top: how many tokens may be drawn
    ->   the probability of each token                              Fan et al. 2018, section 5.4
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

TOKEN, TOP = Size(7, 13), Size(2, 5)
exercise = Exercise("probabilities(logits, temperature, top)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(logits, temperature, top):
    """Hide all but the likeliest, divide, share."""
    least = logits.topk(top).values[-1]
    return (logits.masked_fill(logits < least, -torch.inf) / temperature).softmax(-1)


@exercise.draws
def _inputs(draw: Draw) -> dict:
    order = torch.tensor(draw.shuffled(range(draw[TOKEN])))
    return {
        "logits": (0.4 * order + draw.normal(TOKEN, scale=0.05)).float(),
        "temperature": (0.4, 0.7, 1.6)[draw.integer(3)],
        "top": draw[TOP],
    }


@exercise.must_also(
    "The result is a probability for each token, and they sum to one.",
    hint="Hidden tokens have the probability zero; they are not left out. The softmax comes last, "
    "so that what is left sums to one.",
)
def sums_to_one(answer: Answer, draw: Draw, inputs: dict) -> bool:
    result = answer(**inputs)
    return shaped(result, draw[TOKEN]) and abs(float(result.sum()) - 1) < 1e-4


@exercise.must(
    "At temperature one, with all tokens, it is the softmax.",
    hint="Dividing by one changes nothing, and if `top` is the number of tokens none is hidden.",
)
def plain_softmax(answer: Answer, draw: Draw, inputs: dict) -> bool:
    plain = inputs | {"temperature": 1.0, "top": draw[TOKEN]}
    return answer.gives(inputs["logits"].softmax(-1), **plain)


@exercise.must(
    "Only the likeliest tokens can be drawn, as many as `top` says.",
    hint="Find the smallest logit among the `top` largest, and put minus infinity in place of all "
    "below it. A logit of zero is not a probability of zero.",
)
def only_the_likeliest(answer: Answer, draw: Draw, inputs: dict) -> bool:
    may = answer(**inputs) > 1e-9
    return torch.equal(may, solution(**inputs) > 1e-9)


@exercise.must(
    "The logits are divided by the temperature.",
    hint="Divide the logits, not the probabilities, before the softmax: a small temperature makes "
    "the likeliest token likelier.",
)
def divided(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return answer.agrees(solution, **inputs | {"top": draw[TOKEN]})


@exercise.must(
    "Temperature and top-k work together.",
    hint="What is left after hiding is divided by the temperature too, and shared anew.",
)
def both(answer: Answer, draw: Draw, inputs: dict) -> bool:
    return answer.agrees(solution, **inputs)
