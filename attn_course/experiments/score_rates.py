"""Which learning rate suits which score? A short training with each of a few.

    python -m attn_course.experiments.score_rates

A rate that is best for one score can be poor for another, and a comparison at one rate would
compare the luck of that choice. So each score of the experiment `score_functions` is trained for
one epoch with each rate. No date is seen twice in it, so the loss near the end, in nats for each
target character, is that on dates not seen before. The rate with the lowest is taken.
"""

import numpy as np

from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.experiments.score_models import CONDITIONS as ALL
from attn_course.experiments.score_models import build, data
from attn_course.training import Settings, train

CONDITIONS = tuple(condition for condition in ALL if not condition.endswith("before"))
RATES = (0.006, 0.012, 0.024, 0.048)
SEEDS = (100,)  # none of those that are measured
LAST = 50  # steps whose loss is averaged
RESULTS = results_of(__file__)


def measure(condition: str, seed: int) -> dict[str, float]:
    """The loss near the end of one epoch, for each rate."""
    return {str(rate): _loss(condition, seed, rate) for rate in RATES}


def _loss(condition: str, seed: int, rate: float) -> float:
    settings = Settings(epochs=1, learning_rate=rate)
    _, history = train(lambda: build(condition), data()[1], seed=seed, settings=settings)
    return float(np.mean(history.losses[-LAST:]))


def best_rate(condition: str) -> float:
    """The rate with the lowest loss for this condition; which state asks makes no difference."""
    name = condition.removesuffix(", before")
    losses = {rate: read_grid(RESULTS, str(rate))[name][0] for rate in RATES}
    return min(losses, key=losses.get)


if __name__ == "__main__":
    run_grid(RESULTS, CONDITIONS, SEEDS, measure)
