import math

import numpy as np


def _discordant(ours, theirs):
    return int((ours > theirs).sum()), int((ours < theirs).sum())


def _exact(b, c):
    return min(1, 2 * sum(math.comb(b + c, k) for k in range(min(b, c) + 1)) / 2 ** (b + c))


def _of_probabilities(b, c):
    """A binomial distribution built by tossing, one coin after another."""
    heads = np.ones(1)
    for _ in range(b + c):
        heads = np.convolve(heads, [0.5, 0.5])
    return min(1.0, 2 * heads[: min(b, c) + 1].sum())


def _of_logarithms(b, c):
    n = b + c
    terms = (
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)
        for k in range(max(b, c), n + 1)
    )
    return min(1.0, 2 * sum(map(math.exp, terms)))


def _fit(ours, theirs):
    if ours.shape != theirs.shape or ours.dim() != 2 or ours.shape[0] < 2 or not ours.shape[1]:
        raise ValueError("these two tables cannot be compared")
    for table in (ours, theirs):
        if not set(table.flatten().tolist()) <= {0.0, 1.0}:
            raise ValueError("entries are 0 or 1")


def with_functions(ours, theirs, margin):
    _fit(ours, theirs)

    def better(one, two):
        every = all(float(a.mean() - b.mean()) >= margin for a, b in zip(one, two, strict=True))
        return every and _exact(*_discordant(one, two)) < 0.05

    if better(ours, theirs):
        return "better"
    if better(theirs, ours):
        return "worse"
    near = all(abs(float(a.mean() - b.mean())) < margin for a, b in zip(ours, theirs, strict=True))
    return "level" if near else "not settled"


def in_numpy(ours, theirs, margin):
    one, two = np.asarray(ours), np.asarray(theirs)
    if one.shape != two.shape or len(one) < 2 or one.size == 0:
        raise ValueError("shapes")
    if not (np.isin(one, [0, 1]).all() and np.isin(two, [0, 1]).all()):
        raise ValueError("entries")
    more = one.mean(axis=1, dtype=float) - two.mean(axis=1, dtype=float)
    if (abs(more) < margin).all():
        return "level"
    differs = _of_probabilities(int((one > two).sum()), int((one < two).sum())) < 0.05
    if more.min() >= margin and differs:
        return "better"
    return "worse" if more.max() <= -margin and differs else "not settled"


def by_sign(ours, theirs, margin):
    _fit(ours, theirs)
    seeds = [sum(a) - sum(b) for a, b in zip(ours.tolist(), theirs.tolist(), strict=True)]
    limit = margin * ours.shape[1]
    p = _of_logarithms(*_discordant(ours, theirs))
    for sign, word in ((1, "better"), (-1, "worse")):
        if min(sign * seed for seed in seeds) >= limit and p < 0.05:
            return word
    return "level" if max(map(abs, seeds)) < limit else "not settled"


def with_a_dictionary(ours, theirs, margin):
    _fit(ours, theirs)
    more = ours.mean(dim=1) - theirs.mean(dim=1)
    differs = _exact(*_discordant(ours, theirs)) < 0.05
    verdicts = {
        "better": bool((more >= margin).all()) and differs,
        "worse": bool((more <= -margin).all()) and differs,
        "level": float(more.abs().max()) < margin,
        "not settled": True,
    }
    return next(word for word, holds in verdicts.items() if holds)
