"""Right and wrong answers to `attn_course.classroom.exercises.search.beam_step`."""

import torch


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


def first_beginning_alone(sums, logs, width):
    return by_loops(sums[:1], logs[:1], width)


def without_the_sums(sums, logs, width):
    return by_loops(torch.zeros_like(sums), logs, width)


def multiplied(sums, logs, width):
    totals = (sums[:, None] * logs).flatten().topk(width)
    size = logs.shape[1]
    pairs = zip(totals.values.tolist(), totals.indices.tolist(), strict=True)
    return [(place // size, place % size, total) for total, place in pairs]


def row_and_column_exchanged(sums, logs, width):
    return [(symbol, k, total) for k, symbol, total in by_loops(sums, logs, width)]


def likeliest_last(sums, logs, width):
    return by_loops(sums, logs, width)[::-1]


def least_likely(sums, logs, width):
    return by_loops(sums, logs, 10**6)[-width:]


def one_too_few(sums, logs, width):
    return by_loops(sums, logs, width - 1)


def added_along_the_wrong_axis(sums, logs, width):
    totals = sums + logs
    return by_loops(torch.zeros(len(logs)), totals, width)


RIGHT = [by_loops, by_unravelling]
WRONG = {
    added_along_the_wrong_axis: "runs",
    for_each_beginning: "as_many_as_the_beam_is_wide",
    one_too_few: "as_many_as_the_beam_is_wide",
    without_the_sums: "each_sum_is_its_own",
    multiplied: "each_sum_is_its_own",
    row_and_column_exchanged: "each_sum_is_its_own",
    one_of_each: "they_are_the_likeliest",
    first_beginning_alone: "they_are_the_likeliest",
    least_likely: "they_are_the_likeliest",
    likeliest_last: "the_likeliest_comes_first",
}
