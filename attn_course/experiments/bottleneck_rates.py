"""Which learning rate suits which condition of the bottleneck experiment?

    python -m attn_course.experiments.bottleneck_rates                       all of it
    python -m attn_course.experiments.bottleneck_rates copy,fixed,64,300     one condition

Each model, size and number of steps gets the rate, out of at least four, with the most exact
matches over the lengths of training. The seed is used for nothing else, so neither are its pairs.
Where the best rate is the largest or the smallest tried, the next one is tried as well, until the
best has a worse one on either side.
"""

import sys

from attn_course.experiments.bottleneck_models import Condition, answers, exact, overall
from attn_course.experiments.grid import read_grid, results_of, run_grid

LADDER = (0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128)
FIRST = (0.004, 0.008, 0.016, 0.032)
SIZES, MODELS = (16, 64, 128), ("fixed", "attending")
SEEDS = (100,)  # none of those that are measured
RESULTS = results_of(__file__)

CHOSEN_FOR = (
    *(Condition("copy", model, size, 300, 0.0) for size in SIZES for model in MODELS),
    Condition("copy", "start only", 64, 300, 0.0),
    Condition("copy", "fixed", 64, 1_200, 0.0),
    Condition("copy", "fixed", 128, 1_200, 0.0),
    Condition("copy", "attending", 16, 1_200, 0.0),
    Condition("copy", "fixed", 16, 1_200, 0.0),
    Condition("copy", "attending", 64, 1_200, 0.0),
)


def measure(condition: Condition, seed: int) -> dict[str, float]:
    """The share of exact matches over the lengths of training."""
    shares = exact(condition, seed, answers(condition, seed))
    return {"exact": overall(shares, condition.task)}


def tried(condition: Condition) -> dict[float, float]:
    """The share of exact matches at each rate that was tried, the smallest rate first."""
    if not RESULTS.exists():
        return {}
    shares = read_grid(RESULTS, "exact", Condition)
    found = {rate: shares.get(condition._replace(rate=rate)) for rate in LADDER}
    return {rate: values[0] for rate, values in found.items() if values}


def still_to_try(condition: Condition) -> list[float]:
    """The rates to try next: the first four, then one beyond the best that stands at an edge."""
    found = tried(condition)
    missing = [rate for rate in FIRST if rate not in found]
    if missing:
        return missing
    best = LADDER.index(max(found, key=found.get))
    return [
        LADDER[place]
        for place in (best - 1, best + 1)
        if 0 <= place < len(LADDER) and LADDER[place] not in found
    ]


def best_rate(condition: Condition) -> float:
    """The rate chosen for a condition, whatever its own field says.

    Two kinds of conditions have the rate of another one: the longest training runs that of a
    quarter of their steps, and the other tasks that of copying.
    """
    steps = min(condition.steps, 1_200)
    found = tried(Condition("copy", condition.model, condition.size, steps, 0.0))
    if not found:
        raise KeyError(f"no rate was tried for {condition}: run bottleneck_rates first")
    return max(found, key=found.get)


def choose(conditions: list[Condition]) -> None:
    """Try rates until the best of each condition has a worse one on either side."""
    while todo := [
        condition._replace(rate=rate)
        for condition in conditions
        for rate in still_to_try(condition)
    ]:
        run_grid(RESULTS, todo, SEEDS, measure, workers=1)


def asked_for(names: list[str]) -> list[Condition]:
    """The conditions with these names, such as ``copy,fixed,64,300``; by default all of them."""
    return [
        each
        for each in CHOSEN_FOR
        if not names or f"{each.task},{each.model},{each.size},{each.steps}" in names
    ]


if __name__ == "__main__":
    choose(asked_for(sys.argv[1:]))
