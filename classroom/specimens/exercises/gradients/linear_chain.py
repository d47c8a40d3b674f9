"""Right and wrong answers to `attn_class.exercises.gradients.linear_chain`."""

import numpy as np
import torch

from attn_class.exercises.gradients.linear_chain import solution
from specimens.answers import changed, named


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


def with_the_derivative_of_tanh(W, upstream, steps):
    for _ in range(steps):
        upstream = (1 - torch.tanh(upstream) ** 2) * (W.T @ upstream)
    return upstream


RIGHT = [by_matrix_power, as_a_row, by_recursion, by_autograd, in_numpy, as_a_list]
WRONG = {
    "shaped_like_the_state": named(
        the_matrix_alone=lambda W, upstream, steps: torch.linalg.matrix_power(W.T, steps),
        only_the_norm=lambda W, upstream, steps: as_a_row(W, upstream, steps).norm(),
        a_column=lambda W, upstream, steps: as_a_row(W, upstream, steps).unsqueeze(1),
        entry_by_entry=lambda W, upstream, steps: W**steps * upstream,
    ),
    "no_step_changes_nothing": named(
        one_too_many=lambda W, upstream, steps: as_a_row(W, upstream, steps + 1),
        one_before_the_loop=changed(
            solution, "gradient = upstream", "gradient = W.T @ upstream", "(steps)", "(steps - 1)"
        ),
    ),
    "halves_at_each_step": named(
        with_the_derivative_of_tanh,
        always_one_step=lambda W, upstream, steps: W.T @ upstream if steps else upstream,
        one_too_few=lambda W, upstream, steps: as_a_row(W, upstream, max(steps - 1, 0)),
        times_the_steps=lambda W, upstream, steps: steps * (W.T @ upstream) if steps else upstream,
        by_the_inverse=changed(by_matrix_power, "(W, steps).T", "(torch.linalg.inv(W), steps)"),
    ),
    "steps_follow_each_other": named(
        powers_of_the_entries=lambda W, upstream, steps: (
            (W**steps).T @ upstream if steps else upstream
        )
    ),
    "is_what_autograd_finds": named(
        not_transposed=lambda W, upstream, steps: torch.linalg.matrix_power(W, steps) @ upstream,
        symmetric=changed(by_matrix_power, "(W, steps).T", "((W + W.T) / 2, steps)"),
        by_its_norm=lambda W, upstream, steps: torch.linalg.matrix_norm(W, 2) ** steps * upstream,
        by_the_diagonal=lambda W, upstream, steps: W.diagonal() ** steps * upstream,
    ),
    "runs": named(
        a_wrong_shape=lambda W, upstream, steps: torch.linalg.matrix_power(W, steps) @ upstream[:-1]
    ),
}
