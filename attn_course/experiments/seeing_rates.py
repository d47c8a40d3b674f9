"""Which learning rate suits which reader of the experiment `seeing`?

    python -m attn_course.experiments.seeing_rates

Each reader is trained once, for the shorter of its two budgets, with at least four rates, each
twice the one before, and the best must have a worse one on either side: `still_to_try` says what
is missing. A search begins at .012. For hard attention that ended at the level of chance, at .096,
so lower rates are tried as well; for the longer budget its search begins around the rate that is
best for the shorter one. A search also ends when `ENOUGH` rates have been tried and none does
better than one answer to everything: then no rate is best, and the lowest of the least wrong is
taken. The judge is the share of validation canvases that are not read,
drawn from images that are used for nothing else; seed 100 draws the rest. The rate of one reader
and scene is used for four times the steps too (not for those that hardly learn in the shorter
budget), and a rate of "clutter" for "large" and "clean".
"""

from collections.abc import Iterable
from typing import NamedTuple

from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.experiments.score_rates import FIRST, next_rates
from attn_course.experiments.seeing_models import (
    RECURRENT,
    SCENES,
    Condition,
    draw,
    judge,
    judge_reading,
    trained,
)

SEED = 100  # none of those that are measured
VALIDATED = 1_024
LOWER = {("hard", 400): (0.003, 0.006)}  # where a search from .012 upwards found nothing
BEGUN = {  # otherwise where every search begins
    ("hard", 1_600): (0.00075, 0.0015, 0.003),
    ("mask, no batch norm", 1_600): (0.003, 0.006, 0.012),
    ("state, cold", 700): (0.006, 0.012, 0.024),
}
ENOUGH, BLIND = 6, 0.88  # rates; the share not read if every answer is the same
RESULTS = results_of(__file__)


class Trial(NamedTuple):
    """One training run."""

    reader: str
    scene: str
    steps: int
    rate: float


def measure(trial: Trial, seed: int) -> dict[str, float]:
    """The share of validation canvases that are not read after training."""
    model = trained(Condition(*trial), seed)
    scene = draw(VALIDATED, 3_000 + seed, "validation", SCENES[trial.scene])
    found = judge_reading(model, scene) if trial.reader in RECURRENT else judge(model, scene)
    return {"wrong": 1 - found["right"]}


def wrong(reader: str, scene: str, steps: int) -> dict[float, float]:
    """That share for each rate that was tried, by rising rate; empty if none was."""
    found = read_grid(RESULTS, "wrong", Trial) if RESULTS.exists() else {}
    which = (reader, scene, steps)
    tried = {trial.rate: share for trial, (share,) in found.items() if trial[:3] == which}
    return dict(sorted(tried.items()))


def still_to_try(reader: str, scene: str, steps: int) -> list[float]:
    """The rates to try before the best is known; empty if it is."""
    tried = wrong(reader, scene, steps)
    if len(tried) >= ENOUGH and min(tried.values()) > BLIND:
        return []
    lower = [rate for rate in LOWER.get((reader, steps), ()) if rate not in tried]
    return lower + next_rates(tried, BEGUN.get((reader, steps), FIRST))


def best_rate(reader: str, scene: str, steps: int) -> float:
    """The rate with the lowest share; a ValueError while that is not known."""
    if missing := still_to_try(reader, scene, steps):
        raise ValueError(f"{reader}, {scene}: the rates {missing} are still to be tried")
    tried = wrong(reader, scene, steps)
    return min(tried, key=tried.get)


def search(readers: Iterable[tuple[str, str, int]], workers: int | None = None) -> None:
    """Try rates for each reader, scene and steps until the best is not at an edge."""
    readers = list(readers)
    while trials := [Trial(*each, rate) for each in readers for rate in still_to_try(*each)]:
        run_grid(RESULTS, trials, [SEED], measure, workers)


if __name__ == "__main__":
    from attn_course.experiments.seeing import PLAN, searched

    search(dict.fromkeys(searched(reader, scene, steps) for reader, scene, steps, _ in PLAN))
