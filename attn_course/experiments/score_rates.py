"""Which learning rate suits which score, at each number of steps?

    python -m attn_course.experiments.score_rates

A rate that is best for one score can be poor for another, and one that is best for a short
training can be poor for a long one. So the scores of the experiment `score_functions` are trained
with at least four rates, each twice the one before. The search begins with three; a further rate is
tried beyond the best where that stands at an edge, else beside its better neighbour, until there
are four and the best stands at no edge.

For one epoch all scores are searched; for four epochs all but the cosine with a fixed factor, which
is not trained for so long.

The judge is the teacher-forced loss, in nats for each target character, on dates that were not
trained on. Seed 100 draws start, order, training and validation dates; nothing else uses it, and
none of its dates is of a day on which the experiment is tested.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional as F

from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.experiments.score_models import (
    SCORES,
    build,
    corpus,
    validation_pairs,
    vocabularies,
)
from attn_course.models.translator import Translator
from attn_course.symbols import PADDING
from attn_course.tasks.corpus import Corpus
from attn_course.training import Settings, train

EPOCHS = (1, 4)
LONGER = tuple(score for score in SCORES if score != "cosine x 10")  # for four epochs too
FIRST = (0.012, 0.024, 0.048)
LEAST = 4  # rates to be tried
SEED = 100
RESULTS = results_of(__file__)


class Trial(NamedTuple):
    """One training run."""

    score: str
    epochs: int
    rate: float


def measure(trial: Trial, seed: int) -> dict[str, float]:
    """The loss on the validation dates after training."""
    settings = Settings(epochs=trial.epochs, learning_rate=trial.rate)
    model, _ = train(lambda: build(trial.score), corpus(seed), seed=seed, settings=settings)
    return {"loss": loss_on(model, Corpus(validation_pairs(seed), *vocabularies()))}


@torch.no_grad()
def loss_on(model: Translator, pairs: Corpus) -> float:
    """The mean teacher-forced loss of a target character, in nats."""
    total, count = 0.0, 0
    for batch in pairs.batches(256, np.random.default_rng(0)):
        logits, _ = model(batch.sources, batch.lengths, batch.targets)
        targets = batch.targets.flatten().to(logits.device)
        total += F.cross_entropy(
            logits.flatten(0, 1), targets, ignore_index=PADDING, reduction="sum"
        ).item()
        count += (targets != PADDING).sum().item()
    return total / count


def losses(score: str, epochs: int) -> dict[float, float]:
    """The loss for each rate that was tried, by rising rate; empty if none was."""
    if not RESULTS.exists():
        return {}
    found = read_grid(RESULTS, "loss", Trial)
    tried = {t.rate: loss for t, (loss,) in found.items() if (t.score, t.epochs) == (score, epochs)}
    return dict(sorted(tried.items()))


def next_rates(
    tried: dict[float, float], first: Sequence[float] = (), least: int = LEAST
) -> list[float]:
    """The rates to try before the best may be taken; empty if it may.

    Unless others are given, `FIRST` are tried first.
    """
    missing = [rate for rate in first or FIRST if rate not in tried]
    if missing:
        return missing
    rates = sorted(tried)
    best = rates.index(min(tried, key=tried.get))
    inside = 0 < best < len(rates) - 1
    if inside and len(rates) >= least:
        return []
    down = tried[rates[best - 1]] < tried[rates[best + 1]] if inside else best == 0
    return [rates[0] / 2 if down else 2 * rates[-1]]


def best_rate(score: str, epochs: int) -> float:
    """The rate with the lowest loss; a ValueError while that is not known."""
    tried = losses(score, epochs)
    if next_rates(tried):
        raise ValueError(f"{score}, {epochs} epochs: rates {next_rates(tried)} are to be tried")
    return min(tried, key=tried.get)


def search(scores: Iterable[str], epochs: int, workers: int | None = None) -> None:
    """Try rates for each score until the best is not at an edge."""
    scores = list(scores)
    while trials := [
        Trial(score, epochs, rate) for score in scores for rate in next_rates(losses(score, epochs))
    ]:
        run_grid(RESULTS, trials, [SEED], measure, workers)


if __name__ == "__main__":
    search(SCORES, EPOCHS[0])
    search(LONGER, EPOCHS[1])
