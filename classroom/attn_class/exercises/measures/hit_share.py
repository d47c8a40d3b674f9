"""Exercise: on how many canvases does the heaviest cell hit the digit?

weights (batch row column)   boxes (batch 4), whole numbers: top, left, bottom, right, half open
cell, the side of a cell in pixels   ->   the share of canvases, one number
"""

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, shaped

BATCH, ROWS, COLUMNS, HALF = Size(1, 5), Size(4, 11), Size(4, 11), Size(2, 5)
exercise = Exercise("hits(weights, boxes, cell)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(weights, boxes, cell):
    """The heaviest cell's centre, in pixels, and whether it lies between the edges."""
    best = weights.flatten(1).argmax(dim=1)
    rows, columns = best // weights.shape[2], best % weights.shape[2]
    y, x = (rows + 0.5) * cell, (columns + 0.5) * cell
    top, left, bottom, right = boxes.T
    return ((top <= y) & (y < bottom) & (left <= x) & (x < right)).float().mean()


@exercise.must_also(
    "The answer is one number from 0 to 1.",
    hint="A share of the canvases: the mean of ones and zeros, one for each canvas.",
)
def is_a_share(answer: Answer, draw: Draw) -> bool:
    weights, rows, columns = _peaks(draw)
    boxes = _around(draw, rows, columns)
    result = answer(weights=weights, boxes=boxes, cell=2 * draw[HALF])
    return (isinstance(result, float) or shaped(result)) and 0 <= float(result) <= 1


@exercise.must_also(
    "If the heaviest cell lies in the middle of the box, every canvas is hit.",
    hint="Cells are counted, boxes are measured in pixels: multiply by the side of a cell. The "
    "first edge of a box is its top, so it belongs to the rows.",
)
def the_middle_is_a_hit(answer: Answer, draw: Draw) -> bool:
    weights, rows, columns = _peaks(draw)
    boxes = _around(draw, rows, columns)
    return answer.gives(1.0, weights=weights, boxes=boxes, cell=2 * draw[HALF])


@exercise.must_also(
    "If the heaviest cell lies beside the box, on whichever side, nothing is hit.",
    hint="All four edges count: top ≤ y < bottom and left ≤ x < right. (y, x) is the centre of "
    "the cell, half a cell from its own top and left edges.",
)
def beside_is_a_miss(answer: Answer, draw: Draw) -> bool:
    weights, rows, columns = _peaks(draw)
    box = _around(draw, rows, columns)
    far = draw[HALF] + 1
    for shift in ([far, 0, far, 0], [-far, 0, -far, 0], [0, far, 0, far], [0, -far, 0, -far]):
        if not answer.gives(
            0.0, weights=weights, boxes=box + torch.tensor(shift), cell=2 * draw[HALF]
        ):
            return False
    return True


@exercise.must(
    "A centre on the top or left edge is inside, one on the bottom or right edge is not.",
    hint="The centre of row r lies at (r + 1/2) times the side of a cell. Boxes are half open: ≤ "
    "at the top and left, < at the bottom and right.",
)
def boxes_are_half_open(answer: Answer, draw: Draw) -> bool:
    weights, rows, columns = _peaks(draw)
    box = _around(draw, rows, columns)
    half = draw[HALF]
    inside, below, beside = [half] * 4, [-half, 0, -half, 0], [0, -half, 0, -half]
    cases = [(1.0, inside), (0.0, below), (0.0, beside)]
    for share, shift in draw.shuffled([*cases, cases[draw.integer(3)]]):
        boxes = box + torch.tensor(shift)
        if not answer.gives(share, weights=weights, boxes=boxes, cell=2 * draw[HALF]):
            return False
    return True


@exercise.must_also(
    "Only the heaviest cell counts, not how much weight it has.",
    hint="The weight inside the box is another measure: a cell with little more than the others is "
    "as good a hit as one that has everything.",
)
def only_the_heaviest_counts(answer: Answer, draw: Draw) -> bool:
    weights, rows, columns = _peaks(draw, most=0.1)
    boxes = _around(draw, rows, columns)
    return answer.gives(1.0, weights=weights, boxes=boxes, cell=2 * draw[HALF])


@exercise.must_also(
    "It is the share of the canvases that are hit, each with its own box.",
    hint="Look at one canvas at a time: its own largest weight, its own box.",
)
def counts_canvases(answer: Answer, draw: Draw) -> bool:
    inputs = _inputs(draw)
    hits = 0
    for weights, (top, left, bottom, right) in zip(
        inputs["weights"], inputs["boxes"].tolist(), strict=True
    ):
        _, y, x = max(
            (float(weights[r, k]), (2 * r + 1) * draw[HALF], (2 * k + 1) * draw[HALF])
            for r in range(draw[ROWS])
            for k in range(draw[COLUMNS])
        )
        hits += top <= y < bottom and left <= x < right
    return answer.gives(hits / draw[BATCH], **inputs)


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
