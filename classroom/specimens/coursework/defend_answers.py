"""Right and wrong answers to `defend-or-refute`, for a student with the code a7811cc4.

Wrong answers stand beside the properties that they must not have, the first of which has the hint
that is meant for them.
"""

from collections import defaultdict
from functools import partial
from itertools import groupby
from statistics import fmean

import numpy as np

from specimens.answers import changed
from specimens.coursework.tried import Answers

ANSWERS = Answers("defend-or-refute")
right, wrong = ANSWERS.good, ANSWERS.bad


# ---- chance


def _counts(rows, claim):
    counts = defaultdict(int)
    for condition, seed, steps, length, _, tested in rows:
        if condition in claim[1:3] and claim[3] <= length <= claim[4]:
            counts[condition, seed, steps] += tested
    return counts


@right
def chance__in_a_dictionary(rows, claim):
    return 2 * (0.5 / min(_counts(rows, claim).values())) ** 0.5


@right
def chance__run_by_run(rows, claim):
    _, better, other, first, last, _ = claim
    found = []
    for run in {(row[0], row[1], row[2]) for row in rows if row[0] in (better, other)}:
        tested = sum(r[5] for r in rows if (r[0], r[1], r[2]) == run and first <= r[3] <= last)
        found.append(np.sqrt(2 / tested))
    return max(found)


@right
def chance__sorted(rows, claim):
    kept = sorted(
        (r[0], r[1], r[2], r[5])
        for r in rows
        if r[0] in claim[1:3] and r[3] in range(claim[3], claim[4] + 1)
    )
    sums = [sum(each[3] for each in run) for _, run in groupby(kept, lambda each: each[:3])]
    return (2 / min(sums)) ** 0.5


_SIZES = ("chance_is_that_of_one_run", "the_smallest_run_decides")
_ALL_OF_CHANCE = (*_SIZES, "only_the_claim_counts_for_chance")


wrong("the_smallest_run_decides")(
    of_the_largest_run=lambda *given: (2 / max(_counts(*given).values())) ** 0.5,
    of_the_mean_run=lambda *given: (2 / fmean(_counts(*given).values())) ** 0.5,
)


wrong(*_ALL_OF_CHANCE)(
    of_all_pairs=lambda *given: (2 / sum(_counts(*given).values())) ** 0.5,
    without_the_two=lambda *given: chance__in_a_dictionary(*given) / 2,
    of_one_length=lambda rows, claim: (2 / min(row[5] for row in rows)) ** 0.5,
)


@wrong("only_the_claim_counts_for_chance")
def chance__of_other_conditions_too(rows, claim):
    names = {row[0] for row in rows}
    return max(chance__in_a_dictionary(rows, (claim[0], name, name, *claim[3:])) for name in names)


@wrong("only_the_claim_counts_for_chance")
def chance__of_other_lengths_too(rows, claim):
    return chance__in_a_dictionary(rows, (*claim[:3], 0, 999, 0))


# ---- verdict


@right
def verdict__loops(rows, claim, of=None):
    return _judged(rows, claim)


def _judged(rows, claim, mean=None, true=None, word=None, length=None):
    kind, better, other, first, last, margin = claim
    mean = mean or (lambda part: fmean(r / n for r, n in part))
    found = []
    for steps in sorted({row[2] for row in rows}):
        told = []
        for seed in sorted({row[1] for row in rows}):
            means = [
                mean(
                    [
                        (r[4], r[5])
                        for r in rows
                        if r[:3] == type(r)([name, seed, steps])
                        and (length or (lambda n: first <= n <= last))(r[3])
                    ]
                )
                for name in (better, other)
            ]
            apart = means[0] - means[1]
            told.append(
                true(apart) if true else apart >= margin if kind == "more" else abs(apart) <= margin
            )
        found.append([steps, (word or _word)(told)])
    return found


def _word(told):
    return "holds" if all(told) else "undecided" if any(told) else "fails"


@right
def verdict__tables(rows, claim):
    kind, better, other, first, last, margin = claim
    shares = defaultdict(list)
    for name, seed, steps, length, hits, tested in rows:
        if first <= length <= last:
            shares[steps, seed, name].append(hits / tested)
    found = {}
    for steps, seed in sorted({key[:2] for key in shares}):
        apart = fmean(shares[steps, seed, better]) - fmean(shares[steps, seed, other])
        found.setdefault(steps, []).append((apart if kind == "more" else -abs(apart), seed))
    least = margin if kind == "more" else -margin
    return [
        (steps, {0: "fails", len(of): "holds"}.get(sum(d >= least for d, _ in of), "undecided"))
        for steps, of in found.items()
    ]


