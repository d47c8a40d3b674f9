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


def _turned(vector, place):
    size = len(vector)
    angle = place * 10_000 ** (-2.0 * torch.arange(size // 2) / size)
    x, y = vector[::2], vector[1::2]
    return torch.cat([x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()])


def both_turned(query, key, i, j):
    return _turned(query, i) @ _turned(key, j)


def by_matrices(query, key, i, j):
    total = 0.0
    for k in range(len(query) // 2):
        x, y = (vector[2 * k : 2 * k + 2] for vector in (query, key))
        angles = torch.tensor([i, j]) * 10_000.0 ** (-2 * k / len(query))
        cos, sin = angles.cos(), angles.sin()
        turns = torch.stack([cos, -sin, sin, cos], dim=1).view(2, 2, 2)
        total = total + (turns[0] @ x) @ (turns[1] @ y)
    return total
