"""Two layers that read pairs as a stream of single tokens: the models of `token_recall`.

    k7 v3 k2 v9 k5 v1 k2 k5        keys and values alternate, then keys are asked for
                      v9 v1        what is to be said at these two positions

Nobody hands over pairs here. A layer has to join each value with the key before it, and another has
to find that key again.

Each layer adds to its vectors what a memory returns at every position, read after this position was
written. Queries and keys have length 1, what is read is brought to a common scale, and how strongly
a position is written into a matrix is learnt from its vector.

softmax   attention to all positions so far, with a learnt temperature
sum       Σ β v kᵀ, a matrix: of 16 x 16 numbers in the second layer
delta     the same by the delta rule

The first layer is the *same* as the second, with rotary positions, or has another memory, or is a
*shift*: each position gets the vector of the one before it, which a short convolution could do.
In *even* it is the same but for its angles, which `evenly_turned` spreads over half a turn. Those
of `rotate` are 1 at most, so without a softmax a position is hardly told from its neighbours.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attn_course.masks import causal
from attn_course.memory import linear_attention
from attn_course.self_attention import rotate
from attn_course.tasks.recall import Lists, draw
from attn_lab.measuring import fresh
from attn_lab.recall.memory_models import COUNTS, descend

FIRSTS = ("same", "shift")
MEMORIES = ("softmax", "sum", "delta")
KEYS, VALUES = 64, 32
WIDTH = 32  # of the vectors
BELOW, ABOVE = 32, 16  # of queries, keys and values in the first layer and in the second
LONGEST = 32  # pairs in a stream
BATCH, QUERIED = 64, 16  # streams per step; queries of each, at most


class Condition(NamedTuple):
    """One run: the first layer, the memory of the second, steps, the rate at its peak."""

    first: str
    memory: str
    steps: int
    rate: float


def evenly_turned(vectors: Tensor, places: Tensor) -> Tensor:
    """Rotary positions with angles (k + 1/2) π / K in place of 10000^(-k/K), k = 0 .. K - 1.

    A vector of ones then has a product with itself at the same place alone, and 0 at any other up
    to 2 K - 1 places away.
    """
    count = vectors.shape[-1] // 2
    angles = places[:, None] * ((torch.arange(count, dtype=vectors.dtype) + 0.5) * math.pi / count)
    pairs = torch.view_as_complex(vectors.unflatten(-1, (count, 2)).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


class MemoryLayer(nn.Module):
    """x + W_o norm(read(x)), where a memory is written and read at every position."""

    def __init__(self, memory: str, size: int, rotary: bool, turn: Callable = rotate):
        super().__init__()
        if memory not in MEMORIES:
            raise ValueError(f"memory must be one of {list(MEMORIES)}; got {memory!r}")
        self.memory, self.rotary, self.turn = memory, rotary, turn
        self.norm, self.scale = nn.LayerNorm(WIDTH), nn.LayerNorm(size)
        self.projections = nn.Linear(WIDTH, 3 * size, bias=False)
        self.output = nn.Linear(size, WIDTH, bias=False)
        self.temper = nn.Parameter(torch.tensor(math.log(8.0)))  # of a softmax
        self.strength = nn.Linear(WIDTH, 1)  # of writing into a matrix

    def forward(self, vectors: Tensor) -> Tensor:
        """(stream position width) -> the same."""
        inputs = self.norm(vectors)
        queries, keys, values = self.projections(inputs).chunk(3, dim=-1)
        queries, keys = F.normalize(queries, dim=-1), F.normalize(keys, dim=-1)
        if self.rotary:
            places = torch.arange(vectors.shape[1])
            queries, keys = (
                self.turn(vectors.unsqueeze(1), places).squeeze(1) for vectors in (queries, keys)
            )
        if self.memory == "softmax":
            scores = self.temper.exp() * queries @ keys.mT
            scores = scores.masked_fill(~causal(vectors.shape[1]), -torch.inf)
            contexts = scores.softmax(dim=-1) @ values
        else:
            strength = self.strength(inputs).sigmoid().squeeze(-1)
            contexts = linear_attention(queries, keys, values, self.memory, strength=strength)
        return vectors + self.output(self.scale(contexts))


class Shift(nn.Module):
    """x_t + W norm(x_{t-1})."""

    def __init__(self):
        super().__init__()
        self.norm, self.output = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, vectors: Tensor) -> Tensor:
        """(stream position width) -> the same; before the first position there are zeros."""
        return vectors + self.output(F.pad(self.norm(vectors), (0, 0, 1, -1)))


class StreamReader(nn.Module):
    """Read a stream of tokens in two layers, and predict a value at every position."""

    def __init__(self, first: str, memory: str):
        super().__init__()
        if first not in (*FIRSTS, "even", *MEMORIES):
            raise ValueError(f"first must be one of {[*FIRSTS, 'even', *MEMORIES]}; got {first!r}")
        self.tokens = nn.Embedding(KEYS + VALUES, WIDTH)
        nn.init.normal_(self.tokens.weight, std=0.5)
        lower = first if first in MEMORIES else memory
        turn = evenly_turned if first == "even" else rotate
        below = Shift() if first == "shift" else MemoryLayer(lower, BELOW, rotary=True, turn=turn)
        self.layers = nn.Sequential(below, MemoryLayer(memory, ABOVE, rotary=False))
        self.norm, self.readout = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, VALUES)

    def forward(self, tokens: Tensor) -> Tensor:
        """(stream position) -> a score for each value, (stream position value)."""
        return self.readout(self.norm(self.layers(self.tokens(tokens))))


def stream(lists: Lists) -> tuple[Tensor, Tensor]:
    """The tokens of some lists, pairs first and then queries, and the answers to the queries."""
    pairs = torch.stack([lists.keys, KEYS + lists.values], dim=-1).flatten(1)
    return torch.cat([pairs, lists.queries[:, :QUERIED]], dim=1), lists.answers[:, :QUERIED]


def streams(count: int, seed: int, pairs: int, split: str = "train") -> tuple[Tensor, Tensor]:
    """The tokens and the answers of lists drawn at random."""
    return stream(draw(count, seed, pairs, split=split, keys=KEYS, values=VALUES))


def answers_of(model: StreamReader, tokens: Tensor, queried: int) -> Tensor:
    """The scores at the queries: (stream query value)."""
    return model(tokens)[:, -queried:]


@lru_cache(maxsize=2)
def training(condition: Condition, seed: int) -> tuple[StreamReader, list[float]]:
    """A model after training on streams whose lengths are spread over all magnitudes.

    Beside it the loss at each step, in nats.
    """
    model = fresh(lambda: StreamReader(condition.first, condition.memory), seed)
    rng = np.random.default_rng([seed, 7])

    def answered() -> tuple[Tensor, Tensor]:
        pairs = round(math.exp(rng.uniform(0, math.log(LONGEST + 0.49))))
        tokens, answers = streams(BATCH, int(rng.integers(2**60)), pairs)
        return answers_of(model, tokens, answers.shape[1]), answers

    losses = descend(model, condition.rate, condition.steps, answered)
    return model.eval(), losses


def counts() -> tuple[int, ...]:
    """The numbers of pairs on which models are tested."""
    return tuple(count for count in COUNTS if count <= LONGEST)


@torch.no_grad()
def judge(model: StreamReader, seed: int, split: str = "test", lists: int = 128) -> dict:
    """The share of right answers by the number of pairs, and the mean loss, in nats."""
    right, losses = {}, []
    for count in counts():
        tokens, answers = streams(lists, seed, count, split)
        scores = answers_of(model, tokens, answers.shape[1])
        right[str(count)] = (scores.argmax(dim=-1) == answers).double().mean().item()
        losses.append(F.cross_entropy(scores.flatten(0, 1), answers.flatten()).item())
    return {"right": right, "loss": sum(losses) / len(losses)}
