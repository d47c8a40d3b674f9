"""Mistakes by kind, against a distance that is written independently."""

import functools
import random

import pytest

from attn_own.mistakes import Mistake, mistakes


def distance(answer, target):
    """By recursion over what the first symbols may be."""

    @functools.cache
    def between(i, j):
        if i == len(target) or j == len(answer):
            return len(target) - i + len(answer) - j
        ways = [
            between(i + 1, j + 1) + (target[i] != answer[j]),
            between(i + 1, j) + 1,
            between(i, j + 1) + 1,
        ]
        if target[i : i + 2] == answer[j : j + 2][::-1] and len(answer[j : j + 2]) == 2:
            ways.append(between(i + 2, j + 2) + 1)
        return min(ways)

    return between(0, 0)


def test_there_are_as_few_as_can_be_and_they_make_the_one_into_the_other():
    rng = random.Random(0)
    for _ in range(307):
        target, answer = ("".join(rng.choices("abc", k=rng.randint(0, 7))) for _ in range(2))
        edits = mistakes(list(answer), list(target))
        assert len(edits) == distance(answer, target)
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
