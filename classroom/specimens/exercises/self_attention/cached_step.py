"""Right and wrong answers to `attn_class.exercises.self_attention.cached_step`."""

import math
from functools import partial

import torch

from attn_class.exercises.self_attention.cached_step import solution
from attn_course.self_attention import MultiHeadAttention, rotate
from attn_course.weights import attention_weights
from specimens.answers import changed, named


def with_the_package(x, cache, matrices, heads):
    attention = MultiHeadAttention(len(x), heads, bias=False)
    for name, matrix in zip(("query", "key", "value", "output"), matrices, strict=True):
        getattr(attention, f"{name}_projection").weight.data = matrix
    place = torch.tensor([len(cache[0])])
    with torch.no_grad():
        latest = attention.offer(x[None, None], x[None, None], place)
        flat = tuple(part[0].transpose(0, 1).flatten(1) for part in latest)
        cache = tuple(torch.cat(pair) for pair in zip(cache, flat, strict=True))
        kept = type(latest)(
            *(part.view(1, -1, heads, len(x) // heads).transpose(1, 2) for part in cache)
        )
        output, _ = attention.look(attention.ask(x[None, None], place), kept)
    return output[0, 0], cache


def turned_when_read(x, cache, matrices, heads):
    """The cache holds keys as they are; they are turned at every step."""
    W_q, W_k, W_v, W_o = matrices
    keys, values = torch.cat([cache[0], (W_k @ x)[None]]), torch.cat([cache[1], (W_v @ x)[None]])
    places = torch.arange(len(keys))
    split = lambda each: each.view(1, len(each), heads, -1).transpose(1, 2)  # noqa: E731
    k, v = rotate(split(keys), places), split(values)
    q = rotate(split((W_q @ x)[None]), places[-1:])
    weights = attention_weights(q @ k.transpose(2, 3) / math.sqrt(k.shape[-1]))
    return W_o @ (weights @ v).flatten(), (keys, values)


_KEYS: dict[int, torch.Tensor] = {}


def _kept(place, key):
    """The key that this place had first, whoever asks for it."""
    if place == 0:
        _KEYS.clear()
    return _KEYS.setdefault(place, key)


def vectors_for_matrices(x, cache, matrices, heads):
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
    query, found = turned(W_q @ x, place), []
    for start in range(0, len(x), part):
        own = slice(start, start + part)
        weights = (keys[:, own] @ query[own] / math.sqrt(part)).softmax(dim=0)
        found.append(weights @ values[:, own])
    return W_o @ torch.cat(found), (keys, values)


but = partial(changed, by_heads)
RIGHT = [with_the_package, turned_when_read, by_heads]
RIGHT += named(  # only differences count
    places_from_one=but(
        "W_k @ x, place", "W_k @ x, place + 1", "W_q @ x, place", "W_q @ x, place + 1"
    )
)
WRONG = {
    "returns_both": named(cache_alone=lambda *given: by_heads(*given)[1]),
    "cache_grows": named(
        forgets=but(", (keys, values)", ", (keys[-2:], values[-2:])"),
        forgets_all=but(", (keys, values)", ", cache"),
    ),
    "runs": named(vectors_for_matrices, keys_alone=but(", (keys, values)", ", (keys, cache[1])")),
    "first_reads_itself": named(
        no_output_matrix=but("W_o @ ", ""),
        over_the_heads=changed(solution, "softmax(dim=0)", "softmax(dim=1)"),
        rows_for_columns=but("= matrices", "= (matrix.T for matrix in matrices)"),
    ),
    "averages": named(
        not_itself=changed(
            solution, "x), keys, values)", "x), *(cache if place else (keys, values)))"
        )
    ),
    "equals_the_whole": named(
        swapped=but(", (keys, values)", ", (values, keys)"),
        newest_first=but(", (keys, values)", ", (keys.flip(0), values)"),
        not_turned=but("turned(W_k @ x, place)", "W_k @ x", "turned(W_q @ x, place)", "W_q @ x"),
        one_head=changed(solution, "unflatten(-1, (heads, -1))", "unflatten(-1, (1, -1))"),
        whole_size=but("math.sqrt(part)", "math.sqrt(len(x))"),
        query_one_ahead=but("W_q @ x, place", "W_q @ x, place + 1"),
        query_not_turned=but("turned(W_q @ x, place)", "W_q @ x"),
        turned_again=but("zip(cache,", "zip((turned(cache[0], 1).view_as(cache[0]), cache[1]),"),
        turned_as_one=but("(0, part, 2) / part", "(0, len(x), 2) / len(x)", "1, part", "1, len(x)"),
        values_turned=but("W_v @ x", "turned(W_v @ x, place)"),
        in_halves=but(
            "(-1, part // 2, 2).unbind(dim=-1)", "(-1, part).chunk(2, dim=-1)", ".stack", ".cat"
        ),
        root_of_the_heads=but("math.sqrt(part)", "math.sqrt(heads)"),
    ),
    "can_be_continued_twice": named(
        kept_by_place=but("turned(W_k @ x, place)", "_kept(place, turned(W_k @ x, place))")
    ),
}
