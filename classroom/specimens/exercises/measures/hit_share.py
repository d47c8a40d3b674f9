"""Right and wrong answers to `attn_class.exercises.measures.hit_share`."""

from functools import partial

import torch

from specimens.answers import changed, named


def by_loop(weights, boxes, cell):
    hits = []
    for canvas, (top, left, bottom, right) in zip(weights, boxes.tolist(), strict=True):
        row, column = divmod(int(canvas.argmax()), canvas.shape[1])
        y, x = cell * row + cell / 2, cell * column + cell / 2
        hits.append(top <= y < bottom and left <= x < right)
    return sum(hits) / len(hits)


def cells_inside(boxes, rows, columns, cell):
    y, x = (torch.arange(size) * cell + cell // 2 for size in (rows, columns))
    top, left, bottom, right = (boxes[:, k, None] for k in range(4))
    in_rows, in_columns = (top <= y) & (y < bottom), (left <= x) & (x < right)
    return (in_rows[:, :, None] & in_columns[:, None, :]).flatten(1)


def by_whole_numbers(weights, boxes, cell):
    best = weights.flatten(1).argmax(dim=1)
    twice = torch.stack([best // weights.shape[2], best % weights.shape[2]], 1) * 2 * cell + cell
    inside = (2 * boxes[:, :2] <= twice) & (twice < 2 * boxes[:, 2:])
    return inside.all(dim=1).float().mean()


def places(weights, cell, offset=0.5):
    best = weights.flatten(1).argmax(dim=1)
    return (best // weights.shape[2] + offset) * cell, (best % weights.shape[2] + offset) * cell


def weight_inside(weights, boxes, cell):
    inside = cells_inside(boxes, *weights.shape[1:], cell)
    return (weights.flatten(1) * inside).sum(dim=1).mean()


def half_of_the_weight(weights, boxes, cell):
    inside = cells_inside(boxes, *weights.shape[1:], cell)
    return ((weights.flatten(1) * inside).sum(dim=1) > 0.5).float().mean()


def by_edges(weights, boxes, cell):
    y, x = places(weights, cell)
    top, left, bottom, right = boxes.T
    return ((top <= y) & (y < bottom) & (left <= x) & (x < right)).float().mean()


but = partial(changed, by_edges)
RIGHT = [by_loop, by_whole_numbers, by_edges]
WRONG = {
    "runs": named(boxes_as_a_matrix=but("boxes.T", "boxes.view(2, -1)")),
    "is_a_share": named(one_for_each=but(".float().mean()", ""), counted=but("mean()", "sum()")),
    "the_middle_is_a_hit": named(
        weight_inside,
        rows_and_columns_swapped=but("y, x = places", "x, y = places"),
        cells_as_pixels=but("places(weights, cell)", "places(weights, 1)"),
        box_read_as_x_first=but("top, left, bottom, right =", "left, top, right, bottom ="),
    ),
    "beside_is_a_miss": named(
        box_read_as_height_and_width=but("< bottom", "< top + bottom", "< right", "< left + right"),
        rows_only=but(" & (left <= x) & (x < right)", ""),
        columns_only=but("(top <= y) & (y < bottom) & ", ""),
        one_edge_is_enough=but("bottom) & (left", "bottom) | (left"),
        touching=but(
            "weights, cell)",
            "weights, cell, 0)",
            "top <= y",
            "top < y + cell",
            "left <= x",
            "left < x + cell",
        ),
        corners=but("places(weights, cell)", "places(weights, cell, 0)"),
    ),
    "boxes_are_half_open": named(
        closed=but("y < bottom", "y <= bottom", "x < right", "x <= right"),
        open_at_the_top=but("<= y) & (y <", "< y) & (y <=", "<= x) & (x <", "< x) & (x <="),
    ),
    "only_the_heaviest_counts": [half_of_the_weight],
    "counts_canvases": named(
        any_is_enough=but(".float().mean()", ".any().float()"),
        all_must_hit=but(".float().mean()", ".all().float()"),
        first_canvas=but(".float().mean()", "[0].float()"),
    ),
}
