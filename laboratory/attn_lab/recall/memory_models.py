"""The memories of the experiment `memories`: what each keeps of some pairs, and what it is asked.

All have the same two tables: a vector of length 1 for each key and for each value, ``size`` numbers
both. All answer with the value whose vector has the largest product with what was read. They differ
only in what lies between: what is kept of the pairs, and how it is read.

sum         Σ v kᵀ, a matrix of size x size numbers
decay       the same, and each step keeps a share of it that is learnt (one number)
delta       each pair first takes away what the memory holds under its key
delta, learnt  the same with a strength that is learnt (one number), where delta has 1
elu + 1     keys and queries are made positive; what is read is divided by the sum of weights
softmax     attention to all pairs, with a learnt temperature: the state grows with the pairs
window      the same over the last 16 pairs
age         softmax, less a learnt amount for each step of age (after Press et al. 2022)
GRU         a GRU with as many numbers in its state as the matrix has, which reads key and value
            side by side; a small network answers from state and query
GRU, read   the same state, read as a matrix: its product with the query
GRU, both   read as a matrix, and given v kᵀ rather than key and value side by side
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attn_course import training
from attn_course.memory import memory_state, positive_features
from attn_course.tasks.recall import KEYS, VALUES, Lists, draw
from attn_course.training import Settings

MATRIX = ("sum", "decay", "delta", "delta, learnt", "elu + 1")
SOFTMAX = ("softmax", "window", "age")
GRUS = ("GRU", "GRU, read", "GRU, both")
MEMORIES = (*MATRIX, *SOFTMAX, *GRUS)
WINDOW = 16
BATCH, QUERIED = 64, 32  # lists per step; queries of each, at most
LONGEST = {"once": 128, "twice": 16, "copy": 32}  # pairs in training, at most
LONGEST_GRU = 16  # a GRU reads pair by pair, which takes far longer
LETTERS = 26
COUNTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)


class Condition(NamedTuple):
    """One training run. ``task`` is "once" or "twice", how often each key is written, or "copy"."""

    task: str
    memory: str
    size: int
    steps: int
    rate: float


class Recaller(nn.Module):
    """Write some pairs, then answer which value belongs to each query."""

    def __init__(self, memory: str, size: int, keys: int = KEYS, values: int = VALUES):
        super().__init__()
        if memory not in MEMORIES:
            raise ValueError(f"memory must be one of {list(MEMORIES)}; got {memory!r}")
        self.memory, self.size = memory, size
        self.keys, self.values = nn.Embedding(keys, size), nn.Embedding(values, size)
        self.sharpness = nn.Parameter(torch.tensor(math.log(8.0)))  # of the answer
        self.temper = nn.Parameter(torch.tensor(math.log(8.0)))  # of a softmax over pairs
        self.kept = nn.Parameter(torch.tensor(4.0))  # sigmoid(4) = .98
        self.ageing = nn.Parameter(torch.tensor(-2.0))
        self.strength = nn.Parameter(torch.tensor(0.0))  # sigmoid(0) = .5
        if memory in GRUS:
            entries = size * size if memory == "GRU, both" else 2 * size
            self.cell = nn.GRU(entries, size * size, batch_first=True)
        if memory == "GRU":
            self.reader = nn.Sequential(
                nn.Linear(size * size + size, 128), nn.Tanh(), nn.Linear(128, size)
            )

    def forward(self, keys: Tensor, values: Tensor, queries: Tensor) -> Tensor:
        """A score for each value: (list query value)."""
        written, keys_asked = self.vectors(keys), self.vectors(queries)
        known = F.normalize(self.values.weight, dim=-1)
        recalled = self.recall(written, known[values], keys_asked)
        return self.sharpness.exp() * recalled @ known.T

    def vectors(self, keys: Tensor) -> Tensor:
        """A vector of length 1 for each key."""
        return F.normalize(self.keys(keys), dim=-1)

    def recall(self, keys: Tensor, values: Tensor, queries: Tensor) -> Tensor:
        """The vector that is read for each query: (list query size)."""
        if self.memory in SOFTMAX:
            return self.weights(keys, queries) @ values
        if self.memory == "elu + 1":
            keys, queries = (
                positive_features(self.temper.exp() * vectors) for vectors in (keys, queries)
            )
            total = queries @ keys.sum(dim=1).unsqueeze(-1)
            return queries @ memory_state(keys, values, "sum").mT / total
        if self.memory in MATRIX:
            rule = "delta" if self.memory.startswith("delta") else "sum"
            decay, strength = (
                share.sigmoid().expand(keys.shape[:2]) if self.memory == name else 1.0
                for share, name in ((self.kept, "decay"), (self.strength, "delta, learnt"))
            )
            return queries @ memory_state(keys, values, rule, decay, strength).mT
        return self.by_gru(keys, values, queries)

    def weights(self, keys: Tensor, queries: Tensor) -> Tensor:
        """The weights of a softmax over all pairs, or over the last ones."""
        scores = self.temper.exp() * queries @ keys.mT
        age = torch.arange(keys.shape[1] - 1, -1, -1, device=keys.device)
        if self.memory == "age":
            scores = scores - F.softplus(self.ageing) * age
        if self.memory == "window":
            scores = scores.masked_fill(age >= WINDOW, -torch.inf)
        return scores.softmax(dim=-1)

    def by_gru(self, keys: Tensor, values: Tensor, queries: Tensor) -> Tensor:
        inputs = torch.cat([keys, values], dim=-1)
        if self.memory == "GRU, both":
            # with entries of about 1, as an embedding has them
            inputs = self.size * (values.unsqueeze(-1) * keys.unsqueeze(-2)).flatten(-2)
        state = self.cell(inputs)[1][0]
        if self.memory == "GRU":
            both = state.unsqueeze(1).expand(-1, queries.shape[1], -1)
            return self.reader(torch.cat([both, queries], dim=-1))
        return queries @ state.unflatten(-1, (self.size, self.size)).mT


def longest(task: str, memory: str) -> int:
    """The most pairs in a list that this memory is trained on."""
    return min(LONGEST_GRU, LONGEST[task]) if memory in GRUS else LONGEST[task]


def lists_of(task: str, count: int, seed: int, pairs: int, split: str = "train") -> Lists:
    """Lists of a task; to copy letters, a memory is asked for the positions in their order."""
    if task != "copy":
        return draw(count, seed, pairs, 2 if task == "twice" else 1, split)
    places = torch.arange(pairs).expand(count, -1)
    side = {"train": 0, "test": 1}[split]
    letters = np.random.default_rng([seed, pairs, side]).integers(LETTERS, size=(count, pairs))
    values = torch.from_numpy(letters)
    return Lists(places, values, places, values, places)


def build(condition: Condition, seed: int) -> Recaller:
    """The memory of a condition, untrained."""
    torch.manual_seed(seed)
    copying = condition.task == "copy"
    symbols = (LONGEST["copy"], LETTERS) if copying else (KEYS, VALUES)
    return Recaller(condition.memory, condition.size, *symbols)


@lru_cache(maxsize=2)
def trained(condition: Condition, seed: int) -> Recaller:
    """The memory of a condition, trained on lists whose lengths are spread over all magnitudes."""
    with torch.random.fork_rng():
        model = build(condition, seed)
    rng = np.random.default_rng([seed, 7])
    most = math.log(longest(condition.task, condition.memory) + 0.49)

    def answered() -> tuple[Tensor, Tensor]:
        pairs = round(math.exp(rng.uniform(0, most)))
        some = lists_of(condition.task, BATCH, int(rng.integers(2**60)), pairs)
        queries, answers = (part[:, :QUERIED] for part in (some.queries, some.answers))
        return model(some.keys, some.values, queries), answers

    descend(model, condition.rate, condition.steps, answered)
    return model.eval()


def descend(
    model: nn.Module, rate: float, steps: int, answered: Callable[[], tuple[Tensor, Tensor]]
) -> list[float]:
    """Train on new lists at each step: ``answered`` gives a model's scores and right answers.

    Returns the loss at each step, in nats.
    """
    settings = Settings(learning_rate=rate)
    # not `adamw`: a fused optimiser rounds in another order than the stored runs did
    optimiser = torch.optim.AdamW(model.parameters(), rate, settings.betas)

    def loss() -> Tensor:
        scores, answers = answered()
        return F.cross_entropy(scores.flatten(0, 1), answers.flatten())

    return [training.descend(optimiser, loss, settings, step, steps) for step in range(steps)]


@torch.no_grad()
def recalled(model: Recaller, some: Lists) -> Tensor:
    """Which answers are right: boolean, (list query)."""
    return model(some.keys, some.values, some.queries).argmax(dim=-1) == some.answers


def counts(task: str, memory: str) -> tuple[int, ...]:
    """The numbers of pairs that a memory is tested on, up to the most of its training."""
    return tuple(count for count in COUNTS if count <= longest(task, memory))


def judge(model: Recaller, task: str, seed: int, lists: int = 128) -> dict[str, dict[str, float]]:
    """By the number of pairs: the share of answers that are right, and of lists without a mistake.

    No test list was trained on. For letters to copy this is not checked: there are too many lists.
    """
    right = {
        str(count): recalled(model, lists_of(task, lists, seed, count, "test")).double()
        for count in counts(task, model.memory)
    }
    return {
        "right": {count: hits.mean().item() for count, hits in right.items()},
        "whole": {
            count: (hits.mean(dim=1) == 1).double().mean().item() for count, hits in right.items()
        },
    }


@torch.no_grad()
def by_age(model: Recaller, seed: int, pairs: int, lists: int = 256, parts: int = 4) -> dict:
    """The share that is right by age, the oldest part first, and the relative squared error."""
    some = lists_of("once", lists, seed, pairs, "test")
    known = F.normalize(model.values.weight, dim=-1)
    read = model.recall(model.vectors(some.keys), known[some.values], model.vectors(some.queries))
    right, wanted = recalled(model, some).double(), known[some.answers]
    part = some.places * parts // pairs
    return {
        "ages": [right[part == index].mean().item() for index in range(parts)],
        "error": ((read - wanted).pow(2).sum() / wanted.pow(2).sum()).item(),
    }
