"""Right and wrong answers to `attn_course.classroom.exercises.context.letter_windows`."""

import numpy as np
import torch
from torch.nn import functional as F


def by_loop(x, r):
    rows = []
    for j in range(len(x)):
        parts = [
            x[k] if 0 <= k < len(x) else torch.zeros(x.shape[1]) for k in range(j - r, j + r + 1)
        ]
        rows.append(torch.cat(parts))
    return torch.stack(rows)


def by_unfold(x, r):
    return F.pad(x, (0, 0, r, r)).unfold(0, 2 * r + 1, 1).transpose(1, 2).flatten(1)


def in_numpy(x, r):
    padded = np.pad(x.numpy(), ((r, r), (0, 0)))
    return np.concatenate([padded[k : k + len(x)] for k in range(2 * r + 1)], axis=1)


def one_side_only(x, r):
    padded = F.pad(x, (0, 0, r, 0))
    return torch.stack([padded[j : j + r + 1].flatten() for j in range(len(x))])


def ends_left_out(x, r):
    return by_loop(x, r)[r : len(x) - r]


def as_three_axes(x, r):
    return by_loop(x, r).view(len(x), 2 * r + 1, -1)


def averaged(x, r):
    return by_loop(x, r).view(len(x), 2 * r + 1, -1).mean(dim=1)


def empty_for_no_reach(x, r):
    return torch.cat([x, by_loop(x, r)], dim=1)[:, x.shape[1] :] if r else x[r:-r]


def ahead(x, r):
    padded = F.pad(x, (0, 0, 0, 2 * r))
    return torch.stack([padded[j : j + 2 * r + 1].flatten() for j in range(len(x))])


def backwards(x, r):
    return by_loop(x, r).view(len(x), 2 * r + 1, -1).flip(1).flatten(1)


def interleaved(x, r):
    return F.pad(x, (0, 0, r, r)).unfold(0, 2 * r + 1, 1).flatten(1)


def rolled(x, r):
    return torch.cat([x.roll(-k, 0) for k in range(-r, r + 1)], dim=1)


def negative_indices(x, r):
    zeros = torch.zeros(x.shape[1])
    return torch.stack(
        [
            torch.cat([x[k] if k < len(x) else zeros for k in range(j - r, j + r + 1)])
            for j in range(len(x))
        ]
    )


def repeated_ends(x, r):
    rows = torch.arange(len(x))[:, None] + torch.arange(-r, r + 1)
    return x[rows.clamp(0, len(x) - 1)].flatten(1)


def no_wider_than_the_word(x, r):
    return by_loop(x, min(r, len(x)))


def reach_forgotten(x):
    return by_loop(x, 2)


RIGHT = [by_loop, by_unfold]
WRONG = {
    in_numpy: "gradients_pass",
    one_side_only: "has_its_shape",
    ends_left_out: "has_its_shape",
    as_three_axes: "has_its_shape",
    averaged: "has_its_shape",
    empty_for_no_reach: "no_reach_is_the_vectors",
    ahead: "own_vector_in_the_middle",
    interleaved: "own_vector_in_the_middle",
    backwards: "neighbours_in_order",
    rolled: "outside_is_zero",
    negative_indices: "outside_is_zero",
    repeated_ends: "outside_is_zero",
    no_wider_than_the_word: "may_be_wider",
    reach_forgotten: "runs",
}
