"""Exercise: carry a gradient back through a linear recurrence.

h_t = W h_{t-1} + x_t,   steps times   ->   d loss / d h_0 = (Wᵀ)^steps · d loss / d h_steps

W (state state)   upstream (state), the gradient at the last state   steps, 0 or more
->   gradient (state), at the first state
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

STATE = Size(2, 5)


def solution(W: Tensor, upstream: Tensor, steps: int) -> Tensor:
    """Each step back is one product with the transposed matrix."""
    gradient = upstream
    for _ in range(steps):
        gradient = W.T @ gradient
    return gradient


def _inputs(draw: Draw, steps: int) -> dict[str, object]:
    return {"W": draw.normal(STATE, STATE), "upstream": draw.normal(STATE), "steps": steps}


def _halving(draw: Draw) -> dict:
    return _inputs(draw, 2 + draw.integer(5)) | {"W": torch.eye(draw[STATE]) / 2}


exercise = Exercise(
    "carry_back(W, upstream, steps)",
    minutes=5,
    difficulty="warm-up",
    solution=solution,
    cases=[
        Case(
            "A matrix that halves everything halves the gradient at each step.",
            _halving,
            "The matrix must be applied once for each step: with W = 1/2 on the diagonal three "
            "steps leave an eighth.",
        ),
        Case(
            "Autograd finds the same.",
            lambda draw: _inputs(draw, 1 + draw.integer(5)),
            "Forwards h is multiplied by W; backwards the gradient is multiplied by W transposed.",
        ),
        Weak(
            "With no steps, the gradient comes back unchanged.",
            lambda draw: _inputs(draw, 0),
            "With steps = 0 the first state is the last one. Does the loop start one too early, or "
            "is one product done before it?",
        ),
    ],
    slips={
        "The power of a matrix is a product of matrices: W ** 3 takes each entry to the third "
        "power instead. torch.linalg.matrix_power(W, 3), or a loop, is what is meant.": [
            lambda W, upstream, steps: (W**steps).T @ upstream if steps else upstream,
        ],
        "": [
            ("range(steps)", "range(steps + 1)"),
            ("range(steps)", "range(min(steps, 1))"),
            ("W.T", "W"),
        ],
    },
    shape="A gradient has as many entries as what it belongs to. Is it a matrix, a norm, or a "
    "product entry by entry?",
)
check = exercise.check
