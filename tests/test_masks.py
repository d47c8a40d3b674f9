"""Masks at their edges, and wrong arguments; for their entries see `test_equations_oracle`."""

import math
import re

import pytest
import torch

from attn_course.masks import causal, local_window, padding

SOURCE = 5


def test_lengths_lie_between_nothing_and_the_whole_source():
    mask = padding(torch.tensor([0, SOURCE]), SOURCE)
    assert mask.sum(dim=-1).flatten().tolist() == [0, SOURCE]
    for bad in (-1, SOURCE + 1):
        with pytest.raises(ValueError, match=f"between 0 and source=5; got {bad}"):
            padding(torch.tensor([2, bad, 3]), SOURCE)
    for bad in (torch.tensor([1.5]), torch.tensor([True]), torch.ones(1, 2).long(), [1]):
        with pytest.raises(TypeError):
            padding(bad, SOURCE)


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


@pytest.mark.parametrize(
    ("centres", "half_width", "error", "words"),
    [
        ([[1.0]], 1, ValueError, "centres must be a tensor (batch target); got list"),
        (torch.ones(3), 1, ValueError, "must be a tensor (batch target); got float32 (3,)"),
        (torch.ones(2, 3).bool(), 1, TypeError, "must be real numbers (batch target); got bool"),
        (torch.tensor([[1.0, math.nan]]), 1, ValueError, "got NaN or infinity in float32 (1, 2)"),
        (torch.tensor([[math.inf, 1.0]]), 1, ValueError, "centres must be finite"),
        (torch.ones(2, 3), -0.5, ValueError, "must be 0 or more positions; got -0.5"),
        (torch.ones(2, 3), math.nan, ValueError, "half_width must be a number; got NaN"),
        (torch.ones(2, 3), "1", TypeError, "half_width must be a number; got '1'"),
    ],
)
def test_what_makes_no_window_is_named(centres, half_width, error, words):
    # without the check of shapes, whose message is different
    with pytest.raises(error, match=re.escape(words)):
        local_window.__wrapped__(centres, SOURCE, half_width)


@pytest.mark.parametrize("bad", [0, -1, 2.5, True, None])
def test_positions_are_counted(bad):
    message = "must be a whole number of positions, 1 or more; got"
    for make in (
        lambda: padding(torch.tensor([1]), bad),
        lambda: causal(bad),
        lambda: local_window(torch.ones(1, 1), bad, 1),
    ):
        with pytest.raises((ValueError, TypeError), match=f"{message}|type"):
            make()
