"""Handwritten digits on a canvas of any size, among clutter, with the exact box of each.

The digits are scikit-learn's (Alpaydin and Kaynak 1998): 1,797 images of 8 by 8 pixels. They are
split by image, so no image in a test has been trained on, but the writers may be the same. The
clutter is meant to mislead: pieces of 5 by 5 pixels are cut out of *other digits*, so a few strokes
do not prove a digit, and shapes of 7 by 7 are nearly as large as a digit and may be as bright.

>>> scene = canvases(3, seed=0, height=24, width=32, digits=2)
>>> scene.pixels.shape, scene.digits.shape, scene.boxes.shape
(torch.Size([3, 24, 32]), torch.Size([3, 2]), torch.Size([3, 2, 4]))
"""

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import torch
from jaxtyping import Integer
from torch import Tensor

from attn_course._signature import checked
from attn_course._values import Count, CountOrZero, Share, Some, at_least

SIDE = 8  # pixels of a digit's box
PIECE = 5  # of a piece of another digit
CELL = 4  # pixels that a cell of a feature map stands for
NOTHING = -1  # in place of a digit, where a canvas has fewer than others
Split = Literal["train", "validation", "test"]
Side = Annotated[int, at_least(SIDE)]
SPLITS: dict[Split, tuple[int, int]] = {
    "train": (0, 1297),
    "validation": (1297, 1497),
    "test": (1497, 1797),
}
_TRIES = 24  # places drawn for a piece of clutter before it is left out

# plus, cross, frame, triangle
SHAPES = np.array(
    [
        [[int(row) for row in line] for line in drawing.split()]
        for drawing in (
            "0001000 0001000 0001000 1111111 0001000 0001000 0001000",
            "1000001 0100010 0010100 0001000 0010100 0100010 1000001",
            "1111111 1000001 1000001 1000001 1000001 1000001 1111111",
            "0001000 0001000 0010100 0010100 0100010 0100010 1111111",
        )
    ],
    dtype=np.float32,
)


class Canvases(NamedTuple):
    """Some canvases of one size.

    pixels  (batch row column)   float32, from 0, empty, to 1, full ink
    digits  (batch object)       the digits from left to right; `NOTHING` where there are fewer
    boxes   (batch object 4)     top, left, bottom, right of each in pixels, half open: the digit
                                 fills rows top to bottom - 1; 0 where there is none
    """

    pixels: Tensor
    digits: Tensor
    boxes: Tensor


@checked
@cache
def digit_images(split: Split = "train") -> tuple[np.ndarray, np.ndarray]:
    """The images of a split, float32 (image 8 8) from 0 to 1, and the digit of each.

    ``split`` is "train" (1,297 images), "validation" (200) or "test" (300). Without scikit-learn,
    which holds them, this is an ImportError that says what to install. Treat both as read-only.
    """
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise ImportError(
            "the handwritten digits are those of scikit-learn: pip install scikit-learn"
        ) from None
    data: Any = load_digits()
    # the generator whose stream NumPy promises never to change: the split is the same everywhere
    order = np.random.RandomState(0).permutation(len(data.target))[slice(*SPLITS[split])]
    images, labels = (data.images[order] / 16).astype(np.float32), data.target[order]
    images.flags.writeable = labels.flags.writeable = False
    return images, labels


@checked
def canvases(
    count: Count,
    seed: CountOrZero | np.random.Generator,
    split: Split = "train",
    *,
    height: Side = 24,
    width: Side = 24,
    digits: Count | Some[Count] = 1,
    pieces: CountOrZero = 5,
    shapes: CountOrZero = 1,
    noise: Share = 0.1,
) -> Canvases:
    """Draw canvases, quickly enough to draw new ones for each training step.

    seed    a whole number, or one of NumPy's generators to draw from
    digits  how many there are on a canvas, or several such numbers, drawn uniformly. They overlap
            neither one another's boxes nor one another's columns, so "left to right" has a meaning
    pieces  cut out of other digits of the same split, 5 by 5
    shapes  plus, cross, frame or triangle, 7 by 7, half to full brightness
    noise   the standard deviation of what is added to each pixel, before it is cut off at 0 and 1

    Clutter never covers a digit. A piece for which no free place was found in 24 draws is left out,
    which happens where the canvas is nearly full. Too many digits for the width, or a canvas lower
    than a digit, is a ValueError.
    """
    rng = np.random.default_rng(seed)
    numbers = _fitting([digits] if isinstance(digits, int) else digits, width)
    images, labels = digit_images(split)
    counts = rng.choice(numbers, size=count)
    boxes = _digit_boxes(rng, counts, max(numbers), height, width)
    pixels = np.zeros((count, height, width), dtype=np.float32)
    chosen = np.where(boxes[..., 2] > 0, rng.integers(len(images), size=boxes.shape[:2]), NOTHING)
    for k in range(chosen.shape[1]):
        there = chosen[:, k] != NOTHING
        _draw(pixels, images[chosen[:, k]], boxes[:, k, :2], there)
    for _ in range(pieces):
        cut = _cut(images[rng.integers(len(images), size=count)], *rng.integers(4, size=(2, count)))
        _draw(pixels, cut, *_free_places(rng, boxes, PIECE, height, width))
    for _ in range(shapes):
        bright = rng.uniform(0.5, 1, size=(count, 1, 1)).astype(np.float32)
        drawn = SHAPES[rng.integers(len(SHAPES), size=count)] * bright
        _draw(pixels, drawn, *_free_places(rng, boxes, SHAPES.shape[-1], height, width))
    if noise:
        pixels += noise * rng.standard_normal(pixels.shape, dtype=np.float32)
    names = np.where(chosen == NOTHING, NOTHING, labels[chosen])
    return Canvases(
        torch.from_numpy(pixels.clip(0, 1)), torch.from_numpy(names), torch.from_numpy(boxes)
    )


