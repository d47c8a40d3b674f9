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
