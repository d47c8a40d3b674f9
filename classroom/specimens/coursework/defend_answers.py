"""Right and wrong answers to `defend-or-refute`, for a student with the code a7811cc4."""

from collections import defaultdict
from itertools import groupby
from statistics import fmean

import numpy as np

from specimens.coursework.tried import Changed

ANSWERS = Changed("defend-or-refute")


def chance__run_by_run(rows, claim):
    _, better, other, first, last, _ = claim
    chances = []
    for run in {(row[0], row[1], row[2]) for row in rows if row[0] in (better, other)}:
        tested = sum(r[5] for r in rows if (r[0], r[1], r[2]) == run and first <= r[3] <= last)
        chances.append(np.sqrt(2 / tested))
    return max(chances)


def chance__sorted(rows, claim):
    ours = sorted(
        (r[0], r[1], r[2], r[5])
        for r in rows
        if r[0] in claim[1:3] and r[3] in range(claim[3], claim[4] + 1)
    )
    sums = [sum(row[3] for row in run) for _, run in groupby(ours, lambda row: row[:3])]
    return (2 / min(sums)) ** 0.5


def verdict__tables(rows, claim):
    kind, better, other, first, last, margin = claim
    shares = defaultdict(list)
    for name, seed, steps, length, hits, tested in rows:
        if first <= length <= last:
            shares[steps, seed, name].append(hits / tested)
    differences = {}
    for steps, seed in sorted({key[:2] for key in shares}):
        apart = fmean(shares[steps, seed, better]) - fmean(shares[steps, seed, other])
        differences.setdefault(steps, []).append((apart if kind == "more" else -abs(apart), seed))
    least = margin if kind == "more" else -margin
    return [
        (steps, {0: "fails", len(of): "holds"}.get(sum(d >= least for d, _ in of), "undecided"))
        for steps, of in differences.items()
    ]


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


def verdict__by_the_extremes(rows, claim):
    verdicts = []
    for steps, apart in _differences(rows, claim):
        low, high = min(apart), max(apart)
        if claim[0] == "alike":
            low, high = (-end for end in (max(map(abs, apart)), min(map(abs, apart))))
        least = claim[5] if claim[0] == "more" else -claim[5]
        verdicts.append(
            (steps, "holds" if low >= least else "fails" if high < least else "undecided")
        )
    return tuple(verdicts)


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


def verdict__counted(rows, claim):
    words = []
    for steps, apart in _differences(rows, claim):
        count = 0
        for gap in apart:
            if claim[0] == "more":
                count += gap >= claim[5]
            else:
                count += -claim[5] <= gap <= claim[5]
        words.append([steps, ["fails", "undecided", "undecided", "holds"][count]])
    return words


def best_rates__sorted_by_share(rows):
    lines = []
    for run in sorted({(row[0], row[1]) for row in rows}):
        of = [(share, rate) for *this, rate, share in rows if tuple(this) == run]
        rates, best = [rate for _, rate in of], max(of)[1]
        inside = len(of) > 3 and any(r < best for r in rates) and any(r > best for r in rates)
        lines.append((*run, best, inside))
    return lines


def best_rates__groups(rows):
    rows, lines = sorted(rows, key=lambda row: (row[0], row[1], row[2])), []
    for run, part in groupby(rows, key=lambda row: (row[0], row[1])):
        part = list(part)
        place = max(range(len(part)), key=lambda k: part[k][3])
        lines.append([*run, part[place][2], 0 < place < len(part) - 1 and len(part) >= 4])
    return lines


def best_rates__arrays(rows):
    lines = []
    for name in sorted({row[0] for row in rows}):
        for steps in sorted({row[1] for row in rows if row[0] == name}):
            part = np.array(sorted(row[2:] for row in rows if (row[0], row[1]) == (name, steps)))
            place = part[:, 1].argmax()
            inside = len(part) >= 4 and place not in (0, len(part) - 1)
            lines.append([name, steps, float(part[place, 0]), bool(inside)])
    return lines


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


def _of(settings, name):
    return {setting: value for condition, setting, value in settings if condition == name}


def differing__dictionaries(settings, one, other):
    first, second = _of(settings, one), _of(settings, other)
    return [key for key in sorted({*first, *second}) if first.get(key) != second.get(key)]


def differing__counted(settings, one, other):
    ours = [(s, v) for name, s, v in settings if name in (one, other)]
    return sorted({s for s, v in ours if ours.count((s, v)) == 1})


# ---- changes of the solution


