"""Does it train, for how long, and is it the gradient? The models of `gradient_paths`, trained.

    python -m attn_course.experiments.gradient_training

Written down before it was run
------------------------------
1. *Is it a matter of steps?* Every cell, without attention and with it, after 500 and after 2,000
   steps, each with its own learning rate. Expected: with attention every cell writes more than
   90 % of the symbols right after 500 steps; without, after 500 steps, none more than 75 %; and
   after 2,000 steps the gated cells without attention write more than 75 %.
2. *Is it the start?* The LSTM with a forget bias of 1. Expected: after 500 steps without attention
   it writes at least 5 points more than the LSTM as PyTorch starts it.
3. *Is it the gradient, or what is read?* Contexts whose values are read while their gradient is cut
   ("value"), and zeros through which the gradient of a context passes ("gradient"). If the short
   way back were what counts, "gradient" would come near to attention and "value" would not.
   Expected: the opposite, after 500 and after 2,000 steps: "value" is at least 20 points above
   "gradient" for the GRU. For the plain RNN nothing is expected.
4. *When does the chain learn to carry?* The gain of the farthest pair on the way, without
   attention. Expected: in a GRU and an LSTM it rises above 0.1 within the first 200 steps.

Seeds redraw the start and every sequence, of the training and of the test. The rate is the best of
four by the loss over the last 50 steps with a seed that is used for nothing else; where the best
lies at the edge, a further one is tried.
"""

from typing import NamedTuple

import numpy as np
import torch

from attn_course.experiments.gradient_paths import (
    BATCH,
    Reversals,
    Reverser,
    by_distance,
    look_into,
)
from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.training import Settings, train

STEPS = (500, 2_000)
RATES = (0.0025, 0.005, 0.01, 0.02)
SEEDS, CHOOSING = (0, 1, 2), 100
LAST = 50
LOOKS = (0, 20, 50, 100, 200, 500, 1_000, 2_000)  # steps after which the gain is measured
RESULTS = results_of(__file__)


class Way(NamedTuple):
    """A model: its cell, its start, and what its decoder gets of the contexts."""

    cell: str
    start: str
    contexts: str  # "none", or as `Reverser` has them


class Condition(NamedTuple):
    """One training."""

    cell: str
    start: str
    contexts: str
    steps: int
    rate: float

    @property
    def way(self) -> Way:
        return Way(self.cell, self.start, self.contexts)


WAYS = (
    *(Way("gru", "torch", contexts) for contexts in ("none", "whole", "value", "gradient")),
    *(Way("rnn", "torch", contexts) for contexts in ("none", "whole", "value", "gradient")),
    *(Way("lstm", start, contexts) for start in ("torch", "+1") for contexts in ("none", "whole")),
    *(Way("rnn", "orthogonal", contexts) for contexts in ("none", "whole")),
)


def build(way: Way) -> Reverser:
    """An untrained model."""
    contexts = "whole" if way.contexts == "none" else way.contexts
    return Reverser(way.cell, way.contexts != "none", start=way.start, contexts=contexts)


def measure(condition: Condition, seed: int) -> dict:
    """Train one model.

    right, exact  shares of symbols and of whole sequences, of sequences it never saw
    gains         by step, the gain of the farthest pair: gradient norm for a unit of error
    loss          the mean over the last steps
    """
    gains = {}

    def look(model: Reverser) -> float:
        step = 20 * len(seen)
        seen.append(step)
        if step in LOOKS:
            gains[str(step)] = float(np.log10(farthest_gain(model, seed)))
        return 0.0

    seen = [0]
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        gains["0"] = float(np.log10(farthest_gain(build(condition.way), seed)))
    settings = Settings(
        epochs=1, batch_size=BATCH, learning_rate=condition.rate, check_every=LOOKS[1]
    )
    model, history = train(
        lambda: build(condition.way),
        Reversals(condition.steps * BATCH),
        look,
        seed=seed,
        settings=settings,
        title=str(condition),
    )
    judged = look_into(model, count=256, seed=10_000 + seed)
    return {
        "right": judged.right,
        "exact": judged.exact,
        "gains": gains,
        "loss": float(np.mean(history.losses[-LAST:])),
    }


@torch.enable_grad()
def farthest_gain(model: Reverser, seed: int) -> float:
    """From the last loss to the first position."""
    gain = by_distance(look_into(model, seed=20_000 + seed).gain)
    return gain[max(gain)]


def rates(way: Way, steps: int) -> dict[float, float]:
    """The loss for each rate that was tried, in the order of the rates."""
    found = read_grid(RESULTS, "chosen by", Condition)
    mine = {c.rate: values[0] for c, values in found.items() if (c.way, c.steps) == (way, steps)}
    return dict(sorted(mine.items()))


def best_rate(way: Way, steps: int) -> float:
    """The rate with the lowest loss."""
    losses = rates(way, steps)
    return min(losses, key=losses.get)


def choose(condition: Condition, seed: int) -> dict:
    """The mean loss over the last steps, under a name of its own: by it a rate is chosen."""
    settings = Settings(epochs=1, batch_size=BATCH, learning_rate=condition.rate)
    corpus = Reversals(condition.steps * BATCH)
    _, history = train(lambda: build(condition.way), corpus, seed=seed, settings=settings)
    return {"chosen by": float(np.mean(history.losses[-LAST:]))}


def results(number: str) -> dict[tuple[Way, int], list]:
    """One number, by model and steps, a value for each seed."""
    found = read_grid(RESULTS, number, Condition)
    return {(condition.way, condition.steps): values for condition, values in found.items()}


def run(workers: int | None = None) -> None:
    """Choose the rates, then measure, fewer steps first."""
    for steps in STEPS:
        tried = [Condition(*way, steps, rate) for way in WAYS for rate in RATES]
        run_grid(RESULTS, tried, [CHOOSING], choose, workers)
        for way in WAYS:
            widen(way, steps, workers)
        chosen = [Condition(*way, steps, best_rate(way, steps)) for way in WAYS]
        run_grid(RESULTS, chosen, SEEDS, measure, workers)


def widen(way: Way, steps: int, workers: int | None = None) -> None:
    """Try a further rate as long as the best one lies at the edge."""
    while best_rate(way, steps) in (ends := (min(tried := rates(way, steps)), max(tried))):
        further = ends[0] / 2 if best_rate(way, steps) == ends[0] else 2 * ends[1]
        run_grid(RESULTS, [Condition(*way, steps, further)], [CHOOSING], choose, workers)


if __name__ == "__main__":
    run()
