"""Right and wrong answers to `attn_course.classroom.exercises.patching.one_back`."""

import torch

from specimens.answers import named


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


def head_first(weights):
    block, head = by_loops(weights)
    return head, block


def its_own_place(weights):
    scores = weights.diagonal(0, 2, 3).mean(-1)
    return divmod(int(scores.argmax()), scores.shape[1])


def above_the_diagonal(weights):
    scores = weights.diagonal(1, 2, 3).mean(-1)
    return divmod(int(scores.argmax()), scores.shape[1])


def two_back(weights):
    scores = weights.diagonal(-2, 2, 3).mean(-1)
    return divmod(int(scores.argmax()), scores.shape[1])


def sharpest(weights):
    scores = weights.amax(-1).mean(-1)
    return divmod(int(scores.argmax()), scores.shape[1])


def largest_of_all(weights):
    scores = weights.diagonal(-1, 2, 3)[..., 1:].amax(-1)
    return divmod(int(scores.argmax()), scores.shape[1])


def last_row(weights):
    scores = weights[:, :, -1, -2]
    return divmod(int(scores.argmax()), scores.shape[1])


def backwards_counted(weights):
    scores = weights.diagonal(-1, 2, 3).mean(-1)
    block, head = divmod(int(scores.argmax()), scores.shape[0])
    return block % weights.shape[0], head % weights.shape[1]


def by_heads_of_one_block(weights):
    scores = weights.diagonal(-1, 2, 3).mean(-1)
    return int(scores.mean(1).argmax()), int(scores.mean(0).argmax())


RIGHT = [by_loops, by_indices]
WRONG = {
    "two_numbers": named(
        flat_place=lambda weights: int(weights.diagonal(-1, 2, 3).mean(-1).argmax())
    ),
    "finds_it": named(
        its_own_place,
        above_the_diagonal,
        two_back,
        head_first,
        backwards_counted,
        always_the_first=lambda weights: (0, 0),
    ),
    "not_another_place": [sharpest],
    "on_average": [largest_of_all, last_row],
    "runs": named(no_such_axis=lambda weights: weights.diagonal(-1, 4, 5).mean(-1).argmax()),
}
