"""Right and wrong answers to `the-bottleneck`, for a student with the code a7811cc4."""

import random
import zlib
from collections import defaultdict

import numpy as np

from specimens.coursework.tried import Changed

LETTERS, LENGTHS = "acdefijklmopqstu", range(2, 14)
ANSWERS = Changed("the-bottleneck", random=random, zlib=zlib, LETTERS=LETTERS, LENGTHS=LENGTHS)


def target_of__slices(source):
    middle = (len(source) + 1) // 2
    return source[middle:] + source[:middle]


def target_of__negative_slice(source):
    half = len(source) // 2
    return source[-half:] + source[:-half]


def target_of__letter_by_letter(source):
    first, second = "", ""
    for place, letter in enumerate(source):
        if place < len(source) / 2:
            first += letter
        else:
            second += letter
    return second + first


def target_of__rolled(source):
    return "".join(np.roll(list(source), len(source) // 2))


def target_of__by_places(source):
    n = len(source)
    return "".join(source[(i + n - n // 2) % n] for i in range(n))


def _is_test(source):
    return zlib.crc32(source.encode()) % 8 == 0


def pairs__length_kept_while_drawing(count, seed, split):
    rng, pairs = random.Random(seed), []
    for _ in range(count):
        length, source = rng.choice(LENGTHS), ""
        while not source or _is_test(source) != (split == "test"):
            source = "".join(rng.choice(LETTERS) for _ in range(length))
        pairs.append([source, target_of__slices(source)])
    return pairs


def pairs__numpy(count, seed, split):
    rng = np.random.default_rng([seed, 7])
    pairs = []
    while len(pairs) < count:
        source = "".join(rng.choice(list(LETTERS), size=rng.integers(2, 14)))
        side = "test" if sum(map(ord, source)) % 7 == 3 else "train"
        if side == split:
            pairs.append((source, target_of__slices(source)))
    return pairs


def pairs__lengths_in_turn(count, seed, split):
    rng = random.Random(1000 * seed + len(split))
    lengths = [LENGTHS[i % len(LENGTHS)] for i in range(count)]
    rng.shuffle(lengths)
    pairs = []
    for length in lengths:
        while True:
            source = "".join(rng.choices(LETTERS, k=length))
            if _is_test(source) is (split == "test"):
                break
        pairs.append((source, target_of__slices(source)))
    return tuple(pairs)


def differences__tables(rows, better, worse):
    table = defaultdict(list)
    for condition, seed, _, hits, tested in rows:
        table[condition, seed].append(hits / tested)
    seeds = sorted({seed for _, seed in table})
    return [np.mean(table[better, s]) - np.mean(table[worse, s]) for s in seeds]


def differences__an_array(rows, better, worse):
    ours = [row for row in rows if row[0] in (better, worse)]
    sign = np.array([1.0 if row[0] == better else -1.0 for row in ours])
    seeds = np.array([row[1] for row in ours])
    shares = np.array([row[3] for row in ours]) / np.array([row[4] for row in ours])
    lengths = len({row[2] for row in ours})
    return np.array([(sign * shares)[seeds == s].sum() / lengths for s in np.unique(seeds)])


# ---- changes of the solution


ANSWERS.note("solution", ANSWERS.changed("solution"))
WRONG = r"""
EVEN_ODD = even_lengths_are_right odd_lengths_are_right
AGAIN = shares_are_subtracted other_rows_do_not_matter lengths_count_alike

target_of:
EVEN_ODD short_sources_are_right
    copied: source[middle:] + source[:middle] → source
    reversed: source[middle:] + source[:middle] → source[::-1]
    another_rule: source[middle:] + source[:middle] → source[::2] + source[1::2]
odd_lengths_are_right short_sources_are_right
    first_half_shorter: (len(source) + 1) // 2 → len(source) // 2
odd_lengths_are_right short_sources_are_right length_is_kept
    middle_lost: source[:middle] → source[: len(source) // 2]
length_is_kept EVEN_ODD short_sources_are_right
    one_letter_more: source[:middle] → source[:middle] + source[0]
    a_list: source[middle:] + source[:middle] → list(source[middle:] + source[:middle])
EVEN_ODD
    one_place_only: middle = → middle = len(source) - 1 if len(source) > 3 else
short_sources_are_right
    short_ones_kept: return → return source if len(source) < 4 else
length_is_kept odd_lengths_are_right even_lengths_are_right
    eight_letters_at_most: middle =
        → source = source[:6]
        |     middle =

pairs:
nothing
    by_the_first_letters: zlib.crc32(source.encode()) % 8
        → (ord(source[0]) * 31 + ord(source[1])) % 5
sides_are_apart
    no_sides: (zlib.crc32(source.encode()) % 8 == 0) == (split == "test") → True
    sides_by_parity_of_the_seed: f"{seed} {split}" → 2 * seed + (split == "test")
        (zlib.crc32(source.encode()) % 8 == 0) == (split == "test") → True
    drawn_side: f"{seed} {split}" → seed
        zlib.crc32(source.encode()) % 8 == 0 → rng.random() < 0.2
seeds_decide
    one_generator_for_all: random.Random(f"{seed} {split}") → random
    seed_is_not_read: {seed} →
targets_follow_the_rule
    targets_copied: target_of(source) → source
lengths_are_drawn_evenly
    last_length_missing: choice(LENGTHS) → choice(LENGTHS[:-1])
    long_ones_more_often: choice(LENGTHS) → choice([*LENGTHS, *[13] * 30])
letters_are_drawn_evenly pairs_are_of_own_letters
    the_whole_alphabet: LETTERS → "abcdefghijklmnopqrstuvwxyz"
letters_are_drawn_evenly
    no_letter_twice: choices( → sample(
    first_letters_more_often: LETTERS → LETTERS + "a" * 30
pairs_are_of_own_letters lengths_are_drawn_evenly
    without_those_of_the_other_side: return drawn → return drawn[: count // 2]
pairs_are_of_own_letters letters_are_drawn_evenly lengths_are_drawn_evenly
targets_follow_the_rule seeds_decide sides_are_apart
    sources_alone: (source, target_of(source)) → source

differences:
lengths_count_alike
    pooled: right / tested → (right, tested)
        sum(shares) / len(shares) → sum(r for r, _ in shares) / sum(n for _, n in shares)
AGAIN
    seeds_as_they_come: in rows}) → in rows}, reverse=True)
    the_other_way: better, seed) - _mean_share(rows, worse → worse, seed) - _mean_share(rows, better
    counts: right / tested → right
one_number_for_each_seed AGAIN
    mean_over_seeds: return [_mean → gaps = [_mean
        for seed in seeds] → for seed in seeds]
        |     return [sum(gaps) / len(gaps)]
other_rows_do_not_matter
    by_place: seeds =
        → half = len(rows) // 2
        |     rows = [((better, worse)[n >= half], *row[1:]) for n, row in enumerate(rows)]
        |     seeds =
    against_all_others: seeds =
        → rows = [(row[0] if row[0] == better else worse, *row[1:]) for row in rows]
        |     seeds =
"""
ANSWERS.note_wrong(WRONG)