@right
def verdict__an_array(rows, claim):
    kind, better, other, first, last, margin = claim
    steps, seeds = (sorted({row[k] for row in rows}) for k in (2, 1))
    apart = np.zeros((len(steps), len(seeds)))
    for name, seed, step, length, hits, tested in rows:
        if first <= length <= last and name in (better, other):
            sign = 1 if name == better else -1
            share = sign * hits / tested / (last - first + 1)
            apart[steps.index(step), seeds.index(seed)] += share
    true = apart >= margin if kind == "more" else np.abs(apart) <= margin
    words = np.where(true.all(1), "holds", np.where(true.any(1), "undecided", "fails"))
    return [[step, str(word)] for step, word in zip(steps, words, strict=True)]


@right
def verdict__by_the_extremes(rows, claim):
    found = []
    for steps, apart in _differences(rows, claim):
        low, high = min(apart), max(apart)
        if claim[0] == "alike":
            low, high = (-each for each in (max(map(abs, apart)), min(map(abs, apart))))
        least = claim[5] if claim[0] == "more" else -claim[5]
        found.append((steps, "holds" if low >= least else "fails" if high < least else "undecided"))
    return tuple(found)


def _differences(rows, claim):
    shares = {}
    for name, seed, steps, length, hits, tested in rows:
        if claim[3] <= length <= claim[4]:
            shares.setdefault((steps, seed), {}).setdefault(name, []).append(hits / tested)
    for steps in sorted({steps for steps, _ in shares}):
        yield (
            steps,
            [
                fmean(of[claim[1]]) - fmean(of[claim[2]])
                for (long, _), of in shares.items()
                if long == steps
            ],
        )


@right
def verdict__counted(rows, claim):
    words = []
    for steps, apart in _differences(rows, claim):
        count = 0
        for each in apart:
            if claim[0] == "more":
                count += each >= claim[5]
            else:
                count += -claim[5] <= each <= claim[5]
        words.append([steps, ["fails", "undecided", "undecided", "holds"][count]])
    return words


_HOLDS = (
    *("it_holds_in_every_seed", "it_fails_below_the_margin", "seeds_are_not_averaged"),
    *("alike_has_two_sides", "only_the_claim_counts", "lengths_count_alike"),
)


@wrong("seeds_are_not_averaged", "alike_has_two_sides")
def verdict__mean_over_seeds(rows, claim):
    _, *_, margin = claim
    true = (lambda d: d >= margin) if claim[0] == "more" else (lambda d: abs(d) <= margin)
    return [
        [steps, "holds" if true(fmean(apart)) else "fails"]
        for steps, apart in _differences(rows, claim)
    ]


@wrong("it_fails_below_the_margin", "seeds_are_not_averaged", "only_the_claim_counts")
def verdict__without_the_margin(rows, claim):
    true = (lambda d: d > 0) if claim[0] == "more" else (lambda d: abs(d) <= claim[5])
    return _judged(rows, claim, true=true)


@wrong("alike_has_two_sides")
def verdict__alike_has_one_side(rows, claim):
    true = (lambda d: d <= claim[5]) if claim[0] == "alike" else None
    return _judged(rows, claim, true=true)


@wrong("alike_has_two_sides")
def verdict__every_claim_is_of_more(rows, claim):
    return _judged(rows, ("more", *claim[1:]))


wrong("seeds_are_not_averaged", "alike_has_two_sides")(
    never_undecided=partial(_judged, word=lambda told: "holds" if all(told) else "fails"),
    most_seeds_decide=partial(_judged, word=lambda told: "holds" if sum(told) > 1 else "fails"),
)


@wrong("lengths_count_alike")
def verdict__pooled(rows, claim):
    return _judged(rows, claim, mean=lambda part: sum(r for r, _ in part) / sum(n for _, n in part))


wrong("only_the_claim_counts")(all_lengths=partial(_judged, length=lambda n: True))


wrong(
    "it_holds_in_every_seed",
    "it_fails_below_the_margin",
    "only_the_claim_counts",
    "lengths_count_alike",
    "seeds_are_not_averaged",
)(the_other_way=lambda rows, claim: _judged(rows, (claim[0], claim[2], claim[1], *claim[3:])))


