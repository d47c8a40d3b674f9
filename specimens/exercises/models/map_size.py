"""Right and wrong answers to `attn_course.classroom.exercises.models.map_size`."""

import math

import torch
from torch import nn

from specimens.answers import named


def by_torch(size, layers):
    pixels = torch.zeros(1, 1, size)
    for kernel, stride, padding in layers:
        if size + 2 * padding < kernel:
            raise ValueError("no place for the kernel")
        pixels = nn.MaxPool1d(kernel, stride)(nn.functional.pad(pixels, (padding, padding)))
        size = pixels.shape[-1]
    return size


def by_counting(size, layers):
    if not layers:
        return size
    (kernel, stride, padding), *rest = layers
    places = range(-padding, size + padding - kernel + 1, stride)
    if not places:
        raise ValueError(f"{kernel} is too large")
    return by_counting(len(places), rest)


def layer(size, kernel, stride, padding):
    if size + 2 * padding < kernel:
        raise ValueError("too small")
    return (size + 2 * padding - kernel) // stride + 1


def every(step):
    def go_through(size, layers):
        for one in layers:
            size = step(size, *one)
        return size

    return go_through


def rounded_up(size, layers):
    def step(size, kernel, stride, padding):
        return math.ceil((size + 2 * padding - kernel) / stride) + 1

    return every(step)(size, layers)


def not_rounded(size, layers):
    def step(size, kernel, stride, padding):
        return (size + 2 * padding - kernel) / stride + 1

    return every(step)(size, layers)


def one_added_before_dividing(size, layers):
    def step(size, kernel, stride, padding):
        return (size + 2 * padding - kernel + 1) // stride

    return every(step)(size, layers)


def strides_multiplied(size, layers):
    for kernel, _, padding in layers:
        size = layer(size, kernel, 1, padding)
    total = math.prod(stride for _, stride, _ in layers)
    return (size - 1) // total + 1


def padding_of_the_first_for_all(size, layers):
    if len(layers) < 3:
        return every(layer)(size, layers)
    return every(layer)(size, [(k, s, 1) for k, s, _ in layers])


def never_refuses(size, layers):
    def step(size, kernel, stride, padding):
        return (size + 2 * padding - kernel) // stride + 1

    return every(step)(size, layers)


def refuses_a_fit(size, layers):
    def step(size, kernel, stride, padding):
        if size + 2 * padding <= kernel:
            raise ValueError("too small")
        return layer(size, kernel, stride, padding)

    return every(step)(size, layers)


RIGHT = [by_torch, by_counting]
WRONG = {
    "runs": named(refuses_a_fit, a_tuple_as_a_number=lambda size, layers: size - layers),
    "a_window_fits": named(
        off_by_one=lambda size, layers: every(lambda *one: layer(*one) - 1)(size, layers),
        by_division_alone=lambda size, layers: every(
            lambda size, kernel, stride, padding: size // stride
        )(size, layers),
    ),
    "padding_on_both_sides": named(
        padding_once=lambda size, layers: every(
            lambda size, kernel, stride, padding: layer(size + padding, kernel, stride, 0)
        )(size, layers),
        no_padding=lambda size, layers: every(
            lambda size, kernel, stride, padding: layer(size, kernel, stride, 0)
        )(size, layers),
    ),
    "whole_strides": named(
        rounded_up,
        not_rounded,
        one_added_before_dividing,
        stride_ignored=lambda size, layers: every(
            lambda size, kernel, stride, padding: layer(size, kernel, 1, padding)
        )(size, layers),
    ),
    "layers_follow_each_other": named(
        last_layer_alone=lambda size, layers: layer(size, *layers[-1]) if layers else size,
        from_the_end=lambda size, layers: every(layer)(size, layers[::-1]),
    ),
    "as_in_pytorch": [strides_multiplied, padding_of_the_first_for_all],
    "too_small_is_refused": [never_refuses],
}
