"""Right and wrong answers to `attn_class.exercises.search.beam_step`."""

from functools import partial

import torch

from attn_class.exercises.search.beam_step import solution
from specimens.answers import changed, named


def by_loops(sums, logs, width):
    grown = [
        (k, symbol, (sums[k] + logs[k, symbol]).item())
        for k in range(len(sums))
        for symbol in range(logs.shape[1])
    ]
    return sorted(grown, key=lambda one: one[2], reverse=True)[:width]


def by_unravelling(sums, logs, width):
    totals = sums.unsqueeze(1) + logs
    order = totals.flatten().argsort(descending=True)[:width]
    rows, columns = torch.unravel_index(order, totals.shape)
    return torch.stack([rows, columns, totals[rows, columns]], dim=1)


def for_each_beginning(sums, logs, width):
    best = logs.topk(width)
    return [
        (k, int(symbol), float(sums[k] + log))
        for k in range(len(sums))
        for log, symbol in zip(best.values[k], best.indices[k], strict=True)
    ]


def one_of_each(sums, logs, width):
    best = [(k, int(logs[k].argmax()), float(sums[k] + logs[k].max())) for k in range(len(sums))]
    best += by_loops(sums, logs, 10**6)
    return best[:width]


but = partial(changed, solution)
RIGHT = [by_loops, by_unravelling]
WRONG = {
    "runs": named(added_along_the_wrong_axis=but("sums[:, None]", "sums")),
    "as_many_as_the_beam_is_wide": named(
        for_each_beginning, one_too_few=lambda sums, logs, width: by_loops(sums, logs, width - 1)
    ),
    "each_sum_is_its_own": named(
        multiplied=but("sums[:, None] + logs", "sums[:, None] * logs"),
        without_the_sums=lambda sums, logs, width: by_loops(torch.zeros_like(sums), logs, width),
        row_and_column_exchanged=lambda *given: [
            (symbol, k, total) for k, symbol, total in by_loops(*given)
        ],
    ),
    "they_are_the_likeliest": named(
        one_of_each,
        first_beginning_alone=lambda sums, logs, width: by_loops(sums[:1], logs[:1], width),
        least_likely=lambda sums, logs, width: by_loops(sums, logs, 10**6)[-width:],
    ),
    "the_likeliest_comes_first": named(
        likeliest_last=lambda sums, logs, width: by_loops(sums, logs, width)[::-1]
    ),
}
