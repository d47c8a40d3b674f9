"""Right and wrong answers to `attn_class.exercises.context.same_context`."""

import numpy as np
import torch

from attn_class.exercises.context.same_context import solution
from specimens.answers import changed, named


def unseen_by(*rows):
    """The directions that none of these rows (rows source) sees."""
    matrix = torch.cat(rows)
    return torch.linalg.svd(matrix).Vh[len(matrix) :]


def ones(weights):
    return torch.ones(1, len(weights))


def half_the_way(weights, annotations):
    direction = -unseen_by(annotations.T, ones(weights))[0]
    ratios = -weights / direction
    return weights + ratios[ratios > 0].min() / 2 * direction


def by_projecting_another_vector(weights, annotations):
    seen = torch.cat([annotations, torch.ones(len(weights), 1)], dim=1).double()
    change = torch.linspace(-1, 1, len(weights), dtype=torch.float64) ** 2
    change = change - seen @ torch.linalg.pinv(seen) @ change
    step = min(w / -c for w, c in zip(weights, change, strict=True) if c < 0)
    return (weights + 0.9 * step * change).float()


def in_numpy(weights, annotations):
    seen = np.column_stack([annotations.numpy(), np.ones(len(weights))]).astype(float)
    direction = np.linalg.svd(seen.T)[2][-2]
    return weights.numpy() + direction * (weights.numpy() / np.abs(direction)).min()


def sum_forgotten(weights, annotations):
    return weights + 0.5 * unseen_by(annotations.T)[0]


def rescaled(weights, annotations):
    other = sum_forgotten(weights, annotations)
    return other / other.sum()


def too_far(weights, annotations):
    return weights + unseen_by(annotations.T, ones(weights))[0]


RIGHT = [half_the_way, by_projecting_another_vector, in_numpy]
WRONG = {
    "none_is_negative": named(
        too_far,
        a_little_below_zero=changed(solution, ".min()", ".min() + 1e-4", ".clamp(min=0)", ""),
    ),
    "one_weight_a_position": named(the_context=lambda weights, annotations: weights @ annotations),
    "the_context_stays": named(
        rescaled,
        by_least_squares_then_softmax=lambda weights, annotations: torch.softmax(
            annotations @ (weights @ annotations), dim=0
        ),
        in_another_order=lambda weights, annotations: weights.roll(1),
        even=lambda weights, annotations: torch.full_like(weights, 1 / len(weights)),
        direction_that_is_seen=lambda weights, annotations: (
            weights + 0.3 * torch.linalg.svd(annotations.T).Vh[0]
        ),
        cut_off=lambda weights, annotations: too_far(weights, annotations).clamp(min=0),
    ),
    "they_sum_to_one": named(
        sum_forgotten,
        smallest_weights=lambda weights, annotations: (
            torch.linalg.pinv(annotations.T) @ (weights @ annotations)
        ),
    ),
    "they_are_others": named(
        hardly_moved=changed(too_far, "unseen_by", "1e-3 * unseen_by"),
        the_same=lambda weights, annotations: weights.clone(),
    ),
    "runs": named(
        transposed=lambda weights, annotations: weights + torch.linalg.svd(annotations).Vh[-1]
    ),
}
