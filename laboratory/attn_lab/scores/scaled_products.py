"""What does dividing by the root of d do to learning?

A task that a dot product can do, and nothing else in the model can: twenty places, each with a key
and a value; one of the keys is asked for, and its value is the answer. The keys are 20 of 1,024,
the values any of 16, so to guess is right 1 time in 16. Queries, keys and values are embeddings;
one look, a linear readout.

PyTorch draws the entries of an embedding with variance 1, which is what the argument for the
division assumes. Three ways, at sizes 16, 64 and 256, after 100 steps of 128 tables and after 400:

plain        the dot product; its scores start with a standard deviation of √d
divided      the dot product over √d; they start with 1
small start  the dot product, its queries and keys drawn with variance 1/√d; they start with 1 too

The third tells apart what the division does at the start and what it does all the way: from there
on it is the plain dot product. Each way has its own learning rate at each size and number of steps,
found by seed 100 (`RATES`); seeds 0, 1 and 2 draw start, training tables and test tables.

A trial came before, with divided alone (size 64, rate 0.032), to find a number of keys and of steps
that is neither too small nor more than enough.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attn_course.alignment import DotScore, ScaledDotScore
from attn_course.context import attend
from attn_course.tasks.corpus import Batch
from attn_course.training import Settings, device, train
from attn_lab.experiment import SEEDS, RateSearch, declared, results_of

WAYS = ("plain", "divided", "small start")
SIZES = (16, 64, 256)
STEPS = (100, 400)
KEYS, VALUES, PLACES = 1024, 16, 20
RESULTS = results_of(__file__)


class Learner(NamedTuple):
    """One training run."""

    way: str
    size: int
    steps: int
    rate: float


class Tables:
    """Tables of keys and values with one key asked for, as many batches as there are steps.

    A source is the key asked for, then the 20 keys, then their values; a target is the value.
    """

    def __init__(self, steps: int):
        self.steps = steps

    def count_batches(self, size: int) -> int:
        """How many batches there are, whatever their size."""
        return self.steps

    def batches(self, size: int, order: np.random.Generator) -> Iterator[Batch]:
        """Batches of new tables, as many as there are steps."""
        for _ in range(self.steps):
            keys = order.permuted(np.tile(np.arange(KEYS), (size, 1)), axis=1)[:, :PLACES]
            values = order.integers(1, VALUES + 1, (size, PLACES))  # 0 is padding
            index = order.integers(0, PLACES, (size, 1))
            queried, answer = (np.take_along_axis(part, index, axis=1) for part in (keys, values))
            sources = torch.tensor(np.concatenate([queried, keys, values], axis=1))
            yield Batch(sources, torch.full((size,), sources.shape[1]), torch.tensor(answer))


class LookUp(nn.Module):
    """One look at the entries of a table.

    e_j = q · k_j    (over √d if divided)        p(answer) = softmax(W Σ_j α_j v_j)
    """

    def __init__(self, way: str, size: int):
        super().__init__()
        if way not in WAYS:
            raise ValueError(f"way must be one of {WAYS}; got {way!r}")
        self.query_embedding = nn.Embedding(KEYS, size)
        self.key_embedding = nn.Embedding(KEYS, size)
        self.value_embedding = nn.Embedding(VALUES + 1, 2 * VALUES)
        self.readout = nn.Linear(2 * VALUES, VALUES + 1)
        self.score = ScaledDotScore() if way == "divided" else DotScore()
        if way == "small start":
            for embedding in (self.query_embedding, self.key_embedding):
                embedding.weight.data /= size**0.25

    def forward(self, sources: Tensor, lengths: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (batch 1 value) and weights (batch 1 place); neither needs the targets."""
        queried, keys, values = sources.split([1, PLACES, PLACES], dim=1)
        queries, offered = self.query_embedding(queried), self.key_embedding(keys)
        context, weights = attend(queries, offered, self.value_embedding(values), self.score)
        return self.readout(context), weights


def measure(learner: Learner, seed: int) -> dict[str, float]:
    """The share of 4,000 new tables that are answered right, and the loss on them."""
    model, _ = train(
        lambda: LookUp(learner.way, learner.size),
        Tables(learner.steps),
        seed=seed,
        settings=Settings(learning_rate=learner.rate, epochs=1),
    )
    (tables,) = Tables(1).batches(4_000, np.random.default_rng(1000 + seed))
    tables = tables.to(device())
    with torch.no_grad():
        logits = model(tables.sources, tables.lengths, tables.targets)[0].squeeze(1)
    answers = tables.targets.squeeze(1)
    return {
        "right": (logits.argmax(dim=1) == answers).float().mean().item(),
        "loss": F.cross_entropy(logits, answers).item(),
    }


RATES = RateSearch(Learner, measure, RESULTS)


def results(number: str) -> dict[tuple[str, int, int], list[float]]:
    """One number: (way, size, steps) -> at its own rate, a value for each seed but the search's."""
    return {row: values[: len(SEEDS)] for row, values in EXPERIMENT.by_row(number).items()}


# ---- what was expected


def _ahead(size: int, steps: int, of: str = "plain") -> np.ndarray:
    """How many more tables "divided" answers right, by seed."""
    right = results("right")
    return np.subtract(right["divided", size, steps], right[of, size, steps])


EXPECTED = """
2026-11-22

At size 256, after 100 steps, plain answers at least 10 points less than divided.
    _ahead(256, 100) >= 0.1

At size 16 plain and divided are less than 5 points apart after 400 steps.
    np.abs(_ahead(16, 400)) < 0.05

A small start does what the division does: at sizes 64 and 256, after 400 steps, the two are less
than 5 points apart.
    every(np.abs(_ahead(size, 400, "small start")) < 0.05 for size in (64, 256))

Time makes up for it: at size 256 plain is at most 5 points behind divided after 400 steps.
    _ahead(256, 400) <= 0.05
"""


PLAN = [(variant, size, steps) for steps in STEPS for size in SIZES for variant in WAYS]
EXPERIMENT = declared(__name__, measure, [(PLAN, SEEDS)], Learner, rates=RATES)
