"""Exercise: how large is the feature map?

size, of the canvas in pixels; layers, a list of (kernel, stride, padding), in order
->   how many cells there are along that side; each layer gives
     floor((size + 2 padding - kernel) / stride) + 1
"""

import torch
from torch import nn

from attn_class.exercises.frame import Answer, Draw, Exercise

exercise = Exercise("cells(size, layers)", minutes=10, difficulty="moderate")
check = exercise.check


def solution(size, layers):
    """How often a window fits: once, and once more for every whole stride that is left."""
    for kernel, stride, padding in layers:
        room = size + 2 * padding - kernel
        if room < 0:
            raise ValueError(f"a kernel of {kernel} does not fit into {size} and its padding")
        size = room // stride + 1
    return size


@exercise.must(
    "Without stride or padding, a kernel of k leaves size - k + 1 places.",
    hint="A kernel of 3 fits into 5 pixels at three places, not at two: count the first one too.",
)
def a_window_fits(answer: Answer, draw: Draw) -> bool:
    size, kernel = 11 + draw.integer(90), 2 + draw.integer(4)
    return answer.gives(float(size - kernel + 1), size=size, layers=[(kernel, 1, 0)])


@exercise.must(
    "Padding is added on both sides.",
    hint="A kernel of 3 with a padding of 1 keeps the size. Is the padding counted only once?",
)
def padding_on_both_sides(answer: Answer, draw: Draw) -> bool:
    size, padding = 11 + draw.integer(90), 1 + draw.integer(3)
    layers = [(2 * padding + 1, 1, padding)]
    return answer.gives(float(size), size=size, layers=layers)


@exercise.must_also(
    "With a stride, the first place and every whole stride after it count.",
    hint="Subtract the kernel from the padded size, divide by the stride, round down, and add one.",
)
def whole_strides(answer: Answer, draw: Draw) -> bool:
    steps, stride, kernel = 3 + draw.integer(5), 3 + draw.integer(2), 2 + draw.integer(2)
    size = kernel + steps * stride + stride - 2  # not quite one more step
    return answer.gives(float(steps + 1), size=size, layers=[(kernel, stride, 0)])


@exercise.must_also(
    "Each layer begins with the size that the one before has left.",
    hint="Go through the layers in order and update the size after each. With no layers, the size "
    "stays as it is.",
)
def layers_follow_each_other(answer: Answer, draw: Draw) -> bool:
    size = 29 + draw.integer(90)
    first, second = (5, 1, 0), (2, 2, 0)
    expected = (size - 4) // 2
    return answer.gives(float(size), size=size, layers=[]) and answer.gives(
        float(expected), size=size, layers=[first, second]
    )


@exercise.must_also(
    "The size is the one that PyTorch's convolutions give.",
    hint="floor((size + 2 padding - kernel) / stride) + 1, layer after layer.",
)
def as_in_pytorch(answer: Answer, draw: Draw) -> bool:
    size = 41 + draw.integer(200)
    layers = [(2 + draw.integer(3), 3, draw.integer(2)), (4 + draw.integer(2), 2, 1), (3, 1, 0)]
    pixels = torch.zeros(1, 1, size)
    for kernel, stride, padding in layers:
        pixels = nn.functional.conv1d(pixels, torch.zeros(1, 1, kernel), None, stride, padding)
    return answer.gives(float(pixels.shape[-1]), size=size, layers=layers)


@exercise.must_also(
    "A kernel that does not fit into the canvas and its padding raises a ValueError.",
    hint="If size + 2 padding is less than the kernel, there is no place at all: raise ValueError.",
)
def too_small_is_refused(answer: Answer, draw: Draw) -> bool:
    size = 3 + draw.integer(3)
    fits = answer.gives(1.0, size=size, layers=[(size + 2, 1, 1)])
    return fits and answer.refuses(ValueError, size=size, layers=[(size + 3, 1, 1)])
