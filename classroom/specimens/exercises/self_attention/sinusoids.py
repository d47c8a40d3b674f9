import math

import torch

from attn_course.self_attention import rotate


def waves(length, size):
    table = torch.zeros(length, size)
    p = torch.arange(length)[:, None]
    angles = p * torch.exp(-math.log(10_000) * 2 * torch.arange(size // 2) / size)
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


def by_loops(length, size):
    table = torch.empty(length, size)
    for p in range(length):
        for k in range(size // 2):
            angle = p / 10_000 ** (2 * k / size)
            table[p, 2 * k], table[p, 2 * k + 1] = math.sin(angle), math.cos(angle)
    return table


def by_turning(length, size):
    start = torch.tensor([0.0, 1.0]).repeat(size // 2).expand(1, 1, length, -1)
    return rotate(start, -torch.arange(length))[0, 0]


def by_complex_numbers(length, size):
    angles = torch.arange(length)[:, None] * 10_000.0 ** (-torch.arange(0, size, 2) / size)
    turns = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turns).flip(-1).flatten(1)
