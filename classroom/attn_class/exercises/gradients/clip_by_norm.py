"""Exercise: shorten a gradient that is too long without changing its direction.

g  ->  g · min(1, largest / ‖g‖)               Pascanu et al. 2013, algorithm 1

gradients, a tuple of tensors of any shapes, which together are one long vector g
largest, above 0   ->   as many clipped tensors, in the same order and shapes
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, same

exercise = Exercise("clip(gradients, largest)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(gradients, largest):
    """One norm over all tensors, and one factor for all of them."""
    norm = torch.sqrt(sum((gradient**2).sum() for gradient in gradients))
    factor = min(1.0, largest / max(norm.item(), 1e-12))
    return tuple(factor * gradient for gradient in gradients)


@exercise.must_also(
    "It returns as many tensors as it gets, each in its own shape.",
    hint="Flatten them to measure, but give each back as it was: a list or a tuple of the "
    "same shapes in the same order. (A list in round brackets, `(... for ...)`, is a generator: "
    "write `tuple(... for ...)`.)",
)
def same_shapes(answer: Answer, draw: Draw) -> bool:
    gradients = _gradients(draw)
    clipped = answer(gradients=gradients, largest=0.5)
    return isinstance(clipped, tuple) and [part.shape for part in clipped] == [
        part.shape for part in gradients
    ]


@exercise.must(
    "A gradient that is short enough stays exactly as it was.",
    hint="Clipping only shortens, and only what is longer than `largest`: the factor is never "
    "above 1, and it is 1 here. Compare the norm itself, not its square.",
)
def short_ones_stay(answer: Answer, draw: Draw) -> bool:
    gradients = _gradients(draw)
    return answer.gives(gradients, gradients=gradients, largest=2 * _norm(gradients))


@exercise.must(
    "A gradient that is too long is shortened to the largest norm, all tensors together.",
    hint="One norm over all entries of all tensors: the root of the sum of all squares. Not one "
    "for each tensor, and not the square. A factor of largest / norm brings it to largest.",
)
def long_ones_get_the_largest_norm(answer: Answer, draw: Draw) -> bool:
    gradients = _gradients(draw)
    together = _norm(gradients)
    longest = max(gradient.norm().item() for gradient in gradients)
    return all(
        same(_norm(answer(gradients=gradients, largest=largest)), largest)
        for largest in (0.3 * together, (longest + together) / 2)  # each is short, all are long
    )


@exercise.must(
    "The direction stays: every entry is multiplied by the same factor.",
    hint="Cutting each entry at a bound, or each tensor by its own norm, turns the gradient into "
    "another direction. Measure all, then multiply all by one number.",
)
def the_direction_stays(answer: Answer, draw: Draw) -> bool:
    gradients = _gradients(draw)
    expected = tuple(0.3 * gradient for gradient in gradients)
    return answer.gives(expected, gradients=gradients, largest=0.3 * _norm(gradients))


@exercise.must_also(
    "A gradient of nothing but zeros comes back as zeros.",
    hint="Its norm is 0. Python refuses largest / 0; torch makes it inf, and inf times 0 is nan.",
)
def zeros_stay_zeros(answer: Answer, draw: Draw) -> bool:
    zeros = torch.zeros(2, 3), torch.zeros(5)
    return answer.gives(zeros, gradients=zeros, largest=0.1 + draw.integer(3))


def _gradients(draw: Draw) -> tuple[Tensor, ...]:
    return draw.normal(2, 3), 3 * draw.normal(5), draw.normal(1)


def _norm(gradients) -> float:
    return torch.cat([gradient.flatten() for gradient in gradients]).norm().item()
