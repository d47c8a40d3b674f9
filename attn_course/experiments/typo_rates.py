"""Which learning rate suits which reader of the experiment `typo_place`?

    python -m attn_course.experiments.typo_rates

Each reader is trained once through its words with at least four rates, each twice the one before,
and the best must have a worse one on either side: `next_rates` says what is still to be tried. The
judge is the loss that the reader is trained with, on new mistakes in known words: that of the
letter, and of the place where it is told the place. Seed 100 draws start, order, training and
validation words; nothing else uses it. The rate is used for four epochs too, but for the readers
that are not told the place and for the flattened one: as the question is what more training does
for them, they are searched for four epochs as well.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import torch

from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.experiments.score_rates import next_rates
from attn_course.experiments.typo_models import Condition, trained, unseen_pairs
from attn_course.models.pointer import WordReader
from attn_course.tasks.typo_corpus import TypoCorpus
from attn_course.tasks.typos import LONGEST
from attn_course.training import teacher_forced_loss

SEED = 100  # none of those that are measured
RESULTS = results_of(__file__)


class Trial(NamedTuple):
    """One training run."""

    reader: str
    told: bool
    epochs: int
    rate: float


def measure(trial: Trial, seed: int) -> dict[str, float]:
    """The loss on words that were not trained on."""
    condition = Condition(trial.reader, trial.told, LONGEST, trial.epochs, trial.rate)
    model, _ = trained(condition, seed)
    return {"loss": loss_on(model, trial.told, seed)}


@torch.no_grad()
def loss_on(model: WordReader, told: bool, seed: int) -> float:
    """The mean loss of a wrong word, in nats."""
    pairs, total = unseen_pairs(seed, "typos"), 0.0
    for batch in TypoCorpus(pairs).batches(len(pairs), np.random.default_rng(0)):
        total += len(batch.sources) * teacher_forced_loss(model, batch, float(told)).item()
    return total / len(pairs)


def losses(reader: str, told: bool, epochs: int) -> dict[float, float]:
    """The loss for each rate that was tried, by rising rate; empty if none was."""
    found = read_grid(RESULTS, "loss", Trial) if RESULTS.exists() else {}
    which = (reader, told, epochs)
    tried = {trial.rate: loss for trial, (loss,) in found.items() if trial[:3] == which}
    return dict(sorted(tried.items()))


def best_rate(reader: str, told: bool, epochs: int) -> float:
    """The rate with the lowest loss; a ValueError while that is not known."""
    tried = losses(reader, told, epochs)
    if missing := next_rates(tried):
        raise ValueError(f"{reader}, told {told}: the rates {missing} are still to be tried")
    return min(tried, key=tried.get)


def search(readers: Iterable[tuple[str, bool, int]], workers: int | None = None) -> None:
    """Try rates for each reader, told or not, and epochs until the best is not at an edge."""
    readers = list(readers)
    while trials := [Trial(*each, rate) for each in readers for rate in next_rates(losses(*each))]:
        run_grid(RESULTS, trials, [SEED], measure, workers)


if __name__ == "__main__":
    from attn_course.experiments.typo_place import SEARCHED

    search(SEARCHED)
