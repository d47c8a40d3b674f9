"""Right and wrong answers to `attn_class.exercises.weights.safe_softmax`."""

import math
from functools import partial

import numpy as np
import torch

from attn_course.weights import attention_weights
from specimens.answers import changed, named


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


def loop_with_nothing_taken_off(scores, temperature):
    powers = [math.exp(score / temperature) for score in scores.tolist()]
    return [power / sum(powers) for power in powers]


def in_two_lines(scores, temperature):
    powers = torch.exp((scores - scores.max()) / temperature)
    return powers / powers.sum()


but = partial(changed, in_two_lines)
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
        divided_by_the_largest=but(" / powers.sum()", ""),
    ),
    "is_a_softmax": named(
        plain_division=lambda scores, temperature: (scores + 3) / (scores + 3).sum(),
        powers_of_two=but("torch.exp", "torch.exp2"),
        squares=lambda scores, temperature: scores**2 / (scores**2).sum(),
        of_negative_scores=lambda scores, temperature: shares(-scores / temperature),
        argmax=lambda scores, temperature: torch.nn.functional.one_hot(
            scores.argmax(), len(scores)
        ).float(),
        scaled_by_size=but("/ temperature", "/ temperature / len(scores) ** 0.5"),
    ),
    "warm_is_flatter": named(
        temperature_on_the_powers=but(
            "(scores - scores.max()) / temperature)", "scores - scores.max()) / temperature"
        ),
        no_temperature=but(" / temperature", ""),
        temperature_multiplied=but("/ temperature", "* temperature"),
    ),
    "divides_the_scores": named(
        root_of_the_temperature=but("/ temperature", "/ temperature**0.5"),
        squared_temperature=but("/ temperature", "/ temperature**2"),
    ),
    "survives_large_scores": named(
        overflowing=but(" - scores.max()", ""),
        clipped=but(
            "(scores - scores.max()) / temperature", "(scores / temperature).clamp(-80, 80)"
        ),
    ),
    "survives_small_scores": named(
        sum_taken_off_at_a_size=but("scores.max()", "scores.abs().max()"),
        never_below_zero=but("scores.max()", "scores.max().clamp(min=0)"),
    ),
    "survives_the_cold": named(
        largest_taken_off_in_another_unit=but(
            "(scores - scores.max()) / temperature", "scores / temperature - scores.max()"
        )
    ),
    "survives_one_large_score": named(
        loop_with_nothing_taken_off,
        mean_taken_off=but("scores.max()", "scores.mean()"),
        in_double_precision=but("scores - scores.max()", "scores.double()"),
    ),
}
