"""Exercise: look at a feature map with a mask.

    e_j = w · h_j + b    α = softmax(e) over all cells    c = Σ_j α_j h_j

features (channel row column), weight (channel), bias, a number   ->   c (channel), α (row column)
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

CHANNELS, ROWS, COLUMNS = Size(2, 5), Size(3, 7), Size(3, 7)


def solution(features, weight, bias):
    """A 1x1 convolution is a dot product in every cell; the softmax runs over rows and columns."""
    scores = torch.einsum("c,crk->rk", weight, features) + bias
    weights = scores.flatten().softmax(dim=0).view_as(scores)
    return torch.einsum("rk,crk->c", weights, features), weights


def _inputs(draw: Draw) -> dict:
    return {
        "features": draw.normal(CHANNELS, ROWS, COLUMNS, scale=1.0),
        "weight": draw.normal(CHANNELS),
        "bias": float(draw.normal(1)) + 0.7,
    }


exercise = Exercise(
    "look(features, weight, bias)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "The weights are the exponentials of w · h_j, divided by their sum.",
            _inputs,
            "Each cell's score comes from its own channels alone. Take one softmax over all cells, "
            "not a sigmoid of each, and take it only once.",
            part=1,
        ),
        Case(
            "The context is the sum of the cells' features, each times its own weight.",
            _inputs,
            "c = Σ_j α_j h_j. Are all cells weighted alike, or is the sum divided by their number?",
            part=0,
        ),
    ],
    slips={
        "One softmax over all cells at once: flatten rows and columns before it. A softmax over "
        "each row would look once in every row.": [
            ("flatten().softmax(dim=0).view_as(scores)", "softmax(dim=1)"),
            ("flatten().softmax(dim=0).view_as(scores)", "softmax(dim=0)"),
            ("scores.flatten().softmax(dim=0).view_as(scores)", "scores"),
        ],
        "b is added to every score, and what is added to all scores does not change a softmax. Is "
        "it multiplied instead, or added after the softmax?": [
            ("flatten().softmax(dim=0).view_as(scores)", "sigmoid() / scores.sigmoid().sum()"),
            ("+ bias", "* bias"),
        ],
        "": [
            (".softmax(dim=0)", ".softmax(dim=0).softmax(dim=0)"),
            ("features), weights", "features) / weights.numel(), weights"),
        ],
    },
    gradients=_inputs,
    cut="Stay with tensors: detach(), item() or tolist() cut the graph, and an argmax has no "
    "gradient. The mask would never learn where to look.",
    shape="The context has one entry for each channel, whatever the size of the map, and the "
    "weights have the rows and columns of the map.",
)
check = exercise.check