ANSWERS.note("solution", ANSWERS.changed("solution"))
WRONG = r"""
BOTH = chance_is_that_of_one_run the_smallest_run_decides
THREE = it_holds_in_every_seed it_fails_below_the_margin seeds_are_not_averaged
FIVE = THREE alike_has_two_sides only_the_claim_counts
BEST = best_has_the_largest_share steps_have_their_own
INSIDE = the_edge_is_told three_rates_are_too_few
NAMED = differences_are_named missing_settings_differ other_conditions_do_not_matter

chance:
the_smallest_run_decides
    of_the_largest_run: min( → max(
    of_the_mean_run: min(tested.values()) → (sum(tested.values()) / len(tested))
BOTH only_the_claim_counts_for_chance
    of_all_pairs: min( → sum(
    without_the_two: 2 * ( → (
    of_one_length: min(tested.values()) → min(row[5] for row in rows)
only_the_claim_counts_for_chance
    of_other_conditions_too: condition in claim[1:3] and →
    of_other_lengths_too: and claim[3] <= length <= claim[4] →

verdict:
seeds_are_not_averaged alike_has_two_sides
    mean_over_seeds: for gap in apart → for gap in [sum(apart) / len(apart)]
    never_undecided: "undecided" if any(true) else "fails" → "fails"
    most_seeds_decide: if all(true) else "undecided" if any(true) else → if sum(true) > 1 else
it_fails_below_the_margin seeds_are_not_averaged only_the_claim_counts
    without_the_margin: gap >= least → gap > 0
alike_has_two_sides
    alike_has_one_side: abs(gap) → gap
    every_claim_is_of_more: if kind == "more" else abs(gap) <= most →
lengths_count_alike
    pooled: right / tested → (right, tested)
        sum(shares) / len(shares) → sum(r for r, _ in shares) / sum(n for _, n in shares)
only_the_claim_counts
    all_lengths: and claim[3] <= length <= claim[4] →
it_holds_in_every_seed it_fails_below_the_margin only_the_claim_counts lengths_count_alike
seeds_are_not_averaged
    the_other_way: kind, better, other, → kind, other, better,
one_word_for_each_training FIVE lengths_count_alike
    steps_as_they_fall: return verdicts → return verdicts[::-1]
    words_alone: return verdicts → return [word for _, word in verdicts]
    true_and_false: return verdicts → return [[steps, word == "holds"] for steps, word in verdicts]
FIVE
    of_both_trainings_together: return verdicts
        → true = [word == "holds" for _, word in verdicts]
        |     word = "holds" if all(true) else "undecided" if any(true) else "fails"
        |     return [[steps, word] for steps, _ in verdicts]

best_rates:
nothing
    smallest_of_equals: max(shares, key=shares.get) → max(sorted(shares), key=shares.get)
    largest_of_equals: max(shares, key=shares.get) → max(sorted(shares)[::-1], key=shares.get)
best_has_the_largest_share
    between_equals: best = max(shares, key=shares.get)
        → equals = [rate for rate in shares if shares[rate] == max(shares.values())]
        |         best = sum(equals) / len(equals)
    a_line_for_each_of_equals: best = max(shares, key=shares.get)
        |         inside = len(shares) >= 4 and min(shares) < best < max(shares)
        |         lines.append([*run, best, inside])
        → for best in (rate for rate in shares if shares[rate] == max(shares.values())):
        |             inside = len(shares) >= 4 and min(shares) < best < max(shares)
        |             lines.append([*run, best, inside])
three_rates_are_too_few
    three_are_enough: >= 4 → >= 3
INSIDE
    always_inside: best, inside] → best, True]
the_edge_is_told
    upper_edge_only: min(shares) < best < max(shares) → best < max(shares)
    lower_edge_only: min(shares) < best < max(shares) → min(shares) < best
BEST INSIDE
    share_for_the_rate: best, inside] → max(shares.values()), False]
    smallest_share: best, inside] → min(shares, key=shares.get), False]
steps_have_their_own three_rates_are_too_few the_edge_is_told best_has_the_largest_share
    largest_rate: best, inside] → max(shares), False]
steps_have_their_own
    that_of_the_long_training: return lines
        → last = {name: best for name, _, best, _ in lines}
        |     return [[name, steps, last[name], inside] for name, steps, _, inside in lines]
one_line_for_each_run steps_have_their_own INSIDE
    steps_together: (condition, steps), → (condition, min(row[1] for row in rows)),
one_line_for_each_run BEST INSIDE
    without_the_steps: [*run, best, inside] → [run[0], best, inside]
one_line_for_each_run BEST
    backwards: return lines → return lines[::-1]

differing:
missing_settings_differ
    common_settings_only: of_one ^ of_other → of_one - of_other if setting in dict(of_other)
    settings_of_the_first: of_one ^ of_other → of_one - of_other
other_conditions_do_not_matter
    from_all_others: if condition == name → if (condition == one) == (name == one)
NAMED
    values: {setting for setting, _ in of_one ^ of_other}
        → str(dict(of_one).get(name)) for name in {name for name, _ in of_one ^ of_other}
    first_only: of_other}) → of_other})[:1]
    backwards: of_other}) → of_other})[::-1]
equal_settings_are_left_out NAMED
    equal_ones: of_one ^ of_other → of_one & of_other
"""
ANSWERS.note_wrong(WRONG)
