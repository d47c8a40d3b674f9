"""Exercise: send a gradient back through a softmax, without the matrix of all derivatives.

∂L/∂e_ik = Σ_j ∂L/∂α_ij ∂α_ij/∂e_ik,  with  ∂α_ij/∂e_ik = α_ij ([j = k] - α_ik)

weights (target source)   gradient of the loss for each weight (target source)
    ->   gradient of the loss for each score (target source)
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

TARGET, SOURCE = Size(2, 5), Size(3, 7)


def solution(weights: Tensor, gradient: Tensor) -> Tensor:
    """A score gets its weight times how far that weight's gradient exceeds the row's mean."""
    mean = (weights * gradient).sum(dim=-1, keepdim=True)
    return weights * (gradient - mean)


def _weights(draw: Draw) -> Tensor:
    return torch.softmax(draw.normal(TARGET, SOURCE), dim=-1)


def _inputs(draw: Draw) -> dict[str, Tensor]:
    return {"weights": _weights(draw), "gradient": draw.normal(TARGET, SOURCE)}


def _without_one(draw: Draw) -> dict[str, Tensor]:
    """One position has no weight, another has the only gradient."""
    weights, gradient = _weights(draw), torch.zeros(draw[TARGET, SOURCE])
    weights[:, 2], gradient[:, 1] = 0, 1
    return {"weights": weights / weights.sum(dim=-1, keepdim=True), "gradient": gradient}


def _alike(draw: Draw) -> dict[str, Tensor]:
    gradient = draw.normal(TARGET, 1).expand(draw[TARGET, SOURCE]).clone()
    return {"weights": _weights(draw), "gradient": gradient}


exercise = Exercise(
    "backward(weights, gradient)",
    minutes=15,
    difficulty="hard",
    solution=solution,
    cases=[
        Weak(
            "If all weights of a row have the same gradient, no score has any.",
            _alike,
            "The weights sum to one, so they cannot all rise. The term -α_j α_k is missing, or its "
            "sum goes over the wrong axis: Σ_j α_j ∂L/∂α_j is taken row by row.",
        ),
        Case(
            "A position without weight gets no gradient.",
            _without_one,
            "Everything is multiplied by the position's own weight α_k, which is 0 here.",
        ),
        Case(
            "It is what autograd finds.",
            _inputs,
            "∂L/∂e_k = α_k (∂L/∂α_k - Σ_j α_j ∂L/∂α_j). Is the mean weighted, and is it multiplied "
            "by α_k once?",
        ),
    ],
    slips={
        "Is a sign wrong? This is the gradient itself, not the step against it.": [
            ("(gradient - mean)", "(mean - gradient)")
        ],
        "": [
            ("(gradient - mean)", "gradient"),
            ("weights * (gradient - mean)", "gradient - mean"),
            ("(weights * gradient).sum", "gradient.mean"),
        ],
    },
    shape="The result has the shape of the weights, (target, source). The matrix of all "
    "derivatives has one axis more; sum it away, or do not build it.",
)
check = exercise.check
