"""Right and wrong answers to `attn_class.exercises.measures.exact_share`."""

from functools import partial
from itertools import combinations, permutations, product

import numpy as np
import torch

from specimens.answers import changed, named


def ratio(D, one):
    inside = np.isin(np.arange(len(D)), list(one))
    D = np.asarray(D)
    k, n = inside.sum(), len(D)
    across = D[inside][:, ~inside].sum() / (k * (n - k))
    return across / (D[inside][:, inside].sum() / (k * (k - 1)))


def share_of(values, own):
    return float(np.mean([value >= own * (1 - 1e-9) for value in values]))


def in_numpy(D, chosen):
    sets = combinations(range(len(D)), len(chosen))
    return share_of([ratio(D, one) for one in sets], ratio(D, chosen))


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
    return share_of([ratio(D, one) for one in sets], ratio(D, chosen))


def over_a_mask(D, chosen):
    n, k = len(D), len(chosen)
    masks = [m for m in product([False, True], repeat=n) if sum(m) == k]
    own = tuple(place in list(chosen) for place in range(n))

    def value(mask):
        inside = torch.tensor(mask)
        return (D[inside][:, ~inside].mean() / D[inside][:, inside].mean()).item()

    return share_of([value(mask) for mask in masks], value(own))


def sets_of_all_sizes(D, chosen):
    sets = [one for size in range(2, len(D)) for one in combinations(range(len(D)), size)]
    return share_of([ratio(D, one) for one in sets], ratio(D, chosen))


def at_most(D, chosen):
    sets = combinations(range(len(D)), len(chosen))
    own = ratio(D, chosen)
    return float(np.mean([ratio(D, one) <= own * (1 + 1e-9) for one in sets]))


def only_across(D, chosen):
    D = np.asarray(D)

    def across(one):
        inside = np.isin(np.arange(len(D)), list(one))
        return D[inside][:, ~inside].mean()

    sets = combinations(range(len(D)), len(chosen))
    return share_of([across(one) for one in sets], across(chosen))


def a_difference(D, chosen):
    D = np.asarray(D)

    def apart(one):
        inside = np.isin(np.arange(len(D)), list(one))
        k = inside.sum()
        within = D[inside][:, inside].sum() / (k * (k - 1))
        return D[inside][:, ~inside].mean() - within

    own = apart(chosen)
    sets = combinations(range(len(D)), len(chosen))
    return float(np.mean([apart(one) >= own - 1e-9 for one in sets]))


but = partial(changed, in_numpy)
RIGHT = [in_numpy, in_one_go, ordered_sets, over_a_mask]
WRONG = {
    "is_a_share": named(
        strictly_better=but("ratio(D, chosen))", "ratio(D, chosen) * (1 + 1e-8))"),
        each_value=lambda D, chosen: [
            ratio(D, one) for one in combinations(range(len(D)), len(chosen))
        ],
        a_count=lambda D, chosen: (
            in_numpy(D, chosen) * sum(1 for _ in combinations(range(len(D)), len(chosen)))
        ),
    ),
    "a_cluster_is_the_only_one": named(
        sets_of_all_sizes,
        at_most,
        sets_with_the_first_only=but("one in sets", "one in sets if chosen[0] in one"),
        upside_down=but(
            "ratio(D, one)", "1 / ratio(D, one)", "ratio(D, chosen)", "1 / ratio(D, chosen)"
        ),
    ),
    "the_scattered_are_beaten": [only_across],
    "is_the_definition": [a_difference],
    "runs": named(one_letter_at_a_time=lambda D, chosen: in_numpy(D, chosen[0])),
}
