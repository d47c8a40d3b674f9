"""Which learning rate suits which translator of the experiment `word_order`?

Each translator is trained with at least four rates, each twice the one before, and the best must
have a worse one on either side (`score_rates.next_rates`). The judge is the teacher-forced loss,
in nats for each target piece, on pairs that were not trained on. Seed 100 draws start, order,
training and validation pairs; nothing else uses it.

The rate that is best for one budget is kept for four of them, except for the translators that lack
something or whose loss stayed high (those that `word_order.PLAN` names): these have a search of
their own there, as a better rate could bring them nearer to the others.
"""

from collections.abc import Iterable
from typing import NamedTuple

from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.experiments.score_rates import loss_on, next_rates
from attn_course.experiments.word_order_models import TASKS, Design, trained, validation_pairs
from attn_course.tasks.corpus import Corpus

SEED = 100  # none of those that are measured
RESULTS = results_of(__file__)


class Trial(NamedTuple):
    """One training run: a design, its number of epochs, and its peak learning rate."""

    task: str
    attention: str
    directions: int
    epochs: int
    rate: float


def measure(trial: Trial, seed: int) -> dict[str, float]:
    """The loss on the validation pairs after training."""
    model, _ = trained(Design(*trial[:3]), trial.epochs, trial.rate, seed)
    vocabularies = TASKS[trial.task].vocabularies()
    return {"loss": loss_on(model, Corpus(validation_pairs(trial.task, seed), *vocabularies))}


def losses(design: Design, epochs: int) -> dict[float, float]:
    """The loss for each rate that was tried, by rising rate; empty if none was."""
    found = read_grid(RESULTS, "loss", Trial) if RESULTS.exists() else {}
    asked = (*design, epochs)
    return dict(
        sorted((trial.rate, loss) for trial, (loss,) in found.items() if trial[:-1] == asked)
    )


def best_rate(design: Design, epochs: int) -> float:
    """The rate with the lowest loss, for this budget if its search is complete, else for one."""
    tried = losses(design, epochs)
    missing = next_rates(tried)
    if missing and epochs > 1:
        return best_rate(design, 1)
    if missing:
        raise ValueError(f"{design}, {epochs} epochs: the rates {missing} are still to be tried")
    return min(tried, key=tried.get)


def search(designs: Iterable[Design], epochs: int, workers: int | None = None) -> None:
    """Try rates for each translator until the best is not at an edge."""
    designs = list(designs)
    while trials := [
        Trial(*design, epochs, rate)
        for design in designs
        for rate in next_rates(losses(design, epochs))
    ]:
        run_grid(RESULTS, trials, [SEED], measure, workers)
