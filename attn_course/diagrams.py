"""Drawings of how a model computes, made from the very arrays of one run.

`step_diagram` draws one step of an attentive decoder from top to bottom. Filled shapes are data,
outlined boxes are what is done with them; a colour means what it means everywhere in the course.
"""

import html
import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from attn_course import palette
from attn_course.plots import MONO, SANS, WIDTH, Picture, numbers, visible

SERIF = "ui-serif, Georgia, Cambria, 'Times New Roman', serif"
LEFT, RIGHT = 100, 344  # the columns of the source stand between
LONGEST = 26  # positions or symbols that can still be told apart in that width
MIDDLE = (LEFT + RIGHT) / 2

# where each thing stands, from top to bottom: what is done is 28 high, a vector 44
SCORE, SOFTMAX, SUM, CONTEXT, UPDATE = 80, 170, 262, 306, 372
STATE, READOUT, FLOOR, HEIGHT = 410, 464, 538, 556

# every array of a step, in the order in which a step makes them, with its axes
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
    """Draw one whole decoder step with the shapes and the numbers that it had.

        e_ij = v · tanh(W_a s_{i-1} + U_a h_j)     α_i = softmax(e_i)     c_i = Σ_j α_ij h_j
        s_i = GRU([y_{i-1} ; c_i], s_{i-1})        p(y_i) = softmax(W [s_i ; c_i])

    ``step`` holds the arrays named in `STEP`, ``source`` the symbols that were read and
    ``output`` those that can be written. A missing or misshapen array is a ValueError.
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
    height = HEIGHT + 6 * (max(map(len, output)) - 1)
    style = f"width:100%;height:auto;display:block;font-family:{SANS}"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{html.escape(alt)}" style="{style}">'
        f"{_rect(0, 0, WIDTH, height, 'paper')}{''.join(parts)}</svg>"
    )
    return Picture(title, svg, alt)


# ---- the rows, from top to bottom


def _lanes() -> Iterator[str]:
    """What is needed more than once: s_{i-1} runs down on the left, h_j on the right."""
    yield _path(f"M 18 {SCORE + 28} V {UPDATE + 14} H 60", "target", arrow=True)
    yield _path(f"M {RIGHT} 46 H 353 V {SUM + 14} H {RIGHT}", "source", arrow=True)


def _annotations(source: Sequence[str], shape: Mapping[str, str]) -> Iterator[str]:
    yield _label(34, "annotations", "h_1 … h_T", shape["annotations"], "source-text")
    for x, width, token in _columns(source):
        yield _text(x, 16, _token(token), "source-text", size=11, family=MONO)
        yield _rect(x - width / 2, 24, width, 44, "source", round=3)
        yield _path(f"M {x:.1f} 68 V {SCORE}", "source", arrow=True)
    yield _vector(3, SCORE - 8, 89, "previous state", "s_{i−1}", shape["previous_state"], "target")
    yield _path(f"M 92 {SCORE + 14} H {LEFT}", "target", arrow=True)
    yield _operation(SCORE, "e_{ij} = v · tanh(W_a s_{i−1} + U_a h_j)")


def _scores(scores: np.ndarray, shape: Mapping[str, str]) -> Iterator[str]:
    yield _label(SCORE + 54, "scores", "e_{ij}", shape["scores"], "ink")
    top, bottom = max(scores.max(), 0.0), min(scores.min(), 0.0)
    unit = 34 / max(top - bottom, 1e-9)
    zero = SCORE + 42 + top * unit
    yield _path(f"M {LEFT} {zero:.1f} H {RIGHT}", "edge", width=0.6)
    for x, width, score in _columns(scores):
        height = abs(score) * unit
        yield _rect(x - width / 2, zero - max(score, 0.0) * unit, width, height, "edge")
        yield _path(f"M {x:.1f} {SOFTMAX - 10} V {SOFTMAX}", "edge", arrow=True)
    yield _operation(SOFTMAX, "α_{ij} = exp(e_{ij}) / Σ_k exp(e_{ik})")


def _weights(weights: np.ndarray, shape: Mapping[str, str]) -> Iterator[str]:
    yield _label(SOFTMAX + 46, "weights", "α_{ij}", shape["weights"], "ink")
    steps = len(palette.ramp()) - 1
    top = SOFTMAX + 37
    for x, width, weight in _columns(weights):
        colour = f"weight-{round(weight * steps)}"
        yield _path(f"M {x:.1f} {SOFTMAX + 28} V {top}", "edge", arrow=True)
        yield _rect(x - width / 2, top, width, 22, colour, edge="edge")
        if width > 15 and weight >= 0.005:
            words = f"{weight:.2f}".removeprefix("0")
            yield _text(x, top + 14.5, words, f"on-{colour}", size=8)
        line = f"M {x:.1f} {top + 23} C {x:.1f} {SUM - 14} {MIDDLE} {SUM - 18} {MIDDLE} {SUM}"
        yield _path(line, "context", width=0.5 + 5 * weight)
    yield _operation(SUM, "c_i = Σ_j α_{ij} h_j")


def _context(shape: Mapping[str, str]) -> Iterator[str]:
    yield _path(f"M {MIDDLE} {SUM + 28} V {CONTEXT}", "context", arrow=True)
    yield _vector(MIDDLE - 48, CONTEXT, 96, "context", "c_i", shape["context"], "context")
    yield _path(f"M {MIDDLE} {CONTEXT + 44} V {UPDATE}", "context", arrow=True)
    right = f"M {MIDDLE + 48} {CONTEXT + 22} H 353 V {READOUT + 14} H {RIGHT}"
    yield _path(right, "context", arrow=True)


def _state(shape: Mapping[str, str]) -> Iterator[str]:
    name, symbol = "previous output", "y_{i−1}"
    yield _vector(36, CONTEXT, 96, name, symbol, shape["previous_output"], "target")
    yield _path(f"M 84 {CONTEXT + 44} V {UPDATE}", "target", arrow=True)
    yield _operation(UPDATE, "s_i = GRU([y_{i−1} ; c_i], s_{i−1})", left=60)
    yield _path(f"M {MIDDLE} {UPDATE + 28} V {STATE}", "target", arrow=True)
    yield _vector(MIDDLE - 48, STATE, 96, "state", "s_i", shape["state"], "target")
    yield _path(f"M {MIDDLE - 48} {STATE + 22} H 90", "target", arrow=True, dashed=True)
    yield _text(86, STATE + 19, "previous state", "target-text", size=9.5, anchor="end")
    yield _text(86, STATE + 31, "of the next step", "target-text", size=9.5, anchor="end")
    yield _path(f"M {MIDDLE} {STATE + 44} V {READOUT}", "target", arrow=True)
    yield _operation(READOUT, "p(y_i) = softmax(W [s_i ; c_i])")


def _output(
    probabilities: np.ndarray, output: Sequence[str], shape: Mapping[str, str]
) -> Iterator[str]:
    yield _label(FLOOR - 20, "output", "p(y_i)", shape["probabilities"], "target-text")
    likeliest = probabilities.max()
    for (x, width, probability), token in zip(_columns(probabilities), output, strict=True):
        height = 38 * probability
        yield _rect(x - width / 2, FLOOR - height, width, height, "target")
        best = probability == likeliest
        role, weight = ("target-text", 700) if best else ("muted", 400)
        style = {"role": role, "size": 10, "family": MONO, "weight": weight}
        if len(token) == 1:
            yield _text(x, FLOOR + 12, _token(token), **style)
        else:  # such as "end": there is room for it only upright
            yield _text(x + 3.5, FLOOR + 5, _token(token), **style, anchor="end", turned=True)
    yield _path(f"M {LEFT} {FLOOR} H {RIGHT}", "edge", width=0.6)


# ---- the pieces


def _columns(items: Sequence) -> Iterator[tuple[float, float, object]]:
    """The middle and the width of a column for each item."""
    pitch = (RIGHT - LEFT) / len(items)
    for place, item in enumerate(items):
        yield LEFT + (place + 0.5) * pitch, min(0.76 * pitch, 26), item


def _label(y: float, name: str, symbol: str, shape: str, role: str) -> str:
    """What a row holds, at its left: name, symbol, shape."""
    return (
        _text(92, y, name, role, size=10.5, anchor="end", weight=600)
        + _text(92, y + 13, _maths(symbol), role, size=11, anchor="end", family=SERIF)
        + _text(92, y + 25, shape, "muted", size=9, anchor="end", family=MONO)
    )


def _vector(x: float, y: float, width: float, name: str, symbol: str, shape: str, role: str) -> str:
    """One vector as a filled box, with name, symbol and shape on it."""
    middle, words = x + width / 2, f"on-{role}"
    shape = f'<tspan font-family="{MONO}" font-size="9">{shape}</tspan>'
    return (
        _rect(x, y, width, 44, role, round=5)
        + _text(middle, y + 17, name, words, size=9.8, weight=600)
        + _text(middle, y + 34, f"{_maths(symbol)}  {shape}", words, size=11.5, family=SERIF)
    )


def _operation(y: float, equation: str, left: float = LEFT) -> str:
    """What is done at this point, as a box with its equation."""
    box = _rect(left, y, RIGHT - left, 28, "surface", edge="edge", round=5)
    middle = (left + RIGHT) / 2
    return box + _text(middle, y + 18, _maths(equation), "ink", size=12, family=SERIF)


def _rect(
    x: float, y: float, width: float, height: float, fill: str, edge: str = "", round: float = 1
) -> str:
    style = f"fill:{_colour(fill)}" + (f";stroke:{_colour(edge)};stroke-width:.7" if edge else "")
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{round}"'
    return f'<rect {place} style="{style}"/>'


def _path(
    path: str, role: str, width: float = 1.2, arrow: bool = False, dashed: bool = False
) -> str:
    """A line; its arrow is drawn, for a marker would need an id that the page may already have."""
    style = f"fill:none;stroke:{_colour(role)};stroke-width:{width:.2f}"
    line = f'<path d="{path}" style="{style}{";stroke-dasharray:3 2" if dashed else ""}"/>'
    return line + (_arrow_head(path, role) if arrow else "")


def _arrow_head(path: str, role: str) -> str:
    x, y, turn = _end(path)
    head = f'<path d="M 0 0 L -5 -2.8 V 2.8 Z" style="fill:{_colour(role)}"'
    return f'{head} transform="translate({x} {y}) rotate({turn})"/>'


def _end(path: str) -> tuple[float, float, int]:
    """Where a path of M, H and V ends, and which way it points there."""
    x = y = turn = 0
    for command, places in re.findall(r"([MHV]) ([\d. ]+)", path):
        values = [float(place) for place in places.split()]
        if command == "M":
            x, y = values
        elif command == "H":
            x, turn = values[0], 0 if values[0] > x else 180
        else:
            y, turn = values[0], 90 if values[0] > y else 270
    return x, y, turn


def _text(
    x: float,
    y: float,
    words: str,
    role: str,
    size: float,
    anchor: str = "middle",
    family: str = SANS,
    weight: int = 400,
    turned: bool = False,
) -> str:
    """Words that are markup already, upright where ``turned``."""
    style = f"fill:{_colour(role)};font:{weight} {size}px {family};text-anchor:{anchor}"
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" style="{style}"{turn}>{words}</text>'


def _token(token: str) -> str:
    return html.escape(visible(token))


def _maths(formula: str) -> str:
    """A line of mathematics: letters slanted, words upright, ``_i`` or ``_{ij}`` lowered."""
    spans = []
    for base, low in re.findall(r"([^\W_]+|[^\w_]+)(?:_(\{[^}]*\}|\w))?", formula):
        slant = "italic" if len(base) == 1 and base.isalpha() and base != "Σ" else "normal"
        spans.append(f'<tspan font-style="{slant}">{html.escape(base)}</tspan>')
        if low:
            low = html.escape(low.strip("{}"))
            spans.append(f'<tspan dy="3" font-size="75%" font-style="italic">{low}</tspan>')
            spans.append('<tspan dy="-3">\u200b</tspan>')  # back to the line
    return "".join(spans)


def _colour(role: str) -> str:
    light = palette.LIGHT.get(role) or _ramp_colour(role)
    return f"var(--attn-{role},{light})"


def _ramp_colour(role: str) -> str:
    colour = palette.ramp()[int(role.rpartition("-")[2])]
    return palette.text_on(colour) if role.startswith("on-") else colour


# ---- what came, and what it says


def _checked(
    step: Mapping[str, Sequence], source: Sequence[str], output: Sequence[str]
) -> dict[str, np.ndarray]:
    if missing := STEP.keys() - step.keys():
        raise ValueError(f"a step has the arrays {list(STEP)}; missing: {sorted(missing)}")
    sizes = {"source": len(source), "output": len(output)}
    for axis, size in sizes.items():
        if not 1 <= size <= LONGEST:
            raise ValueError(f"{axis} must have 1 to {LONGEST} symbols, to be drawn; got {size}")
    arrays = {name: numbers(step[name]) for name in STEP}
    for name, array in arrays.items():
        for axis, size in zip(STEP[name], array.shape, strict=False):
            sizes.setdefault(axis, size)  # the first array with an axis says how long it is
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
    """The drawing for somebody who cannot see it."""
    read = visible(source[int(arrays["weights"].argmax())])
    written = visible(output[int(arrays["probabilities"].argmax())])
    return (
        f"One decoder step. The previous state {shape['previous_state']} is scored against each "
        f"of the annotations {shape['annotations']}. A softmax turns the scores {shape['scores']} "
        f"into weights, of which “{read}” gets the largest, {arrays['weights'].max():.2f}. The sum "
        f"of the annotations by these weights is the context {shape['context']}. Context, previous "
        f"output {shape['previous_output']} and previous state make the state {shape['state']}. "
        f"State and context give the probabilities {shape['probabilities']} of the next symbol; "
        f"the likeliest is “{written}”."
    )
