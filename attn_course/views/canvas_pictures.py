"""Pictures of canvases: ink in the source's blue, weights as shade over it, boxes as outlines."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from attn_course._values import describe, expect_count, expect_several, expect_text
from attn_course.views import palette
from attn_course.views.plots import TEXT, WIDTH, Picture, picture

LEVELS = 5  # of grey; each is one element of the page, however many pixels it covers
FAINT = 0.1  # a pixel with less ink than this is left out, and so is a weight below 0.02
CELL = 4


def draw_canvases(
    pixels: Sequence[np.ndarray],
    title: str,
    *,
    alt: str,
    names: Sequence[str] = (),
    boxes: Sequence[np.ndarray] = (),
    weights: Sequence[np.ndarray] = (),
    columns: int = 4,
) -> Picture:
    """Draw canvases side by side, each as large as a row of ``columns`` allows.

    pixels   (row column) each, from 0 to 1
    names    what stands above each
    boxes    (object 4) each: top, left, bottom, right in pixels, half open
    weights  (cell row, cell column) each, from 0 to 1: the darker a cell of 4 by 4 pixels is
             shaded, the more weight it has
    """
    drawn = [_image(index, canvas) for index, canvas in enumerate(expect_several("pixels", pixels))]
    columns = min(expect_count("columns", columns), len(drawn))
    for name, values in (("names", names), ("boxes", boxes), ("weights", weights)):
        if len(values) not in (0, len(drawn)):
            raise ValueError(
                f"{name} must be none, or {len(drawn)}, one for each canvas; got {len(values)}"
            )
    rows = -(-len(drawn) // columns)
    side = WIDTH / columns
    tall = max(len(image) / image.shape[1] for image in drawn)
    height = rows * (side * tall + (TEXT + 8 if len(names) else 4))
    figure = Figure(figsize=(WIDTH / 72, height / 72), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.03, h_pad=0.03, wspace=0, hspace=0)
    figure.set_facecolor(palette.LIGHT["paper"])
    figure.suptitle(title)
    grid = figure.subplots(rows, columns, squeeze=False).flat
    for index, axes in enumerate(grid):
        if index >= len(drawn):
            axes.set_visible(False)
            continue
        _draw(axes, drawn[index])
        if len(weights):
            _shade(axes, np.asarray(weights[index]), drawn[index].shape)
        for box in boxes[index] if len(boxes) else ():
            _outline(axes, box)
        if len(names):
            expect_text("each of the names", names[index])
            axes.set_title(names[index], size=TEXT, color=palette.LIGHT["ink"], pad=3)
    return picture(figure, alt)


def _image(number: int, pixels: object) -> np.ndarray:
    image = np.asarray(pixels)
    if image.dtype.kind != "f" or image.ndim != 2 or not image.size:
        raise ValueError(
            f"pixels must be floating point (row column); canvas {number} is {describe(image)}"
        )
    if not ((image >= 0) & (image <= 1)).all():
        raise ValueError(f"pixels must lie from 0 to 1; those of canvas {number} do not")
    return image


def _draw(axes: Axes, pixels: np.ndarray) -> None:
    """One path for each level of grey, made of runs of pixels in a row."""
    height, width = pixels.shape
    levels = np.where(pixels < FAINT, 0, np.ceil(pixels * LEVELS)).astype(int)
    for level in range(1, LEVELS + 1):
        runs = [
            run
            for row in range(height)
            for run in _runs(
                row, np.flatnonzero(np.diff(levels[row] == level, prepend=0, append=0))
            )
        ]
        if runs:
            path = Path.make_compound_path(*(Path(run, closed=True) for run in runs))
            axes.add_patch(
                PathPatch(path, color=palette.LIGHT["source"], alpha=level / LEVELS, linewidth=0)
            )
    axes.set(xlim=(0, width), ylim=(height, 0), aspect="equal", xticks=[], yticks=[])
    axes.set_facecolor("none")
    for spine in axes.spines.values():
        spine.set(color=palette.LIGHT["edge"], linewidth=0.6)


def _runs(row: int, edges: np.ndarray) -> list[list[tuple[int, int]]]:
    """The corners of each run of pixels, given where runs begin and end."""
    return [
        [(left, row), (right, row), (right, row + 1), (left, row + 1), (left, row)]
        for left, right in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    ]


def _shade(axes: Axes, weights: np.ndarray, shape: tuple[int, int]) -> None:
    if weights.ndim != 2 or weights.shape != (-(-shape[0] // CELL), -(-shape[1] // CELL)):
        raise ValueError(
            f"weights must have one entry for each cell of 4 by 4 of the {shape[0]} by {shape[1]} "
            f"pixels; got {describe(weights)}"
        )
    for row, column in np.argwhere(weights >= 0.02):
        cell = Rectangle((CELL * column, CELL * row), CELL, CELL, linewidth=0)
        cell.set(facecolor=palette.LIGHT["ink"], alpha=round(0.65 * float(weights[row, column]), 2))
        axes.add_patch(cell)


def _outline(axes: Axes, box: np.ndarray) -> None:
    top, left, bottom, right = (int(edge) for edge in box)
    if bottom <= top:  # where a canvas has fewer digits than others
        return
    outline = Rectangle((left, top), right - left, bottom - top, facecolor="none")
    outline.set(edgecolor=palette.LIGHT["gold"], linewidth=1.4)
    axes.add_patch(outline)
