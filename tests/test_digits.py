"""Canvases: where the digits are is said exactly, and nothing covers them."""

import sys
from importlib.util import find_spec

import numpy as np
import pytest
import torch

from attn_course.models.trunk import Trunk
from attn_course.tasks import digits as task
from attn_course.tasks.digits import NOTHING, SPLITS, canvases, cells_inside, digit_images

pytestmark = pytest.mark.skipif(find_spec("sklearn") is None, reason="needs scikit-learn")

CLEAN = {"pieces": 0, "shapes": 0, "noise": 0.0}
SIZES = [(24, 24, 1), (29, 37, (2, 3)), (8, 41, 5), (53, 8, 1), (8, 8, 1)]


def boxes_of(scene):
    """(canvas, digit, box) of every digit that is there."""
    both = zip(scene.digits.tolist(), scene.boxes.tolist(), strict=True)
    for row, (digits, boxes) in enumerate(both):
        for digit, box in zip(digits, boxes, strict=True):
            if digit != NOTHING:
                yield row, digit, box


def beside(scene):
    """The pixels without the digits."""
    pixels = scene.pixels.clone()
    for row, _, (top, left, bottom, right) in boxes_of(scene):
        pixels[row, top:bottom, left:right] = 0
    return pixels


@pytest.mark.parametrize(("height", "width", "digits"), SIZES)
@pytest.mark.slow
def test_each_box_holds_an_image_of_its_digit_untouched_by_clutter(height, width, digits):
    size = {"height": height, "width": width, "digits": digits}
    scene = canvases(31, 3, "test", **size, pieces=7, shapes=3, noise=0)
    assert scene.pixels.shape == (31, height, width)
    assert scene.pixels.dtype == torch.float32
    images, labels = digit_images("test")
    known = {(image.tobytes(), int(label)) for image, label in zip(images, labels, strict=True)}
    for row, digit, (top, left, bottom, right) in boxes_of(scene):
        assert 0 <= top < bottom <= height
        assert 0 <= left < right <= width
        inside = np.ascontiguousarray(scene.pixels[row, top:bottom, left:right].numpy())
        assert (inside.tobytes(), digit) in known


def test_what_lies_outside_of_the_boxes_is_clutter_alone():
    assert not beside(canvases(17, 4, **CLEAN, height=19, width=47, digits=3)).any()
    for kind in ("pieces", "shapes"):
        pixels = beside(canvases(17, 4, **CLEAN | {kind: 2}, height=19, width=47))
        assert pixels.any(dim=2).any(dim=1).all()


