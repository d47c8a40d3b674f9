"""Other right answers to `attn_class.exercises.self_attention.rotated_score`."""

import torch

from attn_course.self_attention import rotate


def by_the_package(query, key, i, j):
    q, k = (
        rotate(vector.view(1, 1, 1, -1), torch.tensor([place]))
        for vector, place in ((query, i), (key, j))
    )
    return (q * k).sum()


def complex_numbers(query, key, i, j):
    q, k = (torch.view_as_complex(vector.reshape(-1, 2)) for vector in (query, key))
    angles = 10_000 ** (-torch.arange(len(q)) / len(q))
    turn = lambda place: torch.polar(torch.ones_like(angles), place * angles)  # noqa: E731
    return (q * turn(i) * (k * turn(j)).conj()).real.sum()


def turned(vector, place, *, power=2.0, halves=False):
    """Each option changes one thing, for the wrong answers below."""
    size = len(vector)
    angle = place * 10_000 ** (-power * torch.arange(size // 2) / size)
    x, y = vector.chunk(2) if halves else (vector[::2], vector[1::2])
    return torch.cat([x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()])


def both_turned(query, key, i, j):
    return turned(query, i) @ turned(key, j)


def halves(query, key, i, j):
    return turned(query, i, halves=True) @ turned(key, j, halves=True)


def by_matrices(query, key, i, j):
    total = 0.0
    for k in range(len(query) // 2):
        x, y = (vector[2 * k : 2 * k + 2] for vector in (query, key))
        angles = torch.tensor([i, j]) * 10_000.0 ** (-2 * k / len(query))
        cos, sin = angles.cos(), angles.sin()
        turns = torch.stack([cos, -sin, sin, cos], dim=1).view(2, 2, 2)
        total = total + (turns[0] @ x) @ (turns[1] @ y)
    return total


RIGHT = [by_the_package, complex_numbers, both_turned, by_matrices]
