"""What an experiment is: a question, a plan, a measurement, and a file of results.

Each module in the folders here that asks something ends with a record of it:

    PLAN = [(CONDITIONS, SEEDS)]
    EXPERIMENT = declared(__name__, measure, PLAN, Condition)

Where each condition has a learning rate of its own, the plan has rows without it, and ``rates`` is
the search for it: each part of the plan is measured when the rates of its rows are known. What was
expected stands above the record, as text (`attn_lab.expectations`).

Unless an experiment says otherwise, seeds 0 to 2 draw start, order, training and test data anew,
and what was expected was written down before the run, is to hold in every seed, and is all that
was expected.

`attn_lab.registry` finds these records, and `python -m attn_lab` runs them.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from pathlib import Path
from typing import Any

from attn_lab.grid import Measure, command_of, read_grid, results_of, run_grid
from attn_lab.rates import RateSearch

__all__ = ["SEEDS", "RateSearch", "between", "declared", "every", "results_of"]

SEEDS = (0, 1, 2)  # of most experiments
# conditions, or rows without a rate, and seeds; or a search, and what of it is asked
Part = tuple[Sequence[Any], Sequence[int]] | tuple[RateSearch, Iterable[tuple]]
Plan = Iterable[Part] | Callable[[], Iterable[Part]]


def every(conditions: Iterable[Any]) -> Any:
    """Whether all of several conditions hold, for each seed."""
    return reduce(and_, conditions)


def between(low: Any, values: Any, high: Any) -> Any:
    """Whether values lie between two bounds, or at one, for each seed."""
    return (low <= values) & (values <= high)


@dataclass(frozen=True)
class Experiment:
    """A question that takes too long for a cell of a chapter.

    about     the docstring of its module, whose first line is the question
    measure   called with a condition and a seed; returns numbers by name
    plan      its parts in the order in which they are run: conditions with their seeds, and between
              them the searches for the rates of what follows. A plan that depends on rates is a
              generator function, which asks for a rate once its search is over
    path      the result file
    kind      the class of the conditions if they are records
    more      what only ``--all`` runs, a plan too
    rates     the search for the rates of rows
    searched  of a row, what is asked of that search; by default the row itself
    """

    about: str
    measure: Measure
    plan: Plan
    path: Path
    kind: type | None = None
    more: Plan = ()
    rates: RateSearch | None = None
    searched: Callable[..., tuple] = lambda *row: row

    @property
    def name(self) -> str:
        """The name of its result file."""
        return self.path.stem

    @property
    def question(self) -> str:
        """The first line of ``about``."""
        return self.about.splitlines()[0]

    def parts(self, *, everything: bool = False) -> Iterator[Part]:
        """The parts of its plan; a rate that is not known when it is asked for is a ValueError."""
        for plan in (self.plan, self.more) if everything else (self.plan,):
            for what, which in plan() if callable(plan) else plan:
                if self.rates is None or isinstance(what, RateSearch):
                    yield what, which
                    continue
                if rows := [row for row in what if not isinstance(row, self.kind)]:
                    yield self.rates, [self.searched(*row) for row in rows]
                yield (
                    [row if isinstance(row, self.kind) else self.condition(*row) for row in what],
                    which,
                )

    def run(self, workers: int | None = None, *, everything: bool = False, on: str = "") -> None:
        """Search the rates and measure the cells that the files lack, part by part.

        Here, or ``on`` the workers of a Dask scheduler.
        """
        command = command_of(self.name)
        for what, which in self.parts(everything=everything):
            if isinstance(what, RateSearch):
                what.search(which, workers, command, on)
            else:
                run_grid(self.path, what, which, self.measure, workers, command, on)

    def results(self, number: str) -> dict[Any, list]:
        """One number of every condition that has it: a value for each seed."""
        return read_grid(self.path, number, self.kind)

    def condition(self, *row: Any) -> Any:
        """The condition of a row at its own rate; a ValueError while that is not known."""
        if self.kind is None:
            return row[0]
        return self.kind(*row, *([self.rates.best(*self.searched(*row))] if self.rates else []))

    def by_row(self, number: str) -> dict[tuple, list]:
        """One number of the conditions at their own rates: row -> a value for each seed."""
        stored = self.results(number)
        return {key[:-1]: values for key, values in stored.items() if self._is_own(key)}

    def _is_own(self, condition: Any) -> bool:
        search = self.searched(*condition[:-1])
        return not self.rates.missing(*search) and condition.rate == self.rates.best(*search)

    def of(self, number: str, *row: Any, at: Sequence[str] = ()) -> Any:
        """One number of a condition, of a row at its own rate, as an array over the seeds.

        ``at`` are the names that lead to it in a table.
        """
        import numpy as np  # not at the top: a list of the experiments does not need it

        runs = self.results(number)[self.condition(*row)]
        for name in at:
            runs = [run[name] for run in runs]
        return np.array(runs)

    def only(self, conditions: Sequence[Any]) -> Callable[[str], dict[Any, list]]:
        """`results` of these conditions alone."""
        return lambda number: {
            key: values for key, values in self.results(number).items() if key in conditions
        }


def declared(module: str, measure: Measure, plan: Plan, *args: Any, **others: Any) -> Experiment:
    """The experiment of a module, by its ``__name__``: question and result file are the module's.

    What follows the plan is as in `Experiment`, from ``kind`` on.
    """
    path = results_of(module.rpartition(".")[2])
    return Experiment(sys.modules[module].__doc__, measure, plan, path, *args, **others)
