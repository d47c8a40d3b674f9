"""Where the context enters the decoder: concatenated with other vectors, twice per step."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from attn_course.views.diagrams.pieces import (
    LEFT,
    LONGEST,
    MATHS,
    MIDDLE,
    RIGHT,
    columns,
    drawing,
    label,
    maths,
    operation,
    path,
    rect,
    text,
    vector,
)
from attn_course.views.plots import MONO, TEXT, Picture, numbers, visible

TALL = 40  # the height of a vector that is drawn entry by entry

# the top of each row, from top to bottom
READ = 30
CELL = READ + TALL + 26
JOINED = CELL + 62
READOUT = JOINED + TALL + 26
FLOOR = READOUT + 74
HEIGHT = FLOOR + 20

VECTORS = ("previous_output", "context", "previous_state", "state", "probabilities")


def context_entry_diagram(
    step: Mapping[str, Sequence],
    output: Sequence[str],
    title: str = "The context enters twice: into the cell and into the readout",
) -> Picture:
    """Draw how [y_{i-1} ; c_i] enters the cell and [s_i ; c_i] the readout, entry by entry.

        s_i = GRU([y_{i-1} ; c_i], s_{i-1})        p(y_i) = softmax(W_o [s_i ; c_i])

    ``step`` has a vector for each name in `VECTORS`, and ``output`` the symbols that can be
    written. Bars point upwards for entries above zero, and downwards for those below. A missing
    vector, or one that does not fit, is a ValueError.
    """
    if missing := set(VECTORS) - step.keys():
        raise ValueError(f"step must have the vectors {list(VECTORS)}; missing: {sorted(missing)}")
    arrays = {name: numbers(step[name]) for name in VECTORS}
    for name, array in arrays.items():
        if array.ndim != 1 or not len(array) or not np.isfinite(array).all():
            raise ValueError(f"{name} must be one vector of finite numbers; got {array.shape}")
    if len(arrays["probabilities"]) != len(output) or len(output) > LONGEST:
        raise ValueError(
            f"probabilities must have an entry for each of at most {LONGEST} output symbols; "
            f"got {len(arrays['probabilities'])} for {len(output)}"
        )
    parts = [*_cell(arrays), *_readout(arrays), *_output(arrays["probabilities"], output)]
    sizes = {name: len(array) for name, array in arrays.items()}
    written = visible(output[int(arrays["probabilities"].argmax())])
    alt = (
        f"The previous output, {sizes['previous_output']} numbers, and the context, "
        f"{sizes['context']} numbers, are joined end to end and enter the GRU together "
        f"with the previous state. The new state, {sizes['state']} numbers, and the same context "
        f"are joined end to end and enter the readout, whose likeliest symbol is “{written}”."
    )
    return drawing(title, parts, HEIGHT, alt)


def _cell(arrays: Mapping[str, np.ndarray]) -> Iterator[str]:
    pair = [("y_{i−1}", "previous_output", "target"), ("c_i", "context", "context")]
    yield from _joined(READ, arrays, pair)
    size = f"({sum(len(arrays[name]) for _, name, _ in pair)})"
    yield label(READ + 12, "cell input", "[y_{i−1} ; c_i]", size, "ink")
    shape = f"({len(arrays['previous_state'])})"
    yield vector(
        3, CELL - 8, 89, name="previous state", symbol="s_{i−1}", shape=shape, role="target"
    )
    yield path(f"M 92 {CELL + 14} H {LEFT}", "target", arrow=True)
    yield operation(CELL, "s_i = GRU([y_{i−1} ; c_i], s_{i−1})")


def _readout(arrays: Mapping[str, np.ndarray]) -> Iterator[str]:
    pair = [("s_i", "state", "target"), ("c_i", "context", "context")]
    (_, start, end), *_ = _places(arrays, pair)
    yield path(f"M {(start + end) / 2:.1f} {CELL + 28} V {JOINED - 19}", "target", arrow=True)
    # the same context comes down on the right
    yield path(
        f"M {RIGHT} {READ + TALL / 2} H 353 V {JOINED + TALL / 2} H {RIGHT}", "context", 1.2, True
    )
    yield from _joined(JOINED, arrays, pair)
    size = f"({sum(len(arrays[name]) for _, name, _ in pair)})"
    yield label(JOINED + 12, "readout input", "[s_i ; c_i]", size, "ink")
    yield operation(READOUT, "p(y_i) = softmax(W_o [s_i ; c_i])")


def _places(
    arrays: Mapping[str, np.ndarray], pair: Sequence[tuple[str, str, str]]
) -> list[tuple[str, float, float]]:
    """Where each vector begins and ends: its width is proportional to its length."""
    sizes = [len(arrays[name]) for _, name, _ in pair]
    edges = LEFT + (RIGHT - LEFT) * np.cumsum([0, *sizes]) / sum(sizes)
    return [(name, *ends) for (_, name, _), ends in zip(pair, pairwise(edges), strict=True)]


def _joined(
    top: float, arrays: Mapping[str, np.ndarray], pair: Sequence[tuple[str, str, str]]
) -> Iterator[str]:
    """Concatenated vectors, with a bar for each entry and their names above."""
    for (symbol, name, role), (_, start, end) in zip(pair, _places(arrays, pair), strict=True):
        values = arrays[name]
        yield text((start + end) / 2, top - 5, maths(symbol), f"{role}-text", size=MATHS)
        yield rect(start, top, end - start, TALL, f"{role}-wash", edge=role, round=2)
        reach = (TALL / 2 - 2) / max(np.abs(values).max(), 1e-9)
        for x, width, value in columns(values, start, end):
            tall = abs(value) * reach
            above = top + TALL / 2 - max(value, 0) * reach
            yield rect(x - width / 2, above, width, tall, role, round=0)
    yield path(f"M {MIDDLE} {top + TALL} V {top + TALL + 26}", "edge", arrow=True)


def _output(probabilities: np.ndarray, output: Sequence[str]) -> Iterator[str]:
    yield label(FLOOR - 20, "output", "p(y_i)", f"({len(output)})", "target-text")
    for (x, width, share), symbol in zip(columns(probabilities), output, strict=True):
        yield rect(x - width / 2, FLOOR - 38 * share, width, 38 * share, "target")
        best = share == probabilities.max()
        role, weight = ("target-text", 700) if best else ("muted", 400)
        yield text(x, FLOOR + 12, visible(symbol), role, size=TEXT, family=MONO, weight=weight)
    yield path(f"M {LEFT} {FLOOR} H {RIGHT}", "edge", width=0.6)
