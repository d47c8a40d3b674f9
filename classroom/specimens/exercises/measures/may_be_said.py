"""Right and wrong answers to `attn_class.exercises.measures.may_be_said`."""

import math
from functools import partial

import numpy as np

from specimens.answers import changed, named


def discordant(ours, theirs):
    return int((ours > theirs).sum()), int((ours < theirs).sum())


def exact(b, c):
    return min(1, 2 * sum(math.comb(b + c, k) for k in range(min(b, c) + 1)) / 2 ** (b + c))


def of_probabilities(b, c):
    """A binomial distribution built by tossing, one coin after another."""
    heads = np.ones(1)
    for _ in range(b + c):
        heads = np.convolve(heads, [0.5, 0.5])
    return min(1.0, 2 * heads[: min(b, c) + 1].sum())


def of_logarithms(b, c):
    n = b + c
    terms = (
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)
        for k in range(max(b, c), n + 1)
    )
    return min(1.0, 2 * sum(map(math.exp, terms)))


def chi(b, c, correction=0):
    """McNemar's own approximation: χ² with one degree of freedom."""
    if not b + c:
        return 1.0
    return math.erfc(math.sqrt(max(abs(b - c) - correction, 0) ** 2 / (b + c) / 2))


def wilson(table, z=1.96):
    n, right = table.numel(), int(table.sum())
    half = z * math.sqrt(right * (n - right) / n + z**2 / 4)
    return [(right + z**2 / 2 + sign * half) / (n + z**2) for sign in (-1, 1)]


def of_intervals(ours, theirs):
    """0 if the two intervals do not overlap."""
    (low, high), (their_low, their_high) = wilson(ours), wilson(theirs)
    return float(low <= their_high and their_low <= high)


def fit(ours, theirs):
    if ours.shape != theirs.shape or ours.dim() != 2 or ours.shape[0] < 2 or not ours.shape[1]:
        raise ValueError("these two tables cannot be compared")
    for table in (ours, theirs):
        if not set(table.flatten().tolist()) <= {0.0, 1.0}:
            raise ValueError("entries are 0 or 1")


def with_functions(ours, theirs, margin):
    fit(ours, theirs)

    def better(one, two):
        every = all(float(a.mean() - b.mean()) >= margin for a, b in zip(one, two, strict=True))
        return every and exact(*discordant(one, two)) < 0.05

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
    told = of_probabilities(int((one > two).sum()), int((one < two).sum())) < 0.05
    if more.min() >= margin and told:
        return "better"
    return "worse" if more.max() <= -margin and told else "not settled"


def by_sign(ours, theirs, margin):
    fit(ours, theirs)
    seeds = [sum(a) - sum(b) for a, b in zip(ours.tolist(), theirs.tolist(), strict=True)]
    limit = margin * ours.shape[1]
    p = of_logarithms(*discordant(ours, theirs))
    for sign, word in ((1, "better"), (-1, "worse")):
        if min(sign * seed for seed in seeds) >= limit and p < 0.05:
            return word
    return "level" if max(map(abs, seeds)) < limit else "not settled"


def with_a_dictionary(ours, theirs, margin):
    fit(ours, theirs)
    more = ours.mean(dim=1) - theirs.mean(dim=1)
    told = exact(*discordant(ours, theirs)) < 0.05
    said = {
        "better": bool((more >= margin).all()) and told,
        "worse": bool((more <= -margin).all()) and told,
        "level": float(more.abs().max()) < margin,
        "not settled": True,
    }
    return next(word for word, holds in said.items() if holds)


def in_a_few_lines(ours, theirs, margin):
    fit(ours, theirs)
    more = ours.mean(dim=1) - theirs.mean(dim=1)
    told = exact(*discordant(ours, theirs)) < 0.05
    if (more >= margin).all() and told:
        return "better"
    if (more <= -margin).all() and told:
        return "worse"
    return "level" if (more.abs() < margin).all() else "not settled"


def refusing(what):
    """Refuses what is named as a set of shapes and entries, and no more."""

    def refuse(ours, theirs):
        if "shape" in what and ours.shape != theirs.shape:
            raise ValueError("shape")
        if "size" in what and ours.numel() != theirs.numel():
            raise ValueError("size")
        if "seed" in what and len(ours) < 2:
            raise ValueError("seed")
        if "pair" in what and not ours.numel():
            raise ValueError("pair")
        for table in (ours, theirs)[: 1 if "ours" in what else 2]:
            inside = (table == 0) | (table == 1)
            if "range" in what:
                inside = ~((table < 0) | (table > 1))
            if "entry" in what and not inside.all():
                raise ValueError("entry")

    def answer(ours, theirs, margin):
        refuse(ours, theirs)
        return unchecked(ours, theirs, margin)

    return answer


def asserts(ours, theirs, margin):
    assert ours.shape == theirs.shape
    return with_functions(ours, theirs, margin)


