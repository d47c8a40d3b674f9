"""Exercise: send a gradient back through a softmax, without the matrix of all derivatives.

∂L/∂e_ik = Σ_j ∂L/∂α_ij ∂α_ij/∂e_ik,  with  ∂α_ij/∂e_ik = α_ij ([j = k] - α_ik)

weights (target source)   gradient of the loss for each weight (target source)
    ->   gradient of the loss for each score (target source)
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

TARGET, SOURCE = Size(2, 5), Size(3, 7)
exercise = Exercise("backward(weights, gradient)", minutes=15, difficulty="hard")
check = exercise.check


def solution(weights: Tensor, gradient: Tensor) -> Tensor:
    """A score gets its weight times how far that weight's gradient exceeds the row's mean."""
    mean = (weights * gradient).sum(dim=-1, keepdim=True)
    return weights * (gradient - mean)


@exercise.must_also(
    "Every score gets one gradient.",
    hint="The result has the shape of the weights, (target, source). The matrix of all "
    "derivatives has one axis more; sum it away, or do not build it.",
)
def one_gradient_each(answer: Answer, draw: Draw) -> bool:
    result = answer(weights=_weights(draw), gradient=draw.normal(TARGET, SOURCE))
    return shaped(result, draw[TARGET], draw[SOURCE])


@exercise.must_also(
    "If all weights of a row have the same gradient, no score has any.",
    hint="The weights sum to one, so they cannot all rise. The term -α_j α_k is missing, or its "
    "sum goes over the wrong axis: Σ_j α_j ∂L/∂α_j is taken row by row.",
)
def wishes_alike_move_nothing(answer: Answer, draw: Draw) -> bool:
    gradient = draw.normal(TARGET, 1).expand(draw[TARGET], draw[SOURCE]).clone()
    found = answer(weights=_weights(draw), gradient=gradient)
    return same(found, torch.zeros(draw[TARGET, SOURCE]))


@exercise.must_also(
    "A position without weight gets no gradient.",
    hint="Everything is multiplied by the position's own weight α_k, which is 0 here.",
)
def no_weight_no_gradient(answer: Answer, draw: Draw) -> bool:
    weights = _weights(draw)
    weights[:, 2] = 0
    weights = weights / weights.sum(dim=-1, keepdim=True)
    result = answer(weights=weights, gradient=draw.normal(TARGET, SOURCE))
    return same(result[:, 2], torch.zeros(draw[TARGET]))


@exercise.must_also(
    "If one weight has a larger gradient than the others, so has its score.",
    hint="Is a sign wrong? This is the gradient itself, not the step against it.",
)
def has_the_right_sign(answer: Answer, draw: Draw) -> bool:
    gradient = torch.zeros(draw[TARGET], draw[SOURCE])
    gradient[:, 1] = 1
    return bool((answer(weights=_weights(draw), gradient=gradient)[:, 1] > 0).all())


@exercise.must(
    "It is what autograd finds.",
    hint="∂L/∂e_k = α_k (∂L/∂α_k - Σ_j α_j ∂L/∂α_j). Is the mean weighted, and is it "
    "multiplied by α_k once?",
)
def is_that_of_autograd(answer: Answer, draw: Draw) -> bool:
    scores = draw.normal(TARGET, SOURCE).requires_grad_()
    gradient = draw.normal(TARGET, SOURCE)
    weights = torch.softmax(scores, dim=-1)
    (expected,) = torch.autograd.grad((weights * gradient).sum(), scores)
    return answer.gives(expected, weights=weights.detach(), gradient=gradient)


def _weights(draw: Draw) -> Tensor:
    return torch.softmax(draw.normal(TARGET, SOURCE), dim=-1)
