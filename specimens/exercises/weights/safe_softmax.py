"""Right and wrong answers to `attn_course.classroom.exercises.weights.safe_softmax`."""

import math

import numpy as np
import torch

from attn_course.weights import attention_weights
from specimens.answers import named


def by_loop(scores, temperature):
    highest = max(scores.tolist())
    powers = [math.exp((score - highest) / temperature) for score in scores.tolist()]
    return torch.tensor([power / sum(powers) for power in powers])


def shares(scores):
    powers = (scores - scores.max()).exp()
    return powers / powers.sum()


def in_numpy(scores, temperature):
    scaled = scores.numpy().astype(float) / temperature
    powers = np.exp(scaled - scaled.max())
    return powers / powers.sum()


def by_logarithms(scores, temperature):
    scaled = scores / temperature
    return torch.exp(scaled - torch.logsumexp(scaled, dim=0))


def as_a_list(scores, temperature):
    return by_loop(scores, temperature).tolist()


def plain_division(scores, temperature):
    scores = scores + 3
    return scores / scores.sum()


def temperature_on_the_powers(scores, temperature):
    powers = torch.exp(scores - scores.max()) / temperature
    return powers / powers.sum()


def overflowing(scores, temperature):
    powers = torch.exp(scores / temperature)
    return powers / powers.sum()


def clipped(scores, temperature):
    powers = torch.exp((scores / temperature).clamp(-80, 80))
    return powers / powers.sum()


def sum_taken_off_at_a_size(scores, temperature):
    powers = torch.exp((scores - scores.abs().max()) / temperature)
    return powers / powers.sum()


def never_below_zero(scores, temperature):
    powers = torch.exp((scores - scores.max().clamp(min=0)) / temperature)
    return powers / powers.sum()


def largest_taken_off_in_another_unit(scores, temperature):
    powers = torch.exp(scores / temperature - scores.max())
    return powers / powers.sum()


def mean_taken_off(scores, temperature):
    powers = torch.exp((scores - scores.mean()) / temperature)
    return powers / powers.sum()


def in_double_precision(scores, temperature):
    powers = torch.exp(scores.double() / temperature)
    return powers / powers.sum()


def loop_with_nothing_taken_off(scores, temperature):
    powers = [math.exp(score / temperature) for score in scores.tolist()]
    return [power / sum(powers) for power in powers]


RIGHT = [by_loop, in_numpy, by_logarithms, as_a_list]
WRONG = {
    "runs": named(
        by_the_package=lambda scores, temperature: attention_weights(
            scores, temperature=temperature
        ),
        by_torch=lambda scores, temperature: torch.softmax(scores / temperature, dim=0),
        no_tensor=lambda scores, temperature: math.exp(scores / temperature),
    ),
    "one_weight_each": named(
        largest_alone=lambda scores, temperature: by_logarithms(scores, temperature).max(),
        as_a_row=lambda scores, temperature: by_logarithms(scores, temperature).unsqueeze(0),
    ),
    "sums_to_one": named(
        not_shared=lambda scores, temperature: torch.exp(scores / temperature),
        sigmoids=lambda scores, temperature: torch.sigmoid(scores / temperature),
        logarithm=lambda scores, temperature: shares(scores / temperature).log(),
        divided_by_the_largest=lambda scores, temperature: torch.exp(
            (scores - scores.max()) / temperature
        ),
    ),
    "is_a_softmax": named(
        plain_division,
        powers_of_two=lambda scores, temperature: shares(scores * math.log(2) / temperature),
        squares=lambda scores, temperature: scores**2 / (scores**2).sum(),
        of_negative_scores=lambda scores, temperature: shares(-scores / temperature),
        argmax=lambda scores, temperature: torch.nn.functional.one_hot(
            scores.argmax(), len(scores)
        ).float(),
        scaled_by_size=lambda scores, temperature: shares(
            scores / temperature / len(scores) ** 0.5
        ),
    ),
    "warm_is_flatter": named(
        temperature_on_the_powers,
        no_temperature=lambda scores, temperature: shares(scores),
        temperature_multiplied=lambda scores, temperature: shares(scores * temperature),
    ),
    "divides_the_scores": named(
        root_of_the_temperature=lambda scores, temperature: shares(scores / temperature**0.5),
        squared_temperature=lambda scores, temperature: shares(scores / temperature**2),
    ),
    "survives_large_scores": [overflowing, clipped],
    "survives_small_scores": [sum_taken_off_at_a_size, never_below_zero],
    "survives_the_cold": [largest_taken_off_in_another_unit],
    "survives_one_large_score": [mean_taken_off, in_double_precision, loop_with_nothing_taken_off],
}
