"""Right and wrong answers to `attn_course.classroom.exercises.search.length_normalised`."""

import numpy as np
import torch


def with_numpy(log_probabilities, lengths, alpha):
    scores = np.array(log_probabilities) * (6 / (5 + np.array(lengths))) ** alpha
    return np.argsort(-scores, kind="stable")


def with_torch(log_probabilities, lengths, alpha):
    penalty = ((5 + torch.tensor(lengths).double()) / 6) ** alpha
    scores = torch.tensor(log_probabilities).double() / penalty
    return scores.sort(descending=True, stable=True).indices


def ranked(scores):
    return sorted(range(len(scores)), key=lambda place: -scores[place])


def both(log_probabilities, lengths):
    return zip(log_probabilities, lengths, strict=True)


def scores_returned(log_probabilities, lengths, alpha):
    return sorted(
        (log / ((5 + n) / 6) ** alpha for log, n in both(log_probabilities, lengths)), reverse=True
    )


def worst_first(log_probabilities, lengths, alpha):
    return with_numpy(log_probabilities, lengths, alpha)[::-1].tolist()


def likeliest_alone(log_probabilities, lengths, alpha):
    return ranked(log_probabilities)


def multiplied(log_probabilities, lengths, alpha):
    return ranked([log * ((5 + n) / 6) ** alpha for log, n in both(log_probabilities, lengths)])


def by_the_length(log_probabilities, lengths, alpha):
    return ranked([log / n**alpha for log, n in both(log_probabilities, lengths)])


def always_the_mean(log_probabilities, lengths, alpha):
    return ranked([log / n for log, n in both(log_probabilities, lengths)])


def power_of_the_length_alone(log_probabilities, lengths, alpha):
    return ranked([log / ((5 + n**alpha) / 6) for log, n in both(log_probabilities, lengths)])


def without_the_five(log_probabilities, lengths, alpha):
    return ranked([log / ((1 + n) / 2) ** alpha for log, n in both(log_probabilities, lengths)])


def turned_round(log_probabilities, lengths, alpha):
    scores = [log / ((5 + n) / 6) ** alpha for log, n in both(log_probabilities, lengths)]
    return sorted(range(len(scores)), key=lambda place: scores[place])[::-1]


def as_if_tensors(log_probabilities, lengths, alpha):
    return (log_probabilities / ((5 + lengths) / 6) ** alpha).argsort(descending=True)


RIGHT = [with_numpy, with_torch]
WRONG = {
    as_if_tensors: "runs",
    scores_returned: "each_place_once",
    worst_first: "without_alpha_the_likeliest_first",
    always_the_mean: "without_alpha_the_likeliest_first",
    likeliest_alone: "the_longer_of_two",
    multiplied: "the_longer_of_two",
    by_the_length: "the_order_is_that_of_the_score",
    power_of_the_length_alone: "the_order_is_that_of_the_score",
    without_the_five: "the_order_is_that_of_the_score",
    turned_round: "equals_keep_their_order",
}
