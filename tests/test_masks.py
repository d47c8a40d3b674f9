"""Masks at their edges; for their entries see `test_equations_oracle`."""

import math

import pytest
import torch

from attn_course.masks import local_window, padding

SOURCE = 5


def test_lengths_lie_between_nothing_and_the_whole_source():
    mask = padding(torch.tensor([0, SOURCE]), SOURCE)
    assert mask.sum(dim=-1).flatten().tolist() == [0, SOURCE]
    for bad in (-1, SOURCE + 1):
        with pytest.raises(ValueError, match=f"lengths must lie between 0 and 5; got {bad}"):
            padding(torch.tensor([2, bad, 3]), SOURCE)


@pytest.mark.parametrize("whole", [torch.int8, torch.uint8, torch.int32])
def test_whole_centres_are_as_good_as_fractions(whole):
    centres = torch.tensor([[0, 4], [2, 250 if whole == torch.uint8 else 100]], dtype=whole)
    expected = local_window(centres.double(), 300, 2)
    assert torch.equal(local_window(centres, 300, 2), expected)


def test_the_edge_of_a_window_is_inside_of_it():
    centres = torch.tensor([[2.0, 2.5]])
    assert local_window(centres, SOURCE, 1)[0].tolist() == [
        [False, True, True, True, False],
        [False, False, True, True, False],
    ]
    assert local_window(centres, SOURCE, 0)[0].sum(dim=-1).tolist() == [1, 0]
    assert local_window(centres, SOURCE, math.inf).all()


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_window_has_a_centre(bad):
    with pytest.raises(ValueError, match=r"centres must be finite; got NaN or infinity in float32"):
        local_window(torch.tensor([[1.0, bad]]), SOURCE, 1)


def test_a_mask_is_made_where_its_numbers_are():
    lengths, centres = torch.tensor([2]), torch.ones(1, 1)
    with torch.device("meta"):  # what is made without saying where would be there
        made = padding(lengths, SOURCE), local_window(centres, SOURCE, 1)
    assert [mask.device.type for mask in made] == ["cpu", "cpu"]
