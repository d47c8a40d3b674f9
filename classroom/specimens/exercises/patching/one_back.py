import torch


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
