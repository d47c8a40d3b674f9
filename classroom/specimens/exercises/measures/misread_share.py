import torch


def by_loop(weights, links):
    missed = linked = 0
    for row, own in zip(weights, links, strict=True):
        if own.any():
            linked += 1
            missed += not own[row.argmax()]
    return missed / linked if linked else 0.0


def by_largest_value(weights, links):
    inside = (weights * links).amax(1)
    linked = links.any(1)
    missed = (inside < weights.amax(1)) & linked
    return missed.sum() / linked.sum() if linked.any() else torch.tensor(0.0)
