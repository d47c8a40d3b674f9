"""Exercise: how many places must be hidden, the heaviest first, until the answer changes?

Hide the place with the largest weight, then the two heaviest places, and so on; what is left is
scaled up to sum to 1. Return the smallest number of hidden places at which the answer changes. If
it never changes while a place is left, return the number of places.
                                             Serrano & Smith 2019, section 4

weights (source)   annotations (source annotation)   answer(context) -> a whole number
    ->   a whole number
"""

import torch

from attn_class.exercises.frame import Answer, Draw, Exercise, Size

SOURCE, ANNOTATION, SYMBOL = Size(5, 11), Size(2, 7), Size(3, 13)
exercise = Exercise("flips_after(weights, annotations, answer)", minutes=15, difficulty="moderate")
check = exercise.check


def solution(weights, annotations, answer):
    """One place more each time, until the answer changes."""
    before = answer(weights @ annotations)
    order = weights.argsort(descending=True)
    for count in range(1, len(weights)):
        left = weights.clone()
        left[order[:count]] = 0.0
        if answer(left / left.sum() @ annotations) != before:
            return count
    return len(weights)


def _reading(draw: Draw, counts: int) -> dict:
    """The `counts` heaviest places say one thing, all others another; any one of them decides."""
    size = draw[SOURCE]
    steps = 1.0 + torch.arange(size, 0, -1).float() + draw.normal(size, scale=0.1)
    order = draw.normal(size).argsort()
    weights = torch.empty(size)
    weights[order] = steps / steps.sum()
    annotations = torch.zeros(size, 2)
    annotations[order[:counts], 0] = 100.0  # as long as one of these is left, it decides
    annotations[:, 1] = 1.0

    def answer(context):
        return 3 if float(context[0]) > float(context[1]) else 5

    return {"weights": weights, "annotations": annotations, "answer": answer}


@exercise.must_also(
    "A whole number is returned.",
    hint="Return how many places are hidden, not a list of them and not a share.",
)
def a_whole_number(answer: Answer, draw: Draw) -> bool:
    result = answer(**_reading(draw, 2))
    return int(result) == result


@exercise.must_also(
    "Where the heaviest place alone decides, one is enough.",
    hint="Hide the heaviest first: a sort in ascending order begins at the other end. And a hidden "
    "place must have weight 0; a softmax would give it a share again.",
)
def one_is_enough(answer: Answer, draw: Draw) -> bool:
    return answer.gives(1, **_reading(draw, 1))


@exercise.must(
    "Where several places say the same, all of them must be hidden.",
    hint="The places that are hidden already stay hidden when the next one is.",
)
def all_must_go(answer: Answer, draw: Draw) -> bool:
    return all(answer.gives(count, **_reading(draw, count)) for count in draw.shuffled((2, 3, 4)))


@exercise.must_also(
    "If the answer never changes, the number of places is returned.",
    hint="Stop while one place is left: with nothing left there is nothing to scale up, and 0 / 0 "
    "is not a number.",
)
def never_is_the_number_of_places(answer: Answer, draw: Draw) -> bool:
    inputs, asked = _reading(draw, draw[SOURCE]), []

    def listening(context):
        asked.append(torch.as_tensor(context))
        return reads(context)

    reads, inputs["answer"] = inputs["answer"], listening
    right = answer.gives(draw[SOURCE], **inputs)
    return right and all(bool(context.isfinite().all()) for context in asked)


@exercise.must_also(
    "What is left is scaled up to sum to 1.",
    hint="If it is not, the context shrinks, and its length alone may change the answer.",
)
def what_is_left_sums_to_one(answer: Answer, draw: Draw) -> bool:
    inputs = _reading(draw, 1)
    inputs["annotations"] = torch.ones(draw[SOURCE], 2)
    inputs["answer"] = lambda context: int(float(context[0]) < 0.999)
    return answer.gives(draw[SOURCE], **inputs)
