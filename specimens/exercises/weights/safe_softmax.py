"""Right and wrong answers to `attn_course.classroom.exercises.weights.safe_softmax`."""

import math

import numpy as np
import torch

from attn_course.weights import attention_weights


def by_loop(scores, temperature):
    highest = max(scores.tolist())
    powers = [math.exp((score - highest) / temperature) for score in scores.tolist()]
    return torch.tensor([power / sum(powers) for power in powers])


def shares(scores):
    powers = (scores - scores.max()).exp()
    return powers / powers.sum()


def by_torch(scores, temperature):
    return torch.softmax(scores / temperature, dim=0)


def by_the_package(scores, temperature):
    return attention_weights(scores, temperature=temperature)


def in_numpy(scores, temperature):
    scaled = scores.numpy().astype(float) / temperature
    powers = np.exp(scaled - scaled.max())
    return powers / powers.sum()


def by_logarithms(scores, temperature):
    scaled = scores / temperature
    return torch.exp(scaled - torch.logsumexp(scaled, dim=0))


def as_a_list(scores, temperature):
    return by_loop(scores, temperature).tolist()


def largest_alone(scores, temperature):
    return by_logarithms(scores, temperature).max()


def as_a_row(scores, temperature):
    return by_logarithms(scores, temperature).unsqueeze(0)


def not_shared(scores, temperature):
    return torch.exp(scores / temperature)


def sigmoids(scores, temperature):
    return torch.sigmoid(scores / temperature)


def logarithm(scores, temperature):
    return shares(scores / temperature).log()


def divided_by_the_largest(scores, temperature):
    return torch.exp((scores - scores.max()) / temperature)


def plain_division(scores, temperature):
    scores = scores + 3
    return scores / scores.sum()


def powers_of_two(scores, temperature):
    return shares(scores * math.log(2) / temperature)


def squares(scores, temperature):
    return scores**2 / (scores**2).sum()


def of_negative_scores(scores, temperature):
    return shares(-scores / temperature)


def argmax(scores, temperature):
    return torch.nn.functional.one_hot(scores.argmax(), len(scores)).float()


def scaled_by_size(scores, temperature):
    return shares(scores / temperature / len(scores) ** 0.5)


def no_temperature(scores, temperature):
    return shares(scores)


def temperature_multiplied(scores, temperature):
    return shares(scores * temperature)


def temperature_on_the_powers(scores, temperature):
    powers = torch.exp(scores - scores.max()) / temperature
    return powers / powers.sum()


def root_of_the_temperature(scores, temperature):
    return shares(scores / temperature**0.5)


def squared_temperature(scores, temperature):
    return shares(scores / temperature**2)


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


def in_place(scores, temperature):
    scores /= temperature
    return shares(scores)


def no_tensor(scores, temperature):
    return math.exp(scores / temperature)


RIGHT = [by_loop, in_numpy, by_logarithms, as_a_list]
WRONG = {
    by_the_package: "runs",
    by_torch: "runs",
    largest_alone: "one_weight_each",
    as_a_row: "one_weight_each",
    not_shared: "sums_to_one",
    sigmoids: "sums_to_one",
    logarithm: "sums_to_one",
    divided_by_the_largest: "sums_to_one",
    plain_division: "is_a_softmax",
    powers_of_two: "is_a_softmax",
    squares: "is_a_softmax",
    of_negative_scores: "is_a_softmax",
    argmax: "is_a_softmax",
    scaled_by_size: "is_a_softmax",
    no_temperature: "warm_is_flatter",
    temperature_multiplied: "warm_is_flatter",
    temperature_on_the_powers: "warm_is_flatter",
    root_of_the_temperature: "divides_the_scores",
    squared_temperature: "divides_the_scores",
    overflowing: "survives_large_scores",
    clipped: "survives_large_scores",
    sum_taken_off_at_a_size: "survives_small_scores",
    never_below_zero: "survives_small_scores",
    largest_taken_off_in_another_unit: "survives_the_cold",
    mean_taken_off: "survives_one_large_score",
    in_double_precision: "survives_one_large_score",
    loop_with_nothing_taken_off: "survives_one_large_score",
    in_place: "leaves_its_inputs_alone",
    no_tensor: "runs",
}