def at_least_three_seeds(ours, theirs, margin):
    if len(ours) < 3:
        raise ValueError("three seeds")
    return with_functions(ours, theirs, margin)


def most(seeds):
    return seeds.float().mean() > 0.5


def of_one_seed(ours, theirs):
    """The largest p of the seeds' own."""
    return max(exact(*discordant(a, b)) for a, b in zip(ours, theirs, strict=True))


def of_all_pairs(ours, theirs):
    """Counts a pair on which both agree as half a head and half a tail."""
    b, c = discordant(ours, theirs)
    same = ours.numel() - b - c
    return exact(b + same // 2, c + same - same // 2)


but = partial(changed, in_a_few_lines)
unchecked = but("fit(ours, theirs)", "pass")
RIGHT = [with_functions, in_numpy, by_sign, with_a_dictionary, in_a_few_lines]
WRONG = {
    "one_of_four_sentences": named(
        in_capitals=lambda ours, theirs, margin: with_functions(ours, theirs, margin).capitalize(),
        as_a_number=lambda *given: ["worse", "level", "better", "not settled"].index(
            with_functions(*given)
        ),
    ),
    "shapes_must_agree": named(
        asserts,
        sizes_alone=refusing({"size", "seed", "pair", "entry"}),
        any_shapes=refusing({"seed", "pair", "entry"}),
    ),
    "one_seed_is_too_few": named(one_seed_will_do=refusing({"shape", "pair", "entry"})),
    "runs": named(
        at_least_three_seeds,
        takes_two=lambda ours, theirs: with_functions(ours, theirs, 0.25),
        multiplied=lambda ours, theirs, margin: (
            "level" if (ours @ theirs).sum() < margin else "better"
        ),
    ),
    "no_pairs_say_nothing": named(no_pairs_will_do=refusing({"shape", "seed", "entry"})),
    "only_right_or_wrong": named(
        any_entries=refusing({"shape", "seed", "pair"}),
        up_to_one=refusing({"shape", "seed", "pair", "entry", "range"}),
        ours_alone=refusing({"shape", "seed", "pair", "entry", "ours"}),
    ),
    "a_large_difference_is_told": named(
        never_worse=but('return "worse"', 'return "not settled"'),
        whose_is_whose=lambda ours, theirs, margin: with_functions(theirs, ours, margin),
    ),
    "every_seed_reaches_the_margin": named(
        of_the_mean=but(
            "ours.mean(dim=1) - theirs.mean(dim=1)", "(ours.mean() - theirs.mean()).view(1)"
        ),
        most_seeds=but(
            "(more >= margin).all()",
            "most(more >= margin)",
            "(more <= -margin).all()",
            "most(more <= -margin)",
        ),
        any_seed=but("(more >= margin).all", "(more >= margin).any", "all() and", "any() and"),
        any_is_level=but("< margin).all()", "< margin).any()"),
        no_sign=but("more.abs() < margin", "more < margin"),
    ),
    "the_margin_itself_is_enough": named(
        strictly=but("more >= margin", "more > margin", "more <= -margin", "more < -margin"),
        as_far_as_the_margin=but(
            "exact", "(more.abs() > margin).any() and exact", "< margin", "<= margin"
        ),
        a_margin_of_its_own=lambda ours, theirs, margin: with_functions(ours, theirs, 0.25),
    ),
    "few_pairs_settle_nothing": named(
        no_test=but("exact(*discordant(ours, theirs))", "0"),
        lax=but("-margin).all() and told", "-margin).all()"),
        any_p=but("0.05", "0.5"),
    ),
    "all_pairs_count_together": named(
        of_one_seed=but("exact(*discordant(ours, theirs))", "of_one_seed(ours, theirs)"),
        one_in_a_thousand=but("0.05", "0.001"),
        of_all_pairs=but("exact(*discordant(ours, theirs))", "of_all_pairs(ours, theirs)"),
    ),
    "agreement_tells_nothing": named(
        intervals=but("exact(*discordant(ours, theirs))", "of_intervals(ours, theirs)")
    ),
    "both_sides_count": named(
        one_sided=but("exact(*discordant(ours, theirs))", "exact(*discordant(ours, theirs)) / 2"),
        chi_squared=but("exact(", "chi("),
    ),
    "as_exact_as_the_sum": named(
        corrected=but("exact(*discordant(ours, theirs))", "chi(*discordant(ours, theirs), 1)"),
        one_in_a_hundred=but("0.05", "0.02"),
    ),
    "the_same_answers_are_level": named(
        same_is_unsettled=but('"level" if', '"level" if discordant(ours, theirs) != (0, 0) and')
    ),
    "level_below_the_margin": named(
        level_needs_chance=but('"level" if', '"level" if not told and')
    ),
    "level_in_every_seed": named(
        mean_is_level=but("(more.abs() < margin).all()", "abs(more.mean()) < margin")
    ),
}
