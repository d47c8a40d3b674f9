"""Right and wrong answers to `attn_course.classroom.exercises.self_attention.sinusoids`."""

import math
from functools import partial

import torch

from attn_course.self_attention import rotate
from specimens.answers import named


def waves(length, size, *, first=0, power=2, base=10_000.0):
    """Each option changes one thing, for the wrong answers below."""
    table = torch.zeros(length, size)
    p = torch.arange(first, length + first)[:, None]
    angles = p * torch.exp(-math.log(base) * power * torch.arange(size // 2) / size)
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


def all_sines_first(length, size):
    table = waves(length, size)
    return torch.cat([table[:, 0::2], table[:, 1::2]], dim=1)


def an_angle_each(length, size):
    angles = torch.arange(length)[:, None] / 10_000 ** (torch.arange(size) / size)
    return torch.where(torch.arange(size) % 2 == 0, angles.sin(), angles.cos())


def in_turns(length, size):
    angles = 2 * math.pi * torch.arange(length)[:, None] * torch.ones(size // 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).round()


def faster_and_faster(length, size):
    angles = torch.arange(length)[:, None] * 10_000 ** (torch.arange(0, size, 2) / size)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def by_complex_numbers(length, size):
    angles = torch.arange(length)[:, None] * 10_000.0 ** (-torch.arange(0, size, 2) / size)
    turns = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turns).flip(-1).flatten(1)


def in_degrees(length, size):
    angles = torch.arange(length)[:, None] * 10_000.0 ** (-torch.arange(0, size, 2) / size)
    angles = torch.deg2rad(angles)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def divided_in_the_wrong_place(length, size):
    angles = torch.arange(length)[:, None] / 10_000.0 ** torch.arange(0, size, 2) / size
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


RIGHT = [waves, by_loops, by_turning, by_complex_numbers]
WRONG = {
    "begins_with_zero": named(
        all_sines_first,
        from_one=partial(waves, first=1),
        swapped=lambda length, size: waves(length, size).unflatten(1, (-1, 2)).flip(-1).flatten(1),
    ),
    "by_the_equation": named(
        faster_and_faster,
        k_for_two_k=partial(waves, power=1),
        other_base=partial(waves, base=100.0),
    ),
    "first_pair": [an_angle_each, in_turns, in_degrees, divided_in_the_wrong_place],
    "one_vector_each": named(turned_round=lambda length, size: waves(length, size).T),
    "runs": named(
        angles_not_crossed=lambda length, size: (
            torch.arange(length) / 10_000 ** (torch.arange(size + length) / size)
        ).sin()
    ),
}
