"""Right and wrong answers to `attn_class.exercises.weights.softmax_gradient`."""

from functools import partial

import torch

from attn_class.exercises.weights.softmax_gradient import solution
from attn_course.weights import softmax_jacobian
from specimens.answers import changed, named


def with_the_matrix(weights, gradient):
    return (softmax_jacobian(weights) @ gradient.unsqueeze(-1)).squeeze(-1)


def by_loops(weights, gradient):
    result = torch.zeros_like(weights)
    for i in range(weights.shape[0]):
        for k in range(weights.shape[1]):
            for j in range(weights.shape[1]):
                slope = weights[i, j] * (float(j == k) - weights[i, k])
                result[i, k] += gradient[i, j] * slope
    return result


def by_autograd(weights, gradient):
    scores = weights.clamp(min=1e-30).log().requires_grad_()
    (found,) = torch.autograd.grad((torch.softmax(scores, -1) * gradient).sum(), scores)
    return found


def normalised(weights, gradient):
    found = with_the_matrix(weights, gradient)
    return found / found.abs().sum(dim=-1, keepdim=True).clamp(min=0.1)


but = partial(changed, solution)
RIGHT = [with_the_matrix, by_loops, by_autograd]
WRONG = {
    "one_gradient_each": named(
        matrix_itself=lambda weights, gradient: softmax_jacobian(weights),
        one_number_a_row=lambda weights, gradient: (weights * gradient).sum(dim=-1),
    ),
    "wishes_alike_move_nothing": named(
        diagonal_alone=lambda weights, gradient: weights * (1 - weights) * gradient,
        no_mean=lambda weights, gradient: weights * gradient,
        passed_on=lambda weights, gradient: gradient,
        mean_over_the_targets=but("dim=-1", "dim=0"),
        mean_over_everything=but("sum(dim=-1, keepdim=True)", "sum()"),
    ),
    "no_weight_no_gradient": named(
        not_times_the_weight=but("weights * (gradient - mean)", "gradient - mean"),
        at_the_output=but("return weights", "return weights.mean()"),
    ),
    "has_the_right_sign": named(
        turned_around=lambda weights, gradient: -with_the_matrix(weights, gradient)
    ),
    "is_that_of_autograd": named(
        normalised,
        plain_mean=but("(weights * gradient).sum", "gradient.mean"),
        weight_twice=lambda weights, gradient: weights * with_the_matrix(weights, gradient),
    ),
    "runs": named(not_broadcast=but(", keepdim=True", "")),
}
