"""Which learning rate suits which memory, at each number of steps?

    python -m attn_course.experiments.memory_rates

Each memory of the experiment `memories` has rates of its own for each task and number of steps. At
least four are tried, each twice the one before, until the best stands at no edge, by the rule of
`score_rates`. They are tried at one size, `sized`, and serve all sizes.

The judge is the loss, in nats for each answer, on lists that no training reads. Seed 100 draws
start, training and validation lists, and nothing else uses it. Rates for 4,800 steps are judged by
the mean of two seeds, 100 and 101.
"""

from collections.abc import Iterable
from statistics import fmean

import torch
from torch.nn import functional as F

from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.experiments.memory_models import (
    GRUS,
    Condition,
    Recaller,
    counts,
    lists_of,
    trained,
)
from attn_course.experiments.score_rates import next_rates

SEEDS = (100,)
LATE_SEEDS = (100, 101)
LATE = 4_800  # steps, and more
LISTS = 64  # for each number of pairs
RESULTS = results_of(__file__)


def sized(task: str, memory: str) -> int:
    """The size at which the rates of a memory are tried."""
    return 8 if memory in GRUS or task == "copy" else 16


def measure(condition: Condition, seed: int) -> dict[str, float]:
    """The loss on the validation lists after training."""
    return {"loss": loss_on(trained(condition, seed), condition.task, seed + 1)}


@torch.no_grad()
def loss_on(model: Recaller, task: str, seed: int) -> float:
    """The loss of an answer, in nats, averaged over the numbers of pairs."""
    losses = []
    for count in counts(task, model.memory):
        some = lists_of(task, LISTS, seed, count)
        scores = model(some.keys, some.values, some.queries)
        losses.append(F.cross_entropy(scores.flatten(0, 1), some.answers.flatten()).item())
    return sum(losses) / len(losses)


def losses(task: str, memory: str, steps: int) -> dict[float, float]:
    """The loss for each rate that was tried, by rising rate; empty if none was."""
    if not RESULTS.exists():
        return {}
    asked = (task, memory, sized(task, memory), steps)
    found = read_grid(RESULTS, "loss", Condition)
    tried = {each.rate: fmean(runs) for each, runs in found.items() if each[:4] == asked}
    return dict(sorted(tried.items()))


def best_rate(task: str, memory: str, steps: int) -> float:
    """The rate with the lowest loss; a ValueError while that is not known."""
    tried = losses(task, memory, steps)
    if next_rates(tried):
        raise ValueError(f"{task}, {memory}, {steps} steps: rates {next_rates(tried)} to be tried")
    return min(tried, key=tried.get)


def search(wanted: Iterable[tuple[str, str, int]], workers: int | None = None) -> None:
    """Try rates for each (task, memory, steps) until the best is not at an edge."""
    wanted = list(wanted)
    while conditions := [
        Condition(task, memory, sized(task, memory), steps, rate)
        for task, memory, steps in wanted
        for rate in next_rates(losses(task, memory, steps))
    ]:
        for seeds in (SEEDS, LATE_SEEDS):
            now = [each for each in conditions if (each.steps >= LATE) == (seeds is LATE_SEEDS)]
            run_grid(RESULTS, now, seeds, measure, workers)


if __name__ == "__main__":
    from attn_course.experiments.memories import BOTH, FOUND, PLAN, STEPS

    for steps, plan in zip(STEPS, (PLAN, BOTH, FOUND), strict=True):
        search([(task, memory, steps) for task, memory, _ in plan])
