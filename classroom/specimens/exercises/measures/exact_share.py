from itertools import combinations, permutations, product

import numpy as np
import torch


def _ratio(D, one):
    inside = np.isin(np.arange(len(D)), list(one))
    D = np.asarray(D)
    k, n = inside.sum(), len(D)
    across = D[inside][:, ~inside].sum() / (k * (n - k))
    return across / (D[inside][:, inside].sum() / (k * (k - 1)))


def _share_of(values, own):
    return float(np.mean([value >= own * (1 - 1e-9) for value in values]))


def in_numpy(D, chosen):
    sets = combinations(range(len(D)), len(chosen))
    return _share_of([_ratio(D, one) for one in sets], _ratio(D, chosen))


def in_one_go(D, chosen):
    sets = list(combinations(range(len(D)), len(chosen)))
    M = torch.zeros(len(sets), len(D), dtype=D.dtype)
    M[torch.arange(len(sets))[:, None], torch.tensor(sets)] = 1
    within = ((M @ D) * M).sum(dim=1)
    values = ((M @ D).sum(dim=1) - within) / within  # the counts are the same for all
    own = values[sets.index(tuple(sorted(chosen)))]
    return (values >= own * (1 - 1e-9)).double().mean()


def ordered_sets(D, chosen):
    sets = permutations(range(len(D)), len(chosen))  # each equally often
    return _share_of([_ratio(D, one) for one in sets], _ratio(D, chosen))


def over_a_mask(D, chosen):
    n, k = len(D), len(chosen)
    masks = [m for m in product([False, True], repeat=n) if sum(m) == k]
    own = tuple(place in list(chosen) for place in range(n))

    def value(mask):
        inside = torch.tensor(mask)
        return (D[inside][:, ~inside].mean() / D[inside][:, inside].mean()).item()

    return _share_of([value(mask) for mask in masks], value(own))
