"""What every task keeps to: draws by seed, a split by what is asked, gold links, known pieces."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_course.tasks import date_order, dates, names, numbers, reversal, typos
from attn_course.tasks.date_patterns import is_test_day
from attn_course.tasks.pieced import PiecedPair
from attn_course.tasks.vocabulary import UNKNOWN


class Task(NamedTuple):
    draw: Callable  # of a count, a seed and a split
    is_tested: Callable | None
    golds: tuple[Callable, Callable]  # possible and sure links
    vocabularies: Callable


TASKS = {
    "letters": Task(
        lambda n, seed, split: reversal.letter_pairs(n, seed, (2, 3, 7), "reversal", split=split),
        lambda pair: reversal.is_test_sequence(pair.source),
        (reversal.gold_alignment, reversal.gold_alignment),
        lambda: (reversal.letter_vocabulary(), reversal.letter_vocabulary()),
    ),
    **{
        f"numbers, {language}": Task(
            lambda n, seed, split, to=language: numbers.number_pairs(n, seed, (2, 5, 7), to, split),
            lambda pair: numbers.is_test_number(pair.number),
            (numbers.gold_possible, numbers.gold_sure),
            lambda to=language: numbers.number_vocabularies(to),
        )
        for language in numbers.LANGUAGES
    },
    "names": Task(
        lambda n, seed, split: names.name_pairs(n, seed, (1, 3), split),
        None,  # some of its pairs are places, which are on both sides
        (names.gold_possible, names.gold_sure),
        names.name_vocabularies,
    ),
    "typos": Task(
        lambda n, seed, split: typos.typo_pairs(
            n, seed, typos.KINDS, split.replace("test", "words")
        ),
        lambda pair: typos.is_test_word(pair.target),
        (typos.gold_possible, typos.gold_sure),
        lambda: (typos.typo_vocabulary(), typos.typo_vocabulary()),
    ),
    "dates": Task(
        lambda n, seed, split: dates.date_pairs(n, seed, days=split, noise=0.5),
        lambda pair: is_test_day(pair.day),
        (dates.gold_possible, dates.gold_sure),
        dates.date_vocabularies,
    ),
    "dates in order": Task(
        date_order.order_pairs,
        lambda pair: is_test_day(pair.day),
        (date_order.gold_possible, date_order.gold_sure),
        date_order.order_vocabularies,
    ),
}


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("split", ["train", "test"])
def test_a_task_keeps_to_the_contract(name, split):
    draw, is_tested, (gold_possible, gold_sure), vocabularies = TASKS[name]
    pairs = draw(211, 5, split)
    assert pairs == draw(211, 5, split) != draw(211, 6, split)
    assert draw(1, 5, split) == pairs[:1]
    assert is_tested is None or all(is_tested(pair) == (split == "test") for pair in pairs)
    both = vocabularies()
    for pair in pairs:
        possible, sure = gold_possible(pair), gold_sure(pair)
        assert not (sure & ~possible).any()
        assert sure.sum(axis=1).max() <= 1
        for axis, vocabulary, text in zip((1, 0), both, (pair.source, pair.target), strict=True):
            read = vocabulary.encode(text)
            assert UNKNOWN not in read
            assert len(read) == possible.shape[axis]
            assert vocabulary.decode(vocabulary.encode(text, end=True)) == text


pieces = st.lists(st.text().filter(lambda piece: " " not in piece), min_size=1)


@given(pieces, pieces)
def test_the_pieces_are_those_that_were_joined_even_if_they_are_spaces_of_another_kind(one, other):
    pair = PiecedPair()
    pair.source, pair.target = " ".join(one), " ".join(other)
    assert (pair.source_pieces, pair.target_pieces) == (one, other)
    pair.source = "31.\N{NO-BREAK SPACE}de \N{NO-BREAK SPACE} enero"
    assert pair.source_pieces == ["31.\N{NO-BREAK SPACE}de", "\N{NO-BREAK SPACE}", "enero"]
