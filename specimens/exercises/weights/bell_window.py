"""Right and wrong answers to `attn_course.classroom.exercises.weights.bell_window`."""

import math

import torch

from specimens.answers import named


def distances(scores, centre):
    return torch.arange(len(scores)) - centre


def bell(scores, centre, half_width):
    return torch.exp(-(distances(scores, centre) ** 2) / (2 * (half_width / 2) ** 2))


def inner(scores, centre, half_width):
    outside = distances(scores, centre).abs() > half_width
    return scores.masked_fill(outside, -torch.inf).softmax(dim=-1)


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


def ends_left_out(scores, centre, half_width):
    outside = distances(scores, centre).abs() >= half_width
    weights = scores.masked_fill(outside, -torch.inf).softmax(dim=0)
    return weights * bell(scores, centre, half_width)


def hidden_after_the_softmax(scores, centre, half_width):
    inside = distances(scores, centre).abs() <= half_width
    return scores.softmax(dim=0) * inside * bell(scores, centre, half_width)


def zeros_before_the_softmax(scores, centre, half_width):
    inside = distances(scores, centre).abs() <= half_width
    return (scores * inside).softmax(dim=0) * bell(scores, centre, half_width) * inside


def divided_again(scores, centre, half_width):
    weights = by_loops(scores, centre, half_width)
    return weights / weights.sum()


def by_exponentials(scores, centre, half_width):
    distance = torch.arange(len(scores)) - centre
    powers = scores.exp() * (distance.abs() <= half_width)
    return powers / powers.sum() * (-2 * (distance / half_width) ** 2).exp()


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
        ends_left_out,
        no_window=lambda scores, *others: scores.softmax(dim=0) * bell(scores, *others),
    ),
    "outside_does_not_matter": [hidden_after_the_softmax],
    "a_bell_for_equal_scores": named(
        zeros_before_the_softmax,
        divided_again,
        no_bell=lambda scores, centre, half_width: inner(scores, centre, half_width),
        sigma_is_d=lambda scores, centre, half_width: (
            inner(scores, centre, half_width) * bell(scores, centre, 2 * half_width)
        ),
        centre_rounded=lambda scores, centre, half_width: (
            inner(scores, centre, half_width) * bell(scores, math.floor(centre), half_width)
        ),
        negative_exponent_forgotten=lambda scores, centre, half_width: (
            inner(scores, centre, half_width) / bell(scores, centre, half_width)
        ),
    ),
    "as_in_the_paper": named(
        scores_not_used=lambda scores, *others: by_loops(torch.zeros_like(scores), *others)
    ),
}
