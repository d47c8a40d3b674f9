"""Right and wrong answers to `attn_class.exercises.gradients.clip_by_norm`."""

import math
from functools import partial

import torch

from specimens.answers import changed, named


def flat(gradients):
    return torch.cat([gradient.flatten() for gradient in gradients])


def norm_of(gradients):
    return flat(gradients).norm()


def by_condition(gradients, largest):
    norm = norm_of(gradients)
    if norm <= largest:
        return gradients
    return [gradient * (largest / norm) for gradient in gradients]


def by_numbers(gradients, largest):
    total = sum(value**2 for gradient in gradients for value in gradient.flatten().tolist())
    factor = largest / math.sqrt(total) if math.sqrt(total) > largest else 1.0
    return tuple(factor * gradient for gradient in gradients)


def by_torch(gradients, largest):
    parameters = [torch.nn.Parameter(torch.zeros_like(gradient)) for gradient in gradients]
    for parameter, gradient in zip(parameters, gradients, strict=True):
        parameter.grad = gradient.clone()
    torch.nn.utils.clip_grad_norm_(parameters, largest)
    return [parameter.grad for parameter in parameters]


def in_double(gradients, largest):
    norm = norm_of(gradients).double().clamp(min=largest)
    return [gradient.double() * largest / norm for gradient in gradients]


def divides_by_zero(gradients, largest):
    factor = (largest / norm_of(gradients)).clamp(max=1)
    return [gradient / norm_of(gradients) * norm_of(gradients) * factor for gradient in gradients]


def in_place(gradients, largest):
    norm = norm_of(gradients)
    if norm > largest:
        for gradient in gradients:
            gradient *= largest / norm
    return gradients


def with_an_if(gradients, largest):
    norm = norm_of(gradients)
    return [gradient * largest / norm if norm > largest else gradient for gradient in gradients]


but = partial(changed, with_an_if)
RIGHT = [by_condition, by_numbers, by_torch, in_double, with_an_if]
WRONG = {
    "same_shapes": named(
        one_long_vector=lambda gradients, largest: flat(by_condition(gradients, largest)),
        flattened=lambda *given: [gradient.flatten() for gradient in by_condition(*given)],
        in_another_order=lambda gradients, largest: by_condition(gradients, largest)[::-1],
        a_generator=lambda gradients, largest: (part for part in by_condition(gradients, largest)),
        only_the_factor=lambda gradients, largest: min(1.0, largest / norm_of(gradients).item()),
    ),
    "short_ones_stay": named(
        always_to_the_largest=but(
            "(gradients)", "(gradients).clamp(min=1e-12)", "if norm > largest else gradient", ""
        ),
        by_the_squared_norm=but("norm_of(gradients)", "norm_of(gradients) ** 2"),
        always_halved=lambda gradients, largest: [gradient / 2 for gradient in gradients],
    ),
    "long_ones_get_the_largest_norm": named(
        to_length_one=but("* largest / norm if", "/ norm if"),
        without_the_root=but("/ norm if", "/ norm**2 if"),
        asked_of_each_alone=but("if norm", "if max(each.norm() for each in gradients)"),
        by_the_largest_entry=but("norm_of(gradients)", "flat(gradients).abs().max()"),
        never=lambda gradients, largest: list(gradients),
        each_by_its_own_norm=lambda gradients, largest: [
            by_condition([gradient], largest)[0] for gradient in gradients
        ],
        entry_by_entry=lambda gradients, largest: [
            gradient.clamp(-largest, largest) for gradient in gradients
        ],
    ),
    "the_direction_stays": named(
        signs_of_the_right_length=but(
            "* largest / norm", ".sign() * largest / len(flat(gradients)) ** 0.5"
        ),
        turned_round=but("[gradient *", "[-gradient *"),
    ),
    "zeros_stay_zeros": [divides_by_zero],
    "leaves_its_inputs_alone": [in_place],
    "runs": named(
        of_the_list_itself=lambda gradients, largest: (
            gradients * min(1, largest / torch.norm(gradients))
        )
    ),
}
