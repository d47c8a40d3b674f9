import math

import torch


def _norm_of(gradients):
    return torch.cat([gradient.flatten() for gradient in gradients]).norm()


def by_condition(gradients, largest):
    norm = _norm_of(gradients)
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
    norm = _norm_of(gradients).double().clamp(min=largest)
    return [gradient.double() * largest / norm for gradient in gradients]
