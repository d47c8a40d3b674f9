"""Right and wrong answers to `attn_course.classroom.exercises.measures.hit_share`."""

import torch

from specimens.answers import named


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


def within(y, x, boxes):
    top, left, bottom, right = boxes.T
    return (top <= y) & (y < bottom) & (left <= x) & (x < right)


def one_for_each(weights, boxes, cell):
    return within(*places(weights, cell), boxes)


def rows_and_columns_swapped(weights, boxes, cell):
    y, x = places(weights, cell)
    return within(x, y, boxes).float().mean()


def box_read_as_height_and_width(weights, boxes, cell):
    whole = torch.cat([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], dim=1)
    return within(*places(weights, cell), whole).float().mean()


def rows_only(weights, boxes, cell):
    y, _ = places(weights, cell)
    return ((boxes[:, 0] <= y) & (y < boxes[:, 2])).float().mean()


def columns_only(weights, boxes, cell):
    _, x = places(weights, cell)
    return ((boxes[:, 1] <= x) & (x < boxes[:, 3])).float().mean()


def one_edge_is_enough(weights, boxes, cell):
    y, x = places(weights, cell)
    top, left, bottom, right = boxes.T
    return ((top <= y) & (y < bottom) | (left <= x) & (x < right)).float().mean()


def closed(weights, boxes, cell):
    y, x = places(weights, cell)
    top, left, bottom, right = boxes.T
    return ((top <= y) & (y <= bottom) & (left <= x) & (x <= right)).float().mean()


def open_at_the_top(weights, boxes, cell):
    y, x = places(weights, cell)
    top, left, bottom, right = boxes.T
    return ((top < y) & (y <= bottom) & (left < x) & (x <= right)).float().mean()


def touching(weights, boxes, cell):
    y, x = places(weights, cell, offset=0)
    top, left, bottom, right = boxes.T
    inside = (top < y + cell) & (y < bottom) & (left < x + cell) & (x < right)
    return inside.float().mean()


def weight_inside(weights, boxes, cell):
    inside = cells_inside(boxes, *weights.shape[1:], cell)
    return (weights.flatten(1) * inside).sum(dim=1).mean()


def half_of_the_weight(weights, boxes, cell):
    inside = cells_inside(boxes, *weights.shape[1:], cell)
    return ((weights.flatten(1) * inside).sum(dim=1) > 0.5).float().mean()


RIGHT = [by_loop, by_whole_numbers]
WRONG = {
    "runs": named(
        boxes_as_a_matrix=lambda weights, boxes, cell: (
            within(*places(weights, cell), boxes.view(2, -1)).float().mean()
        )
    ),
    "is_a_share": named(
        one_for_each, counted=lambda weights, boxes, cell: one_for_each(weights, boxes, cell).sum()
    ),
    "the_middle_is_a_hit": named(
        rows_and_columns_swapped,
        weight_inside,
        cells_as_pixels=lambda weights, boxes, cell: (
            within(*places(weights, 1), boxes).float().mean()
        ),
        box_read_as_x_first=lambda weights, boxes, cell: (
            within(*places(weights, cell), boxes[:, [1, 0, 3, 2]]).float().mean()
        ),
    ),
    "beside_is_a_miss": named(
        box_read_as_height_and_width,
        rows_only,
        columns_only,
        one_edge_is_enough,
        touching,
        corners=lambda weights, boxes, cell: (
            within(*places(weights, cell, offset=0), boxes).float().mean()
        ),
    ),
    "boxes_are_half_open": [closed, open_at_the_top],
    "only_the_heaviest_counts": [half_of_the_weight],
    "counts_canvases": named(
        any_is_enough=lambda weights, boxes, cell: one_for_each(weights, boxes, cell).any().float(),
        all_must_hit=lambda weights, boxes, cell: one_for_each(weights, boxes, cell).all().float(),
        first_canvas=lambda weights, boxes, cell: one_for_each(weights, boxes, cell)[0].float(),
    ),
}
