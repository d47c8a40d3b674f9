"""Right and wrong answers to `attn_course.classroom.exercises.patching.copy_score`."""

import torch


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
    latest = (equal * (places + 1)).max(dim=1).values[rows]  # one behind
    return weights[:, rows, latest].mean(dim=1)


def one_number(weights, symbols):
    return by_a_dictionary(weights, symbols).mean()


def one_for_each_place(weights, symbols):
    return weights.diagonal(-1, 1, 2)


def at_the_earlier(weights, symbols):
    last, found = {}, []
    for i, symbol in enumerate(symbols.tolist()):
        if symbol in last:
            found.append(weights[:, i, last[symbol]])
        last[symbol] = i
    return torch.stack(found).mean(0)


def before_the_earlier(weights, symbols):
    last, found = {}, []
    for i, symbol in enumerate(symbols.tolist()):
        if symbol in last:
            found.append(weights[:, i, max(last[symbol] - 1, 0)])
        last[symbol] = i
    return torch.stack(found).mean(0)


def over_all_positions(weights, symbols):
    last, total = {}, torch.zeros(len(weights))
    for i, symbol in enumerate(symbols.tolist()):
        if symbol in last:
            total = total + weights[:, i, last[symbol] + 1]
        last[symbol] = i
    return total / len(symbols)


def added_up(weights, symbols):
    last, total = {}, torch.zeros(len(weights))
    for i, symbol in enumerate(symbols.tolist()):
        if symbol in last:
            total = total + weights[:, i, last[symbol] + 1]
        last[symbol] = i
    return total


def the_first_one(weights, symbols):
    listed, found = symbols.tolist(), []
    for i, symbol in enumerate(listed):
        if symbol in listed[:i]:
            found.append(weights[:, i, listed.index(symbol) + 1])
    if not found:
        raise ValueError("nothing comes twice")
    return torch.stack(found).mean(0)


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


def rows_for_columns(weights, symbols):
    return by_a_dictionary(weights.transpose(1, 2), symbols)


def nan_for_nothing(weights, symbols):
    last, total, count = {}, torch.zeros(len(weights)), 0
    for i, symbol in enumerate(symbols.tolist()):
        if symbol in last:
            total = total + weights[:, i, last[symbol] + 1]
            count += 1
        last[symbol] = i
    return total / torch.tensor(float(count))


def tensors_as_keys(weights, symbols):
    last = {}
    for symbol in symbols:
        if symbol in last:
            return weights[:, 0, last[symbol]]
        last[symbol] = 0
    return None


RIGHT = [by_a_dictionary, by_a_table]
WRONG = {
    one_number: "one_for_each_head",
    one_for_each_place: "one_for_each_head",
    at_the_earlier: "in_a_text_that_comes_twice",
    before_the_earlier: "in_a_text_that_comes_twice",
    over_all_positions: "in_a_text_that_comes_twice",
    added_up: "in_a_text_that_comes_twice",
    rows_for_columns: "in_a_text_that_comes_twice",
    half_a_text_back: "only_those_that_came_before",
    the_first_one: "the_last_one_counts",
    all_earlier_ones: "the_last_one_counts",
    nan_for_nothing: "nothing_twice_is_refused",
    tensors_as_keys: "runs",
}
