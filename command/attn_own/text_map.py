"""Weights as text, for a terminal: one row for each symbol written, one column for each read."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np

from attn_course._signature import checked
from attn_course._values import Some
from attn_own.wording import escaped, unseen

_SHADES = " ░▒▓█"
_LEAST = 0.05  # the smallest weight that is named


@checked
def text_map(source: Some[str], target: Sequence[str], weights: np.ndarray) -> str:
    """Which symbol was read for which, in characters.

    Characters stand above columns of shades. Words would not fit there: each word that was written
    is followed by the words that were read for it, with their weights.

    source, target  the symbols read and written; weights (target source)
    """
    if not all([*source, *target]):
        raise ValueError("each symbol must have at least one character; got none")
    if any(len(symbol) > 1 for symbol in [*source, *target]):
        width = max((len(escaped(symbol)) for symbol in target), default=0)
        rows = zip(target, weights, strict=True)
        return "\n".join(
            f"{escaped(symbol):>{width}} ← {_named(source, row)}" for symbol, row in rows
        )
    columns = [_printable(symbol) for symbol in source]
    head = "   " + " ".join(columns)
    rows = [head]
    for symbol, row in zip(target, weights, strict=True):
        cells = (
            _shade(weight) * _width(column) for weight, column in zip(row, columns, strict=True)
        )
        label = _printable(symbol)
        rows.append(f"{' ' * (2 - _width(label))}{label} {' '.join(cells)}".rstrip())
    return "\n".join(rows)


def _named(source: Sequence[str], row: np.ndarray) -> str:
    most = [j for j in np.argsort(-row, kind="stable")[:3] if row[j] >= _LEAST]
    return ", ".join(f"{escaped(source[j])} {row[j]:.2f}" for j in most) or "nothing much"


def _shade(weight: float) -> str:
    return _SHADES[min(int(weight * len(_SHADES)), len(_SHADES) - 1)]


def _printable(symbol: str) -> str:
    """A mark stands on a ring, a space is a sign of its own, and a control character is escaped."""
    if symbol == " ":
        return "␣"
    if unseen(symbol):
        return "⍽"
    return f"◌{symbol}" if unicodedata.combining(symbol) else escaped(symbol)


def _width(text: str) -> int:
    """How many columns of a terminal it takes."""
    return sum(
        2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
        if not unicodedata.combining(sign)
    )
