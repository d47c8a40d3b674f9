"""Right and wrong answers to `attn_course.exercises.measures.may_be_said`."""

import math

import numpy as np
import torch


def wilson(table, z=1.96):
    """In whole answers."""
    n, right = table.numel(), int(table.sum())
    half = z * math.sqrt(right * (n - right) / n + z**2 / 4)
    return [(right + z**2 / 2 + sign * half) / (n + z**2) for sign in (-1, 1)]


def simple(table):
    p, n = float(table.mean()), table.numel()
    return [p + sign * 1.96 * math.sqrt(p * (1 - p) / n) for sign in (-1, 1)]


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
        return every and wilson(one)[0] > wilson(two)[1]

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
    (low, high), (their_low, their_high) = wilson(ours), wilson(theirs)
    if more.min() >= margin and low > their_high:
        return "better"
    return "worse" if more.max() <= -margin and high < their_low else "not settled"


def by_sign(ours, theirs, margin):
    fit(ours, theirs)
    seeds = [sum(a) - sum(b) for a, b in zip(ours.tolist(), theirs.tolist(), strict=True)]
    limit = margin * ours.shape[1]
    ends = [wilson(table) for table in (ours, theirs)]
    for sign, word, (above, below) in ((1, "better", ends), (-1, "worse", ends[::-1])):
        if min(sign * seed for seed in seeds) >= limit and above[0] > below[1]:
            return word
    return "level" if max(map(abs, seeds)) < limit else "not settled"


def with_a_dictionary(ours, theirs, margin):
    fit(ours, theirs)
    more = ours.mean(dim=1) - theirs.mean(dim=1)
    (low, high), (their_low, their_high) = wilson(ours), wilson(theirs)
    said = {
        "better": bool((more >= margin).all()) and low > their_high,
        "worse": bool((more <= -margin).all()) and high < their_low,
        "level": float(more.abs().max()) < margin,
        "not settled": True,
    }
    return next(word for word, holds in said.items() if holds)


def of_what_is_given(ours, theirs, margin, ends=wilson, refuse=fit, **how):
    """The right answer, or one that goes wrong as the names in ``how`` say."""
    refuse(ours, theirs)
    more = ours.mean(dim=1) - theirs.mean(dim=1)
    level = bool((more.abs() < margin).all())
    if how.get("mean_is_level"):
        level = abs(float(more.mean())) < margin
    if how.get("any_is_level"):
        level = bool((more.abs() < margin).any())
    if how.get("level_overlaps"):
        level = level and wilson(ours)[0] <= wilson(theirs)[1]
        level = level and wilson(theirs)[0] <= wilson(ours)[1]
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
    (low, high), (their_low, their_high) = ends(ours), ends(theirs)
    apart = [low > their_high, their_low > high]
    if how.get("lax"):
        apart[1] = True
    for word, reaches, settled in zip(("better", "worse"), reached, apart, strict=True):
        if reaches and settled:
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

    return wrong(name, refuse=refuse, ends=lambda table: wilson(table) if table.numel() else (0, 0))


def in_capitals(ours, theirs, margin):
    return with_functions(ours, theirs, margin).capitalize()


def as_a_number(ours, theirs, margin):
    return ["worse", "level", "better", "not settled"].index(with_functions(ours, theirs, margin))


def asserts(ours, theirs, margin):
    assert ours.shape == theirs.shape
    return with_functions(ours, theirs, margin)


def at_least_three_seeds(ours, theirs, margin):
    if len(ours) < 3:
        raise ValueError("three seeds")
    return with_functions(ours, theirs, margin)


def whose_is_whose(ours, theirs, margin):
    return with_functions(theirs, ours, margin)


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
    apart = wilson(ours)[0] > wilson(theirs)[1] or wilson(theirs)[0] > wilson(ours)[1]
    return ("better" if more > 0 else "worse") if apart else "not settled"


def a_margin_of_its_own(ours, theirs, margin):
    return with_functions(ours, theirs, 0.25)


def no_interval(table):
    return [float(table.mean())] * 2


def of_one_seed(table):
    """The widest of the seeds' own intervals."""
    return [end(wilson(row)[k] for row in table) for k, end in ((0, min), (1, max))]


def above_the_share(ours, theirs, margin):
    """Asks whether the other share lies in the interval."""
    fit(ours, theirs)
    said = of_what_is_given(ours, theirs, margin, ends=no_interval)
    if said == "better" and wilson(ours)[0] <= float(theirs.mean()):
        return "not settled"
    if said == "worse" and wilson(theirs)[0] <= float(ours.mean()):
        return "not settled"
    return said


def takes_two(ours, theirs):
    return with_functions(ours, theirs, 0.25)


def multiplied(ours, theirs, margin):
    return "level" if (ours @ theirs).sum() < margin else "better"


RIGHT = [with_functions, in_numpy, by_sign, with_a_dictionary]
WRONG = {
    in_capitals: "one_of_four_sentences",
    as_a_number: "one_of_four_sentences",
    asserts: "shapes_must_agree",
    refusing("sizes_alone", {"size", "seed", "pair", "entry"}): "shapes_must_agree",
    refusing("any_shapes", {"seed", "pair", "entry"}): "shapes_must_agree",
    refusing("one_seed_will_do", {"shape", "pair", "entry"}): "one_seed_is_too_few",
    at_least_three_seeds: "runs",
    refusing("no_pairs_will_do", {"shape", "seed", "entry"}): "no_pairs_say_nothing",
    refusing("any_entries", {"shape", "seed", "pair"}): "only_right_or_wrong",
    refusing("up_to_one", {"shape", "seed", "pair", "entry", "range"}): "only_right_or_wrong",
    refusing("ours_alone", {"shape", "seed", "pair", "entry", "ours"}): "only_right_or_wrong",
    whose_is_whose: "a_large_difference_is_told",
    never_worse: "a_large_difference_is_told",
    wrong("most_seeds", every=most): "every_seed_reaches_the_margin",
    wrong("any_seed", every=torch.any): "every_seed_reaches_the_margin",
    of_the_mean: "every_seed_reaches_the_margin",
    wrong("any_is_level", any_is_level=True): "every_seed_reaches_the_margin",
    wrong("strictly", strictly=True): "the_margin_itself_is_enough",
    wrong("as_far_as_the_margin", as_far_as_the_margin=True): "the_margin_itself_is_enough",
    a_margin_of_its_own: "the_margin_itself_is_enough",
    wrong("no_interval", ends=no_interval): "intervals_may_not_overlap",
    wrong("one_deviation", ends=lambda table: wilson(table, 1)): "intervals_may_not_overlap",
    wrong("lax", lax=True): "intervals_may_not_overlap",
    above_the_share: "intervals_may_not_overlap",
    wrong("no_sign", no_sign=True): "every_seed_reaches_the_margin",
    wrong("of_one_seed", ends=of_one_seed): "all_pairs_count_together",
    wrong("three_deviations", ends=lambda table: wilson(table, 3)): "all_pairs_count_together",
    wrong("simple", ends=simple): "always_right_is_not_certain",
    wrong("level_overlaps", level_overlaps=True): "level_below_the_margin",
    wrong("mean_is_level", mean_is_level=True): "level_in_every_seed",
    wrong("too_wide", ends=lambda table: wilson(table, 2.25)): "as_wide_as_wilsons",
    takes_two: "runs",
    multiplied: "runs",
}
