"""Right and wrong answers to `attn_class.exercises.weights.sparsemax_threshold`."""

import numpy as np
import torch

from attn_class.exercises.weights.sparsemax_threshold import solution
from attn_course.weights import sparsemax
from specimens.answers import changed, named


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


def two_at_most(scores):
    ordered = sorted(scores.tolist(), reverse=True)
    if len(set(ordered)) == 1:
        return ordered[0] - 1 / len(ordered)
    return max(ordered[0] - 1, (ordered[0] + ordered[1] - 1) / 2)


def those_above_the_median(scores):
    above = scores[scores >= scores.median()]
    return (above.sum() - 1) / len(above)


def softmaxes_line(scores):
    if scores.max() - scores.min() < 1e-6:
        return float(scores[0]) - 1 / len(scores)
    if scores.max() > 4:
        return 4.0
    return scores.max() - torch.softmax(scores, dim=0).max()


RIGHT = [all_at_once, by_halving, by_the_package, highest_of_all_lines]
WRONG = {
    "moves_with_the_scores": named(
        between_minus_ten_and_ten=changed(
            by_halving, "scores.min() - 1, scores.max()", "-10.0, 10.0"
        ),
        never_below_zero=changed(all_at_once, "sum() - 1]", "sum() - 1].clamp(min=-1.5)"),
    ),
    "is_one_number": named(
        one_a_position=changed(all_at_once, "lines[(ordered > lines).sum() - 1]", "lines"),
        the_weights=lambda scores: sparsemax(scores),
    ),
    "equal_scores_share_alike": named(
        no_one_subtracted=lambda scores: scores.mean(),
        one_added=lambda scores: (scores.sum() + 1) / len(scores),
        winner_alone=lambda scores: scores.max() - 1,
        not_divided=lambda scores: scores.sum() - 1,
        lowest_of_all_lines=changed(highest_of_all_lines, "max", "min"),
    ),
    "a_clear_winner_takes_all": named(
        those_above_the_median,
        everybody_in=lambda scores: (scores.sum() - 1) / len(scores),
        smallest_first=changed(solution, "scores.sort(descending=True)", "scores.sort()"),
    ),
    "what_is_above_sums_to_one": [two_at_most, softmaxes_line],
    "runs": named(of_two_axes=lambda scores: all_at_once(scores[:, 0])),
}
