"""Right and wrong answers to `classroom/coursework/a-project`."""

import random
import re
import unicodedata
import zlib
from collections import defaultdict
from difflib import SequenceMatcher

import numpy as np

from specimens.coursework.tried import Changed

ANSWERS = Changed("a-project", random=random, unicodedata=unicodedata, zlib=zlib)
wrong = ANSWERS.bad


def read_pairs__a_dictionary(text):
    pairs, bad = {}, []
    for number, line in enumerate(unicodedata.normalize("NFC", text).splitlines(), 1):
        source, _tab, target = (part.strip() for part in line.partition("\t"))
        if not line.replace(" ", ""):
            continue
        if source and target and "\t" not in target and "\t" in line:
            pairs[source, target] = number
        else:
            bad.append(number)
    return list(pairs), bad


def read_pairs__a_pattern(text):
    form = re.compile(r" *([^\t]*[^\t ]) *\t *([^\t]*[^\t ]) *")
    lines = [form.fullmatch(line) for line in text.split("\n")]
    texts = [unicodedata.normalize("NFC", "\t".join(match.groups())) for match in lines if match]
    blank = [not line.strip(" ") for line in text.split("\n")]
    bad = [n + 1 for n, match in enumerate(lines) if not match and not blank[n]]
    return [line.split("\t") for line in dict.fromkeys(texts)], bad


def read_pairs__two_passes(text):
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip(" ")]
    parts = [(n, [side.strip() for side in line.split("\t")]) for n, line in lines]
    good = [(n, sides) for n, sides in parts if len(sides) == 2 and "" not in sides]
    numbers = {n for n, _ in good}
    pairs = [tuple(unicodedata.normalize("NFC", side) for side in sides) for _, sides in good]
    once = [pair for n, pair in enumerate(pairs) if pair not in pairs[:n]]
    return once, np.array([n for n, _ in parts if n not in numbers], dtype=int)


def read_pairs__by_exceptions(text):
    pairs, bad = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip(" "):
            continue
        try:
            source, target = line.split("\t")
            if not source.strip() or not target.strip():
                raise ValueError
        except ValueError:
            bad.append(number)
            continue
        pair = tuple(unicodedata.normalize("NFC", side.strip()) for side in (source, target))
        if pair not in pairs:
            pairs.append(pair)
    return tuple(pairs), tuple(bad)


def _groups(pairs):
    """The name of the group of each pair, by spreading until nothing changes."""
    names = [source.casefold() for source, _ in pairs]
    while True:
        least = {}
        for name, pair in zip(names, pairs, strict=True):
            for side in (0, 1):
                key = side, pair[side].casefold()
                least[key] = min(name, least.get(key, name))
        new = [
            min([name, *(least[side, pair[side].casefold()] for side in (0, 1))])
            for name, pair in zip(names, pairs, strict=True)
        ]
        if new == names:
            return names
        names = new


def _by_names(names, seed, choose=8, test=5):
    lists = [], [], []
    for place, name in enumerate(names):
        if zlib.crc32(f"choose {name}".encode()) % choose == 0:
            lists[1].append(place)
        else:
            lists[2 * (zlib.crc32(f"{seed} {name}".encode()) % test == 0)].append(place)
    return lists


def split__spreading(pairs, seed):
    return _by_names(_groups(pairs), seed)


def split__merged_groups(pairs, seed):
    groups = []
    for place, (source, target) in enumerate(pairs):
        keys, places = {(0, source.casefold()), (1, target.casefold())}, [place]
        for group in [group for group in groups if group[0] & keys]:
            groups.remove(group)
            keys, places = keys | group[0], places + group[1]
        groups.append((keys, places))
    lists = [], [], []
    for keys, places in groups:
        name = min(keys)[1]
        part = 1 if zlib.adler32(f"{name}{name}".encode()) % 7 == 2 else 0
        part = part or 2 * (zlib.crc32(f"{name} {seed}".encode()) % 6 == 1)
        lists[part].extend(places)
    return [sorted(part) for part in lists]


