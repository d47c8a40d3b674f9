"""Exercise: average annotations, some of which come from another source.

c_i = Σ_{j not swapped} α_ij h_j + Σ_{j swapped} α_ij g_j

weights (target source)   annotations h, other g (source annotation)   places (source), boolean
    ->   contexts (target annotation)
"""

from collections.abc import Callable

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

TARGET, SOURCE, ANNOTATION = Size(2, 5), Size(3, 11), Size(2, 7)


def solution(weights, annotations, other, places):
    """Choose row by row, then average as always."""
    return weights @ torch.where(places.unsqueeze(-1), other, annotations)


def _inputs(draw: Draw) -> dict:
    return {
        "weights": draw.normal(TARGET, SOURCE).softmax(dim=-1),
        "annotations": draw.normal(SOURCE, ANNOTATION),
        "other": draw.normal(SOURCE, ANNOTATION),
        "places": draw.booleans(SOURCE),
    }


def _all(swapped: bool) -> Callable[[Draw], dict]:
    return lambda draw: _inputs(draw) | {"places": torch.full((draw[SOURCE],), swapped)}


exercise = Exercise(
    "mixed(weights, annotations, other, places)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "With nothing swapped, the contexts are those of this source.",
            _all(False),
            "Where `places` is False the annotation is this source's own.",
        ),
        Case(
            "With everything swapped, the contexts average the other source's annotations.",
            _all(True),
            "Where `places` is True the annotation of the other source replaces this source's; it "
            "is not added to it.",
        ),
        Case(
            "Each annotation is taken from the source that `places` says, with the weight of its "
            "place.",
            _inputs,
            "A row of annotations is swapped as a whole, and the weights stay where they are.",
        ),
    ],
    slips={
        "": [
            ("other, annotations)", "annotations, other)"),
            ("other, annotations)", "other + annotations, annotations)"),
            ("places.unsqueeze(-1)", "places.any()"),
        ],
    },
    gradients=_inputs,
    shape="Weights (target, source) times annotations (source, annotation).",
)
check = exercise.check
