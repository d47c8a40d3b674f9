"""Which learning rate suits which condition? Double it until the best stands at no edge.

To compare two models at one rate says as much about the rate as about the models. So each condition
has a rate of its own, chosen with seeds that are used for nothing else: at least four are tried,
each twice the one before, and the best must have a worse one on either side.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from attn_lab.grid import Measure, read_grid, run_grid

FIRST = (0.012, 0.024, 0.048)
LEAST = 4  # rates to be tried


@dataclass(frozen=True)
class RateSearch:
    """How the learning rate of a condition is chosen.

    kind     the record of a training run; what comes before its field ``rate`` is *asked*
    measure  trains once, and returns the judge among its numbers
    path     the result file of the trials
    judge    the number that is smallest at the best rate, or largest if it is not ``smaller``
    first    the rates that are tried first, or a function of what is asked
    seeds    of the trials, whose mean decides
    is_over  of the rates tried so far, with what was judged: whether to stop early
    """

    kind: Any
    measure: Measure
    path: Path
    judge: str = "loss"
    smaller: bool = True
    first: Sequence[float] | Callable[..., Sequence[float]] = FIRST
    seeds: tuple[int, ...] = (100,)
    is_over: Callable[[dict[float, float]], bool] = lambda tried: False

    def tried(self, *row: Any) -> dict[float, float]:
        """The judgement of each rate that was tried, by rising rate; empty if none was."""
        if not self.path.exists():
            return {}
        stored = read_grid(self.path, self.judge, self.kind, self.seeds)
        judged = {
            trial.rate: fmean(values)
            for trial, values in stored.items()
            if trial == self.trial(row, trial.rate) and len(values) == len(self.seeds)
        }
        return dict(sorted(judged.items()))

    def missing(self, *row: Any) -> list[float]:
        """The rates to try before the best may be taken; empty if it may."""
        return self._missing(row, self.tried(*row))

    def _missing(self, row: tuple, tried: dict[float, float]) -> list[float]:
        if tried and self.is_over(tried):
            return []
        first = self.first(*row) if callable(self.first) else self.first
        sign = 1 if self.smaller else -1
        return next_rates({rate: sign * judged for rate, judged in tried.items()}, first)

    def best(self, *row: Any) -> float:
        """The best rate; a ValueError while that is not known."""
        tried = self.tried(*row)
        if missing := self._missing(row, tried):
            text = ", ".join(map(str, row))
            raise ValueError(f"{text}: the rates {missing} are still to be tried")
        return (min if self.smaller else max)(tried, key=tried.get)

    def search(
        self, several: Iterable[tuple], workers: int | None = None, command: str = "", on: str = ""
    ) -> None:
        """Try rates for each of these that are asked until the best is at no edge."""
        several = list(several)
        while trials := [
            self.trial(what, rate) for what in several for rate in self.missing(*what)
        ]:
            run_grid(self.path, trials, self.seeds, self.measure, workers, command, on)

    def trial(self, row: Sequence, rate: float) -> Any:
        """The training run at a rate."""
        return self.kind(*row, rate=rate)


def next_rates(tried: dict[float, float], first: Sequence[float] = FIRST) -> list[float]:
    """The rates to try before that with the smallest loss may be taken; empty if it may."""
    if missing := [rate for rate in first if rate not in tried]:
        return missing
    rates = sorted(tried)
    best = rates.index(min(tried, key=tried.get))
    inside = 0 < best < len(rates) - 1
    if inside and len(rates) >= LEAST:
        return []
    down = tried[rates[best - 1]] < tried[rates[best + 1]] if inside else best == 0
    return [rates[0] / 2 if down else 2 * rates[-1]]
