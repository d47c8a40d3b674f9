import math

import torch

from attn_class.exercises.self_attention.cached_step import solution
from attn_course.self_attention import MultiHeadAttention, rotate
from attn_course.weights import attention_weights


def with_the_package(x, cache, matrices, heads):
    attention = MultiHeadAttention(len(x), heads, bias=False)
    for name, matrix in zip(("query", "key", "value", "output"), matrices, strict=True):
        getattr(attention, f"{name}_projection").weight.data = matrix
    place = torch.tensor([len(cache[0])])
    with torch.no_grad():
        latest = attention.offer(x[None, None], x[None, None], place)
        flat = tuple(part[0].transpose(0, 1).flatten(1) for part in latest)
        cache = tuple(torch.cat(pair) for pair in zip(cache, flat, strict=True))
        all_offered = type(latest)(
            *(part.view(1, -1, heads, len(x) // heads).transpose(1, 2) for part in cache)
        )
        output, _ = attention.look(attention.ask(x[None, None], place), all_offered)
    return output[0, 0], cache


def turned_when_read(x, cache, matrices, heads):
    """The cache holds keys as they are; they are turned at every step."""
    W_q, W_k, W_v, W_o = matrices
    keys, values = torch.cat([cache[0], (W_k @ x)[None]]), torch.cat([cache[1], (W_v @ x)[None]])
    places = torch.arange(len(keys))
    split = lambda matrix: matrix.view(1, len(matrix), heads, -1).transpose(1, 2)  # noqa: E731
    k, v = rotate(split(keys), places), split(values)
    q = rotate(split((W_q @ x)[None]), places[-1:])
    weights = attention_weights(q @ k.transpose(2, 3) / math.sqrt(k.shape[-1]))
    return W_o @ (weights @ v).flatten(), (keys, values)


_KEYS: dict[int, torch.Tensor] = {}


def _first_key(place, key):
    """The key that this place had first, whoever asks for it."""
    if place == 0:
        _KEYS.clear()
    return _KEYS.setdefault(place, key)


def _vectors_for_matrices(x, cache, matrices, heads):
    keys = torch.cat([cache[0], matrices[1] @ x])
    return keys, (keys, cache[1])


def by_heads(x, cache, matrices, heads):
    W_q, W_k, W_v, W_o = matrices
    place, part = len(cache[0]), len(x) // heads

    def turned(vector, by):
        angle = by * 10_000 ** (-torch.arange(0, part, 2) / part)
        a, b = vector.view(-1, part // 2, 2).unbind(dim=-1)
        pairs = [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
        return torch.stack(pairs, dim=-1).flatten()

    new = turned(W_k @ x, place), W_v @ x
    keys, values = (torch.vstack(both) for both in zip(cache, new, strict=True))
    query, parts = turned(W_q @ x, place), []
    for start in range(0, len(x), part):
        own = slice(start, start + part)
        weights = (keys[:, own] @ query[own] / math.sqrt(part)).softmax(dim=0)
        parts.append(weights @ values[:, own])
    return W_o @ torch.cat(parts), (keys, values)


OF = by_heads
RIGHT = [  # only differences count
    ("W_k @ x, place", "W_k @ x, place + 1", "W_q @ x, place", "W_q @ x, place + 1")
]
WRONG = {
    "returns_both": [lambda *inputs: by_heads(*inputs)[1]],
    "cache_grows": [
        (", (keys, values)", ", (keys[-2:], values[-2:])"),
        (", (keys, values)", ", cache"),
    ],
    "runs": [_vectors_for_matrices, (", (keys, values)", ", (keys, cache[1])")],
    "first_reads_itself": [
        ("W_o @ ", ""),
        (solution, "softmax(dim=0)", "softmax(dim=1)"),
        ("= matrices", "= (matrix.T for matrix in matrices)"),
    ],
    "averages": [
        (solution, "x), keys, values)", "x), *(cache if place else (keys, values)))"),
    ],
    "equals_the_whole": [
        (", (keys, values)", ", (values, keys)"),
        (", (keys, values)", ", (keys.flip(0), values)"),
        ("turned(W_k @ x, place)", "W_k @ x", "turned(W_q @ x, place)", "W_q @ x"),
        (solution, "unflatten(-1, (heads, -1))", "unflatten(-1, (1, -1))"),
        ("math.sqrt(part)", "math.sqrt(len(x))"),
        ("W_q @ x, place", "W_q @ x, place + 1"),
        ("turned(W_q @ x, place)", "W_q @ x"),
        ("zip(cache,", "zip((turned(cache[0], 1).view_as(cache[0]), cache[1]),"),
        ("(0, part, 2) / part", "(0, len(x), 2) / len(x)", "1, part", "1, len(x)"),
        ("W_v @ x", "turned(W_v @ x, place)"),
        ("(-1, part // 2, 2).unbind(dim=-1)", "(-1, part).chunk(2, dim=-1)", ".stack", ".cat"),
        ("math.sqrt(part)", "math.sqrt(heads)"),
    ],
    "can_be_continued_twice": [
        ("turned(W_k @ x, place)", "_first_key(place, turned(W_k @ x, place))")
    ],
}
