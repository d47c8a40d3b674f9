"""The decoder sees all states at every step: a line for each step and each position."""

from collections.abc import Iterator, Sequence

import numpy as np

from attn_course.views.diagrams.pieces import (
    LEFT,
    LONGEST,
    RIGHT,
    columns,
    drawing,
    label,
    path,
    rect,
    text,
)
from attn_course.views.plots import MONO, TEXT, Picture, numbers, visible

# the top of each row, from top to bottom
SOURCE, CONTEXT, STATE, OUTPUT, HEIGHT = 24, 190, 234, 270, 284
BOX = 22


def every_step_diagram(
    weights: Sequence,
    source: Sequence[str],
    target: Sequence[str],
    title: str = "At every step the decoder sees all the states of the encoder",
) -> Picture:
    """Draw what every step reads: the line from annotation j to step i is as thick as α_ij.

    No line is missing, since softmax gives every position some weight, but most are very thin.
    ``weights`` are (target source), between 0 and 1; ``source`` and ``target`` are the symbols.
    Anything else is a ValueError.
    """
    weights = numbers(weights)
    for name, symbols in (("source", source), ("target", target)):
        if not 1 <= len(symbols) <= LONGEST:
            raise ValueError(f"{name} must have 1 to {LONGEST} symbols; got {len(symbols)}")
    if weights.shape != (len(target), len(source)):
        raise ValueError(
            f"weights must be (target {len(target)}, source {len(source)}); got {weights.shape}"
        )
    if not ((weights >= 0) & (weights <= 1 + 1e-6)).all():
        raise ValueError("weights must lie between 0 and 1")
    parts = [*_lines(weights), *_source(source), *_target(target)]
    reads = ", ".join(
        f"“{visible(symbol)}” reads “{visible(source[int(row.argmax())])}”"
        for symbol, row in zip(target, weights, strict=True)
    )
    alt = (
        f"{len(source)} annotations above {len(target)} decoder steps, with a line from every "
        f"annotation to every step, as thick as its weight. What each step reads most: {reads}."
    )
    return drawing(title, parts, HEIGHT, alt)


def _lines(weights: np.ndarray) -> Iterator[str]:
    top, bottom = SOURCE + BOX, CONTEXT
    bend = (top + bottom) / 2
    for below, _, row in columns(weights):
        for above, _, weight in columns(row):
            line = (
                f"M {above:.1f} {top} C {above:.1f} {bend} {below:.1f} {bend} {below:.1f} {bottom}"
            )
            yield path(line, "context", width=0.15 + 5 * weight)


def _source(source: Sequence[str]) -> Iterator[str]:
    yield label(SOURCE + 4, "annotations", "h_1 … h_n", f"{len(source)} of them", "source-text")
    for x, width, symbol in columns(source):
        yield text(x, SOURCE - 8, visible(symbol), "source-text", size=TEXT, family=MONO)
        yield rect(x - width / 2, SOURCE, width, BOX, "source", round=3)


def _target(target: Sequence[str]) -> Iterator[str]:
    yield label(CONTEXT + 4, "contexts", "c_1 … c_m", "one per step", "context-text")
    yield label(STATE + 8, "states", "s_1 … s_m", "one per step", "target-text")
    pitch = (RIGHT - LEFT) / len(target)
    for place, (x, width, symbol) in enumerate(columns(target)):
        yield rect(x - width / 2, CONTEXT, width, BOX, "context", round=3)
        yield path(f"M {x:.1f} {CONTEXT + BOX} V {STATE}", "context", arrow=True)
        yield rect(x - width / 2, STATE, width, BOX, "target", round=3)
        if place:  # the state before
            start, end = x - pitch + width / 2, x - width / 2
            yield path(f"M {start:.1f} {STATE + BOX / 2} H {end:.1f}", "target", arrow=True)
        yield text(x, OUTPUT, visible(symbol), "target-text", size=TEXT, family=MONO)
