"""Right and wrong answers to `attn_class.exercises.context.letter_windows`."""

import numpy as np
import torch
from torch.nn import functional as F

from specimens.answers import changed, named


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


def ahead(x, r):
    padded = F.pad(x, (0, 0, 0, 2 * r))
    return torch.stack([padded[j : j + 2 * r + 1].flatten() for j in range(len(x))])


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


RIGHT = [by_loop, by_unfold]
WRONG = {
    "gradients_pass": [in_numpy],
    "has_its_shape": named(
        one_side_only=changed(ahead, "0, 2 * r", "r, 0", "2 * r", "r"),
        ends_left_out=lambda x, r: by_loop(x, r)[r : len(x) - r],
        as_three_axes=lambda x, r: by_loop(x, r).view(len(x), 2 * r + 1, -1),
        averaged=lambda x, r: by_loop(x, r).view(len(x), 2 * r + 1, -1).mean(dim=1),
    ),
    "no_reach_is_the_vectors": named(
        empty_for_no_reach=lambda x, r: (
            torch.cat([x, by_loop(x, r)], dim=1)[:, x.shape[1] :] if r else x[r:-r]
        )
    ),
    "own_vector_in_the_middle": named(
        ahead, interleaved=lambda x, r: F.pad(x, (0, 0, r, r)).unfold(0, 2 * r + 1, 1).flatten(1)
    ),
    "neighbours_in_order": named(
        backwards=lambda x, r: by_loop(x, r).view(len(x), 2 * r + 1, -1).flip(1).flatten(1)
    ),
    "outside_is_zero": named(
        negative_indices,
        repeated_ends,
        rolled=lambda x, r: torch.cat([x.roll(-k, 0) for k in range(-r, r + 1)], dim=1),
    ),
    "may_be_wider": named(no_wider_than_the_word=lambda x, r: by_loop(x, min(r, len(x)))),
    "runs": named(reach_forgotten=lambda x: by_loop(x, 2)),
}
