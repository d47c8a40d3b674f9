"""One step of an attentive decoder, from top to bottom."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from attn_course.views.diagrams.pieces import (
    LEFT,
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
    vector,
    weight_row,
)
from attn_course.views.plots import MONO, TEXT, Picture, numbers, visible

# the top of each element, from top to bottom: an operation is 28 high, a vector 44
SCORE, SOFTMAX, SUM, CONTEXT, UPDATE = 80, 170, 262, 306, 372
STATE, READOUT, FLOOR, HEIGHT = 410, 464, 538, 556

# every array of a step with its axes, in the order in which they are computed
STEP = {
    "annotations": ("source", "annotation"),
    "previous_state": ("state",),
    "previous_output": ("embedding",),
    "scores": ("source",),
    "weights": ("source",),
    "context": ("annotation",),
    "state": ("state",),
    "probabilities": ("output",),
}


def step_diagram(
    step: Mapping[str, Sequence],
    source: Sequence[str],
    output: Sequence[str],
    title: str = "One step of the decoder",
) -> Picture:
    """Draw a whole decoder step, with its shapes and numbers.

        e_ij = v · tanh(W_a s_{i-1} + U_a h_j)     α_i = softmax(e_i)     c_i = Σ_j α_ij h_j
        s_i = GRU([y_{i-1} ; c_i], s_{i-1})        p(y_i) = softmax(W_o [s_i ; c_i])

    ``step`` has the arrays named in `STEP`, ``source`` the symbols that were read, and ``output``
    those that can be written. A missing array, or one of the wrong shape, is a ValueError.
    """
    arrays = _checked(step, source, output)
    shape = {name: f"({', '.join(map(str, array.shape))})" for name, array in arrays.items()}
    parts = [
        *_lanes(),
        *_annotations(source, shape),
        *_scores(arrays["scores"], shape),
        *_weights(arrays["weights"], shape),
        *_context(shape),
        *_state(shape),
        *_output(arrays["probabilities"], output, shape),
    ]
    alt = _in_words(arrays, source, output, shape)
    height = HEIGHT + 7 * (max(map(len, output)) - 1)
    return drawing(title, parts, height, alt)


# ---- the rows, from top to bottom


def _lanes() -> Iterator[str]:
    """The lines of what is used twice: s_{i-1} runs down on the left, h_j on the right."""
    yield path(f"M 18 {SCORE + 28} V {UPDATE + 14} H 60", "target", arrow=True)
    yield path(f"M {RIGHT} 46 H 353 V {SUM + 14} H {RIGHT}", "source", arrow=True)


def _annotations(source: Sequence[str], shape: Mapping[str, str]) -> Iterator[str]:
    yield label(34, "annotations", "h_1 … h_n", shape["annotations"], "source-text")
    for x, width, symbol in columns(source):
        yield text(x, 16, visible(symbol), "source-text", size=TEXT, family=MONO)
        yield rect(x - width / 2, 24, width, 44, "source", round=3)
        yield path(f"M {x:.1f} 68 V {SCORE}", "source", arrow=True)
    yield vector(
        3,
        SCORE - 8,
        89,
        name="previous state",
        symbol="s_{i−1}",
        shape=shape["previous_state"],
        role="target",
    )
    yield path(f"M 92 {SCORE + 14} H {LEFT}", "target", arrow=True)
    yield operation(SCORE, "e_{ij} = v · tanh(W_a s_{i−1} + U_a h_j)")


def _scores(scores: np.ndarray, shape: Mapping[str, str]) -> Iterator[str]:
    yield label(SCORE + 54, "scores", "e_{ij}", shape["scores"], "ink")
    top, bottom = max(scores.max(), 0.0), min(scores.min(), 0.0)
    unit = 34 / max(top - bottom, 1e-9)
    zero = SCORE + 42 + top * unit
    yield path(f"M {LEFT} {zero:.1f} H {RIGHT}", "edge", width=0.6)
    for x, width, score in columns(scores):
        height = abs(score) * unit
        yield rect(x - width / 2, zero - max(score, 0.0) * unit, width, height, "edge")
        yield path(f"M {x:.1f} {SOFTMAX - 10} V {SOFTMAX}", "edge", arrow=True)
    yield operation(SOFTMAX, "α_{ij} = exp(e_{ij}) / Σ_k exp(e_{ik})")


def _weights(weights: np.ndarray, shape: Mapping[str, str]) -> Iterator[str]:
    yield label(SOFTMAX + 46, "weights", "α_{ij}", shape["weights"], "ink")
    top = SOFTMAX + 37
    yield from weight_row(weights, top, 22)
    for x, _, weight in columns(weights):
        yield path(f"M {x:.1f} {SOFTMAX + 28} V {top}", "edge", arrow=True)
        line = f"M {x:.1f} {top + 23} C {x:.1f} {SUM - 14} {MIDDLE} {SUM - 18} {MIDDLE} {SUM}"
        yield path(line, "context", width=0.5 + 5 * weight)
    yield operation(SUM, "c_i = Σ_j α_{ij} h_j")


def _context(shape: Mapping[str, str]) -> Iterator[str]:
    yield path(f"M {MIDDLE} {SUM + 28} V {CONTEXT}", "context", arrow=True)
    yield vector(
        MIDDLE - 48,
        CONTEXT,
        96,
        name="context",
        symbol="c_i",
        shape=shape["context"],
        role="context",
    )
    yield path(f"M {MIDDLE} {CONTEXT + 44} V {UPDATE}", "context", arrow=True)
    right = f"M {MIDDLE + 48} {CONTEXT + 22} H 353 V {READOUT + 14} H {RIGHT}"
    yield path(right, "context", arrow=True)


def _state(shape: Mapping[str, str]) -> Iterator[str]:
    name, symbol = "previous output", "y_{i−1}"
    yield vector(
        36, CONTEXT, 96, name=name, symbol=symbol, shape=shape["previous_output"], role="target"
    )
    yield path(f"M 84 {CONTEXT + 44} V {UPDATE}", "target", arrow=True)
    yield operation(UPDATE, "s_i = GRU([y_{i−1} ; c_i], s_{i−1})", left=60)
    yield path(f"M {MIDDLE} {UPDATE + 28} V {STATE}", "target", arrow=True)
    yield vector(
        MIDDLE - 48, STATE, 96, name="state", symbol="s_i", shape=shape["state"], role="target"
    )
    yield path(f"M {MIDDLE - 48} {STATE + 22} H 90", "target", arrow=True, dashed=True)
    for line, words in enumerate(("previous state", "in the next", "step")):
        place = STATE + 12 + 14 * line
        yield text(86, place, words, "target-text", size=TEXT, anchor="end")
    yield path(f"M {MIDDLE} {STATE + 44} V {READOUT}", "target", arrow=True)
    yield operation(READOUT, "p(y_i) = softmax(W_o [s_i ; c_i])")


def _output(
    probabilities: np.ndarray, output: Sequence[str], shape: Mapping[str, str]
) -> Iterator[str]:
    yield label(FLOOR - 20, "output", "p(y_i)", shape["probabilities"], "target-text")
    likeliest = probabilities.max()
    for (x, width, probability), symbol in zip(columns(probabilities), output, strict=True):
        height = 38 * probability
        yield rect(x - width / 2, FLOOR - height, width, height, "target")
        best = probability == likeliest
        role, weight = ("target-text", 700) if best else ("muted", 400)
        style = {"role": role, "size": TEXT, "family": MONO, "weight": weight}
        if len(symbol) == 1:
            yield text(x, FLOOR + 12, visible(symbol), **style)
        else:  # such as "end", which fits only if it is turned
            yield text(x + 4, FLOOR + 5, visible(symbol), **style, anchor="end", turned=True)
    yield path(f"M {LEFT} {FLOOR} H {RIGHT}", "edge", width=0.6)


# ---- checking the arrays, and describing them


def _checked(
    step: Mapping[str, Sequence], source: Sequence[str], output: Sequence[str]
) -> dict[str, np.ndarray]:
    if missing := STEP.keys() - step.keys():
        raise ValueError(f"step must have the arrays {list(STEP)}; missing: {sorted(missing)}")
    sizes = {"source": len(source), "output": len(output)}
    for axis, size in sizes.items():
        if not 1 <= size <= LONGEST:
            raise ValueError(f"{axis} must have 1 to {LONGEST} symbols to be drawn; got {size}")
    arrays = {name: numbers(step[name]) for name in STEP}
    for name, array in arrays.items():
        for axis, size in zip(STEP[name], array.shape, strict=False):
            sizes.setdefault(axis, size)  # the first array that has an axis determines its length
        if array.shape != tuple(sizes.get(axis) for axis in STEP[name]):
            expected = ", ".join(f"{axis} {sizes.get(axis, '')}" for axis in STEP[name])
            raise ValueError(f"{name} must be ({expected}); got {array.shape}")
    for name in ("weights", "probabilities"):
        if not ((arrays[name] >= 0) & (arrays[name] <= 1 + 1e-6)).all():
            raise ValueError(f"{name} must lie between 0 and 1")
    return arrays


def _in_words(
    arrays: Mapping[str, np.ndarray],
    source: Sequence[str],
    output: Sequence[str],
    shape: Mapping[str, str],
) -> str:
    """The drawing in words, for readers who cannot see it."""
    read = visible(source[int(arrays["weights"].argmax())])
    written = visible(output[int(arrays["probabilities"].argmax())])
    return (
        f"One decoder step. The previous state {shape['previous_state']} is scored against each "
        f"of the annotations {shape['annotations']}. A softmax turns the scores {shape['scores']} "
        f"into weights, of which “{read}” gets the largest, {arrays['weights'].max():.2f}. The sum "
        f"of the annotations, so weighted, is the context {shape['context']}. Context, previous "
        f"output {shape['previous_output']} and previous state make the state {shape['state']}. "
        f"State and context give the probabilities {shape['probabilities']} of the next symbol; "
        f"the likeliest is “{written}”."
    )
