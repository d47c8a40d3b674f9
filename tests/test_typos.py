"""Typing mistakes, compared with every string one edit away."""

from collections import Counter
from string import ascii_lowercase

import numpy as np
import pytest

from attn_course.tasks.typos import (
    KINDS,
    LONGEST,
    SHORTEST,
    ceiling,
    gold_possible,
    gold_sure,
    is_test_typo,
    is_test_word,
    misspell,
    readings,
    render,
    typo_pairs,
    typo_vocabulary,
    words,
)
from attn_course.tasks.vocabulary import UNKNOWN

KNOWN = ("cake", "poke", "pate", "pat", "pats", "stamp", "stamps", "aabb", "attend", "class")
PAIRS = typo_pairs(1009, seed=1, kinds=KINDS)
every_kind = pytest.mark.parametrize("kind", KINDS)


def edits(word, kind):
    """Every mistake of a kind, as (place, wrong word), with each as often as it can be made."""
    splits = [(at, word[:at], word[at:]) for at in range(len(word) + 1)]
    if kind == "deletion":
        return [(at, L + R[1:]) for at, L, R in splits if len(R) > 1]
    if kind == "transposition":
        return [(at, L + R[1] + R[0] + R[2:]) for at, L, R in splits if len(R) > 1 and R[0] != R[1]]
    if kind == "substitution":
        return [
            (at, L + c + R[1:]) for at, L, R in splits if R for c in ascii_lowercase if c != R[0]
        ]
    return [(at, L + c + R) for at, L, R in splits for c in ascii_lowercase]


def first_place(word, wrong, kind):
    return min(at for at, other in edits(word, kind) if other == wrong)


@every_kind
@pytest.mark.parametrize("word", KNOWN)
def test_every_mistake_by_hand(word, kind):
    for at, wrong in edits(word, kind):
        letter = wrong[at] if kind in ("substitution", "insertion") else ""
        pair = render(word, kind, at, letter)
        assert misspell(word, kind, at, letter) == pair.source == wrong
        assert pair.place == first_place(word, wrong, kind)
        assert 0 <= pair.place < len(wrong)
        assert (pair.target, pair.kind) == (word, kind)


def mended(pair):
    """The right word, from the wrong one and the gold alone; a dot where nothing is copied."""
    rows = [row.nonzero()[0] for row in gold_sure(pair)]
    return "".join(pair.source[row[0]] if len(row) else "." for row in rows)


def test_the_right_word_is_read_back_through_the_links():
    for pair in PAIRS:
        sure, possible = gold_sure(pair), gold_possible(pair)
        read, lost = mended(pair), pair.kind in ("substitution", "deletion")
        place = pair.place
        expected = pair.target[:place] + "." + pair.target[place + 1 :] if lost else pair.target
        assert read == expected
        assert sure.shape == possible.shape == (len(pair.target), len(pair.source))
        unread = (~sure.any(axis=0)).nonzero()[0].tolist()
        assert unread == ([place] if pair.kind in ("substitution", "insertion") else [])
        added = {(i, j) for i, j in zip(*(possible & ~sure).nonzero(), strict=True)}
        beside = {"substitution": [place], "deletion": [place - 1, place]}.get(pair.kind, [])
        assert added == {(place, j) for j in beside if j >= 0}


def test_what_is_kept_for_testing_stays_so_in_every_release():
    """Nobody may be tested on what an earlier release has trained on."""
    words = [letter + "ake" for letter in "abcdefghijklmnopqrstuvwxyz"]
    assert "".join(word[0] for word in words if is_test_word(word)) == "bnvz"
    assert "".join(word[0] for word in words if is_test_typo(word, "cake")) == "a"


def joint(kinds, known):
    """p(wrong, place, word), with each word, kind and mistake as likely as any other."""
    table = Counter()
    for word in known:
        for kind in kinds:
            mistakes = edits(word, kind)
            for _, wrong in mistakes:
                key = wrong, first_place(word, wrong, kind), word
                table[key] += 1 / (len(known) * len(kinds) * len(mistakes))
    return table


TWICE = ("insertion", "insertion", "substitution")  # the one named twice is twice as likely


@pytest.mark.parametrize("kinds", [("substitution",), ("deletion", "insertion"), KINDS, TWICE])
@pytest.mark.slow
def test_the_ceiling_is_that_of_all_strings(kinds):
    table, result = joint(kinds, KNOWN), ceiling(kinds, KNOWN)
    assert sum(table.values()) == pytest.approx(1)
    for part, exact in ((2, result.mended), (1, result.located)):
        best = Counter()
        for wrong in {wrong for wrong, _, _ in table}:
            chances = Counter()
            for key, chance in table.items():
                if key[0] == wrong:
                    chances[key[part]] += chance
            best[wrong] = max(chances.values())
        assert exact == pytest.approx(sum(best.values()))
    assert result.mended < 1


