"""Right and wrong answers to `attn_class.exercises.self_attention.sinusoids`."""

import math
from functools import partial

import torch

from attn_class.exercises.self_attention.sinusoids import solution
from attn_course.self_attention import rotate
from specimens.answers import changed, named


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


def an_angle_each(length, size):
    angles = torch.arange(length)[:, None] / 10_000 ** (torch.arange(size) / size)
    return torch.where(torch.arange(size) % 2 == 0, angles.sin(), angles.cos())


def in_turns(length, size):
    angles = 2 * math.pi * torch.arange(length)[:, None] * torch.ones(size // 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).round()


def by_complex_numbers(length, size):
    angles = torch.arange(length)[:, None] * 10_000.0 ** (-torch.arange(0, size, 2) / size)
    turns = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turns).flip(-1).flatten(1)


but = partial(changed, solution)
RIGHT = [waves, by_loops, by_turning, by_complex_numbers]
WRONG = {
    "begins_with_zero": named(
        all_sines_first=but(
            "torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)",
            "torch.cat([angles.sin(), angles.cos()], dim=1)",
        ),
        from_one=but("torch.arange(length)", "torch.arange(1, length + 1)"),
        swapped=but("angles.sin(), angles.cos()", "angles.cos(), angles.sin()"),
    ),
    "by_the_equation": named(
        faster_and_faster=but("/ 10_000", "* 10_000"),
        k_for_two_k=but("torch.arange(0, size, 2)", "torch.arange(size // 2)"),
        other_base=but("10_000", "100"),
    ),
    "first_pair": named(
        an_angle_each,
        in_turns,
        in_degrees=but("/ 10_000", "* torch.pi / 180 / 10_000"),
        divided_in_the_wrong_place=but(
            "(torch.arange(0, size, 2) / size)", "torch.arange(0, size, 2) / size"
        ),
    ),
    "one_vector_each": named(turned_round=lambda length, size: waves(length, size).T),
    "runs": named(
        angles_not_crossed=lambda length, size: (
            torch.arange(length) / 10_000 ** (torch.arange(size + length) / size)
        ).sin()
    ),
}
