"""Exercise: how many places must be hidden, the heaviest first, until the answer changes?

Hide the place with the largest weight, then the two heaviest places, and so on; what is left is
scaled up to sum to 1. Return the smallest number of hidden places at which the answer changes. If
it never changes while a place is left, return the number of places.
                                             Serrano & Smith 2019, section 4

weights (source)   annotations (source annotation)   answer(context) -> a whole number
    ->   a whole number
"""

import torch

from attn_class.exercises.frame import Answer, Case, Draw, Exercise, Size, Weak

SOURCE, ANNOTATION, SYMBOL = Size(5, 11), Size(2, 7), Size(3, 13)


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


def _always_as_long(draw: Draw) -> dict:
    """An answer that only a shorter context changes."""
    inputs = _reading(draw, 1)
    ones = torch.ones_like(inputs["annotations"])
    return inputs | {"annotations": ones, "answer": lambda context: int(float(context[0]) < 0.999)}


_NEVER_IS_THE_NUMBER_OF_PLACES = (
    "Stop while one place is left: with nothing left there is nothing to scale up, and 0 / 0 is "
    "not a number."
)
exercise = Exercise(
    "flips_after(weights, annotations, answer)",
    minutes=15,
    difficulty="moderate",
    solution=solution,
    cases=[
        Weak(
            "Where the heaviest place alone decides, one is enough.",
            lambda draw: _reading(draw, 1),
            "Hide the heaviest first: a sort in ascending order begins at the other end. And a "
            "hidden place must have weight 0; a softmax would give it a share again.",
        ),
        Case(
            "Where several places say the same, all of them must be hidden.",
            lambda draw: [_reading(draw, count) for count in draw.shuffled((2, 3, 4))],
            "The places that are hidden already stay hidden when the next one is.",
        ),
        Weak(
            "What is left is scaled up to sum to 1.",
            _always_as_long,
            "If it is not, the context shrinks, and its length alone may change the answer.",
        ),
    ],
    slips={
        "Return how many places are hidden, not a list of them and not a share.": [
            ("return count", "return count / len(weights)")
        ],
        _NEVER_IS_THE_NUMBER_OF_PLACES: [("return len(weights)", "return 0")],
        "": [
            ("descending=True", ""),
            ("order[:count]", "order[count - 1]"),
            ("left / left.sum()", "left"),
        ],
    },
)
check = exercise.check


@exercise.must_also(
    "If the answer never changes, the number of places is returned.",
    hint=_NEVER_IS_THE_NUMBER_OF_PLACES,
)
def never_is_the_number_of_places(answer: Answer, draw: Draw) -> bool:
    inputs, contexts = _reading(draw, draw[SOURCE]), []

    def listening(context):
        contexts.append(torch.as_tensor(context))
        return reads(context)

    reads, inputs["answer"] = inputs["answer"], listening
    right = answer.gives(draw[SOURCE], **inputs)
    return right and all(bool(context.isfinite().all()) for context in contexts)