def split__walked(pairs, seed):
    at = defaultdict(list)
    for place, pair in enumerate(pairs):
        for side in (0, 1):
            at[side, pair[side].casefold()].append(place)
    names = [None] * len(pairs)
    for start in range(len(pairs)):
        waiting, group = [start], []
        while waiting:
            place = waiting.pop()
            if names[place] is None:
                names[place] = ""
                group.append(place)
                for side in (0, 1):
                    waiting += at[side, pairs[place][side].casefold()]
        for place in group:
            names[place] = min(pairs[member][1].casefold() for member in group)
    return _by_names(names, seed, choose=9, test=4)


def split__shuffled_groups(pairs, seed):
    names = _groups(pairs)
    every = sorted(set(names))
    random.Random(0).shuffle(every)
    choose, rest = every[: len(every) // 8], every[len(every) // 8 :]
    random.Random(seed).shuffle(rest)
    test = set(rest[: len(rest) // 5])
    side = dict.fromkeys(choose, 1) | {name: 2 * (name in test) for name in rest}
    return tuple([n for n, name in enumerate(names) if side[name] == k] for k in range(3))


@wrong("chains_stay_together")
def split__without_chains(pairs, seed):
    first = {}
    for source, target in pairs:
        first.setdefault(target.casefold(), source.casefold())
    shared = {}
    for source, target in pairs:
        name = first[target.casefold()]
        shared[source.casefold()] = min(name, shared.get(source.casefold(), name))
    names = [min(shared[source.casefold()], first[target.casefold()]) for source, target in pairs]
    return _by_names(names, seed)


def interval__as_written(right, tested):
    z, p, n = 1.96, right / tested, tested
    half = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return (p + z**2 / (2 * n) - half) / (1 + z**2 / n), (p + z**2 / (2 * n) + half) / (
        1 + z**2 / n
    )


def interval__in_counts(right, tested):
    zz, wrong_ = 1.96**2, tested - right
    half = 1.96 * (right * wrong_ / tested + zz / 4) ** 0.5
    return [(right + zz / 2 + sign * half) / (tested + zz) for sign in (-1, 1)]


def interval__an_array(right, tested):
    z = np.array([-1.96, 1.96])
    p = right / tested
    inside = p + z**2 / (2 * tested) + z * np.sqrt(p * (1 - p) / tested + (z / tested / 2) ** 2)
    return inside / (1 + z**2 / tested)


def _all_but_one(text):
    return [text[:n] + text[n + 1 :] for n in range(len(text))]


def error_kind__without_each(answer, target):
    if answer == target:
        return "right"
    if answer in _all_but_one(target):
        return "one missing"
    if target in _all_but_one(answer):
        return "one too many"
    turned = [
        target[:n] + target[n + 1] + target[n] + target[n + 2 :] for n in range(len(target) - 1)
    ]
    if answer in turned:
        return "exchanged"
    same = len(answer) == len(target)
    wrong_ = sum(a != b for a, b in zip(answer, target, strict=False))
    return "one wrong" if same and wrong_ == 1 else "other"


def error_kind__from_both_ends(answer, target):
    if answer == target:
        return "right"
    while answer and target and answer[0] == target[0]:
        answer, target = answer[1:], target[1:]
    while answer and target and answer[-1] == target[-1]:
        answer, target = answer[:-1], target[:-1]
    sizes = len(answer), len(target)
    if sizes == (2, 2) and answer == target[::-1]:
        return "exchanged"
    return {(1, 1): "one wrong", (0, 1): "one missing", (1, 0): "one too many"}.get(sizes, "other")


def error_kind__opcodes(answer, target):
    if len(answer) == len(target) >= 2:
        apart = [n for n in range(len(target)) if answer[n] != target[n]]
        if len(apart) == 2 and apart[1] == apart[0] + 1:
            one, two = apart
            if (answer[one], answer[two]) == (target[two], target[one]):
                return "exchanged"
    changes = [
        (kind, i2 - i1, j2 - j1)
        for kind, i1, i2, j1, j2 in SequenceMatcher(None, target, answer, False).get_opcodes()
        if kind != "equal"
    ]
    if not changes:
        return "right"
    names = {
        ("replace", 1, 1): "one wrong",
        ("delete", 1, 0): "one missing",
        ("insert", 0, 1): "one too many",
    }
    return names.get(changes[0], "other") if len(changes) == 1 else "other"


def error_kind__prefix_and_suffix(answer, target):
    if answer == target:
        return "right"
    front = 0
    while front < min(len(answer), len(target)) and answer[front] == target[front]:
        front += 1
    if answer[front + 1 :] == target[front + 1 :] and len(answer) == len(target):
        return "one wrong"
    if answer[front:] == target[front + 1 :]:
        return "one missing"
    if answer[front + 1 :] == target[front:]:
        return "one too many"
    middle = answer[front : front + 2] == target[front : front + 2][::-1]
    return "exchanged" if middle and answer[front + 2 :] == target[front + 2 :] else "other"


def card__by_the_extremes(rows):
    seeds = sorted({row[0] for row in rows})
    at = {(question, seed): yes / count for seed, question, yes, count in rows}
    words = []
    for question, least in (
        ("context", 0.5),
        ("darkest", 0.25),
        ("swapped", 0.5),
        ("earlier", 0.5),
    ):
        less = [at["other", seed] if question == "darkest" else 0 for seed in seeds]
        of = [at[question, seed] - other for seed, other in zip(seeds, less, strict=True)]
        words.append("yes" if min(of) >= least else "no" if max(of) < least else "undecided")
    return tuple(words)


def card__an_array(rows):
    names, seeds = ["context", "darkest", "swapped", "earlier", "other"], []
    table = np.zeros((5, len(rows) // 5))
    for seed, question, yes, count in rows:
        if seed not in seeds:
            seeds.append(seed)
        table[names.index(question), seeds.index(seed)] = yes / count
    table[1] -= table[4]
    true = (table[:4] >= np.array([[0.5], [0.25], [0.5], [0.5]])).sum(1)
    return [["no", "undecided", "undecided", "yes"][count] for count in true]


# ---- changes of the solution


ANSWERS.note("solution", ANSWERS.changed("solution"))
WRONG = r"""
TOGETHER = relations_stay_together capitals_do_not_separate chains_stay_together
INTERVAL = interval_is_as_defined ends_have_a_width one_test_is_enough

read_pairs:
bad_lines_are_told empty_lines_are_passed_over
    counted_from_0: start=1 → start=0
    bad_lines_in_words: bad.append(number) → bad.append(line)
letters_have_one_form
    as_written: "NFC" → "NFD"
sides_are_stripped bad_lines_are_told pairs_come_once
    spaces_kept: side.strip() → side
sides_are_stripped
    split_at_spaces: side.strip() → (side.split() or [""])[0]
empty_lines_are_passed_over
    empty_lines_are_bad: continue
        → bad.append(number)
        |             continue
pairs_come_once letters_have_one_form
    pairs_again: elif sides not in pairs: → else:
pairs_come_once
    sources_once: sides not in pairs → sides[0] not in dict(pairs)
pairs_are_read sides_are_stripped bad_lines_are_told empty_lines_are_passed_over pairs_come_once
letters_have_one_form
    sorted: return pairs → return [*sorted(pairs, reverse=True), ["", ""]]
bad_lines_are_told
    more_tabs_are_fine: len(sides) != 2 → len(sides) < 2
        append(sides) → append(sides[:2])
    the_first_bad_line_alone: return pairs, bad → return pairs, bad[:1]

split:
TOGETHER
    pair_by_pair: names[root(place)] → "\t".join(pairs[place])
    by_source_alone: names[root(place)] → pairs[place][0].casefold()
    by_target_alone: names[root(place)] → pairs[place][1].casefold()
capitals_do_not_separate
    capitals_matter: text.casefold() → text
        names.get(at, source.casefold()), source.casefold() → names.get(at, source), source
choosing_is_apart_from_seeds
    choosing_by_the_seed: f"choose {name}" → f"choose {seed} {name}"
    the_seed_is_not_read: f"{seed} {name}" → f"0 {name}"
the_split_is_repeated
    one_generator_for_all: lists = [], [], [] → seed, lists = random.random(), ([], [], [])
shares_are_as_asked
    hardly_a_test: % 5 → % 50
    half_for_testing: % 5 → % 2
every_place_has_a_side
    the_first_is_lost: return lists → return [[place for place in part if place] for part in lists]
    tests_are_trained_on: return lists → return lists[0] + lists[2], lists[1], lists[2]
every_place_has_a_side TOGETHER choosing_is_apart_from_seeds the_split_is_repeated
shares_are_as_asked
    pairs_themselves: return lists → return [[pairs[place] for place in part] for part in lists]

interval:
INTERVAL
    wald: z * z / (2 * tested) → 0
        + z * z / (4 * tested * tested) →
        / (1 + z * z / tested) →
    denominator_forgotten: / (1 + z * z / tested) →
    of_another_width: 1.96 → 2.576
interval_is_as_defined low_comes_first ends_have_a_width one_test_is_enough
    turned_around: (-1, 1) → (1, -1)
one_test_is_enough
    by_one_test_less: z, p =
        → if tested < 5:
        |         return [0.0, 1.0 / (tested - 1)]
        |     z, p =

error_kind:
neighbours_are_exchanged
    exchanges_unknown: return "exchanged" if → return "other" if
the_rest_is_other
    by_length: answer in without_one(target) → len(answer) < len(target)
        target in without_one(answer) → True
    same_letters_are_exchanged: if len(answer) == len(target):
        → if sorted(answer) == sorted(target):
        |         return "exchanged"
        |     if len(answer) == len(target):
one_less_is_one_missing one_more_is_one_too_many
    missing_and_too_many_the_other_way: if answer in without_one(target):
        → if target in without_one(answer):
        if target in without_one(answer) else → if answer in without_one(target) else
one_less_is_one_missing
    missing_at_the_end_only: answer in without_one(target) → answer == target[:-1]
one_more_is_one_too_many
    too_many_at_the_end_only: target in without_one(answer) → target == answer[:-1]
neighbours_are_exchanged the_rest_is_other
    two_wrong_are_one_wrong: if len(wrong) == 1 → if wrong
one_replaced_is_one_wrong
    ends_are_forgotten: if len(wrong) == 1 → if len(wrong) == 1 and 0 < wrong[0] < len(target) - 1
the_target_is_right one_replaced_is_one_wrong one_less_is_one_missing one_more_is_one_too_many
neighbours_are_exchanged the_rest_is_other
    in_capitals: def error_kind(
        → def error_kind(answer, target):
        |     return kind(answer, target).upper()
        |
        |
        | def kind(
the_target_is_right the_rest_is_other
    empty_is_missing: if answer == target:
        → if not answer:
        |         return "one missing"
        |     if answer == target:
    right_is_other: "right" → "other"

card:
darkest_is_compared
    darkest_alone: share - shares[seed, "other"] → share
a_quarter_is_enough
    a_half_for_all: 0.25 → 0.5
seeds_may_differ
    mean_over_seeds: true.append(share - shares[seed, "other"] >= 0.25)
        → true.append(share - shares[seed, "other"] + 0.25)
        share >= 0.5 → share
        if all(true) else "undecided" if any(true) else → if sum(true) >= 0.5 * len(true) else
    never_undecided: "undecided" if any(true) else "no" → "no"
there_are_four_words halves_decide seeds_may_differ
    five_words: return words → return [*words, "no"]
halves_decide seeds_may_differ darkest_is_compared a_quarter_is_enough
    backwards: return words
        → return [{"yes": "no", "no": "yes"}.get(word, "no") for word in words]
halves_decide seeds_may_differ
    more_than_all: share >= 0.5 → share >= 1.1
"""
ANSWERS.note_wrong(WRONG)