wrong("one_word_for_each_training", *_HOLDS)(
    steps_as_they_fall=lambda *given: _judged(*given)[::-1],
    words_alone=lambda *given: [word for _, word in _judged(*given)],
    true_and_false=lambda *given: [[steps, word == "holds"] for steps, word in _judged(*given)],
)


@wrong(*_HOLDS[:5])
def verdict__of_both_trainings_together(rows, claim):
    steps = sorted({row[2] for row in rows})
    word = _word([each == "holds" for _, each in _judged(rows, claim)])
    return [[each, word] for each in steps]


# ---- best_rates


def _grouped(rows):
    tried = defaultdict(dict)
    for condition, steps, rate, share in rows:
        tried[condition, steps][rate] = share
    return dict(sorted(tried.items()))


def _line(run, shares, least=4, inside=None):
    best = max(shares, key=shares.get)
    whole = len(shares) >= least and best not in (min(shares), max(shares))
    return [*run, best, whole if inside is None else inside]


@right
def best_rates__dictionaries(rows):
    return [_line(run, shares) for run, shares in _grouped(rows).items()]


@right
def best_rates__sorted_by_share(rows):
    found = []
    for run in sorted({(row[0], row[1]) for row in rows}):
        of = [(share, rate) for *this, rate, share in rows if tuple(this) == run]
        rates, best = [rate for _, rate in of], max(of)[1]
        inside = len(of) > 3 and any(r < best for r in rates) and any(r > best for r in rates)
        found.append((*run, best, inside))
    return found


@right
def best_rates__groups(rows):
    rows, found = sorted(rows, key=lambda row: (row[0], row[1], row[2])), []
    for run, part in groupby(rows, key=lambda row: (row[0], row[1])):
        part = list(part)
        place = max(range(len(part)), key=lambda k: part[k][3])
        found.append([*run, part[place][2], 0 < place < len(part) - 1 and len(part) >= 4])
    return found


@right
def best_rates__arrays(rows):
    found = []
    for name in sorted({row[0] for row in rows}):
        for steps in sorted({row[1] for row in rows if row[0] == name}):
            part = np.array(sorted(row[2:] for row in rows if (row[0], row[1]) == (name, steps)))
            place = part[:, 1].argmax()
            inside = len(part) >= 4 and place not in (0, len(part) - 1)
            found.append([name, steps, float(part[place, 0]), bool(inside)])
    return found


@right
def best_rates__one_pass(rows):
    best, low, high, count = {}, {}, {}, {}
    for name, steps, rate, share in rows:
        run = name, steps
        count[run] = count.get(run, 0) + 1
        low[run] = min(rate, low.get(run, rate))
        high[run] = max(rate, high.get(run, rate))
        if run not in best or share > best[run][0]:
            best[run] = share, rate
    return [
        (*run, best[run][1], count[run] > 3 and low[run] < best[run][1] < high[run])
        for run in sorted(best)
    ]


def _of_equals(choose):
    """An answer that chooses among rates that are equally good."""

    def answer(rows):
        found = []
        for run, shares in _grouped(rows).items():
            best = choose([rate for rate in shares if shares[rate] == max(shares.values())])
            found.append([*run, best, len(shares) > 3 and min(shares) < best < max(shares)])
        return found

    return answer


@right
def best_rates__smallest_of_equals(rows):
    return _of_equals(min)(rows)


@right
def best_rates__largest_of_equals(rows):
    return _of_equals(max)(rows)


wrong("best_has_the_largest_share")(between_equals=_of_equals(fmean))


@wrong("best_has_the_largest_share")
def best_rates__a_line_for_each_of_equals(rows):
    found = []
    for run, shares in _grouped(rows).items():
        for rate in [rate for rate in shares if shares[rate] == max(shares.values())]:
            inside = len(shares) > 3 and min(shares) < rate < max(shares)
            found.append([*run, rate, inside])
    return found


_BEST = ("best_has_the_largest_share", "steps_have_their_own")
_LINES = ("one_line_for_each_run", *_BEST, "the_edge_is_told", "three_rates_are_too_few")


@wrong("three_rates_are_too_few")
def best_rates__three_are_enough(rows):
    return [_line(run, shares, least=3) for run, shares in _grouped(rows).items()]


@wrong("the_edge_is_told", "three_rates_are_too_few")
def best_rates__always_inside(rows):
    return [_line(run, shares, inside=True) for run, shares in _grouped(rows).items()]


