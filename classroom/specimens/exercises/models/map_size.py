"""Right and wrong answers to `attn_class.exercises.models.map_size`."""

import math
from functools import partial

import torch
from torch import nn

from attn_class.exercises.models.map_size import solution
from specimens.answers import changed, named


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


def strides_multiplied(size, layers):
    for kernel, _, padding in layers:
        size = layer(size, kernel, 1, padding)
    total = math.prod(stride for _, stride, _ in layers)
    return (size - 1) // total + 1


but = partial(changed, solution)
RIGHT = [by_torch, by_counting]
WRONG = {
    "runs": named(
        refuses_a_fit=but("room < 0", "room <= 0"),
        a_tuple_as_a_number=lambda size, layers: size - layers,
    ),
    "a_window_fits": named(
        off_by_one=but(" + 1", ""), by_division_alone=but("room // stride + 1", "size // stride")
    ),
    "padding_on_both_sides": named(
        padding_once=but("2 * padding", "padding"), no_padding=but(" + 2 * padding", "")
    ),
    "whole_strides": named(
        rounded_up=but("room // stride + 1", "-(-room // stride) + 1"),
        not_rounded=but("room // stride", "room / stride"),
        one_added_before_dividing=but("room // stride + 1", "(room + 1) // stride"),
        stride_ignored=but("room // stride + 1", "room + 1"),
    ),
    "layers_follow_each_other": named(
        last_layer_alone=but("in layers", "in layers[-1:]"),
        from_the_end=but("in layers", "in layers[::-1]"),
    ),
    "as_in_pytorch": named(
        strides_multiplied,
        padding_of_the_first_for_all=but("2 * padding", "2 * (padding if len(layers) < 3 else 1)"),
    ),
    "too_small_is_refused": named(never_refuses=but("room < 0", "False")),
}
