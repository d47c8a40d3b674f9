"""Other right answers to `attn_class.exercises.gradients.clip_by_norm`."""

import math

import torch


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


def with_an_if(gradients, largest):
    norm = norm_of(gradients)
    return [gradient * largest / norm if norm > largest else gradient for gradient in gradients]


RIGHT = [by_condition, by_numbers, by_torch, in_double, with_an_if]
