"""Which learning rate suits which reader of the experiment `transformer_parts`?

At least four rates are tried, each twice the one before, and the best must have a worse one on
either side (`score_rates.next_rates`). The judge is the share of unseen dates that are *not* read.
Seed 9 draws start, order, training and test dates; nothing else uses it. Two epochs of the
dates are searched, and the best rate is kept for eight.
"""

from collections.abc import Iterable

from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.experiments.learnt_models import exact, unseen
from attn_course.experiments.score_rates import next_rates
from attn_course.experiments.transformer_models import Reader, trained

SEED = 9  # none of those that are measured
EPOCHS = 2
FIRST = {"luong": (0.012, 0.024, 0.048)}
OTHERWISE = (0.003, 0.006, 0.012)
RESULTS = results_of(__file__)


def measure(reader: Reader, seed: int) -> dict[str, float]:
    """The share of unseen dates that are not read after training, 1 where training broke down."""
    try:
        model, _, _ = trained(reader, seed)
    except FloatingPointError:
        return {"misread": 1.0}
    return {"misread": 1 - exact(model, unseen(seed))}


def misread(kind: str) -> dict[float, float]:
    """The share left unread at each rate that was tried, by rising rate."""
    found = read_grid(RESULTS, "misread", Reader) if RESULTS.exists() else {}
    return dict(sorted((each.rate, share[0]) for each, share in found.items() if each.kind == kind))


def missing(kind: str) -> list[float]:
    """The rates that are still to be tried; empty if the search is over."""
    return next_rates(misread(kind), FIRST.get(kind, OTHERWISE))


def best_rate(kind: str) -> float:
    """The rate that left the least unread; a ValueError while that is not known."""
    if missing(kind):
        raise ValueError(f"{kind}: the rates {missing(kind)} are still to be tried")
    tried = misread(kind)
    return min(tried, key=tried.get)


def search(kinds: Iterable[str], workers: int | None = None) -> None:
    """Try rates for each reader until the best is not at an edge."""
    kinds = list(kinds)
    while readers := [Reader(kind, EPOCHS, rate) for kind in kinds for rate in missing(kind)]:
        run_grid(RESULTS, readers, [SEED], measure, workers)
