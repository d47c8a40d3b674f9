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
    latest = (equal * (places + 1)).max(dim=1).values[rows]  # one after
    return weights[:, rows, latest].mean(dim=1)
