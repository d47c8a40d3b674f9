"""The four questions, put to readers of canvases: which cells are exchanged, and whose digits."""

import pytest
import torch

pytest.importorskip("sklearn")

from attn_course.models.glimpse import GlimpseReader
from attn_course.tasks.digits import NOTHING
from attn_lab.canvases import seeing_models
from attn_lab.faithful_maps import questions_to_canvases as canvas


def glimpses():
    return GlimpseReader().eval()


def scene(count=40):
    return seeing_models.unseen(0, seeing_models.SCENES["several"], count)


def test_twins_of_canvases_differ_in_one_box_and_nowhere_else():
    one = scene()
    other, chosen = canvas.twins(one, 3)
    changed = (one.pixels != other.pixels).nonzero()
    for k, row, column in changed.tolist():
        top, left, bottom, right = one.boxes[k, chosen[k]].tolist()
        assert top <= row < bottom
        assert left <= column < right
    assert set(changed[:, 0].tolist()) == set(range(len(one.pixels)))
    differ = one.digits != other.digits
    assert (differ.sum(dim=1) == 1).all()
    assert (one.digits[differ] != NOTHING).all()
    assert torch.equal(differ.float().argmax(dim=1), chosen)


def test_the_cells_of_a_box_are_those_that_have_one_of_its_pixels():
    boxes = torch.tensor([[4, 8, 12, 16], [5, 9, 13, 17], [0, 0, 0, 0]])
    cells = canvas.overlapping(boxes, 24, 32)
    assert cells.sum(dim=1).tolist() == [4, 9, 0]
    assert cells[0].reshape(6, 8).nonzero().tolist() == [[1, 2], [1, 3], [2, 2], [2, 3]]


@torch.no_grad()
def test_what_is_asked_of_canvases_starts_from_what_the_reader_says():
    model, some = glimpses(), scene(8)
    annotations = model.annotate(some.pixels)
    shares = canvas.named(model, lambda _: annotations, some)
    torch.testing.assert_close(shares, model(some.pixels, 3)[0].softmax(dim=-1))


@torch.no_grad()
def test_canvases_follow_what_is_exchanged():
    """Both kinds of cells from the other canvas are the other canvas."""
    model, some = glimpses(), scene(8)
    other, _ = canvas.twins(some, 3)
    theirs = model.annotate(other.pixels)
    swapped = canvas.named(model, lambda _: theirs, some)
    torch.testing.assert_close(swapped, model(other.pixels, 3)[0].softmax(dim=-1))
