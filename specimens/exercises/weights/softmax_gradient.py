"""Right and wrong answers to `attn_course.classroom.exercises.weights.softmax_gradient`."""

import torch

from attn_course.weights import softmax_jacobian


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


def matrix_itself(weights, gradient):
    return softmax_jacobian(weights)


def one_number_a_row(weights, gradient):
    return (weights * gradient).sum(dim=-1)


def diagonal_alone(weights, gradient):
    return weights * (1 - weights) * gradient


def no_mean(weights, gradient):
    return weights * gradient


def passed_on(weights, gradient):
    return gradient


def mean_over_the_targets(weights, gradient):
    return weights * (gradient - (weights * gradient).sum(dim=0, keepdim=True))


def mean_over_everything(weights, gradient):
    return weights * (gradient - (weights * gradient).sum())


def not_times_the_weight(weights, gradient):
    return gradient - (weights * gradient).sum(dim=-1, keepdim=True)


def at_the_output(weights, gradient):
    return weights.mean() * (gradient - (weights * gradient).sum(dim=-1, keepdim=True))


def turned_around(weights, gradient):
    return -with_the_matrix(weights, gradient)


def plain_mean(weights, gradient):
    return weights * (gradient - gradient.mean(dim=-1, keepdim=True))


def weight_twice(weights, gradient):
    return weights * with_the_matrix(weights, gradient)


def normalised(weights, gradient):
    found = with_the_matrix(weights, gradient)
    return found / found.abs().sum(dim=-1, keepdim=True).clamp(min=0.1)


def in_place(weights, gradient):
    gradient -= (weights * gradient).sum(dim=-1, keepdim=True)
    return weights * gradient


def not_broadcast(weights, gradient):
    return weights * (gradient - (weights * gradient).sum(dim=-1))


RIGHT = [with_the_matrix, by_loops, by_autograd]
WRONG = {
    matrix_itself: "one_gradient_each",
    one_number_a_row: "one_gradient_each",
    diagonal_alone: "wishes_alike_move_nothing",
    no_mean: "wishes_alike_move_nothing",
    passed_on: "wishes_alike_move_nothing",
    mean_over_the_targets: "wishes_alike_move_nothing",
    mean_over_everything: "wishes_alike_move_nothing",
    not_times_the_weight: "no_weight_no_gradient",
    at_the_output: "no_weight_no_gradient",
    turned_around: "has_the_right_sign",
    plain_mean: "is_that_of_autograd",
    weight_twice: "is_that_of_autograd",
    normalised: "is_that_of_autograd",
    in_place: "leaves_its_inputs_alone",
    not_broadcast: "runs",
}
