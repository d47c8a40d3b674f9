"""Right and wrong answers to `attn_course.classroom.exercises.gradients.linear_chain`."""

import numpy as np
import torch


def by_matrix_power(W, upstream, steps):
    return torch.linalg.matrix_power(W, steps).T @ upstream


def as_a_row(W, upstream, steps):
    for _ in range(steps):
        upstream = upstream @ W
    return upstream


def by_recursion(W, upstream, steps):
    return upstream if steps == 0 else by_recursion(W, W.T @ upstream, steps - 1)


def by_autograd(W, upstream, steps):
    first = state = torch.zeros(len(W), requires_grad=True)
    for _ in range(steps):
        state = W @ state
    return torch.autograd.grad(state, first, upstream)[0] if steps else upstream


def in_numpy(W, upstream, steps):
    return np.linalg.matrix_power(W.numpy().T, steps) @ upstream.numpy()


def as_a_list(W, upstream, steps):
    return as_a_row(W, upstream, steps).tolist()


def the_matrix_alone(W, upstream, steps):
    return torch.linalg.matrix_power(W.T, steps)


def only_the_norm(W, upstream, steps):
    return as_a_row(W, upstream, steps).norm()


def a_column(W, upstream, steps):
    return as_a_row(W, upstream, steps).unsqueeze(1)


def entry_by_entry(W, upstream, steps):
    return W**steps * upstream


def one_too_many(W, upstream, steps):
    return as_a_row(W, upstream, steps + 1)


def one_before_the_loop(W, upstream, steps):
    gradient = W.T @ upstream
    for _ in range(steps - 1):
        gradient = W.T @ gradient
    return gradient


def with_the_derivative_of_tanh(W, upstream, steps):
    for _ in range(steps):
        upstream = (1 - torch.tanh(upstream) ** 2) * (W.T @ upstream)
    return upstream


def always_one_step(W, upstream, steps):
    return W.T @ upstream if steps else upstream


def one_too_few(W, upstream, steps):
    return as_a_row(W, upstream, max(steps - 1, 0))


def times_the_steps(W, upstream, steps):
    return steps * (W.T @ upstream) if steps else upstream


def powers_of_the_entries(W, upstream, steps):
    return (W**steps).T @ upstream if steps else upstream


def by_its_norm(W, upstream, steps):
    return torch.linalg.matrix_norm(W, 2) ** steps * upstream


def by_the_diagonal(W, upstream, steps):
    return W.diagonal() ** steps * upstream


def not_transposed(W, upstream, steps):
    return torch.linalg.matrix_power(W, steps) @ upstream


def symmetric(W, upstream, steps):
    return torch.linalg.matrix_power((W + W.T) / 2, steps) @ upstream


def by_the_inverse(W, upstream, steps):
    return torch.linalg.matrix_power(torch.linalg.inv(W), steps) @ upstream


def in_place(W, upstream, steps):
    for _ in range(steps):
        upstream[:] = W.T @ upstream
    return upstream


def a_wrong_shape(W, upstream, steps):
    return torch.linalg.matrix_power(W, steps) @ upstream[:-1]


RIGHT = [by_matrix_power, as_a_row, by_recursion, by_autograd, in_numpy, as_a_list]
WRONG = {
    the_matrix_alone: "shaped_like_the_state",
    only_the_norm: "shaped_like_the_state",
    a_column: "shaped_like_the_state",
    entry_by_entry: "shaped_like_the_state",
    one_too_many: "no_step_changes_nothing",
    one_before_the_loop: "no_step_changes_nothing",
    with_the_derivative_of_tanh: "halves_at_each_step",
    always_one_step: "halves_at_each_step",
    one_too_few: "halves_at_each_step",
    times_the_steps: "halves_at_each_step",
    by_the_inverse: "halves_at_each_step",
    powers_of_the_entries: "steps_follow_each_other",
    not_transposed: "is_what_autograd_finds",
    symmetric: "is_what_autograd_finds",
    by_its_norm: "is_what_autograd_finds",
    by_the_diagonal: "is_what_autograd_finds",
    in_place: "leaves_its_inputs_alone",
    a_wrong_shape: "runs",
}