def outside(scene):
    """What lies beside the digit of each canvas, cut out: (row column) each, none where nothing."""
    for rest in beside(scene).numpy():
        rows, columns = (np.flatnonzero(rest.any(axis=axis)) for axis in (1, 0))
        if len(rows):
            yield rest[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def test_a_piece_is_cut_out_of_an_image_of_the_split():
    cut = list(outside(canvases(23, 4, "test", **CLEAN | {"pieces": 1}, height=31, width=29)))
    assert len(cut) > 15
    images = digit_images("test")[0]
    for piece in cut:
        assert max(piece.shape) <= 5
        windows = np.lib.stride_tricks.sliding_window_view(images, piece.shape, axis=(1, 2))
        assert (windows == piece).all(axis=(-1, -2)).any()


def test_shapes_are_half_to_fully_bright_and_of_four_kinds():
    cut = list(outside(canvases(211, 5, **CLEAN | {"shapes": 1}, height=31, width=29)))
    assert len(cut) > 180
    bright = [shape.max() for shape in cut]
    assert min(bright) == pytest.approx(0.5, abs=0.03)
    assert max(bright) == pytest.approx(1.0, abs=0.03)
    assert np.mean(bright) == pytest.approx(0.75, abs=0.03)
    kinds = np.array([[(shape > 0).tobytes() == (one > 0).tobytes() for one in task.SHAPES]
                      for shape in cut])  # fmt: skip
    assert (kinds.sum(axis=1) == 1).all()
    assert kinds.mean(axis=0) == pytest.approx(np.full(4, 0.25), abs=0.08)
    for shape, level in zip(cut, bright, strict=True):
        assert set(np.unique(shape)) == {np.float32(0), level}


def test_digits_stand_from_left_to_right_and_share_no_column():
    scene = canvases(97, 5, width=43, digits=(2, 3, 5), **CLEAN)
    counts = (scene.digits != NOTHING).sum(dim=1)
    assert set(counts.tolist()) == {2, 3, 5}
    for digits, boxes, count in zip(scene.digits, scene.boxes, counts, strict=True):
        assert (digits[count:] == NOTHING).all()
        assert not boxes[count:].any()
        assert (boxes[: count - 1, 3] <= boxes[1:count, 1]).all()


def test_every_place_is_equally_likely():
    scene = canvases(8000, 6, height=11, width=18, digits=2, **CLEAN)
    tops = np.bincount(scene.boxes[..., 0].flatten())
    assert tops == pytest.approx(np.full(4, 4000), rel=0.1)
    gaps = scene.boxes[..., 1] - torch.tensor([0, 8])  # 0 to 2, sorted
    pairs, times = np.unique(gaps.numpy(), axis=0, return_counts=True)
    assert len(pairs) == 6
    drawn_twice = np.where(pairs[:, 0] == pairs[:, 1], 1, 2)
    assert times / drawn_twice == pytest.approx(np.full(6, 8000 / 9), rel=0.15)


def test_each_digit_is_drawn_anew():
    scene = canvases(997, 6, height=8, width=16, digits=2, **CLEAN)
    counts = scene.digits.flatten().bincount(minlength=10)
    assert counts.tolist() == pytest.approx([199.4] * 10, rel=0.35)
    left, right = scene.digits.unbind(dim=1)
    assert (left == right).float().mean() == pytest.approx(0.1, abs=0.04)


def test_the_noise_has_the_size_that_was_asked_for():
    still = canvases(13, 7, **CLEAN).pixels
    noisy = canvases(13, 7, **CLEAN | {"noise": 0.1}).pixels
    added = (noisy - still)[(still > 0.3) & (still < 0.7)]
    assert added.std() == pytest.approx(0.1, rel=0.1)
    assert noisy.min() == 0
    assert noisy.max() <= 1


def test_no_image_serves_two_purposes():
    splits = {split: {image.tobytes() for image in digit_images(split)[0]} for split in SPLITS}
    assert [len(digit_images(split)[0]) for split in SPLITS] == [1297, 200, 300]
    assert not splits["train"] & (splits["validation"] | splits["test"])
    assert not splits["validation"] & splits["test"]
    assert digit_images("train")[0].max() == 1


def test_the_images_for_testing_stay_so_in_every_release():
    """Nobody may be tested on what an earlier release has trained on."""
    first = "".join(map(str, digit_images("test")[1][:17]))
    assert first == "88222988360447669"


@pytest.mark.parametrize("kind", ["pieces", "shapes"])
def test_clutter_may_reach_every_edge(kind):
    pixels = beside(canvases(701, 9, **CLEAN | {kind: 1}))
    for edge in (pixels[:, 0], pixels[:, -1], pixels[..., 0], pixels[..., -1]):
        assert edge.any()


def test_the_same_seed_draws_the_same():
    one, same, other = (canvases(5, seed) for seed in (8, 8, 9))
    assert torch.equal(one.pixels, same.pixels)
    assert not torch.equal(one.pixels, other.pixels)
    rng = np.random.default_rng(8)
    assert torch.equal(canvases(5, rng).pixels, one.pixels)
    assert not torch.equal(canvases(5, rng).pixels, one.pixels)


def test_a_box_holds_four_centres_wherever_it_lies():
    scene = canvases(41, 10, height=27, width=38)
    inside = cells_inside(scene.boxes, 27, 38)
    assert inside.shape == (41, 1, 7 * 10)
    assert (inside.sum(dim=-1) == 4).all()
    for row, (box,) in enumerate(scene.boxes.tolist()):
        for cell in inside[row, 0].nonzero().flatten().tolist():
            y, x = 4 * (cell // 10) + 2, 4 * (cell % 10) + 2
            assert box[0] <= y < box[2]
            assert box[1] <= x < box[3]


@pytest.mark.parametrize(("height", "width"), [(27, 29), (30, 37), (41, 28)])
def test_the_cells_are_those_of_the_trunk(height, width):
    features = Trunk()(canvases(2, 3, height=height, width=width).pixels)
    inside = cells_inside(torch.tensor([0, 0, height, width]), height, width)
    assert len(inside) == features.shape[1] * features.shape[2]


def test_without_scikit_learn_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    task.digit_images.__wrapped__.cache_clear()
    with pytest.raises(ImportError, match="pip install scikit-learn"):
        digit_images("train")


def test_digits_stand_side_by_side_on_canvases_that_are_large_enough():
    with pytest.raises(ValueError, match=r"3 digits side by side need 24 columns.* 23 wide"):
        canvases(2, 0, width=23, digits=(1, 3))
    with pytest.raises(ValueError, match="height must be a whole number, 8 or more; got 7"):
        canvases(2, 0, height=7)
