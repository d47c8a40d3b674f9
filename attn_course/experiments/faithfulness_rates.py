"""Which learning rate suits which reader of the experiment `faithfulness`?

    python -m attn_course.experiments.faithfulness_rates

Each reader is trained for 2 epochs and for 8 with at least four rates, each twice the one before,
and the best must have a worse one on either side: `next_rates` says what is still to be tried. The
judge is the teacher-forced loss, in nats for each target character, on other dates than those that
were trained on. Seed 100 draws start, order, training and validation dates; nothing else uses it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from attn_course.experiments import faithful_models as readers
from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.experiments.score_rates import loss_on, next_rates
from attn_course.tasks.dates import DatePair, date_pairs
from attn_course.training import Settings, train

SEED = 100  # none of those that are measured
BATCH = 96
RESULTS = results_of(__file__)


class Trial(NamedTuple):
    """One training run."""

    model: str
    epochs: int
    rate: float


def train_reader(trial: Trial, seed: int):
    """A reader trained on 20,000 dates, written as people type them, and its history."""
    pairs = date_pairs(20_000, seed=1_000 + seed, noise=1.0)
    settings = Settings(epochs=trial.epochs, batch_size=BATCH, learning_rate=trial.rate)
    corpus = readers.corpus(pairs, trial.model)
    return train(lambda: readers.build(trial.model), corpus, seed=seed, settings=settings)


def validation_pairs(seed: int) -> list[DatePair]:
    """Dates to choose a rate by: of the days of training, but not among the training dates."""
    return date_pairs(1_000, seed=3_000 + seed, noise=1.0)


def measure(trial: Trial, seed: int) -> dict[str, float]:
    """The loss on the validation dates after training."""
    model, _ = train_reader(trial, seed)
    return {"loss": loss_on(model, readers.corpus(validation_pairs(seed), trial.model))}


def losses(name: str, epochs: int = 2) -> dict[float, float]:
    """The loss for each rate that was tried, by rising rate; empty if none was."""
    found = read_grid(RESULTS, "loss", Trial) if RESULTS.exists() else {}
    tried = {t.rate: loss for t, (loss,) in found.items() if (t.model, t.epochs) == (name, epochs)}
    return dict(sorted(tried.items()))


def best_rate(name: str, epochs: int = 2) -> float:
    """The rate with the lowest loss; a ValueError while that is not known."""
    tried = losses(name, epochs)
    if missing := next_rates(tried):
        raise ValueError(f"{name}, {epochs} epochs: the rates {missing} are still to be tried")
    return min(tried, key=tried.get)


def search(names: Iterable[str], epochs: int = 2, workers: int | None = None) -> None:
    """Try rates for each reader until the best is not at an edge."""
    names = list(names)
    while trials := [
        Trial(name, epochs, rate) for name in names for rate in next_rates(losses(name, epochs))
    ]:
        run_grid(RESULTS, trials, [SEED], measure, workers)


if __name__ == "__main__":
    search(readers.MODELS)
    search(readers.MODELS, 8)
