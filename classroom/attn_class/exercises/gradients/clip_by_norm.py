"""Exercise: shorten a gradient that is too long without changing its direction.

g  ->  g · min(1, largest / ‖g‖)               Pascanu et al. 2013, algorithm 1

gradients, a tuple of tensors of any shapes, which together are one long vector g
largest, above 0   ->   as many clipped tensors, in the same order and shapes
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Weak


def solution(gradients, largest):
    """One norm over all tensors, and one factor for all of them."""
    norm = torch.sqrt(sum((gradient**2).sum() for gradient in gradients))
    factor = min(1.0, largest / max(norm.item(), 1e-12))
    return tuple(factor * gradient for gradient in gradients)


def _gradients(draw: Draw) -> tuple[Tensor, ...]:
    return draw.normal(2, 3), 3 * draw.normal(5), draw.normal(1)


def _norm(gradients) -> float:
    return torch.cat([gradient.flatten() for gradient in gradients]).norm().item()


def _short(draw: Draw) -> dict:
    gradients = _gradients(draw)
    return {"gradients": gradients, "largest": 2 * _norm(gradients)}


def _long(draw: Draw) -> list[dict]:
    """Far too long, and too long only together."""
    gradients = _gradients(draw)
    together = _norm(gradients)
    longest = max(gradient.norm().item() for gradient in gradients)
    bounds = 0.3 * together, (longest + together) / 2
    return [{"gradients": gradients, "largest": largest} for largest in bounds]


def _zeros(draw: Draw) -> dict:
    return {"gradients": (torch.zeros(2, 3), torch.zeros(5)), "largest": 0.1 + draw.integer(3)}


exercise = Exercise(
    "clip(gradients, largest)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "A gradient that is short enough stays exactly as it was.",
            _short,
            "Clipping only shortens, and only what is longer than `largest`: the factor is never "
            "above 1, and it is 1 here. Compare the norm itself, not its square.",
        ),
        Case(
            "A gradient that is too long is shortened to the largest norm, all tensors together.",
            _long,
            "One norm over all entries of all tensors: the root of the sum of all squares. Not one "
            "for each tensor, and not the square. A factor of largest / norm brings it to largest.",
        ),
        Weak(
            "A gradient of nothing but zeros comes back as zeros.",
            _zeros,
            "Its norm is 0. Python refuses largest / 0; torch makes it inf, and inf times 0 is "
            "nan.",
        ),
    ],
    slips={
        "Cutting each entry at a bound, or each tensor by its own norm, turns the gradient into "
        "another direction. Measure all, then multiply all by one number.": [
            lambda gradients, largest: tuple(part.clamp(-largest, largest) for part in gradients),
            lambda gradients, largest: tuple(solution([part], largest)[0] for part in gradients),
        ],
        "": [
            ("min(1.0, largest / max(norm.item(), 1e-12))", "largest / max(norm.item(), 1e-12)"),
            (
                "torch.sqrt(sum((gradient**2).sum() for gradient in gradients))",
                "sum((gradient**2).sum() for gradient in gradients)",
            ),
            (
                "largest / max(norm.item(), 1e-12)",
                "float(largest / norm)",
                "factor * gradient",
                "factor * gradient / norm * norm",
            ),
        ],
    },
    shape="Flatten them to measure, but give each back as it was: a list or a tuple of the same "
    "shapes in the same order. (A list in round brackets, `(... for ...)`, is a generator: write "
    "`tuple(... for ...)`.)",
)
check = exercise.check
