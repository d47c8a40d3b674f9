"""Exercise: on how many canvases does the heaviest cell hit the digit?

weights (batch row column)   boxes (batch 4), whole numbers: top, left, bottom, right, half open
cell, the side of a cell in pixels   ->   the share of canvases, one number
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Case, Draw, Exercise, Size, Weak

BATCH, ROWS, COLUMNS, HALF = Size(1, 5), Size(4, 11), Size(4, 11), Size(2, 5)


def solution(weights, boxes, cell):
    """The heaviest cell's centre, in pixels, and whether it lies between the edges."""
    best = weights.flatten(1).argmax(dim=1)
    rows, columns = best // weights.shape[2], best % weights.shape[2]
    y, x = (rows + 0.5) * cell, (columns + 0.5) * cell
    top, left, bottom, right = boxes.T
    return ((top <= y) & (y < bottom) & (left <= x) & (x < right)).float().mean()


def _inputs(draw: Draw) -> dict:
    """About half of the canvases are hit; one at least is, and one is not."""
    weights, rows, columns = _peaks(draw)
    miss = torch.tensor([1, 0, *(draw.integer(2) for _ in range(draw[BATCH]))])[: draw[BATCH]]
    boxes = _around(draw, rows, columns) + (draw[HALF] + 1) * miss[:, None] * torch.tensor(
        [1, 0, 1, 0]
    )
    return {"weights": weights, "boxes": boxes, "cell": 2 * draw[HALF]}


def _peaks(draw: Draw, most: float = 0.6) -> tuple[Tensor, Tensor, Tensor]:
    """Weights whose largest lies at a row and a column, away from the map's edge."""
    rows = torch.tensor([1 + draw.integer(draw[ROWS] - 2) for _ in range(draw[BATCH])])
    columns = torch.tensor([1 + draw.integer(draw[COLUMNS] - 2) for _ in range(draw[BATCH])])
    others = draw.normal(BATCH, ROWS, COLUMNS, scale=0.1).flatten(1)
    weights = others.softmax(dim=1) * (1 - most)
    weights[torch.arange(draw[BATCH]), rows * draw[COLUMNS] + columns] += most
    return weights.view(draw[BATCH, ROWS, COLUMNS]), rows, columns


def _around(draw: Draw, rows: Tensor, columns: Tensor) -> Tensor:
    """Boxes around the centres of these cells, as large as a cell."""
    half = draw[HALF]
    y, x = (2 * rows + 1) * half, (2 * columns + 1) * half
    return torch.stack([y - half, x - half, y + half, x + half], dim=1)


def _shifted(draw: Draw, *shifts: list[int], most: float = 0.6) -> list[dict]:
    """Boxes around the heaviest cells, moved by so many pixels, in an order that is drawn."""
    weights, rows, columns = _peaks(draw, most)
    boxes = _around(draw, rows, columns)
    return [
        {"weights": weights, "boxes": boxes + torch.tensor(shift), "cell": 2 * draw[HALF]}
        for shift in draw.shuffled(shifts)
    ]


def _beside(draw: Draw) -> list[dict]:
    far = draw[HALF] + 1
    shifts = [far, 0, far, 0], [-far, 0, -far, 0], [0, far, 0, far], [0, -far, 0, -far]
    return _shifted(draw, *shifts)


def _on_an_edge(draw: Draw) -> list[dict]:
    half = draw[HALF]
    return _shifted(draw, [half] * 4, [-half, 0, -half, 0], [0, -half, 0, -half])


_IS_A_SHARE = "A share of the canvases: the mean of ones and zeros, one for each canvas."
exercise = Exercise(
    "hits(weights, boxes, cell)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Weak(
            "If the heaviest cell lies in the middle of the box, every canvas is hit.",
            lambda draw: _shifted(draw, [0] * 4),
            "Cells are counted, boxes are measured in pixels: multiply by the side of a cell. The "
            "first edge of a box is its top, so it belongs to the rows.",
        ),
        Weak(
            "If the heaviest cell lies beside the box, on whichever side, nothing is hit.",
            _beside,
            "All four edges count: top ≤ y < bottom and left ≤ x < right. (y, x) is the centre of "
            "the cell, half a cell from its own top and left edges.",
        ),
        Case(
            "A centre on the top or left edge is inside, one on the bottom or right edge is not.",
            _on_an_edge,
            "The centre of row r lies at (r + 1/2) times the side of a cell. Boxes are half open: "
            "≤ at the top and left, < at the bottom and right.",
        ),
        Weak(
            "Only the heaviest cell counts, not how much weight it has.",
            lambda draw: _shifted(draw, [0] * 4, most=0.1),
            "The weight inside the box is another measure: a cell with little more than the others "
            "is as good a hit as one that has everything.",
        ),
        Case(
            "It is the share of the canvases that are hit, each with its own box.",
            _inputs,
            "Look at one canvas at a time: its own largest weight, its own box.",
        ),
    ],
    slips={
        "": [
            ("y, x = (rows", "x, y = (rows"),
            (" & (left <= x) & (x < right)", ""),
            ("y < bottom", "y <= bottom", "x < right", "x <= right"),
            lambda weights, *others: solution(weights * (weights > 0.5), *others),
            (".float().mean()", ".any().float()"),
        ],
        _IS_A_SHARE: [(".float().mean()", ".float().sum()")],
    },
    shape=_IS_A_SHARE,
)
check = exercise.check