@checked
def cells_inside(boxes: Integer[Tensor, "... 4"], height: Count, width: Count) -> Tensor:
    """Which cells of 4 by 4 pixels have their centre inside a box: boolean, (... cell).

    boxes (... 4), as those of `Canvases`. The cells are those of `attn_course.models.trunk`, row by
    row. The last row or column may be incomplete, and a single pixel left over belongs to no cell.
    A digit's box holds four centres wherever it lies.
    """
    top, left, bottom, right = (boxes[..., None, k] for k in range(4))
    rows = torch.arange(_cells(height), device=boxes.device) * CELL + CELL // 2
    columns = torch.arange(_cells(width), device=boxes.device) * CELL + CELL // 2
    in_rows = (top <= rows) & (rows < bottom)
    in_columns = (left <= columns) & (columns < right)
    return (in_rows[..., :, None] & in_columns[..., None, :]).flatten(-2)


def _cells(pixels: int) -> int:
    """How many cells lie along a side: the trunk halves it, rounded down, and again, rounded up."""
    return (pixels // 2 + 1) // 2


def _fitting(numbers: Sequence[int], width: int) -> Sequence[int]:
    """The numbers of digits that a canvas may have, if the most of them fit side by side."""
    if max(numbers) * SIDE > width:
        raise ValueError(
            f"{max(numbers)} digits side by side need {max(numbers) * SIDE} columns; "
            f"the canvas is {width} wide"
        )
    return numbers


def _digit_boxes(
    rng: np.random.Generator, counts: np.ndarray, most: int, height: int, width: int
) -> np.ndarray:
    """Boxes from left to right, (count most 4); every arrangement is equally likely."""
    k = np.arange(most)
    there = k < counts[:, None]
    gaps = rng.integers(0, width - SIDE * counts[:, None] + 1, size=there.shape)
    gaps = np.sort(np.where(there, gaps, width), axis=1)  # those that are missing come last
    left, top = gaps + SIDE * k, rng.integers(0, height - SIDE + 1, size=there.shape)
    return np.stack([top, left, top + SIDE, left + SIDE], axis=-1) * there[..., None]


def _free_places(
    rng: np.random.Generator, boxes: np.ndarray, side: int, height: int, width: int
) -> tuple[np.ndarray, np.ndarray]:
    """A place for a square on each canvas that covers no digit, and whether one was found."""
    count = len(boxes)  # of canvases, none of them smaller than a digit, and so than the square
    top = rng.integers(0, height - side + 1, size=(count, _TRIES, 1))
    left = rng.integers(0, width - side + 1, size=(count, _TRIES, 1))
    box = boxes[:, None]
    beside = (top + side <= box[..., 0]) | (box[..., 2] <= top)
    beside |= (left + side <= box[..., 1]) | (box[..., 3] <= left)
    free = np.asarray(np.all(beside, axis=-1))
    first = free.argmax(axis=1)
    canvas = np.arange(count)
    return np.stack([top, left], axis=-1)[canvas, first, 0], free[canvas, first]


def _cut(images: np.ndarray, down: np.ndarray, across: np.ndarray) -> np.ndarray:
    """A piece of each image, beginning so many pixels down and across."""
    row = down[:, None, None] + np.arange(PIECE)[:, None]
    column = across[:, None, None] + np.arange(PIECE)
    return images[np.arange(len(images))[:, None, None], row, column]


def _draw(pixels: np.ndarray, drawn: np.ndarray, places: np.ndarray, there: np.ndarray) -> None:
    """Draw a square on each canvas that has one: the darker of what is there and what is drawn."""
    side = np.arange(drawn.shape[-1])
    canvas = np.flatnonzero(there)[:, None, None]
    row = places[there, 0, None, None] + side[:, None]
    column = places[there, 1, None, None] + side
    pixels[canvas, row, column] = np.maximum(pixels[canvas, row, column], drawn[there])
