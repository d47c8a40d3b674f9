"""Exercise: a loss on the place.

    L = -1/B Σ_b ln α_b,place(b)

weights (batch source), each row sums to one; places (batch), whole numbers   ->   one number
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

BATCH, SOURCE = Size(1, 3), Size(3, 7)


def solution(weights, places):
    """The weights are probabilities already, so no softmax is taken."""
    return -weights[torch.arange(len(weights)), places].log().mean()


def _weights(draw: Draw) -> Tensor:
    return torch.softmax(draw.normal(BATCH, SOURCE), dim=-1)


def _places(draw: Draw) -> Tensor:
    return torch.tensor([draw.integer(SOURCE) for _ in range(draw[BATCH])])


def _inputs(draw: Draw) -> dict[str, Tensor]:
    return {"weights": _weights(draw), "places": _places(draw)}


def _sure(draw: Draw) -> dict[str, Tensor]:
    places = _places(draw)
    weights = torch.full(draw[BATCH, SOURCE], 1e-9).scatter(1, places[:, None], 1.0)
    return {"weights": weights, "places": places}


def _even(draw: Draw) -> dict[str, Tensor]:
    return _inputs(draw) | {"weights": torch.full(draw[BATCH, SOURCE], 1 / draw[SOURCE])}


exercise = Exercise(
    "loss(weights, places)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Weak(
            "All weight on the right places costs nothing.",
            _sure,
            "-ln 1 is 0. A second softmax, as in cross_entropy, would flatten the weights.",
        ),
        Weak(
            "Even weights cost the logarithm of the number of places.",
            _even,
            "-ln(1/n) is ln n: a natural logarithm, averaged over the batch, and not negative.",
        ),
        Case(
            "It is the mean of -ln α at the place of each word.",
            _inputs,
            "Row b is read at places[b]. The logarithm comes before the mean.",
        ),
    ],
    slips={
        "": [
            ("weights[", "weights.softmax(dim=1)["),
            (".log()", ".log2()"),
            (".log().mean()", ".mean().log()"),
        ],
    },
    gradients=_inputs,
    cut="Stay with tensors: .item(), .tolist() or numpy() cut the gradient off.",
    shape="Take one weight from each row, not one column for all, and average over the batch.",
)
check = exercise.check
