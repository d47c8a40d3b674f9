"""Which learning rate suits which reader of the experiment `contexts`?

    python -m attn_course.experiments.context_rates

Each reader is trained for 2 epochs, and those of `LONGER` also for 8, with at least four rates,
each twice the one before, and the best must have a worse one on either side: `next_rates` says what
is still to be tried. The judge is the teacher-forced loss, in nats for each target character, on
dates that were not trained on. Seed 100 draws start, order, training and validation dates; nothing
else uses it, and none of its dates is of a day on which the experiment is tested.
"""

from collections.abc import Iterable
from typing import NamedTuple

from attn_course.experiments.context_models import (
    DESIGNS,
    DIRECTIONS,
    POOLS,
    Design,
    build,
    corpus,
    validation_pairs,
    vocabularies,
)
from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.experiments.score_rates import loss_on, next_rates
from attn_course.tasks.corpus import Corpus
from attn_course.training import Settings, train

EPOCHS = (2, 8)
LONGER = tuple(dict.fromkeys(POOLS + DIRECTIONS))  # for 8 epochs too
SEED = 100  # none of those that are measured
RESULTS = results_of(__file__)


class Trial(NamedTuple):
    """One training run."""

    encoder: str
    pool: str
    entry: str
    epochs: int
    rate: float

    @property
    def design(self) -> Design:
        """What sets the reader apart."""
        return Design(self.encoder, self.pool, self.entry)


def measure(trial: Trial, seed: int) -> dict[str, float]:
    """The loss on the validation dates after training."""
    settings = Settings(epochs=trial.epochs, learning_rate=trial.rate)
    model, _ = train(lambda: build(trial.design), corpus(seed), seed=seed, settings=settings)
    return {"loss": loss_on(model, Corpus(validation_pairs(seed), *vocabularies()))}


def losses(design: Design, epochs: int = 2) -> dict[float, float]:
    """The loss for each rate that was tried, by rising rate; empty if none was."""
    found = read_grid(RESULTS, "loss", Trial) if RESULTS.exists() else {}
    tried = {
        t.rate: loss for t, (loss,) in found.items() if (t.design, t.epochs) == (design, epochs)
    }
    return dict(sorted(tried.items()))


def best_rate(design: Design, epochs: int = 2) -> float:
    """The rate with the lowest loss; a ValueError while that is not known."""
    tried = losses(design, epochs)
    if missing := next_rates(tried):
        raise ValueError(f"{design}, {epochs} epochs: the rates {missing} are still to be tried")
    return min(tried, key=tried.get)


def search(designs: Iterable[Design], epochs: int = 2, workers: int | None = None) -> None:
    """Try rates for each reader until the best is not at an edge."""
    designs = list(designs)
    while trials := [
        Trial(*design, epochs, rate)
        for design in designs
        for rate in next_rates(losses(design, epochs))
    ]:
        run_grid(RESULTS, trials, [SEED], measure, workers)


if __name__ == "__main__":
    search(DESIGNS.values())
    search([DESIGNS[name] for name in LONGER], EPOCHS[1])
