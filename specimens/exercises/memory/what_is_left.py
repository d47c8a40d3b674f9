"""Right and wrong answers to `attn_course.classroom.exercises.memory.what_is_left`."""

import torch


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


def last_row(decays):
    return by_loop(decays)[-1]


def transposed(decays):
    return by_loop(decays).T


def without_the_mask(decays):
    total = decays.log().cumsum(dim=0)
    return (total[:, None] - total[None, :]).exp()


def own_decay_too(decays):
    return by_loop(decays) * decays


def empty_is_zero(decays):
    return by_loop(decays).tril(diagonal=-1)


def decay_of_the_writer(decays):
    rolled = torch.cat([decays[:1], decays[:-1]])
    return by_loop(rolled)


def one_decay_for_all(decays):
    return by_loop(decays[1].expand_as(decays))


def first_decay_for_all(decays):
    return by_loop(decays[0].expand_as(decays))


def sums(decays):
    left = by_loop(decays)
    total = decays.cumsum(dim=0)
    far = (total[:, None] - total[None, :]).tril(diagonal=-2)
    return left.triu(diagonal=-1) + far


def quotients(decays):
    product = decays.cumprod(dim=0)
    return (product[:, None] / product[None, :]).tril()


def from_numbers(decays):
    return torch.tensor(by_loop(decays).tolist())


def not_widened(decays):
    return decays.cumprod(dim=1)


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
    last_row: "one_for_each_pair",
    transposed: "nothing_of_the_future",
    without_the_mask: "nothing_of_the_future",
    own_decay_too: "the_newest_is_whole",
    empty_is_zero: "the_newest_is_whole",
    decay_of_the_writer: "one_step_later",
    one_decay_for_all: "one_step_later",
    first_decay_for_all: "one_step_later",
    sums: "decays_multiply",
    quotients: "survives_small_decays",
    from_numbers: "gradients_pass",
    not_widened: "runs",
    powers_of_one: "decays_multiply",
    quotients_with_a_floor: "survives_small_decays",
}
