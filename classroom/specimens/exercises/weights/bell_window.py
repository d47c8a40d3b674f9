"""Right and wrong answers to `attn_class.exercises.weights.bell_window`."""

import math
from functools import partial

import torch

from attn_class.exercises.weights.bell_window import solution
from specimens.answers import changed, named


def distances(scores, centre):
    return torch.arange(len(scores)) - centre


def bell(scores, centre, half_width):
    return torch.exp(-(distances(scores, centre) ** 2) / (2 * (half_width / 2) ** 2))


def by_loops(scores, centre, half_width):
    powers = [
        math.exp(score) if abs(j - centre) <= half_width else 0.0
        for j, score in enumerate(scores.tolist())
    ]
    return torch.tensor(
        [
            power / sum(powers) * math.exp(-2 * (j - centre) ** 2 / half_width**2)
            for j, power in enumerate(powers)
        ]
    )


def by_index(scores, centre, half_width):
    first, last = math.ceil(centre - half_width), math.floor(centre + half_width)
    places = torch.arange(max(first, 0), min(last, len(scores) - 1) + 1)
    weights = torch.zeros_like(scores)
    weights[places] = scores[places].softmax(dim=0)
    return weights * bell(scores, centre, half_width)


def window_alone(scores, centre, half_width):
    inside = distances(scores, centre).abs() <= half_width
    return by_loops(scores, centre, half_width)[inside]


def divided_again(scores, centre, half_width):
    weights = by_loops(scores, centre, half_width)
    return weights / weights.sum()


def by_exponentials(scores, centre, half_width):
    distance = torch.arange(len(scores)) - centre
    powers = scores.exp() * (distance.abs() <= half_width)
    return powers / powers.sum() * (-2 * (distance / half_width) ** 2).exp()


but = partial(changed, solution)
RIGHT = [by_exponentials, by_index]
WRONG = {
    "gradients_pass": [by_loops],
    "runs": named(
        window_by_slices=lambda scores, centre, half_width: scores[
            centre - half_width : centre + half_width + 1
        ].softmax(dim=0)
    ),
    "one_weight_each": [window_alone],
    "zero_outside_alone": named(
        ends_left_out=but("> half_width", ">= half_width"),
        no_window=but("inside.softmax", "scores.softmax"),
    ),
    "outside_does_not_matter": named(
        hidden_after_the_softmax=but(
            "inside.softmax(dim=0)", "scores.softmax(dim=0) * (distance.abs() <= half_width)"
        )
    ),
    "a_bell_for_equal_scores": named(
        divided_again,
        zeros_before_the_softmax=but(
            "-torch.inf", "0.0", "(dim=0)", "(dim=0) * (distance.abs() <= half_width)"
        ),
        no_bell=but(" * torch.exp(-(distance**2) / (2 * (half_width / 2) ** 2))", ""),
        sigma_is_d=but("(half_width / 2) ** 2", "half_width**2"),
        centre_rounded=but("-(distance**2)", "-(distance.ceil() ** 2)"),
        negative_exponent_forgotten=but("-(distance**2)", "distance**2"),
    ),
    "as_in_the_paper": named(
        scores_not_used=but("= scores.masked_fill", "= (0 * scores).masked_fill")
    ),
}
