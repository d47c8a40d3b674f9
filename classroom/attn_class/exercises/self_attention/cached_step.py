"""Exercise: causal self-attention with rotary positions, one symbol at a time.

one vector, cache of the keys and values so far   ->   its output, and the cache with it added
"""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size, same, shaped

LENGTH, HEADS, HALF = Size(4, 7), Size(2, 3), Size(2, 3)
exercise = Exercise("step(x, cache, matrices, heads)", minutes=35, difficulty="hard")
check = exercise.check


def solution(x, cache, matrices, heads):
    """Project, turn by the position, add to the cache, and let each head read all of it."""
    keys, values = cache
    W_q, W_k, W_v, W_o = matrices
    place, size = len(keys), len(x)
    part = size // heads
    angle = place * 10_000 ** (-torch.arange(0, part, 2) / part)

    def turned(vector):
        a, b = vector.view(heads, -1, 2).unbind(dim=-1)
        pairs = [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
        return torch.stack(pairs, dim=-1).flatten()

    keys = torch.cat([keys, turned(W_k @ x)[None]])
    values = torch.cat([values, (W_v @ x)[None]])
    q, k, v = (rows.unflatten(-1, (heads, -1)) for rows in (turned(W_q @ x), keys, values))
    weights = ((k * q).sum(dim=-1) / math.sqrt(part)).softmax(dim=0)  # (position head)
    return W_o @ (weights.unsqueeze(-1) * v).sum(dim=0).flatten(), (keys, values)


@exercise.draws
def _sequence(draw: Draw) -> tuple[Tensor, dict]:
    """Vectors, and the other inputs of every step."""
    size = draw[HEADS] * 2 * draw[HALF]
    vectors, scale = draw.normal(LENGTH, size, scale=1.0), 1 / math.sqrt(size)
    matrices = [draw.normal(size, size, scale=scale) for _ in range(3)]
    matrices += [torch.eye(size) + draw.normal(size, size, scale=0.1)]
    return vectors, {"matrices": tuple(matrices), "heads": draw[HEADS]}


def _walk(
    step: Callable, vectors: Tensor, others: dict, cache: tuple = (), value: Tensor | None = None
) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
    """The outputs and the caches of steps; ``value`` takes the place of all values in the cache."""
    outputs, caches = [], [cache or (torch.zeros(0, vectors.shape[1]),) * 2]
    for x in vectors:
        keys, values = caches[-1]
        values = values if value is None else value.expand_as(values).clone()
        output, (keys, values) = step(x=x, cache=(keys, values), **others)
        outputs.append(output)
        caches.append((torch.as_tensor(keys).clone(), torch.as_tensor(values).clone()))
    return torch.stack(outputs), caches[1:]


@exercise.must_also(
    "It returns a vector like x, and the cache.",
    hint="Return a tuple: the output (size), and the cache, which is a pair (keys, values) again.",
)
def returns_both(answer: Answer, draw: Draw, inputs: tuple) -> bool:
    vectors, others = inputs
    outputs, _ = _walk(answer, vectors[:1], others)
    return shaped(outputs, *vectors[:1].shape)


@exercise.must_also(
    "Each step adds one position to the cache, in keys and values.",
    hint="After n steps both have n rows. What happens to what was read earlier?",
)
def cache_grows(answer: Answer, draw: Draw, inputs: tuple) -> bool:
    _, caches = _walk(answer, *inputs)
    return all(len(part) == n for n, cache in enumerate(caches, 1) for part in cache)


@exercise.must(
    "The first output is W_o W_v x: there is nothing else to read yet.",
    hint="The new position reads itself too: it goes into the cache before it looks. Does each "
    "matrix stand to the left of its vector, as in W_v @ x?",
)
def first_reads_itself(answer: Answer, draw: Draw, inputs: tuple) -> bool:
    vectors, others = inputs
    *_, W_v, W_o = others["matrices"]
    return same(_walk(answer, vectors[:1], others)[0], (W_o @ W_v @ vectors[0])[None])


@exercise.must(
    "Each head returns an average of the values: those in the cache, and that of x itself.",
    hint="The weights of each head sum to one over all positions, that of x included. Is the "
    "softmax over the positions, and does x read itself? (Here the value of x is zero, so each "
    "head returns only a part of the value in the cache.)",
)
def averages(answer: Answer, draw: Draw, inputs: tuple) -> bool:
    vectors, others = inputs
    *asking, W_v, W_o = others["matrices"]
    others |= {"matrices": (*asking, torch.zeros_like(W_v), W_o)}
    outputs, _ = _walk(answer, vectors, others, value=(one := draw.normal(vectors.shape[1])))
    # the last position's own value is zero, all others are `one`: one share for each head
    parts = (W_o.double().inverse() @ outputs[-1].double()).view(draw[HEADS], -1)
    shares = parts / one.double().view(draw[HEADS], -1)
    spread = shares.amax(dim=1) - shares.amin(dim=1)
    return bool(((shares > 0) & (shares < 1)).all()) and bool((spread < 1e-3).all())


@exercise.must(
    "The outputs are those of causal self-attention over the whole sequence.",
    hint="Are query and key each turned by their own position, each head's slice by itself, with "
    "neighbouring entries as a pair? Is the score divided by the square root of a head's size? Is "
    "what lies in the cache turned a second time?",
)
def equals_the_whole(answer: Answer, draw: Draw, inputs: tuple) -> bool:
    return same(_walk(answer, *inputs)[0], _walk(solution, *inputs)[0])


@exercise.must(
    "Two continuations of one beginning do not disturb each other.",
    hint="Beam search may continue twice from one cache. Leave the cache that you were given as it "
    "was, keep nothing outside it, and return a new one.",
)
def can_be_continued_twice(answer: Answer, draw: Draw, inputs: tuple) -> bool:
    (vectors, others), (_, caches) = inputs, _walk(answer, *inputs)
    for x in (vectors[:1], vectors[1:2]):
        further, _ = _walk(answer, x, others, caches[-1])
        expected, _ = _walk(solution, torch.cat([vectors, x]), others)
        if not same(further, expected[-1:]):
            return False
    return True
