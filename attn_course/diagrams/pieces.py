"""The elements of all drawings: boxes, lines, words and mathematics, as SVG.

Every function returns a string of SVG. Colours are roles of the palette, so that drawings change
with the page's theme; x runs to the right and y down, in the units of `plots.WIDTH`.
"""

import html
import re
from collections.abc import Iterable, Iterator, Sequence

from attn_course import palette
from attn_course.plots import MONO, SANS, TEXT, WIDTH, Picture, visible

SERIF = "ui-serif, Georgia, Cambria, 'Times New Roman', serif"
LEFT, RIGHT = 100, 344  # the columns of the source stand between
MIDDLE = (LEFT + RIGHT) / 2
MATHS = 13  # the size of mathematics, of which a subscript has 85 %: as large as TEXT
LONGEST = 26  # positions or symbols that can still be told apart in that width


def drawing(title: str, parts: Iterable[str], height: float, alt: str) -> Picture:
    """The parts as one image, with the width of all figures."""
    style = f"width:100%;height:auto;display:block;font-family:{SANS}"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{html.escape(alt)}" style="{style}">'
        f"{rect(0, 0, WIDTH, height, 'paper')}{''.join(parts)}</svg>"
    )
    return Picture(title, svg, alt)


def columns(
    items: Sequence, left: float = LEFT, right: float = RIGHT
) -> Iterator[tuple[float, float, object]]:
    """The middle and the width of a column for each item."""
    pitch = (right - left) / len(items)
    for place, item in enumerate(items):
        yield left + (place + 0.5) * pitch, min(0.76 * pitch, 26), item


def weight_row(weights: Sequence[float], top: float, height: float) -> Iterator[str]:
    """A box for each weight, the darker the larger, with the number if there is room for it."""
    steps = len(palette.ramp()) - 1
    for x, width, weight in columns(weights):
        width = min(width / 0.76, 26)  # the boxes touch, so that a number of two digits fits
        colour = f"weight-{round(min(weight, 1.0) * steps)}"
        yield rect(x - width / 2, top, width, height, colour, edge="edge")
        if width > 1.6 * TEXT and weight >= 0.005:
            words = f"{weight:.2f}".removeprefix("0")
            yield text(x, top + height / 2 + 4, words, f"on-{colour}", size=TEXT)


def label(y: float, name: str, symbol: str, shape: str, role: str) -> str:
    """What a row contains, written to its left: name, symbol, shape."""
    return (
        text(92, y, name, role, size=TEXT, anchor="end", weight=600)
        + text(92, y + 14, maths(symbol), role, size=MATHS, anchor="end", family=SERIF)
        + text(92, y + 29, shape, "muted", size=TEXT, anchor="end", family=MONO)
    )


def vector(
    x: float, y: float, width: float, *, name: str, symbol: str, shape: str, role: str
) -> str:
    """A vector as a filled box that shows its name, symbol and shape."""
    middle, words = x + width / 2, f"on-{role}"
    shape = f'<tspan font-family="{MONO}" font-size="{TEXT}">{shape}</tspan>'
    return (
        rect(x, y, width, 44, role, round=5)
        + text(middle, y + 17, name, words, size=TEXT)
        + text(middle, y + 35, f"{maths(symbol)}  {shape}", words, size=MATHS, family=SERIF)
    )


def operation(y: float, equation: str, left: float = LEFT, right: float = RIGHT) -> str:
    """An operation, as a box with its equation."""
    box = rect(left, y, right - left, 28, "surface", edge="edge", round=5)
    middle = (left + right) / 2
    return box + text(middle, y + 18, maths(equation), "ink", size=MATHS, family=SERIF)


def rect(
    x: float, y: float, width: float, height: float, fill: str, *, edge: str = "", round: float = 1
) -> str:
    """A filled box, with an edge if one is given."""
    style = f"fill:{_colour(fill)}" + (f";stroke:{_colour(edge)};stroke-width:.7" if edge else "")
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{round}"'
    return f'<rect {place} style="{style}"/>'


def path(way: str, role: str, width: float = 1.2, arrow: bool = False, dashed: bool = False) -> str:
    """A line; its arrow is a path, since a marker would need an id that may clash."""
    style = f"fill:none;stroke:{_colour(role)};stroke-width:{width:.2f}"
    line = f'<path d="{way}" style="{style}{";stroke-dasharray:3 2" if dashed else ""}"/>'
    return line + (_arrow_head(way, role) if arrow else "")


def _arrow_head(way: str, role: str) -> str:
    x, y, turn = _end(way)
    head = f'<path d="M 0 0 L -5 -2.8 V 2.8 Z" style="fill:{_colour(role)}"'
    return f'{head} transform="translate({x} {y}) rotate({turn})"/>'


def _end(way: str) -> tuple[float, float, int]:
    """Where a path of M, H and V ends, and which way it points there."""
    x = y = turn = 0
    for command, places in re.findall(r"([MHV]) ([\d. ]+)", way):
        values = [float(place) for place in places.split()]
        if command == "M":
            x, y = values
        elif command == "H":
            x, turn = values[0], 0 if values[0] > x else 180
        else:
            y, turn = values[0], 90 if values[0] > y else 270
    return x, y, turn


def text(
    x: float,
    y: float,
    words: str,
    role: str,
    *,
    size: float,
    anchor: str = "middle",
    family: str = SANS,
    weight: int = 400,
    turned: bool = False,
) -> str:
    """Words that are already markup, rotated upright if ``turned``."""
    style = f"fill:{_colour(role)};font:{weight} {size}px {family};text-anchor:{anchor}"
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" style="{style}"{turn}>{words}</text>'


def token(token: str) -> str:
    """A symbol of the source or the target, in a visible form."""
    return html.escape(visible(token))


def maths(formula: str) -> str:
    """A line of mathematics: letters italic, words upright, ``_i`` or ``_{ij}`` as a subscript."""
    spans = []
    for base, low in re.findall(r"([^\W_]+|[^\w_]+)(?:_(\{[^}]*\}|\w))?", formula):
        slant = "italic" if len(base) == 1 and base.isalpha() and base != "Σ" else "normal"
        spans.append(f'<tspan font-style="{slant}">{html.escape(base)}</tspan>')
        if low:
            low = html.escape(low.strip("{}"))
            spans.append(f'<tspan dy="3" font-size="85%" font-style="italic">{low}</tspan>')
            spans.append('<tspan dy="-3">\u200b</tspan>')  # back to the line
    return "".join(spans)


def _colour(role: str) -> str:
    light = palette.LIGHT.get(role) or _ramp_colour(role)
    return f"var(--attn-{role},{light})"


def _ramp_colour(role: str) -> str:
    colour = palette.ramp()[int(role.rpartition("-")[2])]
    return palette.text_on(colour) if role.startswith("on-") else colour
