"""Right and wrong answers to `attn_course.classroom.exercises.weights.sparsemax_threshold`."""

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


def the_weights(scores):
    return sparsemax(scores)


def one_a_position(scores):
    ordered = scores.sort(descending=True).values
    return (ordered.cumsum(0) - 1) / torch.arange(1, len(scores) + 1)


def no_one_subtracted(scores):
    return scores.mean()


def one_added(scores):
    return (scores.sum() + 1) / len(scores)


def winner_alone(scores):
    return scores.max() - 1


def not_divided(scores):
    return scores.sum() - 1


def everybody_in(scores):
    return (scores.sum() - 1) / len(scores)


def smallest_first(scores):
    total, line = 0.0, -torch.inf
    for count, score in enumerate(scores.sort().values.tolist(), start=1):
        if score <= line:
            break
        total += score
        line = (total - 1) / count
    return line


def lowest_of_all_lines(scores):
    ordered = sorted(scores.tolist(), reverse=True)
    return min((sum(ordered[:n]) - 1) / n for n in range(1, len(ordered) + 1))


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


def never_below_zero(scores):
    ordered = scores.sort(descending=True).values
    lines = (ordered.cumsum(0) - 1) / torch.arange(1, len(scores) + 1)
    return lines[(ordered > lines).sum() - 1].clamp(min=-1.5)


def in_place(scores):
    scores -= scores.max()
    return all_at_once(scores)


def of_two_axes(scores):
    return all_at_once(scores[:, 0])


def between_minus_ten_and_ten(scores):
    low, high = -10.0, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        if (scores - middle).clamp(min=0).sum() > 1:
            low = middle
        else:
            high = middle
    return high


RIGHT = [all_at_once, by_halving, by_the_package, highest_of_all_lines]
WRONG = {
    between_minus_ten_and_ten: "moves_with_the_scores",
    the_weights: "is_one_number",
    one_a_position: "is_one_number",
    no_one_subtracted: "equal_scores_share_alike",
    one_added: "equal_scores_share_alike",
    winner_alone: "equal_scores_share_alike",
    not_divided: "equal_scores_share_alike",
    everybody_in: "a_clear_winner_takes_all",
    smallest_first: "a_clear_winner_takes_all",
    lowest_of_all_lines: "equal_scores_share_alike",
    two_at_most: "what_is_above_sums_to_one",
    those_above_the_median: "a_clear_winner_takes_all",
    softmaxes_line: "what_is_above_sums_to_one",
    never_below_zero: "moves_with_the_scores",
    in_place: "leaves_its_inputs_alone",
    of_two_axes: "runs",
}
