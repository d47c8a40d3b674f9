"""Random letters: copies, reversals, and which letter is which."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_course.tasks.reversal import (
    LETTERS,
    TASKS,
    gold_alignment,
    is_test_sequence,
    letter_pairs,
    letter_vocabulary,
    render,
)

SOURCES = st.text(LETTERS, min_size=1, max_size=23)


@given(SOURCES, st.sampled_from(TASKS))
def test_the_gold_alignment_reads_back_the_target(source, task):
    pair = render(source, task)
    gold = gold_alignment(pair)
    assert gold.shape == (len(source), len(source))
    assert (gold.sum(axis=0) == 1).all()
    assert (gold.sum(axis=1) == 1).all()
    assert "".join(source[j] for j in gold.argmax(axis=1)) == pair.target


@given(st.permutations(LETTERS), st.sampled_from(TASKS))
def test_with_distinct_letters_the_links_are_the_places(letters, task):
    pair = render("".join(letters), task)
    links = gold_alignment(pair).argmax(axis=1).tolist()
    assert links == [pair.source.index(letter) for letter in pair.target]


@given(SOURCES)
def test_to_copy_a_source_fed_backwards_is_to_reverse(source):
    assert render(source, "copy").target == source
    assert render(source[::-1], "reversal").target == source


@given(SOURCES)
def test_a_sequence_and_its_mirror_image_are_on_one_side(source):
    assert is_test_sequence(source) == is_test_sequence(source[::-1])


def test_every_letter_is_as_likely_at_every_place():
    pairs = letter_pairs(5200, 1, (5,), "copy")
    for place in (0, 4):
        counts = [sum(pair.source[place] == letter for pair in pairs) for letter in LETTERS]
        assert min(counts) > 130
        assert max(counts) < 280


def test_about_one_sequence_in_eight_is_kept_for_testing():
    every = ["".join(letters) for letters in itertools.product(LETTERS, repeat=3)]
    assert sum(map(is_test_sequence, every)) / len(every) == pytest.approx(1 / 8, rel=0.05)


def test_the_split_stays_what_it_was():
    # models trained with an earlier version must not be tested on what they saw
    tested = [letter for letter in LETTERS if is_test_sequence(f"a{letter}")]
    assert "".join(tested) == "dov"


def test_both_tasks_have_the_same_sources_of_all_lengths_alike():
    assert letter_vocabulary().symbols == tuple(LETTERS)
    copies, reversals = (letter_pairs(400, 3, (2, 3, 7), task) for task in TASKS)
    assert [pair.source for pair in copies] == [pair.source for pair in reversals]
    shares = [sum(len(pair.source) == n for pair in copies) / 400 for n in (2, 3, 7)]
    assert sum(shares) == 1
    assert all(0.25 < share < 0.42 for share in shares)


REFUSED = {
    render: [
        ((wrong, "copy"), r"source must be .* letters from a to z.*got")
        for wrong in ("aBc", "a b", "ä")
    ],
    letter_pairs: [
        ((3, 0, (3, 1), "copy"), r"lengths\[1\] must be a whole number, 2 or more; got 1")
    ],
}
