"""Which learning rate suits which way to train a date reader?

    python -m attn_course.experiments.must_attention_be_learnt     (which asks for these first)

Each way of `learnt_models` is trained for 2 epochs, and some for 8, with each of four rates, with a
seed whose start, training data and test data serve nothing else. The rate that reads the most dates
is taken; while it is the lowest or the highest of those tried, one more is tried beyond it.
"""

from collections.abc import Sequence

from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.experiments.learnt_models import Condition, exact, trained, unseen

SEED = 9  # none of those that are measured
EPOCHS = 2
RATES = (0.006, 0.012, 0.024, 0.048)
RESULTS = results_of(__file__)


def measure(condition: Condition, seed: int) -> dict[str, float]:
    """Train one model, and measure the share of unseen dates that it reads."""
    return {"exact": exact(trained(condition, seed, False)[0], unseen(seed))}


def tried(way: str, epochs: int = EPOCHS) -> dict[float, float]:
    """The share of dates read with each rate that was tried, the lowest rate first."""
    found = read_grid(RESULTS, "exact", Condition)
    asked = [each for each in found if (each.way, each.epochs) == (way, epochs)]
    return {each.rate: found[each][0] for each in sorted(asked, key=lambda each: each.rate)}


def best_rate(way: str, epochs: int = EPOCHS) -> float:
    """The rate that read the most dates."""
    shares = tried(way, epochs)
    return max(shares, key=shares.get)


def is_selected(way: str, epochs: int = EPOCHS) -> bool:
    """Whether all four rates were tried and the best is not at an edge."""
    found = tried(way, epochs)
    return set(RATES) <= set(found) and beyond(way, epochs) is None


def select(ways: Sequence[str], workers: int | None = None, epochs: int = EPOCHS) -> None:
    """Try the rates of these ways, and further ones until no best rate is at an edge."""
    wanted = [Condition(way, epochs, rate) for way in ways for rate in RATES]
    while wanted:
        run_grid(RESULTS, wanted, [SEED], measure, workers)
        wanted = [Condition(way, epochs, rate) for way in ways if (rate := beyond(way, epochs))]


def beyond(way: str, epochs: int = EPOCHS) -> float | None:
    """The rate to try next if the best so far is at an edge, otherwise None."""
    rates, best = list(tried(way, epochs)), best_rate(way, epochs)
    if best == rates[0]:
        return best / 2
    return best * 2 if best == rates[-1] else None
