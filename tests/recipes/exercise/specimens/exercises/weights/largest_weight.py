"""Right and wrong answers to `attn_course.classroom.exercises.weights.largest_weight`."""

import torch


def by_sorting(scores):
    return scores.softmax(-1).sort(dim=-1).values[:, -1]


def by_dividing(scores):
    return 1 / (scores - scores.amax(-1, keepdim=True)).exp().sum(-1)


def of_everything(scores):
    return scores.softmax(-1).max()


def over_the_targets(scores):
    return scores.softmax(0).amax(-1)


def of_the_scores(scores):
    return scores.amax(-1)


def of_numbers(scores):
    return max(float(score) for score in scores)


RIGHT = [by_sorting, by_dividing]
WRONG = {
    of_everything: "one_number_a_row",
    over_the_targets: "is_the_largest",
    of_the_scores: "is_the_largest",
    torch.sigmoid: "one_number_a_row",
    of_numbers: "runs",
}
