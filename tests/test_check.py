"""The checks of tensors: what is accepted, and errors that say what came and what was expected."""

import math
import re

import numpy as np
import pytest
import torch

from attn_course._check import (
    expect_alike,
    expect_finite,
    expect_mask,
    expect_size,
    expect_symbols,
    expect_tensor,
    is_whole,
)

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


def test_a_tensor_has_the_axes_it_must_have_and_something_in_them():
    expect_tensor("keys", FLOAT, "batch source key")
    expect_tensor("keys", torch.zeros(0, 3, 5), "batch source key")
    for value, error, words in [
        ([1.0], TypeError, "must be a tensor (batch source key); got list"),
        (FLOAT.long(), TypeError, "must be floating point (batch source key); got int64"),
        (FLOAT[0], ValueError, "must have the axes (batch source key); got float32 (3, 5)"),
        (FLOAT[None], ValueError, "must have the axes (batch source key); got float32 (1, 2, 3"),
        (FLOAT[:, :0], ValueError, "is empty: expected (batch source key); got float32 (2, 0, 5"),
        (FLOAT[..., :0], ValueError, "is empty: expected (batch source key); got float32 (2, 3, 0"),
    ]:
        arguments = ("keys", value, "batch source key")
        refused(expect_tensor, *arguments, error=error, words=re.escape(f"keys {words}"))


def test_an_axis_has_its_size():
    expect_size("keys", FLOAT, 1, 3, "as asked")
    words = r"keys has 3 entries along axis 1, expected 5 \(as asked\); got float32 \(2, 3, 5\)"
    refused(expect_size, "keys", FLOAT, 1, 5, "as asked", error=ValueError, words=words)
    refused(expect_size, "keys", FLOAT, 1, 2, "as asked", error=ValueError, words="expected 2")


def test_two_tensors_are_of_one_type_in_one_place_with_one_batch():
    expect_alike("queries", FLOAT, "keys", FLOAT[:, 0])
    for other, error, words in [
        (FLOAT.double(), TypeError, r"queries and keys must have the same dtype.*float64 \(2, 3"),
        (FLOAT.to("meta"), ValueError, r"queries and keys must be on the same device.*on meta"),
        (FLOAT[:1], ValueError, r"queries and keys must hold the same batch.*and float32 \(1, 3"),
        (torch.cat([FLOAT, FLOAT]), ValueError, r"must hold the same batch.*and float32 \(4, 3"),
    ]:
        refused(expect_alike, "queries", FLOAT, "keys", other, error=error, words=words)


def test_a_mask_broadcasts_to_the_scores_and_not_beyond_them():
    for shape in [(2, 3, 5), (2, 1, 5), (3, 5), (5,), (1,), ()]:
        expect_mask(torch.ones(shape, dtype=torch.bool), FLOAT)
    for mask, words in [
        (torch.ones(5), "must be a boolean tensor.*got float32"),
        ([True] * 5, "must be a boolean tensor.*got list"),
        (torch.ones(5, device="meta").bool(), "must be on cpu, where the scores are; got bool"),
        (torch.ones(1, 2, 3, 5).bool(), r"must broadcast to.*\(2, 3, 5\); got bool \(1, 2, 3, 5\)"),
        (torch.ones(3).bool(), r"must broadcast to.*\(2, 3, 5\); got bool \(3,\)"),
    ]:
        refused(expect_mask, mask, FLOAT, error=ValueError, words=f"readable {words}")
