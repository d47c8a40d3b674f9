import torch
from torch import nn


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
