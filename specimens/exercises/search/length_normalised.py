"""Right and wrong answers to `attn_course.classroom.exercises.search.length_normalised`."""

import numpy as np
import torch

from specimens.answers import named


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


def turned_round(log_probabilities, lengths, alpha):
    scores = [log / ((5 + n) / 6) ** alpha for log, n in both(log_probabilities, lengths)]
    return sorted(range(len(scores)), key=lambda place: scores[place])[::-1]


RIGHT = [with_numpy, with_torch]
WRONG = {
    "runs": named(
        as_if_tensors=lambda log_probabilities, lengths, alpha: (
            log_probabilities / ((5 + lengths) / 6) ** alpha
        ).argsort(descending=True)
    ),
    "each_place_once": named(
        scores_returned=lambda log_probabilities, lengths, alpha: sorted(
            (log / ((5 + n) / 6) ** alpha for log, n in both(log_probabilities, lengths)),
            reverse=True,
        )
    ),
    "without_alpha_the_likeliest_first": named(
        worst_first=lambda *given: with_numpy(*given)[::-1].tolist(),
        always_the_mean=lambda log_probabilities, lengths, alpha: ranked(
            [log / n for log, n in both(log_probabilities, lengths)]
        ),
    ),
    "the_longer_of_two": named(
        likeliest_alone=lambda log_probabilities, lengths, alpha: ranked(log_probabilities),
        multiplied=lambda log_probabilities, lengths, alpha: ranked(
            [log * ((5 + n) / 6) ** alpha for log, n in both(log_probabilities, lengths)]
        ),
    ),
    "the_order_is_that_of_the_score": named(
        by_the_length=lambda log_probabilities, lengths, alpha: ranked(
            [log / n**alpha for log, n in both(log_probabilities, lengths)]
        ),
        power_of_the_length_alone=lambda log_probabilities, lengths, alpha: ranked(
            [log / ((5 + n**alpha) / 6) for log, n in both(log_probabilities, lengths)]
        ),
        without_the_five=lambda log_probabilities, lengths, alpha: ranked(
            [log / ((1 + n) / 2) ** alpha for log, n in both(log_probabilities, lengths)]
        ),
    ),
    "equals_keep_their_order": [turned_round],
}
