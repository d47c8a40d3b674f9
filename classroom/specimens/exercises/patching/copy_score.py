"""Right and wrong answers to `attn_class.exercises.patching.copy_score`."""

from functools import partial

import torch

from specimens.answers import changed, named


def by_a_dictionary(weights, symbols):
    last, total, count = {}, torch.zeros(len(weights)), 0
    for i, symbol in enumerate(symbols.tolist()):
        if symbol in last:
            total = total + weights[:, i, last[symbol] + 1]
            count += 1
        last[symbol] = i
    if not count:
        raise ValueError("no symbol comes twice")
    return total / count


def by_a_table(weights, symbols):
    equal = (symbols[:, None] == symbols).tril(-1)
    rows = equal.any(dim=1).nonzero().squeeze(1)
    if not len(rows):
        raise ValueError("no symbol comes twice")
    places = torch.arange(len(symbols))
    latest = (equal * (places + 1)).max(dim=1).values[rows]  # one after
    return weights[:, rows, latest].mean(dim=1)


def all_earlier_ones(weights, symbols):
    listed, found = symbols.tolist(), []
    for i, symbol in enumerate(listed):
        places = [j + 1 for j in range(i) if listed[j] == symbol]
        if places:
            found.append(weights[:, i, places].sum(dim=1))
    if not found:
        raise ValueError("nothing comes twice")
    return torch.stack(found).mean(0)


def half_a_text_back(weights, symbols):
    half = len(symbols) // 2
    places = torch.arange(half, len(symbols))
    return weights[:, places, places - half + 1].mean(1)


but = partial(changed, by_a_dictionary)
RIGHT = [by_a_dictionary, by_a_table]
WRONG = {
    "one_for_each_head": named(
        one_number=lambda weights, symbols: by_a_dictionary(weights, symbols).mean(),
        one_for_each_place=lambda weights, symbols: weights.diagonal(-1, 1, 2),
    ),
    "in_a_text_that_comes_twice": named(
        at_the_earlier=but("last[symbol] + 1", "last[symbol]"),
        before_the_earlier=but("last[symbol] + 1", "max(last[symbol] - 1, 0)"),
        over_all_positions=but("total / count", "total / len(symbols)"),
        added_up=but("total / count", "total"),
        rows_for_columns=lambda weights, symbols: by_a_dictionary(weights.transpose(1, 2), symbols),
    ),
    "only_those_that_came_before": [half_a_text_back],
    "the_last_one_counts": named(
        all_earlier_ones, the_first_one=but("last[symbol] = i", "last.setdefault(symbol, i)")
    ),
    "nothing_twice_is_refused": named(
        nan_for_nothing=but('raise ValueError("no symbol comes twice")', "pass")
    ),
    "runs": named(tensors_as_keys=but("symbols.tolist()", "symbols")),
}
