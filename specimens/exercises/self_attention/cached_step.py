"""Right and wrong answers to `attn_course.classroom.exercises.self_attention.cached_step`."""

import math
from functools import partial

import torch

from attn_course.self_attention import MultiHeadAttention, rotate
from attn_course.weights import attention_weights
from specimens.answers import named


def whole(
    x,
    cache,
    matrices,
    heads,
    *,
    shift=0,
    query_shift=0,
    scale=None,
    turn_again=False,
    turn_heads=True,
    itself=True,
    dim=-1,
    turn_values=False,
    forget=None,
    key=None,
):
    """Each option changes one thing, for the wrong answers below."""
    keys, values = cache
    W_q, W_k, W_v, W_o = matrices
    place, size = len(keys), len(x)

    def at(vector, where):
        parts = heads if turn_heads else 1
        turned = rotate(vector.view(1, parts, 1, -1), torch.tensor([where + shift]))
        return turned.reshape(size)

    if turn_again and place:
        keys = torch.stack([at(key, 1) for key in keys])
    key, value = at(W_k @ x, place) if key is None else key, W_v @ x
    if turn_values:
        value = at(value, place)
    read = torch.cat([keys, key[None]]), torch.cat([values, value[None]])
    if forget:
        read = tuple(part[-forget:] for part in read)
    k, v = read if itself or not place else (keys, values)
    split = lambda each: each.view(-1, heads, size // heads).transpose(0, 1)  # noqa: E731
    q = split(at(W_q @ x, place + query_shift))
    scores = q @ split(k).transpose(1, 2) / (scale or math.sqrt(size // heads))
    found = scores.softmax(dim=dim) @ split(v)
    return W_o @ found.flatten(), read


def plain(x, cache, matrices, heads):
    return whole(x, cache, matrices, heads)


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


def places_from_one(x, cache, matrices, heads):
    """Only differences count, so this is right."""
    return whole(x, cache, matrices, heads, shift=1)


def keys_alone(x, cache, matrices, heads):
    output, (keys, _) = whole(x, cache, matrices, heads)
    return output, (keys, cache[1])


def swapped(x, cache, matrices, heads):
    output, (keys, values) = whole(x, cache, matrices, heads)
    return output, (values, keys)


def newest_first(x, cache, matrices, heads):
    output, (keys, values) = whole(x, cache, matrices, heads)
    return output, (keys.flip(0), values)


def not_turned(x, cache, matrices, heads):
    size, (W_q, W_k, W_v, W_o) = len(x), matrices
    read = torch.cat([cache[0], (W_k @ x)[None]]), torch.cat([cache[1], (W_v @ x)[None]])
    split = lambda each: each.view(-1, heads, size // heads).transpose(0, 1)  # noqa: E731
    scores = split((W_q @ x)[None]) @ split(read[0]).transpose(1, 2) / math.sqrt(size // heads)
    return W_o @ (scores.softmax(dim=-1) @ split(read[1])).flatten(), read


_KEYS: dict[int, torch.Tensor] = {}


def kept_by_place(x, cache, matrices, heads):
    """Each place has one key, whoever asks for it."""
    place = len(cache[0])
    if place == 0:
        _KEYS.clear()
    _, (keys, _) = whole(x, cache, matrices, heads)
    first = _KEYS.setdefault(place, keys[-1])
    output, (_, values) = whole(x, cache, matrices, heads, key=first)
    return output, (torch.cat([cache[0], first[None]]), values)


def vectors_for_matrices(x, cache, matrices, heads):
    keys = torch.cat([cache[0], matrices[1] @ x])
    return keys, (keys, cache[1])


def by_heads(x, cache, matrices, heads, *, halves=False, scale=None):
    """Head by head; each option changes one thing."""
    W_q, W_k, W_v, W_o = matrices
    place, part = len(cache[0]), len(x) // heads

    def turned(vector):
        angle = place * 10_000 ** (-torch.arange(0, part, 2) / part)
        rows = vector.view(heads, part)
        a, b = rows.chunk(2, dim=-1) if halves else (rows[:, ::2], rows[:, 1::2])
        pairs = [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
        return (torch.cat(pairs, dim=-1) if halves else torch.stack(pairs, dim=-1)).flatten()

    new = turned(W_k @ x), W_v @ x
    keys, values = (torch.vstack(both) for both in zip(cache, new, strict=True))
    query, found = turned(W_q @ x), []
    for start in range(0, len(x), part):
        own = slice(start, start + part)
        weights = (keys[:, own] @ query[own] / (scale or math.sqrt(part))).softmax(dim=0)
        found.append(weights @ values[:, own])
    return W_o @ torch.cat(found), (keys, values)


RIGHT = [plain, with_the_package, turned_when_read, places_from_one, by_heads]
WRONG = {
    "returns_both": named(
        cache_alone=lambda x, cache, matrices, heads: whole(x, cache, matrices, heads)[1]
    ),
    "cache_grows": named(
        forgets=partial(whole, forget=2),
        forgets_all=lambda x, cache, matrices, heads: (whole(x, cache, matrices, heads)[0], cache),
    ),
    "runs": [keys_alone, vectors_for_matrices],
    "first_reads_itself": named(
        no_output_matrix=lambda x, cache, matrices, heads: whole(
            x, cache, (*matrices[:3], torch.eye(len(x))), heads
        ),
        over_the_heads=partial(whole, dim=0),
        rows_for_columns=lambda x, cache, matrices, heads: by_heads(
            x, cache, [matrix.T for matrix in matrices], heads
        ),
    ),
    "averages": named(not_itself=partial(whole, itself=False)),
    "equals_the_whole": named(
        swapped,
        newest_first,
        not_turned,
        one_head=lambda x, cache, matrices, heads: whole(
            x, cache, matrices, 1, turn_heads=True, scale=math.sqrt(len(x) // heads)
        ),
        whole_size=lambda x, *others: whole(x, *others, scale=math.sqrt(len(x))),
        query_one_ahead=partial(whole, query_shift=1),
        query_not_turned=lambda x, cache, *others: whole(
            x, cache, *others, query_shift=-len(cache[0])
        ),
        turned_again=partial(whole, turn_again=True),
        turned_as_one=partial(whole, turn_heads=False),
        values_turned=partial(whole, turn_values=True),
        in_halves=partial(by_heads, halves=True),
        root_of_the_heads=lambda x, cache, matrices, heads: by_heads(
            x, cache, matrices, heads, scale=math.sqrt(heads)
        ),
    ),
    "can_be_continued_twice": [kept_by_place],
}
