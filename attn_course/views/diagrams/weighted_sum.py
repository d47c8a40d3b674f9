"""The weighted sum: annotations, each scaled by its weight, added into one context."""

from collections.abc import Iterator, Sequence

import numpy as np

from attn_course.views.diagrams.pieces import (
    LONGEST,
    MIDDLE,
    RIGHT,
    columns,
    drawing,
    label,
    operation,
    path,
    rect,
    text,
    weight_row,
)
from attn_course.views.plots import MONO, TEXT, Picture, numbers, visible

DRAWN = 8  # entries of each vector
CELL = 8  # the height of one of them
STRIP = DRAWN * CELL

# the top of each row, from top to bottom
WHOLE = 26
WEIGHT = WHOLE + STRIP + 14
SCALED = WEIGHT + 36
SUM = SCALED + STRIP + 34
TOTAL = SUM + 42
HEIGHT = TOTAL + STRIP + 12


def weighted_sum_diagram(
    annotations: Sequence,
    weights: Sequence,
    source: Sequence[str],
    title: str = "The context is the sum of the annotations, each scaled by its weight",
) -> Picture:
    """Draw c_i = Σ_j α_ij h_j with its numbers, for the first entries of each vector.

    Bars point right for entries above zero, and left for those below; all have the same scale.
    ``annotations`` are (source annotation), ``weights`` (source), between 0 and 1; ``source`` are
    the symbols. Anything else is a ValueError.
    """
    annotations, weights = numbers(annotations), numbers(weights)
    if not 1 <= len(source) <= LONGEST:
        raise ValueError(f"source must have 1 to {LONGEST} symbols; got {len(source)}")
    if annotations.ndim != 2 or len(annotations) != len(source):
        raise ValueError(f"annotations must be ({len(source)}, any size); got {annotations.shape}")
    if weights.shape != (len(source),) or not ((weights >= 0) & (weights <= 1 + 1e-6)).all():
        raise ValueError(f"weights must be {len(source)} numbers from 0 to 1; got {weights}")
    context = weights @ annotations
    largest = max(np.abs(annotations[:, :DRAWN]).max(), 1e-9)
    shape = f"({len(source)}, {annotations.shape[1]})"
    parts = [
        *_tokens(source),
        *_strips(annotations, WHOLE, largest, "source"),
        label(WHOLE + 26, "annotations", "h_1 … h_n", shape, "source-text"),
        *_weights(weights),
        *_strips(weights[:, None] * annotations, SCALED, largest, "source"),
        label(SCALED + 26, "scaled", "α_{ij} h_j", shape, "source-text"),
        *_sum(weights),
        *_context(context, largest),
    ]
    most = int(weights.argmax())
    alt = (
        f"A weighted sum. {len(source)} annotations of {annotations.shape[1]} numbers, of which "
        f"the first {min(DRAWN, annotations.shape[1])} are drawn, are each multiplied by a weight. "
        f"The largest, {weights[most]:.2f}, is that of “{visible(source[most])}”. Their sum is one "
        f"context of {annotations.shape[1]} numbers."
    )
    return drawing(title, parts, HEIGHT, alt)


def _tokens(source: Sequence[str]) -> Iterator[str]:
    for x, _, symbol in columns(source):
        yield text(x, 16, visible(symbol), "source-text", size=TEXT, family=MONO)


def _strips(rows: np.ndarray, top: float, largest: float, role: str) -> Iterator[str]:
    """Each row as a strip of bars, which extend from the middle to either side."""
    for x, width, row in columns(rows):
        yield from strip(x, top, width, row, largest=largest, role=role)


def strip(
    x: float, top: float, width: float, row: np.ndarray, *, largest: float, role: str
) -> Iterator[str]:
    """The first entries of one vector as bars, to the right of the middle if above zero."""
    yield rect(x - width / 2, top, width, STRIP, "surface", round=2)
    for place, value in enumerate(row[:DRAWN]):
        reach = value / largest * width / 2
        yield rect(x + min(reach, 0), top + CELL * place + 1, abs(reach), CELL - 2, role, round=0)


def _weights(weights: np.ndarray) -> Iterator[str]:
    yield label(WEIGHT + 4, "weights", "α_{ij}", f"({len(weights)})", "ink")
    yield from weight_row(weights, WEIGHT, 20)
    for x, _, _ in columns(weights):
        yield text(x, WEIGHT - 3, "×", "muted", size=TEXT)
        yield path(f"M {x:.1f} {WEIGHT + 21} V {SCALED - 2}", "edge", arrow=True)


def _sum(weights: np.ndarray) -> Iterator[str]:
    low = SCALED + STRIP
    for x, _, weight in columns(weights):
        line = f"M {x:.1f} {low + 1} C {x:.1f} {SUM - 12} {MIDDLE} {SUM - 16} {MIDDLE} {SUM}"
        yield path(line, "context", width=0.4 + 5 * weight)
    yield operation(SUM, "c_i = Σ_j α_{ij} h_j")
    yield path(f"M {MIDDLE} {SUM + 28} V {TOTAL - 2}", "context", arrow=True)


def _context(context: np.ndarray, largest: float) -> Iterator[str]:
    yield label(TOTAL + 26, "context", "c_i", f"({len(context)})", "context-text")
    yield from strip(MIDDLE, TOTAL, 26, context, largest=largest, role="context")
    if len(context) > DRAWN:
        lines = ("drawn: the first", f"{DRAWN} of {len(context)} entries")
        for number, line in enumerate(lines):
            place = (RIGHT, TOTAL + STRIP / 2 + 14 * number)
            yield text(*place, line, "muted", size=TEXT, anchor="end")
