"""Right and wrong answers to `the-bottleneck`, for a student with the code a7811cc4.

Wrong answers stand beside the properties that they must not have, the first of which has the hint
that is meant for them.
"""

import random
import zlib
from collections import defaultdict
from functools import partial

import numpy as np

from specimens.answers import changed
from specimens.coursework.tried import Answers

ANSWERS = Answers("the-bottleneck")
right, wrong = ANSWERS.good, ANSWERS.bad
LETTERS, LENGTHS = "acdefijklmopqstu", range(2, 14)


# ---- target_of: halves exchanged


@right
def target_of__slices(source):
    middle = (len(source) + 1) // 2
    return source[middle:] + source[:middle]


@right
def target_of__negative_slice(source):
    half = len(source) // 2
    return source[-half:] + source[:-half]


@right
def target_of__letter_by_letter(source):
    first, second = "", ""
    for place, letter in enumerate(source):
        if place < len(source) / 2:
            first += letter
        else:
            second += letter
    return second + first


@right
def target_of__rolled(source):
    return "".join(np.roll(list(source), len(source) // 2))


@right
def target_of__by_places(source):
    n = len(source)
    return "".join(source[(i + n - n // 2) % n] for i in range(n))


_EVERY = ("even_lengths_are_right", "odd_lengths_are_right", "short_sources_are_right")


wrong(*_EVERY)(copied=lambda source: source, reversed=lambda source: source[::-1])


wrong("odd_lengths_are_right", "short_sources_are_right")(
    first_half_shorter=changed(target_of__slices, "= (", "=", ") + 1", "")
)


@wrong("odd_lengths_are_right", "short_sources_are_right", "length_is_kept")
def target_of__middle_lost(source):
    middle = len(source) // 2
    return source[len(source) - middle :] + source[:middle]


wrong("length_is_kept", *_EVERY)(
    one_letter_more=lambda source: target_of__slices(source) + source[0],
    a_list=lambda source: list(target_of__slices(source)),
)


@wrong("even_lengths_are_right", "odd_lengths_are_right")
def target_of__one_place_only(source):
    return source[-1] + source[:-1] if len(source) > 3 else target_of__slices(source)


@wrong("even_lengths_are_right", "odd_lengths_are_right", "short_sources_are_right")
def target_of__another_rule(source):
    return source[::2] + source[1::2]


@wrong("short_sources_are_right")
def target_of__short_ones_kept(source):
    return target_of__slices(source) if len(source) > 3 else source


@wrong("length_is_kept", "odd_lengths_are_right", "even_lengths_are_right")
def target_of__eight_letters_at_most(source):
    return target_of__slices(source[:6])


# ---- pairs


def _is_test(source):
    return zlib.crc32(source.encode()) % 8 == 0


def _drawn(count, seed, split, letters=LETTERS, lengths=LENGTHS, is_test=_is_test):
    rng, found = random.Random(f"{seed} {split}"), []
    while len(found) < count:
        source = "".join(rng.choices(letters, k=rng.choice(lengths)))
        if is_test(source) == (split == "test"):
            found.append((source, target_of__slices(source)))
    return found


@right
def pairs__rejection(count, seed, split):
    return _drawn(count, seed, split)


@right
def pairs__length_kept_while_drawing(count, seed, split):
    rng, found = random.Random(seed), []
    for _ in range(count):
        length, source = rng.choice(LENGTHS), ""
        while not source or _is_test(source) != (split == "test"):
            source = "".join(rng.choice(LETTERS) for _ in range(length))
        found.append([source, target_of__slices(source)])
    return found


@right
def pairs__numpy(count, seed, split):
    rng = np.random.default_rng([seed, 7])
    found = []
    while len(found) < count:
        source = "".join(rng.choice(list(LETTERS), size=rng.integers(2, 14)))
        side = "test" if sum(map(ord, source)) % 7 == 3 else "train"
        if side == split:
            found.append((source, target_of__slices(source)))
    return found


@right
def pairs__by_the_first_letters(count, seed, split):
    return _drawn(count, seed, split, is_test=lambda s: (ord(s[0]) * 31 + ord(s[1])) % 5 == 0)


@right
def pairs__lengths_in_turn(count, seed, split):
    rng = random.Random(1000 * seed + len(split))
    lengths = [LENGTHS[i % len(LENGTHS)] for i in range(count)]
    rng.shuffle(lengths)
    found = []
    for length in lengths:
        while True:
            source = "".join(rng.choices(LETTERS, k=length))
            if _is_test(source) is (split == "test"):
                break
        found.append((source, target_of__slices(source)))
    return tuple(found)


@wrong("sides_are_apart")
def pairs__no_sides(count, seed, split):
    return (
        _drawn(count, seed, "test", is_test=lambda source: True)
        if split == "test"
        else _drawn(count, seed, "train", is_test=lambda source: False)
    )


@wrong("sides_are_apart")
def pairs__sides_by_parity_of_the_seed(count, seed, split):
    rng = random.Random(2 * seed + (split == "test"))
    sources = ["".join(rng.choices(LETTERS, k=rng.choice(LENGTHS))) for _ in range(count)]
    return [(each, target_of__slices(each)) for each in sources]


@wrong("sides_are_apart")
def pairs__drawn_side(count, seed, split):
    rng, found = random.Random(seed), []
    while len(found) < count:
        source = "".join(rng.choices(LETTERS, k=rng.choice(LENGTHS)))
        if (rng.random() < 0.2) == (split == "test"):
            found.append((source, target_of__slices(source)))
    return found


_GENERATOR = random.Random(5)


wrong("seeds_decide")(
    one_generator_for_all=lambda count, seed, split: _drawn(count, _GENERATOR.random(), split),
    seed_is_not_read=lambda count, seed, split: _drawn(count, 0, split),
)


@wrong("targets_follow_the_rule")
def pairs__targets_copied(count, seed, split):
    return [(source, source) for source, _ in _drawn(count, seed, split)]


wrong("lengths_are_drawn_evenly")(
    last_length_missing=partial(_drawn, lengths=LENGTHS[:-1]),
    long_ones_more_often=partial(_drawn, lengths=[*LENGTHS, *[13] * 30]),
)


@wrong("letters_are_drawn_evenly", "pairs_are_of_own_letters")
def pairs__the_whole_alphabet(count, seed, split):
    return _drawn(count, seed, split, letters="abcdefghijklmnopqrstuvwxyz")


@wrong("letters_are_drawn_evenly")
def pairs__no_letter_twice(count, seed, split):
    rng, found = random.Random(f"{seed} {split}"), []
    while len(found) < count:
        source = "".join(rng.sample(LETTERS, rng.choice(LENGTHS)))
        if _is_test(source) == (split == "test"):
            found.append((source, target_of__slices(source)))
    return found


@wrong("letters_are_drawn_evenly")
def pairs__first_letters_more_often(count, seed, split):
    return _drawn(count, seed, split, letters=LETTERS + "a" * 30)


wrong("pairs_are_of_own_letters", "lengths_are_drawn_evenly")(
    without_those_of_the_other_side=lambda count, *others: _drawn(2 * count, *others)[: count // 2]
)


wrong(
    *("pairs_are_of_own_letters", "letters_are_drawn_evenly", "lengths_are_drawn_evenly"),
    *("targets_follow_the_rule", "seeds_decide", "sides_are_apart"),
)(sources_alone=lambda *given: [source for source, _ in _drawn(*given)])


# ---- differences


@right
def differences__loops(rows, better, worse):
    found = []
    for seed in sorted({row[1] for row in rows}):
        means = []
        for name in (better, worse):
            shares = [r / n for c, s, _, r, n in rows if c == name and s == seed]
            means.append(sum(shares) / len(shares))
        found.append(means[0] - means[1])
    return found


@right
def differences__tables(rows, better, worse):
    table = defaultdict(list)
    for condition, seed, _, hits, tested in rows:
        table[condition, seed].append(hits / tested)
    seeds = sorted({seed for _, seed in table})
    return [np.mean(table[better, s]) - np.mean(table[worse, s]) for s in seeds]


@right
def differences__an_array(rows, better, worse):
    kept = [row for row in rows if row[0] in (better, worse)]
    sign = np.array([1.0 if row[0] == better else -1.0 for row in kept])
    seeds = np.array([row[1] for row in kept])
    shares = np.array([row[3] for row in kept]) / np.array([row[4] for row in kept])
    lengths = len({row[2] for row in kept})
    return np.array([(sign * shares)[seeds == s].sum() / lengths for s in np.unique(seeds)])


_AGAIN = ("shares_are_subtracted", "other_rows_do_not_matter", "lengths_count_alike")


@wrong("lengths_count_alike")
def differences__pooled(rows, better, worse):
    found = []
    for seed in sorted({row[1] for row in rows}):
        sums = [
            np.array([(r, n) for c, s, _, r, n in rows if (c, s) == (name, seed)]).sum(0)
            for name in (better, worse)
        ]
        found.append(float(sums[0][0] / sums[0][1] - sums[1][0] / sums[1][1]))
    return found


@wrong(*_AGAIN)
def differences__seeds_as_they_come(rows, better, worse):
    seeds = list(dict.fromkeys(row[1] for row in rows))
    by_seed = dict(zip(sorted(seeds), differences__loops(rows, better, worse), strict=True))
    return [by_seed[seed] for seed in sorted(seeds, reverse=True)]


@wrong("one_number_for_each_seed", *_AGAIN)
def differences__mean_over_seeds(rows, better, worse):
    return [float(np.mean(differences__loops(rows, better, worse)))]


@wrong("other_rows_do_not_matter")
def differences__by_place(rows, better, worse):
    half = len(rows) // 2
    one = [(better, *row[1:]) for row in rows[:half]]
    two = [(worse, *row[1:]) for row in rows[half:]]
    return differences__loops(one + two, better, worse)


@wrong("other_rows_do_not_matter")
def differences__against_all_others(rows, better, worse):
    return differences__loops(
        [(r[0] if r[0] == better else worse, *r[1:]) for r in rows], better, worse
    )


wrong(*_AGAIN)(
    the_other_way=lambda rows, better, worse: differences__loops(rows, worse, better),
    counts=lambda rows, *others: differences__loops([(*row[:4], 1) for row in rows], *others),
)
