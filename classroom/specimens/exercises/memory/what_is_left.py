"""Right and wrong answers to `attn_class.exercises.memory.what_is_left`."""

import torch

from specimens.answers import named


def by_loop(decays):
    rows = []
    for t in range(len(decays)):
        row = [
            decays[j + 1 : t + 1].prod() if j <= t else 0 * decays[0] for j in range(len(decays))
        ]
        rows.append(torch.stack(row))
    return torch.stack(rows)


def row_by_row(decays):
    size, rows = len(decays), [torch.eye(len(decays))[0]]
    for t in range(1, size):
        rows.append(decays[t] * rows[-1] + torch.eye(size)[t])
    return torch.stack(rows)


def without_the_mask(decays):
    total = decays.log().cumsum(dim=0)
    return (total[:, None] - total[None, :]).exp()


def sums(decays):
    left = by_loop(decays)
    total = decays.cumsum(dim=0)
    far = (total[:, None] - total[None, :]).tril(diagonal=-2)
    return left.triu(diagonal=-1) + far


def quotients(decays):
    product = decays.cumprod(dim=0)
    return (product[:, None] / product[None, :]).tril()


def by_columns(decays):
    size = len(decays)
    later = torch.ones(size, size).tril(-1) > 0
    return torch.where(later, decays[:, None], torch.ones(())).cumprod(dim=0).tril()


def powers_of_one(decays):
    age = torch.arange(len(decays))[:, None] - torch.arange(len(decays))
    return (decays[:, None] ** age.clamp(min=0)).tril()


def quotients_with_a_floor(decays):
    total = decays.cumprod(dim=0)
    return (total[:, None] / total.clamp(min=1e-12)).tril()


RIGHT = [by_loop, row_by_row, by_columns]
WRONG = {
    "one_for_each_pair": named(last_row=lambda decays: by_loop(decays)[-1]),
    "nothing_of_the_future": named(without_the_mask, transposed=lambda decays: by_loop(decays).T),
    "the_newest_is_whole": named(
        own_decay_too=lambda decays: by_loop(decays) * decays,
        empty_is_zero=lambda decays: by_loop(decays).tril(diagonal=-1),
    ),
    "one_step_later": named(
        decay_of_the_writer=lambda decays: by_loop(torch.cat([decays[:1], decays[:-1]])),
        one_decay_for_all=lambda decays: by_loop(decays[1].expand_as(decays)),
        first_decay_for_all=lambda decays: by_loop(decays[0].expand_as(decays)),
    ),
    "decays_multiply": [sums, powers_of_one],
    "survives_small_decays": [quotients, quotients_with_a_floor],
    "gradients_pass": named(from_numbers=lambda decays: torch.tensor(by_loop(decays).tolist())),
    "runs": named(not_widened=lambda decays: decays.cumprod(dim=1)),
}
