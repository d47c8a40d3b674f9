"""Right and wrong answers to `attn_course.classroom.exercises.measures.may_be_said`."""

import math

import numpy as np
import torch

from specimens.answers import named


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


def of_what_is_given(ours, theirs, margin, test=exact, refuse=fit, **how):
    """The right answer, or one that goes wrong as the names in ``how`` say."""
    refuse(ours, theirs)
    more = ours.mean(dim=1) - theirs.mean(dim=1)
    p = how["tables"](ours, theirs) if "tables" in how else test(*discordant(ours, theirs))
    told = p < how.get("least", 0.05)
    level = bool((more.abs() < margin).all())
    if how.get("mean_is_level"):
        level = abs(float(more.mean())) < margin
    if how.get("any_is_level"):
        level = bool((more.abs() < margin).any())
    if how.get("same_is_unsettled") and discordant(ours, theirs) == (0, 0):
        return "not settled"
    if how.get("level_needs_chance"):
        level = level and not told
    if how.get("no_sign"):
        level = bool((more < margin).all())
    if how.get("as_far_as_the_margin"):
        level = bool((more.abs() <= margin).all())
        if level:
            return "level"
    every = how.get("every", torch.all)
    reached = [bool(every(more >= margin)), bool(every(more <= -margin))]
    if how.get("strictly"):
        reached = [bool((more > margin).all()), bool((more < -margin).all())]
    settled = [told, told or bool(how.get("lax"))]
    for word, reaches, tells in zip(("better", "worse"), reached, settled, strict=True):
        if reaches and tells:
            return word
    return "level" if level else "not settled"


def wrong(name, **how):
    def answer(ours, theirs, margin):
        return of_what_is_given(ours, theirs, margin, **how)

    answer.__name__ = name
    return answer


def refusing(name, what):
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

    return wrong(name, refuse=refuse)


def asserts(ours, theirs, margin):
    assert ours.shape == theirs.shape
    return with_functions(ours, theirs, margin)


def at_least_three_seeds(ours, theirs, margin):
    if len(ours) < 3:
        raise ValueError("three seeds")
    return with_functions(ours, theirs, margin)


def never_worse(ours, theirs, margin):
    said = with_functions(ours, theirs, margin)
    return "not settled" if said == "worse" else said


def most(seeds):
    return seeds.float().mean() > 0.5


def of_the_mean(ours, theirs, margin):
    fit(ours, theirs)
    more = float(ours.mean() - theirs.mean())
    if abs(more) < margin:
        return "level"
    told = exact(*discordant(ours, theirs)) < 0.05
    return ("better" if more > 0 else "worse") if told else "not settled"


def of_one_seed(ours, theirs):
    """The largest p of the seeds' own."""
    return max(exact(*discordant(a, b)) for a, b in zip(ours, theirs, strict=True))


def of_all_pairs(ours, theirs):
    """Counts a pair on which both agree as half a head and half a tail."""
    b, c = discordant(ours, theirs)
    same = ours.numel() - b - c
    return exact(b + same // 2, c + same - same // 2)


RIGHT = [with_functions, in_numpy, by_sign, with_a_dictionary]
WRONG = {
    "one_of_four_sentences": named(
        in_capitals=lambda ours, theirs, margin: with_functions(ours, theirs, margin).capitalize(),
        as_a_number=lambda ours, theirs, margin: ["worse", "level", "better", "not settled"].index(
            with_functions(ours, theirs, margin)
        ),
    ),
    "shapes_must_agree": [
        asserts,
        refusing("sizes_alone", {"size", "seed", "pair", "entry"}),
        refusing("any_shapes", {"seed", "pair", "entry"}),
    ],
    "one_seed_is_too_few": [refusing("one_seed_will_do", {"shape", "pair", "entry"})],
    "runs": named(
        at_least_three_seeds,
        takes_two=lambda ours, theirs: with_functions(ours, theirs, 0.25),
        multiplied=lambda ours, theirs, margin: (
            "level" if (ours @ theirs).sum() < margin else "better"
        ),
    ),
    "no_pairs_say_nothing": [refusing("no_pairs_will_do", {"shape", "seed", "entry"})],
    "only_right_or_wrong": [
        refusing("any_entries", {"shape", "seed", "pair"}),
        refusing("up_to_one", {"shape", "seed", "pair", "entry", "range"}),
        refusing("ours_alone", {"shape", "seed", "pair", "entry", "ours"}),
    ],
    "a_large_difference_is_told": named(
        never_worse,
        whose_is_whose=lambda ours, theirs, margin: with_functions(theirs, ours, margin),
    ),
    "every_seed_reaches_the_margin": [
        wrong("most_seeds", every=most),
        wrong("any_seed", every=torch.any),
        of_the_mean,
        wrong("any_is_level", any_is_level=True),
        wrong("no_sign", no_sign=True),
    ],
    "the_margin_itself_is_enough": named(
        wrong("strictly", strictly=True),
        wrong("as_far_as_the_margin", as_far_as_the_margin=True),
        a_margin_of_its_own=lambda ours, theirs, margin: with_functions(ours, theirs, 0.25),
    ),
    "few_pairs_settle_nothing": [
        wrong("no_test", test=lambda b, c: 0),
        wrong("lax", lax=True),
        wrong("any_p", least=0.5),
    ],
    "all_pairs_count_together": [
        wrong("of_one_seed", tables=of_one_seed),
        wrong("one_in_a_thousand", least=0.001),
        wrong("of_all_pairs", tables=of_all_pairs),
    ],
    "agreement_tells_nothing": [wrong("intervals", tables=of_intervals)],
    "both_sides_count": [
        wrong("one_sided", test=lambda b, c: exact(b, c) / 2),
        wrong("chi_squared", test=chi),
    ],
    "as_exact_as_the_sum": [
        wrong("corrected", test=lambda b, c: chi(b, c, 1)),
        wrong("one_in_a_hundred", least=0.02),
    ],
    "the_same_answers_are_level": [wrong("same_is_unsettled", same_is_unsettled=True)],
    "level_below_the_margin": [wrong("level_needs_chance", level_needs_chance=True)],
    "level_in_every_seed": [wrong("mean_is_level", mean_is_level=True)],
}
