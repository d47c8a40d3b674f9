import numpy as np
import torch


def _unseen_by(*rows):
    """The directions that none of these rows (rows source) sees."""
    matrix = torch.cat(rows)
    return torch.linalg.svd(matrix).Vh[len(matrix) :]


def _ones(weights):
    return torch.ones(1, len(weights))


def half_the_way(weights, annotations):
    direction = -_unseen_by(annotations.T, _ones(weights))[0]
    ratios = -weights / direction
    return weights + ratios[ratios > 0].min() / 2 * direction


def by_projecting_another_vector(weights, annotations):
    fixed = torch.cat([annotations, torch.ones(len(weights), 1)], dim=1).double()
    change = torch.linspace(-1, 1, len(weights), dtype=torch.float64) ** 2
    change = change - fixed @ torch.linalg.pinv(fixed) @ change
    step = min(w / -c for w, c in zip(weights, change, strict=True) if c < 0)
    return (weights + 0.9 * step * change).float()


def in_numpy(weights, annotations):
    fixed = np.column_stack([annotations.numpy(), np.ones(len(weights))]).astype(float)
    direction = np.linalg.svd(fixed.T)[2][-2]
    return weights.numpy() + direction * (weights.numpy() / np.abs(direction)).min()


def _sum_forgotten(weights, annotations):
    return weights + 0.5 * _unseen_by(annotations.T)[0]


def _too_far(weights, annotations, step=1.0):
    return weights + step * _unseen_by(annotations.T, _ones(weights))[0]


WRONG = {
    "none_is_negative": [_too_far, (".min()", ".min() + 1e-4", ".clamp(min=0)", "")],
    "one_weight_a_position": [lambda weights, annotations: weights @ annotations],
    "the_context_stays": [
        lambda *inputs: (other := _sum_forgotten(*inputs)) / other.sum(),
        lambda weights, annotations: (annotations @ (weights @ annotations)).softmax(dim=0),
        lambda weights, annotations: weights.roll(1),
        lambda weights, annotations: torch.full_like(weights, 1 / len(weights)),
        lambda weights, annotations: weights + 0.3 * torch.linalg.svd(annotations.T).Vh[0],
        lambda *inputs: _too_far(*inputs).clamp(min=0),
    ],
    "they_sum_to_one": [
        _sum_forgotten,
        lambda weights, annotations: torch.linalg.pinv(annotations.T) @ (weights @ annotations),
    ],
    "they_are_others": [
        lambda *inputs: _too_far(*inputs, step=1e-3),
        lambda weights, annotations: weights.clone(),
    ],
    "runs": [lambda weights, annotations: weights + torch.linalg.svd(annotations).Vh[-1]],
}