@wrong("the_edge_is_told")
def best_rates__upper_edge_only(rows):
    found = []
    for run, shares in _grouped(rows).items():
        best = max(shares, key=shares.get)
        found.append([*run, best, len(shares) > 3 and best < max(shares)])
    return found


@wrong("the_edge_is_told")
def best_rates__lower_edge_only(rows):
    found = []
    for run, shares in _grouped(rows).items():
        best = max(shares, key=shares.get)
        found.append([*run, best, len(shares) > 3 and best > min(shares)])
    return found


@wrong(*_BEST, "the_edge_is_told", "three_rates_are_too_few")
def best_rates__share_for_the_rate(rows):
    return [
        [*run, max(shares.values()), max(shares.values()) < 0]
        for run, shares in _grouped(rows).items()
    ]


@wrong(
    "best_has_the_largest_share",
    "steps_have_their_own",
    "the_edge_is_told",
    "three_rates_are_too_few",
)
def best_rates__smallest_share(rows):
    return [[*run, min(shares, key=shares.get), False] for run, shares in _grouped(rows).items()]


wrong(
    "steps_have_their_own",
    "three_rates_are_too_few",
    "the_edge_is_told",
    "best_has_the_largest_share",
)(largest_rate=lambda rows: [[*run, max(shares), False] for run, shares in _grouped(rows).items()])


@wrong("steps_have_their_own")
def best_rates__that_of_the_long_training(rows):
    found, lines = {}, best_rates__dictionaries(rows)
    for name, _, best, _ in lines:
        found[name] = best
    return [[name, steps, found[name], inside] for name, steps, _, inside in lines]


@wrong(
    "one_line_for_each_run", "steps_have_their_own", "the_edge_is_told", "three_rates_are_too_few"
)
def best_rates__steps_together(rows):
    tried = defaultdict(dict)
    for name, _, rate, share in rows:
        tried[name, min(row[1] for row in rows)][rate] = share
    return [_line(run, shares) for run, shares in sorted(tried.items())]


@wrong(*_LINES)
def best_rates__without_the_steps(rows):
    return [each[:1] + each[2:] for each in best_rates__dictionaries(rows)]


wrong("one_line_for_each_run", *_BEST)(backwards=lambda rows: best_rates__dictionaries(rows)[::-1])


# ---- differing


def _of(settings, name):
    return {setting: value for each, setting, value in settings if each == name}


@right
def differing__sets(settings, one, other):
    pairs = [{row[1:] for row in map(tuple, settings) if row[0] == name} for name in (one, other)]
    return sorted({name for name, _ in pairs[0] ^ pairs[1]})


@right
def differing__dictionaries(settings, one, other):
    first, second = _of(settings, one), _of(settings, other)
    return [key for key in sorted({*first, *second}) if first.get(key) != second.get(key)]


@right
def differing__counted(settings, one, other):
    kept = [(s, v) for name, s, v in settings if name in (one, other)]
    return sorted({s for s, v in kept if kept.count((s, v)) == 1})


_NAMED = ("differences_are_named", "missing_settings_differ", "other_conditions_do_not_matter")


@wrong("missing_settings_differ")
def differing__common_settings_only(settings, one, other):
    first, second = _of(settings, one), _of(settings, other)
    return sorted(key for key in first if key in second and first[key] != second[key])


@wrong("missing_settings_differ")
def differing__settings_of_the_first(settings, one, other):
    first, second = _of(settings, one), _of(settings, other)
    return sorted(key for key in first if first[key] != second.get(key))


@wrong("other_conditions_do_not_matter")
def differing__from_all_others(settings, one, other):
    first = _of(settings, one)
    rest = {(s, v) for name, s, v in settings if name != one}
    return sorted({s for s, _ in rest ^ set(first.items())})


@wrong(*_NAMED)
def differing__values(settings, one, other):
    first, second = _of(settings, one), _of(settings, other)
    return sorted(
        str(first.get(key)) for key in {*first, *second} if first.get(key) != second.get(key)
    )


@wrong("differences_are_named", "missing_settings_differ", "other_conditions_do_not_matter")
def differing__first_only(settings, one, other):
    return differing__dictionaries(settings, one, other)[:1]


wrong("equal_settings_are_left_out", *_NAMED)(
    equal_ones=changed(differing__dictionaries, ") !=", ") ==")
)


@wrong("differences_are_named", *_NAMED[1:])
def differing__backwards(settings, one, other):
    return differing__dictionaries(settings, one, other)[::-1]
