"""The checks of tensors: what is accepted, and errors that say what came and what was expected."""

import math

import numpy as np
import pytest
import torch

from attn_course._check import (
    expect_above,
    expect_between,
    expect_finite,
    expect_something_to_read,
    expect_symbols,
    expect_weights,
    is_whole,
)
from attn_course._signature import expect_like

FLOAT = torch.zeros(2, 3, 5)
WHOLE = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64)
NOT_WHOLE = (torch.bool, torch.float16, torch.bfloat16, torch.float64, torch.complex64)


def refused(check, *arguments, error, words):
    with pytest.raises(error, match=words):
        check(*arguments)


def test_whole_numbers_are_known_by_their_type():
    assert all(is_whole(torch.ones(3, dtype=dtype)) for dtype in WHOLE)
    assert not any(is_whole(torch.ones(3, dtype=dtype)) for dtype in NOT_WHOLE)
    assert not any(is_whole(value) for value in (3, [1, 2], np.ones(3, dtype=int)))


def test_symbols_lie_from_0_to_below_their_count():
    expect_symbols("inputs", torch.tensor([[0, 6], [3, 3]]), 7)
    for symbols, range_ in [([0, 7], "0 to 7"), ([-1, 6], "-1 to 6")]:
        words = f"inputs must be numbers from 0 to 6; got {range_}"
        refused(expect_symbols, "inputs", torch.tensor(symbols), 7, error=ValueError, words=words)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_one_entry_that_is_not_finite_is_found(bad):
    for place in range(3):
        value = torch.ones(3)
        value[place] = bad
        words = r"scores must be finite; got NaN or infinity in float32 \(3,\) on cpu \(why not\)"
        refused(expect_finite, "scores", value, "why not", error=ValueError, words=words)


def test_large_entries_are_finite_though_their_sum_is_not():
    expect_finite("scores", torch.full((3,), 3e38), "")
    expect_finite("scores", torch.tensor([3e38, 3e38, -3e38]), "")


def test_tensors_are_of_one_type_in_one_place():
    expect_like("queries", FLOAT, "the keys", FLOAT[:, 0])
    expect_like("places", FLOAT.long(), "the keys", FLOAT, floating=False)
    expect_like("queries", FLOAT, "the lengths", FLOAT.long())
    for value, error, words in [
        (FLOAT.double(), TypeError, r"like the keys, float32 on cpu; got float64 \(2, 3, 5\)"),
        (FLOAT.to("meta"), ValueError, r"like the keys, float32 on cpu; got float32.*on meta"),
    ]:
        refused(
            expect_like, "it", value, "the keys", FLOAT, error=error, words=f"it must be {words}"
        )
    there = FLOAT.long().to("meta")
    refused(expect_like, "it", there, "the keys", FLOAT, False, error=ValueError, words="on meta")


def test_entries_lie_between_two_numbers_or_above_one():
    expect_between("lengths", torch.tensor([0, 3, 5]), 0, 5)
    for bad in (-1, 6):
        words = f"lengths must lie between 0 and 5; got {bad}$"
        refused(
            expect_between, "lengths", torch.tensor([2, bad]), 0, 5, error=ValueError, words=words
        )
    refused(expect_between, "it", torch.tensor([math.nan]), 0, 1, error=ValueError, words="got nan")
    expect_above("decay", torch.tensor([0.1, 2]), 0)
    words = "decay must be above 0 everywhere; got 0$"
    refused(expect_above, "decay", torch.tensor([0.0, 1]), 0, error=ValueError, words=words)


def test_weights_sum_to_one_give_or_take_a_little():
    expect_weights(torch.tensor([[0.25, 0.755], [1, 0]]), within=0.01)
    for weights, words in [
        (
            [0.25, 0.755],
            r"each row of weights must sum to one; got float32 \(2,\) .* 1.005 to 1.005",
        ),
        ([0.5, 0.495], "sums from 0.995 to 0.995"),
        ([1.5, -0.5], "must not be negative, infinite or NaN"),
        ([math.nan, 1], "must not be negative, infinite or NaN"),
        ([math.inf, 1], "must not be negative, infinite or NaN"),
    ]:
        refused(expect_weights, torch.tensor(weights), 0.001, error=ValueError, words=words)


def test_each_row_has_something_to_read_and_no_score_above_all_numbers():
    scores = torch.tensor([[1.0, -math.inf], [2.0, 3.0]])
    expect_something_to_read(scores, scores)
    nothing = scores.masked_fill(torch.tensor([[True, True], [False, True]]), -math.inf)
    words = r"row \(0,\) has nothing to read: its weights cannot sum to one"
    refused(expect_something_to_read, scores, nothing, error=ValueError, words=words)
    for bad in (math.nan, math.inf):
        wrong = torch.tensor([[1.0, 2], [bad, 1]])
        words = r"scores must not be NaN or \+∞; row \(1,\) has one"
        masked = wrong.masked_fill(wrong != 1, -math.inf)  # hidden, and still wrong
        refused(expect_something_to_read, wrong, masked, error=ValueError, words=words)
