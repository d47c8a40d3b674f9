import torch


def by_loop(weights, boxes, cell):
    hits = []
    for canvas, (top, left, bottom, right) in zip(weights, boxes.tolist(), strict=True):
        row, column = divmod(int(canvas.argmax()), canvas.shape[1])
        y, x = cell * row + cell / 2, cell * column + cell / 2
        hits.append(top <= y < bottom and left <= x < right)
    return sum(hits) / len(hits)


def by_whole_numbers(weights, boxes, cell):
    best = weights.flatten(1).argmax(dim=1)
    twice = torch.stack([best // weights.shape[2], best % weights.shape[2]], 1) * 2 * cell + cell
    inside = (2 * boxes[:, :2] <= twice) & (twice < 2 * boxes[:, 2:])
    return inside.all(dim=1).float().mean()


def by_edges(weights, boxes, cell):
    best = weights.flatten(1).argmax(dim=1)
    y, x = (best // weights.shape[2] + 0.5) * cell, (best % weights.shape[2] + 0.5) * cell
    top, left, bottom, right = boxes.T
    return ((top <= y) & (y < bottom) & (left <= x) & (x < right)).float().mean()
