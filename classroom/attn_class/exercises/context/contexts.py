"""Exercise: the contexts of a whole batch at once.

c_i = Σ_j α_ij h_j                               Bahdanau et al. 2015, equation 5

weights (batch target source)   annotations (batch source annotation)
    ->   contexts (batch target annotation)
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

BATCH, TARGET, SOURCE, ANNOTATION = Size(1, 3), Size(2, 5), Size(3, 7), Size(2, 11)


def solution(weights, annotations):
    """Name the axes: what is summed over is missing after the arrow."""
    return torch.einsum("bij,bja->bia", weights, annotations)


def _weights(draw: Draw, source: int | Size = SOURCE, batch: Size = BATCH):
    return draw.normal(batch, TARGET, source).softmax(dim=-1)


def _inputs(draw: Draw, source: int | Size = SOURCE) -> dict:
    return {
        "weights": _weights(draw, source),
        "annotations": draw.normal(BATCH, source, ANNOTATION),
    }


def _one_place_each(draw: Draw) -> dict:
    places = [[draw.integer(SOURCE) for _ in range(draw[TARGET])] for _ in range(draw[BATCH])]
    return _inputs(draw) | {"weights": torch.eye(draw[SOURCE])[torch.tensor(places)]}


exercise = Exercise(
    "contexts_of(weights, annotations)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "With all the weight on one position the context is that annotation.",
            _one_place_each,
            "Row i of the weights belongs to step i, and its entry j to position j. Is something "
            "averaged once more, or divided, that should only be summed?",
        ),
        Case(
            "Every position counts, as much as its weight says.",
            _inputs,
            "Neither the largest weight alone nor all positions alike: multiply each annotation by "
            "its weight, and add.",
        ),
        Case(
            "The source may have any length, even one position.",
            lambda draw: [_inputs(draw, 1), _inputs(draw, 11)],
            "Is the length of the source written into the code?",
        ),
    ],
    slips={
        "Change one source and the contexts of the others must stay as they are. Is the batch axis "
        "the same on both sides?": [
            lambda weights, annotations: weights @ annotations[:1],
            ("bij,bja->bia", "bij,cja->bia"),
        ],
        "": [
            lambda weights, annotations: solution(weights.softmax(dim=-1), annotations),
            lambda weights, annotations: solution(
                (weights == weights.amax(-1, True)).float(), annotations
            ),
            lambda weights, annotations: solution(weights[..., :7], annotations[:, :7]),
        ],
    },
    gradients=_inputs,
    shape="The shape is (batch, target, annotation). The sum is over the source: that axis, and no "
    "other, is gone.",
)
check = exercise.check
