"""Right and wrong answers to `attn_class.exercises.patching.one_back`."""

from functools import partial

import torch

from attn_class.exercises.patching.one_back import solution
from specimens.answers import changed, named


def by_loops(weights):
    best, where = -1.0, (0, 0)
    for block in range(weights.shape[0]):
        for head in range(weights.shape[1]):
            some = [weights[block, head, i, i - 1].item() for i in range(1, weights.shape[2])]
            if sum(some) / len(some) > best:
                best, where = sum(some) / len(some), (block, head)
    return where


def by_indices(weights):
    places = torch.arange(1, weights.shape[-1])
    table = weights[:, :, places, places - 1].sum(-1)
    best = (table == table.max()).nonzero()[0]
    return int(best[0]), int(best[1])


but = partial(changed, solution)
RIGHT = [by_loops, by_indices]
WRONG = {
    "two_numbers": named(flat_place=but("return block, head", "return int(scores.argmax())")),
    "finds_it": named(
        its_own_place=but("offset=-1", "offset=0"),
        above_the_diagonal=but("offset=-1", "offset=1"),
        two_back=but("offset=-1", "offset=-2"),
        head_first=but("return block, head", "return head, block"),
        backwards_counted=but("scores.shape[1]", "scores.shape[0]"),
        always_the_first=lambda weights: (0, 0),
    ),
    "not_another_place": named(
        sharpest=but("weights.diagonal(offset=-1, dim1=2, dim2=3)", "weights.amax(dim=-1)")
    ),
    "on_average": named(
        largest_of_all=but(".mean(dim=-1)", "[..., 1:].amax(dim=-1)"),
        last_row=but(".diagonal(offset=-1, dim1=2, dim2=3).mean(dim=-1)", "[:, :, -1, -2]"),
    ),
    "runs": named(no_such_axis=but("dim1=2, dim2=3", "dim1=4, dim2=5")),
}
