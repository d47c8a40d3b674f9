"""Right and wrong answers to `attn_class.exercises.weights.largest_weight`."""

import torch

from specimens.answers import named


def by_sorting(scores):
    return scores.softmax(-1).sort(dim=-1).values[:, -1]


def by_dividing(scores):
    return 1 / (scores - scores.amax(-1, keepdim=True)).exp().sum(-1)


RIGHT = [by_sorting, by_dividing]
WRONG = {
    "one_number_a_row": named(torch.sigmoid, of_everything=lambda scores: scores.softmax(-1).max()),
    "is_the_largest": named(
        over_the_targets=lambda scores: scores.softmax(0).amax(-1),
        of_the_scores=lambda scores: scores.amax(-1),
    ),
    "runs": named(of_numbers=lambda scores: max(float(score) for score in scores)),
}
