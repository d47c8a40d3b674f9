"""Exercise: causal self-attention with rotary positions, one symbol at a time.

one vector, cache of the keys and values so far   ->   its output, and the cache with it added
"""

import math

import torch

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
    q, k, v = (each.unflatten(-1, (heads, -1)) for each in (turned(W_q @ x), keys, values))
    weights = ((k * q).sum(dim=-1) / math.sqrt(part)).softmax(dim=0)  # (position head)
    return W_o @ (weights.unsqueeze(-1) * v).sum(dim=0).flatten(), (keys, values)


@exercise.must_also(
    "It returns a vector like x, and the cache.",
    hint="Return a tuple: the output (size), and the cache, which is a pair (keys, values) again.",
)
def returns_both(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    output, cache = answer(**task.first())
    return shaped(output, task.size) and len(cache) == 2


@exercise.must_also(
    "Each step adds one position to the cache, in keys and values.",
    hint="After n steps both have n rows. What happens to what was read earlier?",
)
def cache_grows(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    caches = [cache for _, cache in task.steps(answer)]
    return all(len(part) == n for n, cache in enumerate(caches, 1) for part in (cache[0], cache[1]))


@exercise.must(
    "The first output is W_o W_v x: there is nothing else to read yet.",
    hint="The new position reads itself too: it goes into the cache before it looks. Does each "
    "matrix stand to the left of its vector, as in W_v @ x?",
)
def first_reads_itself(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    output, _ = answer(**task.first())
    return same(output, task.matrices[3] @ task.matrices[2] @ task.vectors[0])


@exercise.must(
    "Each head returns an average of the values: those in the cache, and that of x itself.",
    hint="The weights of each head sum to one over all positions, that of x included. Is the "
    "softmax over the positions, and does x read itself? (Here the value of x is zero, so each "
    "head returns only a part of the value in the cache.)",
)
def averages(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    task.matrices[2] = torch.zeros_like(task.matrices[2])
    for output, _ in task.steps(answer, value=(one := draw.normal(task.size))):
        last = output
    # the last position's own value is zero, all others are `one`: one share for each head
    parts = (task.matrices[3].double().inverse() @ last.double()).view(draw[HEADS], -1)
    shares = parts / one.double().view(draw[HEADS], -1)
    spread = shares.amax(dim=1) - shares.amin(dim=1)
    return bool(((shares > 0) & (shares < 1)).all()) and bool((spread < 1e-3).all())


@exercise.must(
    "The outputs are those of causal self-attention over the whole sequence.",
    hint="Are query and key each turned by their own position, each head's slice by itself, with "
    "neighbouring entries as a pair? Is the score divided by the square root of a head's size? Is "
    "what lies in the cache turned a second time?",
)
def equals_the_whole(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    outputs = [output for output, _ in task.steps(answer)]
    return same(torch.stack(outputs), task.all_at_once())


@exercise.must(
    "Two continuations of one beginning do not disturb each other.",
    hint="Beam search may continue twice from one cache. Leave the cache that you were given as it "
    "was, keep nothing outside it, and return a new one.",
)
def can_be_continued_twice(answer: Answer, draw: Draw) -> bool:
    task = _Task(draw)
    *_, (_, cache) = task.steps(answer)
    given = {"matrices": tuple(task.matrices), "heads": task.heads}
    one, _ = answer(x=task.vectors[0], cache=_pair(cache), **given)
    other, _ = answer(x=task.vectors[1], cache=_pair(cache), **given)
    expected = [task.all_at_once(further)[-1] for further in (0, 1)]
    return same(one, expected[0]) and same(other, expected[1])


class _Task:
    """A sequence, four matrices, and a number of heads."""

    def __init__(self, draw: Draw):
        self.heads = draw[HEADS]
        self.size = draw[HEADS] * 2 * draw[HALF]
        self.vectors = draw.normal(LENGTH, self.size, scale=1.0)
        scale = 1 / math.sqrt(self.size)
        self.matrices = [draw.normal(self.size, self.size, scale=scale) for _ in range(3)]
        self.matrices += [torch.eye(self.size) + draw.normal(self.size, self.size, scale=0.1)]

    def empty(self) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.zeros(0, self.size), torch.zeros(0, self.size)

    def first(self) -> dict:
        matrices = tuple(self.matrices)
        return {"x": self.vectors[0], "cache": self.empty(), "matrices": matrices} | {
            "heads": self.heads
        }

    def steps(self, answer: Answer, value: torch.Tensor | None = None):
        """Each output and cache; ``value`` takes the place of all values in the cache."""
        cache = self.empty()
        for x in self.vectors:
            if value is not None:
                cache = (cache[0], value.expand_as(cache[1]).clone())
            output, cache = answer(
                x=x, cache=cache, matrices=tuple(self.matrices), heads=self.heads
            )
            cache = _pair(cache)
            yield output, cache

    def all_at_once(self, further: int | None = None) -> torch.Tensor:
        """What the solution finds; ``further`` numbers a vector to read again at the end."""
        cache, outputs = self.empty(), []
        for x in [*self.vectors, *([] if further is None else [self.vectors[further]])]:
            output, cache = solution(x, cache, tuple(self.matrices), self.heads)
            outputs.append(output)
        return torch.stack(outputs)


def _pair(cache: object) -> tuple[torch.Tensor, torch.Tensor]:
    keys, values = cache
    return torch.as_tensor(keys).clone(), torch.as_tensor(values).clone()
