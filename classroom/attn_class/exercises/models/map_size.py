"""Exercise: how large is the feature map?

size, of the canvas in pixels; layers, a list of (kernel, stride, padding), in order
->   how many cells there are along that side; each layer gives
     floor((size + 2 padding - kernel) / stride) + 1
"""

from attn_class.exercises.frame import Case, Draw, Exercise, Weak


def solution(size, layers):
    """How often a window fits: once, and once more for every whole stride that is left."""
    for kernel, stride, padding in layers:
        room = size + 2 * padding - kernel
        if room < 0:
            raise ValueError(f"a kernel of {kernel} does not fit into {size} and its padding")
        size = room // stride + 1
    return size


def _one_layer(size: int, *layers: tuple[int, int, int]) -> dict:
    return {"size": size, "layers": list(layers)}


def _padded(draw: Draw) -> dict:
    padding = 1 + draw.integer(3)
    return _one_layer(11 + draw.integer(90), (2 * padding + 1, 1, padding))


def _nearly_another_step(draw: Draw) -> dict:
    steps, stride, kernel = 3 + draw.integer(5), 3 + draw.integer(2), 2 + draw.integer(2)
    return _one_layer(kernel + steps * stride + stride - 2, (kernel, stride, 0))


def _none_and_two(draw: Draw) -> list[dict]:
    size = 29 + draw.integer(90)
    return [_one_layer(size), _one_layer(size, (5, 1, 0), (2, 2, 0))]


def _three(draw: Draw) -> dict:
    first, second = (2 + draw.integer(3), 3, draw.integer(2)), (4 + draw.integer(2), 2, 1)
    return _one_layer(41 + draw.integer(200), first, second, (3, 1, 0))


def _too_small(draw: Draw) -> list[dict]:
    size = 3 + draw.integer(3)
    return [_one_layer(size, (size + 2, 1, 1)), _one_layer(size, (size + 3, 1, 1))]


exercise = Exercise(
    "cells(size, layers)",
    minutes=10,
    difficulty="moderate",
    solution=solution,
    cases=[
        Case(
            "Without stride or padding, a kernel of k leaves size - k + 1 places.",
            lambda draw: _one_layer(11 + draw.integer(90), (2 + draw.integer(4), 1, 0)),
            "A kernel of 3 fits into 5 pixels at three places, not at two: count the first one "
            "too.",
        ),
        Weak(
            "Padding is added on both sides.",
            _padded,
            "A kernel of 3 with a padding of 1 keeps the size. Is the padding counted only once?",
        ),
        Case(
            "With a stride, the first place and every whole stride after it count.",
            _nearly_another_step,
            "Subtract the kernel from the padded size, divide by the stride, round down, and add "
            "one.",
        ),
        Case(
            "Each layer begins with the size that the one before has left.",
            _none_and_two,
            "Go through the layers in order and update the size after each. With no layers, the "
            "size stays as it is.",
        ),
        Case(
            "The size is the one that PyTorch's convolutions give.",
            _three,
            "floor((size + 2 padding - kernel) / stride) + 1, layer after layer.",
        ),
        Weak(
            "A kernel that does not fit into the canvas and its padding raises a ValueError.",
            _too_small,
            "If size + 2 padding is less than the kernel, there is no place at all: raise "
            "ValueError.",
        ),
    ],
    slips={
        "": [
            (" + 1", ""),
            ("2 * padding", "padding"),
            ("room // stride + 1", "-(-room // stride) + 1"),
            ("in layers", "in layers[-1:]"),
            ("2 * padding", "2 * (padding if len(layers) < 3 else 1)"),
            ("room < 0", "False"),
        ],
    },
)
check = exercise.check
