"""What does attention cost against length, beside a recurrent network? Bytes and seconds.

One layer of size 64 over a sequence of n positions. Reading, forward and backward: self-attention
with four heads written out, the same with PyTorch's fused function, and a bidirectional GRU.
Writing, one position after another: a GRU cell, attention with a cache, and attention that computes
keys and values of all positions again at each step. Seconds are of CPU time on one thread, the
least of several; machines differ, and this one had other work, so only large ratios mean anything.
A seed draws the numbers and times anew.
"""

import math
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attn_course import masks
from attn_course._values import expect_choice
from attn_course.self_attention import MultiHeadAttention
from attn_lab.experiment import SEEDS, declared

SIZE, HEADS = 64, 4
READING = ("written out", "fused", "recurrent")
WRITING = ("writing, recurrent", "writing, with a cache", "writing, without")
LENGTHS = (32, 128, 512, 1024)


class Condition(NamedTuple):
    """A kind of computation and the number of positions."""

    kind: str
    length: int


def reader(kind: str) -> tuple[nn.Module, Callable[[Tensor], Tensor]]:
    """A layer, and how it reads a sequence (1 position size)."""
    expect_choice("kind", kind, READING)
    if kind == "recurrent":
        rnn = nn.GRU(SIZE, SIZE // 2, batch_first=True, bidirectional=True)
        return rnn, lambda vectors: rnn(vectors)[0]
    attention = MultiHeadAttention(SIZE, HEADS)
    if kind == "written out":
        return attention, lambda vectors: attention(vectors, vectors, vectors)[0]

    def fused(vectors: Tensor) -> Tensor:
        query, offered = attention.ask(vectors), attention.offer(vectors, vectors)
        result = F.scaled_dot_product_attention(query, *offered)
        return attention.output_projection(result.transpose(1, 2).flatten(2))

    return attention, fused


def saved_bytes(kind: str, length: int) -> int:
    """How many bytes a layer keeps for the backward pass, not counting its parameters."""
    layer, read = reader(kind)
    own = {part.untyped_storage().data_ptr() for part in layer.parameters()}
    tensors: list[Tensor] = []  # all of them, so that no memory is freed and used again

    def keep(part: Tensor) -> Tensor:
        tensors.append(part)
        return part

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda part: part):
        output = read(torch.randn(1, length, SIZE, requires_grad=True))
    storages = {part.untyped_storage().data_ptr(): part.untyped_storage() for part in tensors}
    del output
    return sum(storage.nbytes() for pointer, storage in storages.items() if pointer not in own)


def slopes(lengths: Sequence[int], values: Sequence[float]) -> list[float]:
    """The powers of the length by which each value grows from the one before."""
    pairs = list(zip(lengths, values, strict=True))
    return [
        math.log(later / earlier) / math.log(longer / shorter)
        for (shorter, earlier), (longer, later) in pairwise(pairs)
    ]


def reads(kind: str, length: int) -> Callable[[], object]:
    """Forward and backward once."""
    (_, read), vectors = reader(kind), torch.randn(1, length, SIZE)
    return lambda: read(vectors).sum().backward()


def writes(kind: str, length: int) -> Callable[[], object]:
    """Write ``length`` positions one after another, each from the output before it."""
    expect_choice("kind", kind, WRITING)
    cell, attention = nn.GRUCell(SIZE, SIZE), MultiHeadAttention(SIZE, HEADS)

    @torch.no_grad()
    def recurrent() -> None:
        state = torch.randn(1, SIZE)
        for _ in range(length):
            state = cell(state, state)

    @torch.no_grad()
    def cached() -> None:
        output, cache = torch.randn(1, 1, SIZE), None
        for _ in range(length):
            latest = attention.offer(output, output)
            cache = latest if cache is None else cache.followed_by(latest)
            output, _ = attention.look(attention.ask(output), cache)

    @torch.no_grad()
    def again() -> None:
        sequence = torch.randn(1, 1, SIZE)
        for written in range(1, length + 1):
            output, _ = attention(sequence, sequence, sequence, masks.causal(written))
            sequence = torch.cat([sequence, output[:, -1:]], dim=1)

    return dict(zip(WRITING, (recurrent, cached, again), strict=True))[kind]


def measure(condition: Condition, seed: int) -> dict[str, float]:
    """Milliseconds of CPU time, the least of five; for reading also the bytes kept."""
    torch.manual_seed(seed)
    is_reading = condition.kind in READING
    work = (reads if is_reading else writes)(*condition)
    work()  # once before the clock runs
    times = []
    for _ in range(5):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    result = {"ms": 1_000 * min(times)}
    return result | ({"bytes": saved_bytes(*condition)} if is_reading else {})


def results(number: str, length: int) -> dict[str, list[float]]:
    """One number of every kind at this length: a value for each seed."""
    stored = EXPERIMENT.results(number)
    return {key.kind: values for key, values in stored.items() if key.length == length}


# ---- what was expected


def _ms(kind: str, length: int) -> np.ndarray:
    return EXPERIMENT.of("ms", kind, length)


def _slope(kind: str) -> np.ndarray:
    """The last local slope of time against length, both as logarithms."""
    return np.log2(_ms(kind, 1_024) / _ms(kind, 512))


EXPECTED = """
2026-11-23

Reading 1,024 positions, attention written out takes at least three times as long as from 512 on
(its last local slope is above 1.6), and the GRU less than three times (below 1.6).
    (_slope("written out") > 1.6) & (_slope("recurrent") < 1.6)

At 32 positions attention written out is quicker than the GRU, at least 2 times.
    _ms("recurrent", 32) >= 2 * _ms("written out", 32)

Writing 512 positions without a cache takes at least 5 times as long as with one, and with a cache
longer than with a GRU.
    (_ms(WRITING[2], 512) >= 5 * _ms(WRITING[1], 512))
        & (_ms(WRITING[1], 512) > _ms(WRITING[0], 512))
"""


# the short sequences first
PLAN = [
    ([Condition(kind, length)], SEEDS)
    for length in LENGTHS
    for kind in (*READING, *WRITING)
    if kind in READING or length < LENGTHS[-1]
]
EXPERIMENT = declared(__name__, measure, PLAN, Condition)
