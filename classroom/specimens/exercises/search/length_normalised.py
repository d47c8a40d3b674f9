"""Right and wrong answers to `attn_class.exercises.search.length_normalised`."""

from functools import partial

import numpy as np
import torch

from attn_class.exercises.search.length_normalised import solution
from specimens.answers import changed, named


def with_numpy(log_probabilities, lengths, alpha):
    scores = np.array(log_probabilities) * (6 / (5 + np.array(lengths))) ** alpha
    return np.argsort(-scores, kind="stable")


def with_torch(log_probabilities, lengths, alpha):
    penalty = ((5 + torch.tensor(lengths).double()) / 6) ** alpha
    scores = torch.tensor(log_probabilities).double() / penalty
    return scores.sort(descending=True, stable=True).indices


but = partial(changed, solution)
RIGHT = [with_numpy, with_torch]
WRONG = {
    "runs": named(
        as_if_tensors=lambda log_probabilities, lengths, alpha: (
            log_probabilities / ((5 + lengths) / 6) ** alpha
        ).argsort(descending=True)
    ),
    "each_place_once": named(
        scores_returned=but(
            "range(len(scores)), key=lambda place: -scores[place]", "scores, reverse=True"
        )
    ),
    "without_alpha_the_likeliest_first": named(
        worst_first=but("-scores[place]", "scores[place]"),
        always_the_mean=but("log / ((5 + length) / 6) ** alpha", "log / length"),
    ),
    "the_longer_of_two": named(
        likeliest_alone=but("log / ((5 + length) / 6) ** alpha", "log"),
        multiplied=but("log / ((5 + length) / 6) ** alpha", "log * ((5 + length) / 6) ** alpha"),
    ),
    "the_order_is_that_of_the_score": named(
        by_the_length=but("log / ((5 + length) / 6) ** alpha", "log / length**alpha"),
        power_of_the_length_alone=but("((5 + length) / 6) ** alpha", "((5 + length**alpha) / 6)"),
        without_the_five=but("(5 + length) / 6", "(1 + length) / 2"),
    ),
    "equals_keep_their_order": named(turned_round=but("-scores[place])", "scores[place])[::-1]")),
}
