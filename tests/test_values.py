"""The checks of plain values: what is accepted, and errors that say what came and was expected."""

import math
import re
import sys
from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
import pytest
import torch

from attn_course import _values as values

MOST = sys.maxsize


def refused(check, *arguments, error, message, **options):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        check(*arguments, **options)


def test_tensors_and_arrays_are_described_by_what_matters_of_them():
    assert values.describe(torch.zeros(3, 5)) == "float32 (3, 5) on cpu"
    assert values.describe(torch.zeros(2, device="meta").bool()) == "bool (2,) on meta"
    assert values.describe(np.zeros((2, 3), dtype=np.int8)).startswith("int8 (2, 3)")
    assert values.describe([1, 2]) == "list"

    class HalfAnArray:
        dtype = "made up"

    assert values.describe(HalfAnArray()) == "HalfAnArray"
    HalfAnArray.shape = (7,)
    assert values.describe(HalfAnArray()) == "made up (7,)"


def test_a_kind_is_one_of_several():
    for value in ("x", b"x"):
        values.expect_kind("it", value, str, bytes)
    message = "it must be of the type str or bytes; got list"
    refused(values.expect_kind, "it", ["x"], str, bytes, error=TypeError, message=message)


def test_counts_are_whole_and_not_below_the_least():
    for value in (1, 5, np.int64(5), MOST):
        assert values.expect_count("size", value) == value
        assert type(values.expect_count("size", value)) is int
    assert values.expect_count("size", -3, least=-3) == -3
    expected = "size must be a whole number, 1 or more; got "
    for value, error in [(0, ValueError), (-2, ValueError), (True, TypeError), (2.5, TypeError)]:
        refused(values.expect_count, "size", value, error=error, message=f"{expected}{value}")
    refused(
        values.expect_count, "size", MOST + 1, error=ValueError, message=f"{expected}{MOST + 1}"
    )
    refused(values.expect_count, "size", None, error=TypeError, message=f"{expected}NoneType")
    message = "size must be a whole number of pairs, 3 or more; got 2"
    options = {"least": 3, "what": "number of pairs"}
    refused(values.expect_count, "size", 2, error=ValueError, message=message, **options)


def test_numbers_come_back_as_floats():
    for value in (3, -0.5, np.float32(0.25), math.inf, -math.inf):
        assert values.expect_number("rate", value) == value
        assert type(values.expect_number("rate", value)) is float
    for value in ("1", True, 1j):
        text = "complex" if value == 1j else repr(value)
        message = f"rate must be a number; got {text}"
        refused(values.expect_number, "rate", value, error=TypeError, message=message)
    for value, words in [
        (math.nan, "must be a number; got NaN"),
        (10**400, "is too large for a floating-point number"),
    ]:
        refused(values.expect_number, "rate", value, error=ValueError, message=f"rate {words}")


RANGES = [
    (values.CountOrZero, [0, 1], [-1]),
    (values.Count, [1], [0]),
    (values.Directions, [1, 2], [0, 3]),
    (values.Positive, [1e-9, math.inf], [0]),
    (values.NotNegative, [0, math.inf], [-1e-9]),
    (values.Amount, [0, 1e9], [-1e-9, math.inf]),
    (values.Share, [0, 1], [-1e-9, 1.001]),
    (values.NotAll, [0, 0.999], [-1e-9, 1]),
    (values.SomeShare, [1e-9, 1], [0, 1.001]),
]


@pytest.mark.parametrize(("hint", "in_it", "out_of_it"), RANGES)
def test_ranges_hold_their_borders_or_not(hint, in_it, out_of_it):
    for number in in_it:
        assert values.expect_hint("number", number, [hint]) == number
    for number in out_of_it:
        with pytest.raises(ValueError, match=r"^number must be"):
            values.expect_hint("number", number, [hint])
    for other in (True, "1", None):
        with pytest.raises(TypeError, match=r"^number must be a .*got"):
            values.expect_hint("number", other, [hint])


SEVERAL = [
    ([str], 3, "a string; got 3"),
    ([str, bytes], 3, "a string; got 3"),
    ([bytes, str], 3, "of the type bytes or str; got int"),
    ([bytes, float], 1j, "of the type bytes; got complex"),
    ([bytes, values.Share], 2, "a number from 0 to 1; got 2"),
    ([values.form("two letters", "..")], "abc", "a string of two letters; got 'abc'"),
    ([bytes, values.form("two letters", "..")], "abc", "a string of two letters; got 'abc'"),
    ([Literal["a", "b"]], "c", "one of ['a', 'b']; got 'c'"),
]


@pytest.mark.parametrize(("hints", "value", "words"), SEVERAL)
def test_of_several_annotations_the_first_is_named_unless_another_fits(hints, value, words):
    hints = [Annotated[str, hint] if isinstance(hint, values.Range) else hint for hint in hints]
    with pytest.raises((TypeError, ValueError), match=f"^it must be {re.escape(words)}$"):
        values.expect_hint("it", value, hints)


@pytest.mark.parametrize("hint", [dict[str, Any], Callable[[int], Any]])
def test_other_annotations_are_said_without_their_modules(hint):
    words = re.sub(r"\w+\.", "", str(hint))
    message = f"thing must be {words}; got 3"
    refused(values.expect_hint, "thing", 3, [hint], error=TypeError, message=message)


def test_texts_are_strings():
    values.expect_text("title", "")
    for value, text in [(3, "3"), (b"x", "bytes"), (None, "NoneType")]:
        message = f"title must be a string; got {text}"
        refused(values.expect_text, "title", value, error=TypeError, message=message)


def test_several_are_no_single_string():
    assert values.expect_several("texts", iter("ab")) == ["a", "b"]
    assert values.expect_several("texts", (), least=0) == []
    for value, words in [
        ("ab", "a list or another sequence; got the single string 'ab'"),
        (b"ab", "a list or another sequence; got bytes"),
        (3, "a list or another sequence; got 3"),
    ]:
        refused(
            values.expect_several, "texts", value, error=TypeError, message=f"texts must be {words}"
        )
    for few, least in (([], 1), (["a", "b"], 3)):
        message = f"texts must hold at least {least}; got {len(few)}"
        refused(values.expect_several, "texts", few, error=ValueError, message=message, least=least)
        assert values.expect_several("texts", [*few, "c"], least=least) == [*few, "c"]


def test_a_choice_is_one_of_the_names():
    values.expect_choice("cell", "gru", {"gru": 1, "lstm": 2})
    for value, text in [("rnn", "'rnn'"), (1, "1"), (["gru"], "list")]:
        message = f"cell must be one of ['gru', 'lstm']; got {text}"
        refused(
            values.expect_choice, "cell", value, ["gru", "lstm"], error=ValueError, message=message
        )
    with pytest.raises(ValueError, match="one of"):
        values.expect_choice("number", 1, [1, 2])  # a choice is made by its name


def test_a_value_is_shown_whole_where_it_is_short():
    for length in (58, 59, 200):
        with pytest.raises(ValueError, match="got '") as caught:
            values.expect_choice("cell", "x" * length, ["gru"])
        text = str(caught.value).partition("got ")[2]
        whole = repr("x" * length)
        assert text == (whole if len(whole) <= 60 else f"{whole[:57]}...")
        assert len(text) <= 60


def test_a_multiple_is_one_at_least_once():
    for value in (3, 6, 51):
        values.expect_multiple("size", value, "heads", 3)
    for value in (0, 1, 7):
        message = f"size must be a multiple of heads; got {value} and 3"
        refused(
            values.expect_multiple, "size", value, "heads", 3, error=ValueError, message=message
        )
