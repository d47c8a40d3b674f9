"""What an experiment is: a question, a plan, a measurement, and a file of results.

Each module in the folders here that asks something ends with a record of it:

    PLAN = [(CONDITIONS, SEEDS)]
    EXPERIMENT = Experiment(__doc__, measure, PLAN, results_of(__file__), Condition)

`attn_lab.registry` finds these records, and `python -m attn_lab` runs them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from pathlib import Path
from typing import Any, NamedTuple

from attn_lab.grid import Measure, command_of, read_grid, results_of, run_grid
from attn_lab.rates import RateSearch

__all__ = ["Expectation", "Experiment", "RateSearch", "between", "every", "expect", "results_of"]

Holds = Callable[[], Any]
# conditions and seeds; or a search, and what of it is asked
Part = tuple[Sequence[Any], Sequence[int]] | tuple[RateSearch, Iterable[tuple]]
Plan = Iterable[Part] | Callable[[], Iterable[Part]]


class Expectation(NamedTuple):
    """A sentence that was committed before its measurement.

    text    as it was written down; its margins are part of it
    fixed   the ISO date of the commit that fixed it
    holds   whether the stored results bear it out: a bool for each seed, or a single one where the
            sentence is about a mean or a whole. A sentence that says several things has such a
            function for each, by a name that completes the verdict. If the results that it would
            need are not stored, the verdict itself: "not worked out: " and why
    """

    text: str
    fixed: str
    holds: Holds | Mapping[str, Holds] | str


def expect(fixed: str, *said: str | Holds | Mapping[str, Holds]) -> tuple[Expectation, ...]:
    """The expectations that were fixed on a day: the text of each, then what it holds by."""
    pairs = zip(said[::2], said[1::2], strict=True)
    return tuple(Expectation(text, fixed, holds) for text, holds in pairs)


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
    """

    about: str
    measure: Measure
    plan: Plan
    path: Path
    kind: type | None = None
    more: Plan = ()

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
            yield from plan() if callable(plan) else plan

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
