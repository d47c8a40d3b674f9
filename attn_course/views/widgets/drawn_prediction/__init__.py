"""Draw a curve first, then see what was measured laid over it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import traitlets

from attn_course.views.widgets.parts import Widget


class Axis(NamedTuple):
    """An axis of the drawing.

    label    what it measures
    ticks    the numbers written along it, in rising order, or a mapping from numbers to texts
    ends     the least and the greatest number; by default the first and the last tick
    log      whether equal distances stand for equal factors
    unit     follows every number, such as "%"
    """

    label: str
    ticks: Sequence[float] | Mapping[float, str]
    ends: tuple[float, float] | None = None
    log: bool = False
    unit: str = ""


class DrawnPrediction(Widget):
    """Ask the reader to draw a curve, and lay what was measured over it.

        guess = DrawnPrediction(
            "How many sequences of each length does the model copy without a mistake?",
            x=Axis("letters", (2, 4, 6, 8, 10, 12, 14, 16)),
            y=Axis("copied right", (0, 25, 50, 75, 100), unit="%"),
        )
        ...                                  # cells that measure
        guess.reveal({"one vector": runs}, "Half of them fail from ten letters on.")

    The reader sets one value at each of the positions, with a pointer, a finger or the arrow keys,
    or by typing into a table. A curve counts as a guess only if no value is missing.

    question     one sentence
    x, y         the axes
    positions    where the reader sets a value, in rising order; by default the ticks of x
    levels       the number of steps into which the height of the drawing is divided
    """

    question = traitlets.Unicode().tag(sync=True)
    x = traitlets.Dict().tag(sync=True)
    y = traitlets.Dict().tag(sync=True)
    positions = traitlets.List().tag(sync=True)
    levels = traitlets.Int(50).tag(sync=True)
    drawn = traitlets.List().tag(sync=True)
    guess = traitlets.Any(None, allow_none=True).tag(sync=True)
    committed = traitlets.Bool(False).tag(sync=True)
    curves = traitlets.List().tag(sync=True)
    explanation = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        question: str,
        x: Axis,
        y: Axis,
        *,
        positions: Sequence[float] | None = None,
        levels: int = 50,
    ):
        if not isinstance(question, str) or not question.strip():
            raise ValueError(f"question must be a sentence; got {question!r}")
        if not isinstance(levels, int) or levels < 2:
            raise ValueError(f"levels must be a whole number above 1; got {levels!r}")
        across, up = _axis("x", x), _axis("y", y)
        where = [tick["at"] for tick in across["ticks"]] if positions is None else positions
        where = _rising("positions", where)
        if not across["low"] <= where[0] <= where[-1] <= across["high"]:
            raise ValueError(f"positions must lie on the x axis; got {where}")
        super().__init__(
            question=question,
            summary=question,
            x=across,
            y=up,
            positions=where,
            levels=levels,
            drawn=[None] * len(where),
        )

    def __repr__(self) -> str:
        return f"{super().__repr__()} ({len(self.positions)} points to draw)"

    def reveal(self, measured: Mapping[str, object] | object, explanation: str = "") -> None:
        """Set what this run measured: the curve that was asked for, and perhaps others.

        ``measured`` maps the name of each curve to its runs, (seed position) or (position); the
        first is the one with which the reader's is compared. A single curve needs no name.
        """
        named = measured if isinstance(measured, Mapping) else {"measured": measured}
        if not named:
            raise ValueError("measured must hold at least one curve; got none")
        curves = [self._curve(name, runs) for name, runs in named.items()]
        with self.hold_sync():
            self.explanation = explanation
            self.curves = curves

    def _curve(self, name: str, runs: object) -> dict:
        values = np.asarray(runs, dtype=np.float64)
        values = values[None] if values.ndim == 1 else values
        if values.ndim != 2 or values.shape[1] != len(self.positions) or not len(values):
            raise ValueError(
                f"{name} must hold a number for each of the {len(self.positions)} positions, in "
                f"one run or more; got the shape {np.shape(runs)}"
            )
        if not np.isfinite(values).all():
            raise ValueError(f"{name} must be finite; got {values.tolist()}")
        if self.y["log"] and (values <= 0).any():
            raise ValueError(f"{name} must be above 0 on a logarithmic axis; got {values.min()}")
        return {
            "name": name,
            "mean": self._middle(values).tolist(),
            "low": values.min(axis=0).tolist(),
            "high": values.max(axis=0).tolist(),
            "runs": len(values),
        }

    def _middle(self, values: np.ndarray) -> np.ndarray:
        """The mean over runs; on a logarithmic axis, of the logarithms."""
        return np.exp(np.log(values).mean(axis=0)) if self.y["log"] else values.mean(axis=0)

    @traitlets.validate("drawn")
    def _drawn_is_on_the_axis(self, proposal) -> list:
        self._check("drawn", [value for value in proposal["value"] if value is not None])
        return self._as_many("drawn", proposal["value"])

    @traitlets.validate("guess")
    def _guess_is_on_the_axis(self, proposal) -> list | None:
        if proposal["value"] is not None:
            self._check("guess", self._as_many("guess", proposal["value"]))
        return proposal["value"]

    def _as_many(self, name: str, values: object) -> list:
        if not isinstance(values, list) or len(values) != len(self.positions):
            raise ValueError(f"{name} must be a list of {len(self.positions)}; got {values!r}")
        return values

    def _check(self, name: str, values: list) -> None:
        low, high = self.y["low"], self.y["high"]
        for value in values:
            if not low <= _number(name, value) <= high:
                raise ValueError(f"{name} must lie between {low} and {high}; got {value!r}")


def _axis(name: str, axis: Axis) -> dict:
    """An axis in the form that the page takes."""
    if not isinstance(axis, Axis):
        raise TypeError(f"{name} must be an Axis; got {axis!r}")
    ticks = _rising(f"the ticks of {name}", axis.ticks)
    low, high = _rising(f"the ends of {name}", axis.ends or (ticks[0], ticks[-1]))
    if not low <= ticks[0] <= ticks[-1] <= high:
        raise ValueError(f"the ticks of {name} must lie between its ends; got {ticks}")
    if axis.log and low <= 0:
        raise ValueError(f"a logarithmic axis begins above 0; {name} begins at {low}")
    texts = [*axis.ticks.values()] if isinstance(axis.ticks, Mapping) else [""] * len(ticks)
    marks = [{"at": at, "text": str(text)} for at, text in zip(ticks, texts, strict=True)]
    log = bool(axis.log)
    return {
        "label": axis.label,
        "ticks": marks,
        "low": low,
        "high": high,
        "log": log,
        "unit": axis.unit,
    }


def _rising(name: str, numbers: object) -> list[float]:
    values = [_number(name, number) for number in numbers]
    if len(values) < 2 or any(one >= other for one, other in pairwise(values)):
        raise ValueError(f"{name} must be two or more rising numbers; got {values}")
    return values


def _number(name: str, value: object) -> float:
    """A plain number for the page, since JSON cannot hold those of NumPy and torch."""
    if hasattr(value, "item"):
        value = value.item()
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(f"{name} must be numbers; got {value!r}")
    if not math.isfinite(value):
        raise ValueError(f"{name} must be finite; got {value!r}")
    return value
