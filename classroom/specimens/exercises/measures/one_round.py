"""Right and wrong answers to `attn_class.exercises.measures.one_round`."""

from collections import defaultdict
from functools import partial

import numpy as np
import torch

from attn_class.exercises.measures.one_round import solution
from specimens.answers import changed, named


def divided(given):
    return given / given.sum(dim=1, keepdim=True)


def by_index_add(sources, targets, chances):
    given = torch.zeros_like(chances)
    for source, target in zip(sources, targets, strict=True):
        block = chances[source][:, target]
        shares = block / block.sum(dim=0)
        for place, word in enumerate(target):
            given[:, word].index_add_(0, torch.tensor(source), shares[:, place])
    return divided(given)


def in_numpy(sources, targets, chances):
    table = chances.numpy()
    given = np.zeros_like(table)
    for source, target in zip(sources, targets, strict=True):
        block = table[np.ix_(source, target)]
        np.add.at(given, np.ix_(source, target), block / block.sum(axis=0))
    return torch.tensor(given / given.sum(axis=1, keepdims=True))


def by_dictionary(sources, targets, chances):
    given, totals = defaultdict(float), defaultdict(float)
    for source, target in zip(sources, targets, strict=True):
        for f in target:
            total = sum(float(chances[e, f]) for e in source)
            for e in source:
                given[e, f] += float(chances[e, f]) / total
                totals[e] += float(chances[e, f]) / total
    result = torch.zeros_like(chances)
    for (e, f), amount in given.items():
        result[e, f] = amount / totals[e]
    return result


def by_counting_words(sources, targets, chances):
    given = torch.zeros_like(chances)
    for source, target in zip(sources, targets, strict=True):
        often = torch.bincount(torch.tensor(source), minlength=len(chances)).to(chances)
        for word in target:
            parts = often * chances[:, word]
            given[:, word] += parts / parts.sum()
    return divided(given)


def shared_among_all_words(sources, targets, chances):
    given = torch.zeros_like(chances)
    for target in targets:
        for word in target:
            given[:, word] += chances[:, word] / chances[:, word].sum()
    return divided(given)


def once_for_a_word_that_stands_twice(sources, targets, chances):
    given = torch.zeros_like(chances)
    for source, target in zip(sources, targets, strict=True):
        for word in target:
            shares = chances[source, word]
            given[source, word] += shares / shares.sum()
    return divided(given)


but = partial(changed, solution)
RIGHT = [by_index_add, in_numpy, by_dictionary, by_counting_words]
WRONG = {
    "rows_sum_to_one": named(
        counts_alone=but(" / given.sum(dim=1, keepdim=True)", ""),
        columns_divided=but("given.sum(dim=1, keepdim=True)", "given.sum(dim=0).clamp(min=1e-9)"),
        transposed=lambda sources, targets, chances: by_index_add(sources, targets, chances).T,
    ),
    "one_word_each": named(
        shared_among_all_words,
        unchanged=lambda sources, targets, chances: chances,
        added_to_the_old=but("torch.zeros_like(chances)", "chances.clone()"),
    ),
    "even_shares": named(
        all_to_the_likeliest=but(
            "shares / shares.sum()", "torch.eye(len(source))[shares.argmax()] + 1e-9"
        ),
        never_shared=but("+= share", "+= 1"),
    ),
    "a_word_that_stands_twice": [once_for_a_word_that_stands_twice],
    "in_proportion": named(
        always_evenly=but("= chances[source, word]", "= torch.ones(len(source))")
    ),
    "runs": named(two_arguments=lambda sources, targets: targets),
}
