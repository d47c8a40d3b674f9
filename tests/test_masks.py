"""Masks, entry by entry and at their edges."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_course.masks import causal, local_window, padding

BATCH, TARGET, SOURCE = 2, 3, 5
quickly = settings(max_examples=25, deadline=None)


@quickly
@given(st.lists(st.integers(0, SOURCE), min_size=1, max_size=4))
def test_padding_hides_what_is_beyond_each_length(lengths):
    mask = padding(torch.tensor(lengths), SOURCE)
    assert mask.tolist() == [[[j < length for j in range(SOURCE)]] for length in lengths]
    for bad in (-1, SOURCE + 1):
        with pytest.raises(ValueError, match=f"lengths must lie between 0 and 5; got {bad}"):
            padding(torch.tensor([*lengths, bad]), SOURCE)


def test_causal_reads_itself_and_what_came_before():
    for size in (1, SOURCE):
        assert torch.equal(causal(size), torch.from_numpy(np.tri(size, dtype=bool)))


@quickly
@given(st.integers(0, 2**31 - 1), st.floats(0, 4))
def test_local_window_is_within_its_half_width(seed, half_width):
    generator = torch.Generator().manual_seed(seed)
    centres = torch.rand(BATCH, TARGET, generator=generator) * SOURCE
    mask = local_window(centres, SOURCE, half_width)
    for b, i, j in np.ndindex(BATCH, TARGET, SOURCE):
        assert mask[b, i, j].item() == (abs(j - centres[b, i].item()) <= half_width)


def test_the_edge_of_a_window_is_inside_of_it():
    centres = torch.tensor([[2.0, 2.5]])
    assert local_window(centres, SOURCE, 1)[0].tolist() == [
        [False, True, True, True, False],
        [False, False, True, True, False],
    ]
    assert local_window(centres, SOURCE, math.inf).all()


@pytest.mark.parametrize("whole", [torch.int8, torch.uint8, torch.int32])
def test_numbers_of_any_whole_type_fit_a_source_of_any_width(whole):
    centres = torch.tensor([[0, 4], [2, 250 if whole == torch.uint8 else 100]], dtype=whole)
    assert torch.equal(local_window(centres, 300, 2), local_window(centres.double(), 300, 2))
    assert torch.equal(padding(centres[1], 300), padding(centres[1].long(), 300))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_window_has_a_centre(bad):
    with pytest.raises(ValueError, match=r"centres must be finite; got NaN or infinity in float32"):
        local_window(torch.tensor([[1.0, bad]]), SOURCE, 1)


def test_a_mask_is_made_where_its_numbers_are():
    lengths, centres = torch.tensor([2]), torch.ones(1, 1)
    with torch.device("meta"):  # what is made without saying where would be there
        masks = padding(lengths, SOURCE), local_window(centres, SOURCE, 1)
    assert [mask.device.type for mask in masks] == ["cpu", "cpu"]
