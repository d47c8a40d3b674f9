"""Right and wrong answers to `attn_course.exercises.gradients.value_gradient`."""

import numpy as np
import torch


def by_loops(weights, upstream):
    gradient = torch.zeros(weights.shape[1], upstream.shape[1])
    for i in range(weights.shape[0]):
        for j in range(weights.shape[1]):
            gradient[j] = gradient[j] + weights[i, j] * upstream[i]
    return gradient


def by_einsum(weights, upstream):
    return torch.einsum("ij,ia->ja", weights, upstream)


def by_autograd(weights, upstream):
    annotations = torch.zeros(weights.shape[1], upstream.shape[1], requires_grad=True)
    (weights @ annotations * upstream).sum().backward()
    return annotations.grad


def in_numpy(weights, upstream):
    return np.transpose(weights.numpy()) @ upstream.numpy()


def one_for_each_pair(weights, upstream):
    return weights.unsqueeze(2) * upstream.unsqueeze(1)


def turned_around(weights, upstream):
    return (weights.T @ upstream).T


def norms_only(weights, upstream):
    return (weights.T @ upstream).norm(dim=1)


def of_the_contexts(weights, upstream):
    return upstream


def the_same_for_all(weights, upstream):
    return upstream.sum(dim=0).expand(weights.shape[1], -1) / weights.shape[1]


def softmax_once_more(weights, upstream):
    return torch.softmax(weights, dim=-1).T @ upstream


def nothing_at_all(weights, upstream):
    return torch.zeros(weights.shape[1], upstream.shape[1])


def rolled_by_one(weights, upstream):
    return weights.roll(1, dims=1).T @ upstream


def mean_over_the_steps(weights, upstream):
    return weights.T @ upstream / len(weights)


def scaled_by_the_size(weights, upstream):
    return weights.T @ upstream / weights.shape[1] ** 0.5


def through_the_softmax_too(weights, upstream):
    return (weights * (1 - weights)).T @ upstream


def upstream_turned_into_a_direction(weights, upstream):
    return weights.T @ (upstream / upstream.norm(dim=1, keepdim=True))


def the_last_step_only(weights, upstream):
    return weights[-1].unsqueeze(1) * upstream[-1]


def squared_weights(weights, upstream):
    return (weights**2).T @ upstream


def only_the_largest(weights, upstream):
    largest = weights == weights.max(dim=1, keepdim=True).values
    return (weights * largest).T @ upstream


def the_largest_takes_all(weights, upstream):
    largest = weights == weights.max(dim=1, keepdim=True).values
    return largest.float().T @ upstream


def in_order_of_size(weights, upstream):
    gathered = weights.T @ upstream
    shares = weights.sum(dim=0)
    return shares.unsqueeze(1) / shares.sum() * gathered.sum(dim=0)


def in_place(weights, upstream):
    weights /= weights.sum(dim=1, keepdim=True) * 2
    return 2 * weights.T @ upstream


def not_transposed(weights, upstream):
    return weights @ upstream


RIGHT = [by_loops, by_einsum, by_autograd, in_numpy]
WRONG = {
    one_for_each_pair: "one_gradient_each",
    turned_around: "one_gradient_each",
    norms_only: "one_gradient_each",
    of_the_contexts: "one_gradient_each",
    the_same_for_all: "nothing_where_nobody_looks",
    softmax_once_more: "nothing_where_nobody_looks",
    nothing_at_all: "nothing_where_nobody_looks",
    rolled_by_one: "nothing_where_nobody_looks",
    mean_over_the_steps: "all_to_where_it_looks",
    scaled_by_the_size: "all_to_where_it_looks",
    through_the_softmax_too: "all_to_where_it_looks",
    upstream_turned_into_a_direction: "all_to_where_it_looks",
    the_last_step_only: "all_to_where_it_looks",
    squared_weights: "nothing_is_lost",
    only_the_largest: "nothing_is_lost",
    the_largest_takes_all: "is_what_autograd_finds",
    in_order_of_size: "all_to_where_it_looks",
    in_place: "leaves_its_inputs_alone",
    not_transposed: "runs",
}
