"""Right and wrong answers to `attn_course.classroom.exercises.gradients.clip_by_norm`."""

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


def one_long_vector(gradients, largest):
    return flat(by_condition(gradients, largest))


def flattened(gradients, largest):
    return [gradient.flatten() for gradient in by_condition(gradients, largest)]


def in_another_order(gradients, largest):
    return by_condition(gradients, largest)[::-1]


def a_generator(gradients, largest):
    return (part for part in by_condition(gradients, largest))


def only_the_factor(gradients, largest):
    return min(1.0, largest / norm_of(gradients).item())


def always_to_the_largest(gradients, largest):
    norm = norm_of(gradients).clamp(min=1e-12)
    return [gradient * largest / norm for gradient in gradients]


def always_halved(gradients, largest):
    return [gradient / 2 for gradient in gradients]


def never(gradients, largest):
    return list(gradients)


def to_length_one(gradients, largest):
    norm = norm_of(gradients)
    return [gradient / norm if norm > largest else gradient for gradient in gradients]


def by_the_squared_norm(gradients, largest):
    norm = norm_of(gradients) ** 2
    return [gradient * largest / norm if norm > largest else gradient for gradient in gradients]


def without_the_root(gradients, largest):
    norm = norm_of(gradients)
    return [gradient * largest / norm**2 if norm > largest else gradient for gradient in gradients]


def each_by_its_own_norm(gradients, largest):
    return [by_condition([gradient], largest)[0] for gradient in gradients]


def asked_of_each_alone(gradients, largest):
    if max(gradient.norm() for gradient in gradients) <= largest:
        return list(gradients)
    return by_condition(gradients, largest)


def entry_by_entry(gradients, largest):
    return [gradient.clamp(-largest, largest) for gradient in gradients]


def by_the_largest_entry(gradients, largest):
    top = flat(gradients).abs().max().clamp(min=largest)
    return [gradient * largest / top for gradient in gradients]


def signs_of_the_right_length(gradients, largest):
    if norm_of(gradients) <= largest:
        return list(gradients)
    size = largest / math.sqrt(len(flat(gradients)))
    return [size * gradient.sign() for gradient in gradients]


def turned_round(gradients, largest):
    return [
        -gradient if norm_of(gradients) > largest else gradient
        for gradient in by_condition(gradients, largest)
    ]


def divides_by_zero(gradients, largest):
    factor = (largest / norm_of(gradients)).clamp(max=1)
    return [gradient / norm_of(gradients) * norm_of(gradients) * factor for gradient in gradients]


def in_place(gradients, largest):
    norm = norm_of(gradients)
    if norm > largest:
        for gradient in gradients:
            gradient *= largest / norm
    return gradients


def of_the_list_itself(gradients, largest):
    return gradients * min(1, largest / torch.norm(gradients))


RIGHT = [by_condition, by_numbers, by_torch, in_double]
WRONG = {
    one_long_vector: "same_shapes",
    flattened: "same_shapes",
    in_another_order: "same_shapes",
    a_generator: "same_shapes",
    only_the_factor: "same_shapes",
    always_to_the_largest: "short_ones_stay",
    always_halved: "short_ones_stay",
    never: "long_ones_get_the_largest_norm",
    to_length_one: "long_ones_get_the_largest_norm",
    by_the_squared_norm: "short_ones_stay",
    without_the_root: "long_ones_get_the_largest_norm",
    each_by_its_own_norm: "long_ones_get_the_largest_norm",
    asked_of_each_alone: "long_ones_get_the_largest_norm",
    entry_by_entry: "long_ones_get_the_largest_norm",
    by_the_largest_entry: "long_ones_get_the_largest_norm",
    signs_of_the_right_length: "the_direction_stays",
    turned_round: "the_direction_stays",
    divides_by_zero: "zeros_stay_zeros",
    in_place: "leaves_its_inputs_alone",
    of_the_list_itself: "runs",
}
