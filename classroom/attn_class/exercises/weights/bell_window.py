"""Exercise: the weights of local attention around a predicted centre.

scores (source), centre p, half_width D
->   softmax over |j - p| <= D, times exp(-(j - p)² / (2 σ²)), σ = D / 2    Luong et al. 2015
"""

import torch

from attn_class.exercises.frame import Case, Draw, Exercise, Size

SOURCE = Size(11, 17)


def solution(scores, centre, half_width):
    """Hide before the softmax, fade after it."""
    distance = torch.arange(len(scores)) - centre
    inside = scores.masked_fill(distance.abs() > half_width, -torch.inf)
    return inside.softmax(dim=0) * torch.exp(-(distance**2) / (2 * (half_width / 2) ** 2))


def _inputs(draw: Draw) -> dict:
    centre = 3.0 + draw.integer(20) / 4
    return {"scores": draw.normal(SOURCE), "centre": centre, "half_width": 2}


def _even(draw: Draw) -> dict:
    centre, half_width = 3.0 + draw.integer(9) / 2, 2 + draw.integer(2)
    return {"scores": torch.zeros(draw[SOURCE]), "centre": centre, "half_width": half_width}


def _at_the_ends(draw: Draw) -> list[dict]:
    return [_inputs(draw) | {"centre": centre} for centre in (4.0, 5.5, 0.25)]


_A_BELL_FOR_EQUAL_SCORES = (
    "Multiply by exp(-(j - p)² / (2 σ²)) after the softmax, with σ = D/2, and do not divide by the "
    "sum again. The bell is highest at the centre itself, not at the nearest position."
)
_AS_IN_THE_PAPER = (
    "The bell multiplies the weights. If its exponent were added to the scores, the weights would "
    "sum to one."
)
exercise = Exercise(
    "look(scores, centre, half_width)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Outside the window the weights are zero, and only there.",
            _at_the_ends,
            "The window is |j - p| ≤ D, both ends included, even if the centre is not a whole "
            "number.",
        ),
        Case(
            "Equal scores give a bell around the centre, which need not sum to one.",
            _even,
            _A_BELL_FOR_EQUAL_SCORES,
        ),
        Case(
            "Each weight is its share of the softmax over the window, times its bell.",
            _inputs,
            _AS_IN_THE_PAPER,
        ),
    ],
    slips={
        "Softmax over all positions first, and zeros afterwards, leaves part of the unit outside. "
        "Set the scores outside to minus infinity before the softmax.": [
            ("inside.softmax(dim=0)", "scores.softmax(dim=0) * (distance.abs() <= half_width)"),
        ],
        _A_BELL_FOR_EQUAL_SCORES: [
            (" * torch.exp(-(distance**2) / (2 * (half_width / 2) ** 2))", ""),
            ("(half_width / 2) ** 2", "half_width**2"),
        ],
        _AS_IN_THE_PAPER: [("= scores.masked_fill", "= (0 * scores).masked_fill")],
        "": [("> half_width", ">= half_width")],
    },
    gradients=_inputs,
    shape="Return a tensor as long as the scores; outside the window the weights are zero.",
)
check = exercise.check
