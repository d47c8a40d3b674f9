from collections import defaultdict

import numpy as np
import torch


def _divided(table):
    return table / table.sum(dim=1, keepdim=True)


def by_index_add(sources, targets, chances):
    shared = torch.zeros_like(chances)
    for source, target in zip(sources, targets, strict=True):
        block = chances[source][:, target]
        shares = block / block.sum(dim=0)
        for place, word in enumerate(target):
            shared[:, word].index_add_(0, torch.tensor(source), shares[:, place])
    return _divided(shared)


def in_numpy(sources, targets, chances):
    table = chances.numpy()
    shared = np.zeros_like(table)
    for source, target in zip(sources, targets, strict=True):
        block = table[np.ix_(source, target)]
        np.add.at(shared, np.ix_(source, target), block / block.sum(axis=0))
    return torch.tensor(shared / shared.sum(axis=1, keepdims=True))


def by_dictionary(sources, targets, chances):
    shared, totals = defaultdict(float), defaultdict(float)
    for source, target in zip(sources, targets, strict=True):
        for f in target:
            total = sum(float(chances[e, f]) for e in source)
            for e in source:
                shared[e, f] += float(chances[e, f]) / total
                totals[e] += float(chances[e, f]) / total
    result = torch.zeros_like(chances)
    for (e, f), amount in shared.items():
        result[e, f] = amount / totals[e]
    return result


def by_counting_words(sources, targets, chances):
    shared = torch.zeros_like(chances)
    for source, target in zip(sources, targets, strict=True):
        often = torch.bincount(torch.tensor(source), minlength=len(chances)).to(chances)
        for word in target:
            parts = often * chances[:, word]
            shared[:, word] += parts / parts.sum()
    return _divided(shared)
