"""Guess first, then see what was measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real

import traitlets

from attn_course.views.widgets.parts import Widget


class Prediction(Widget):
    """Ask for a guess before the measurement, and afterwards show both side by side.

    The measurement stays hidden until the reader has committed to a guess: a reader who has guessed
    looks at the result differently, above all if the guess was wrong.

        guess = Prediction("Which score trains fastest?", ["additive", "dot", "general"])
        guess = Prediction("How many dates of unseen days are read?", (0, 100, 1, "%"))
        ...                                  # cells that measure
        guess.reveal(97.3, "Errors are nearly all ambiguous dates.")

    question     one sentence
    options      two or more different answers, or the (low, high, step) or (low, high, step, unit)
                 of a slider
    """

    question = traitlets.Unicode().tag(sync=True)
    options = traitlets.List(traitlets.Unicode()).tag(sync=True)
    scale = traitlets.Dict().tag(sync=True)
    guess = traitlets.Any(None, allow_none=True).tag(sync=True)
    committed = traitlets.Bool(False).tag(sync=True)
    measured = traitlets.Any(None, allow_none=True).tag(sync=True)
    explanation = traitlets.Unicode().tag(sync=True)

    def __init__(self, question: str, options: Sequence):
        if not isinstance(question, str) or not question.strip():
            raise ValueError(f"question must be a sentence; got {question!r}")
        answers = list(options)
        if answers and all(isinstance(answer, str) for answer in answers):
            choice = {"options": _different(answers)}
        else:
            choice = {"scale": _scale(answers)}
        super().__init__(question=question, summary=question, **choice)

    def __repr__(self) -> str:
        return f"{super().__repr__()} ({self._choice()})"

    def reveal(self, measured: str | float, explanation: str = "") -> None:
        """Set what this run measured: one of the options, or a number for a slider."""
        if self.scale:
            measured = _number("measured", measured)
        elif measured not in self.options:
            raise ValueError(f"measured must be one of {self.options}; got {measured!r}")
        with self.hold_sync():
            self.explanation = explanation
            self.measured = measured

    @traitlets.validate("guess")
    def _guess_is_possible(self, proposal) -> str | float | None:
        guess = proposal["value"]
        if guess is None:
            return None
        if not self.scale:
            if guess not in self.options:
                raise ValueError(f"guess must be one of {self.options}; got {guess!r}")
            return guess
        low, high = self.scale["low"], self.scale["high"]
        if not low <= _number("guess", guess) <= high:
            raise ValueError(f"guess must lie between {low} and {high}; got {guess!r}")
        return guess

    def _choice(self) -> str:
        if not self.scale:
            return " / ".join(self.options)
        return "{low} to {high} {unit}".format(**self.scale).strip()


def _different(options: list[str]) -> list[str]:
    if len(set(options)) != len(options) or len(options) < 2 or not all(map(str.strip, options)):
        raise ValueError(f"options must be two or more different answers; got {options}")
    return options


def _scale(numbers: list) -> dict:
    if len(numbers) not in (3, 4):
        raise ValueError(
            "options must be two or more different answers, or (low, high, step) or "
            f"(low, high, step, unit) of a slider; got {numbers}"
        )
    low, high, step = (
        _number(name, number)
        for name, number in zip(("low", "high", "step"), numbers[:3], strict=True)
    )
    if not low < high or not 0 < step <= high - low:
        raise ValueError(
            f"a slider needs low < high and a step above 0 that fits between; "
            f"got {low}, {high}, {step}"
        )
    unit = numbers[3] if len(numbers) == 4 else ""
    if not isinstance(unit, str):
        raise TypeError(f"unit must be a string; got {unit!r}")
    return {"low": low, "high": high, "step": step, "unit": unit}


def _number(name: str, value: object) -> float:
    """A plain number for the page, since JSON cannot hold those of NumPy and torch."""
    if hasattr(value, "item"):
        value = value.item()
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number; got {value!r}")
    if not math.isfinite(value):
        raise ValueError(f"{name} must be finite; got {value!r}")
    return value
