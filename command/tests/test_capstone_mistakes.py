"""Mistakes by kind, against a distance that is written independently."""

import random

import pytest
from capstone_corpora import fewest_edits

from attn_own.mistakes import Mistake, mistakes


def test_there_are_as_few_as_can_be_and_they_make_the_one_into_the_other():
    rng = random.Random(0)
    for _ in range(307):
        target, answer = ("".join(rng.choices("abc", k=rng.randint(0, 7))) for _ in range(2))
        edits = mistakes(list(answer), list(target))
        assert len(edits) == fewest_edits(answer, target, exchange=True)
        wanted, written = (
            [symbol for part in parts for symbol in part]
            for parts in ([edit.wanted for edit in edits], [edit.written for edit in edits])
        )
        symbols = list(target)
        for symbol in wanted:
            symbols.remove(symbol)
        assert sorted(symbols + written) == sorted(answer)


@pytest.mark.parametrize(
    ("answer", "target", "expected"),
    [
        ("abc", "abc", []),
        ("ac", "abc", [Mistake("missing", ("b",), ())]),
        ("abbc", "abc", [Mistake("superfluous", (), ("b",))]),
        ("axc", "abc", [Mistake("replaced", ("b",), ("x",))]),
        ("acb", "abc", [Mistake("exchanged", ("b", "c"), ("c", "b"))]),
        ("", "ab", [Mistake("missing", ("a",), ()), Mistake("missing", ("b",), ())]),
    ],
)
def test_each_kind(answer, target, expected):
    assert mistakes(list(answer), list(target)) == expected