def test_the_ceiling_by_length_is_the_whole_one_in_parts():
    result = ceiling(KINDS, KNOWN)
    share = Counter(map(len, KNOWN))
    for whole, parts in (
        (result.mended, result.mended_by_length),
        (result.located, result.located_by_length),
    ):
        assert list(parts) == sorted(share)
        total = sum(parts[length] * share[length] for length in parts) / len(KNOWN)
        assert total == pytest.approx(whole)
        assert all(0 < part <= 1 for part in parts.values())
    assert result.mended_by_length[6] > result.mended_by_length[3]


def test_readings_are_bayes_rule():
    table = joint(KINDS, KNOWN)
    for wrong in ("pake", "pat", "patt", "stamps", "aab", "zzzz"):
        chances = Counter()
        for (other, _, word), chance in table.items():
            if other == wrong:
                chances[word] += chance
        listed = readings(wrong, KINDS, KNOWN)
        assert dict(listed) == pytest.approx({w: c / chances.total() for w, c in chances.items()})
        assert [chance for _, chance in listed] == sorted((c for _, c in listed), reverse=True)
    assert readings("zzzz", KINDS, KNOWN) == []
    assert [word for word, _ in readings("pake", known=KNOWN)] == ["cake", "pate", "poke"]
    assert readings("cake", known=["cake"]) == []  # it has no mistake


@pytest.mark.slow
def test_the_words_are_words():
    listed = words()
    assert 3000 < len(listed) < 8000
    assert list(listed) == sorted(set(listed))
    assert all(SHORTEST <= len(word) <= LONGEST for word in listed)
    assert {"python", "dollar", "attribute", "swahili"} <= set(listed)
    assert not any(UNKNOWN in typo_vocabulary().encode(word) for word in listed)


def test_draws_are_as_documented():
    shares = Counter(pair.kind for pair in PAIRS)
    assert all(abs(shares[kind] / 1009 - 1 / 4) < 0.05 for kind in KINDS)
    for pair in PAIRS:
        mistakes = [wrong for _, wrong in edits(pair.target, pair.kind)]
        assert pair.source in mistakes
        assert pair.place == first_place(pair.target, pair.source, pair.kind)
    assert {pair.kind for pair in typo_pairs(53, 0)} == {"substitution"}
    assert {len(p.target) for p in typo_pairs(101, 0, lengths=(4, 7))} == {4, 7}


@every_kind
@pytest.mark.slow
def test_what_is_tested_was_never_trained_on(kind):
    drawn = {split: typo_pairs(701, 0, [kind], split) for split in ("train", "typos", "words")}
    for split, pairs in drawn.items():
        for pair in pairs:
            assert is_test_word(pair.target) == (split == "words")
            if split != "words":
                assert is_test_typo(pair.source, pair.target) == (split == "typos")
    shares = [np.mean([is_test_word(word) for word in words()])]
    assert shares == pytest.approx([1 / 8], abs=0.02)


REFUSED = {
    misspell: [
        (("Cake", "deletion", 0), "word must be .* 3 to 12 letters.*got 'Cake'"),
        (("a" * 13, "deletion", 0), r"word must be .* 3 to 12.*got 'a{13}'"),
        (("ca", "deletion", 0), "word must be .* 3 to 12.*got 'ca'"),
        (("cake", "deletion", 3), "no deletion of '' at 3 in 'cake'"),
        (("cake", "deletion", 0, "c"), "no deletion of 'c' at 0 in 'cake'"),
        (("cake", "substitution", 0, "c"), "no substitution of 'c' at 0"),
        (("cake", "substitution", 0, "ö"), "no substitution of 'ö' at 0"),
        (("cake", "insertion", 5, "c"), "no insertion of 'c' at 5"),
        (("attend", "transposition", 1), "no transposition of '' at 1"),
    ],
    typo_pairs: [
        ({"count": 3, "seed": 0, "lengths": (2, 5)}, "from 3 to 12; got 2"),
        ({"count": 3, "seed": 0, "lengths": (13,)}, "from 3 to 12; got 13"),
    ],
    readings: [
        ((word,), "source must be .* 2 to 13 letters from a to z; got") for word in ("a", "a" * 14)
    ],
}
