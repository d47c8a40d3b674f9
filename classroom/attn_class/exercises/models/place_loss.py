"""Exercise: a loss on the place.

    L = -1/B Σ_b ln α_b,place(b)

weights (batch source), each row sums to one; places (batch), whole numbers   ->   one number
"""

import math

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

BATCH, SOURCE = Size(1, 3), Size(3, 7)
exercise = Exercise("loss(weights, places)", minutes=5, difficulty="warm-up")
check = exercise.check


def solution(weights, places):
    """The weights are probabilities already, so no softmax is taken."""
    return -weights[torch.arange(len(weights)), places].log().mean()


@exercise.must_also(
    "The answer is one number.",
    hint="Take one weight from each row, not one column for all, and average over the batch.",
)
def is_one_number(answer: Answer, draw: Draw) -> bool:
    result = answer(weights=_weights(draw), places=_places(draw))
    return isinstance(result, float) or shaped(result)


@exercise.must_also(
    "All weight on the right places costs nothing.",
    hint="-ln 1 is 0. A second softmax, as in cross_entropy, would flatten the weights.",
)
def sure_and_right_is_zero(answer: Answer, draw: Draw) -> bool:
    places = _places(draw)
    weights = torch.full((draw[BATCH], draw[SOURCE]), 1e-9).scatter(1, places[:, None], 1.0)
    return answer.gives(0.0, weights=weights, places=places)


@exercise.must_also(
    "Even weights cost the logarithm of the number of places.",
    hint="-ln(1/n) is ln n: a natural logarithm, averaged over the batch, and not negative.",
)
def even_is_the_logarithm(answer: Answer, draw: Draw) -> bool:
    weights = torch.full((draw[BATCH], draw[SOURCE]), 1 / draw[SOURCE])
    return answer.gives(math.log(draw[SOURCE]), weights=weights, places=_places(draw))


@exercise.must(
    "It is the mean of -ln α at the place of each word.",
    hint="Row b is read at places[b]. The logarithm comes before the mean.",
)
def is_the_definition(answer: Answer, draw: Draw) -> bool:
    weights, places = _weights(draw), _places(draw)
    each = [-math.log(row[place]) for row, place in zip(weights.tolist(), places, strict=True)]
    return answer.gives(sum(each) / draw[BATCH], weights=weights, places=places)


@exercise.must(
    "A gradient reaches the weights at the right places.",
    hint="Stay with tensors: .item(), .tolist() or numpy() cut the gradient off.",
)
def has_a_gradient(answer: Answer, draw: Draw) -> bool:
    weights, places = _weights(draw).requires_grad_(), _places(draw)
    result = answer(weights=weights, places=places)
    if not isinstance(result, Tensor) or not result.requires_grad:
        return False
    (found,) = torch.autograd.grad(result.sum(), weights)
    expected = torch.zeros(draw[BATCH], draw[SOURCE])
    rows = torch.arange(draw[BATCH])
    expected[rows, places] = -1 / (draw[BATCH] * weights.detach()[rows, places])
    return same(found, expected)


def _weights(draw: Draw) -> Tensor:
    return torch.softmax(draw.normal(BATCH, SOURCE), dim=-1)


def _places(draw: Draw) -> Tensor:
    return torch.tensor([draw.integer(SOURCE) for _ in range(draw[BATCH])])
