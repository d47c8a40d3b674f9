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
