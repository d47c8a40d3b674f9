import numpy as np
import torch

from attn_course.weights import sparsemax


def all_at_once(scores):
    ordered = scores.sort(descending=True).values
    count = torch.arange(1, len(scores) + 1)
    lines = (ordered.cumsum(0) - 1) / count
    return lines[(ordered > lines).sum() - 1]


def by_halving(scores):
    scores = scores.numpy().astype(float)
    low, high = scores.min() - 1, scores.max()
    for _ in range(99):
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(scores - middle, 0, None).sum() > 1 else (low, middle)
    return high


def by_the_package(scores):
    weights = sparsemax(scores)
    best = scores.argmax()
    return scores[best] - weights[best]


def highest_of_all_lines(scores):
    ordered = sorted(scores.tolist(), reverse=True)
    return max((sum(ordered[:n]) - 1) / n for n in range(1, len(ordered) + 1))
