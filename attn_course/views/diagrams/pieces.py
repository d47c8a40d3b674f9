"""The elements of all drawings: boxes, lines, words and mathematics, as SVG.

Every function returns SVG. Colours are roles of the palette, so that drawings change with the
page's theme; x runs to the right and y down, in the units of `plots.WIDTH`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from markupsafe import Markup

from attn_course.views import palette
from attn_course.views.plots import MONO, SANS, TEXT, WIDTH, Picture

SERIF = Markup("var(--attn-serif, Georgia, 'Times New Roman', serif)")
LEFT, RIGHT = 100, 344  # the columns of the source stand between
MIDDLE = (LEFT + RIGHT) / 2
MATHS = 13  # the size of mathematics, of which a subscript has 85 %: as large as TEXT
LONGEST = 26  # positions or symbols that can still be told apart in that width
WIDE, NARROW = 608, 358  # pixels, for what is drawn twice: a page's column, and a phone's
LETTERS = 15  # the size of letters there, at either width


def drawing(title: str, parts: Iterable[str], height: float, alt: str) -> Picture:
    """The parts as one image, with the width of all figures."""
    return Picture(title, _image(parts, WIDTH, height, alt), alt)


def two_drawings(
    title: str, draw: Callable[[float], Iterable[str]], height: float, alt: str
) -> Picture:
    """What ``draw`` makes of a width, for a page and for a phone, as two images.

    Only the first is shown. The book's style sheet shows the second instead on a narrow page.
    """
    wide = _image(draw(WIDE), WIDE, height, alt, "attn-wide")
    narrow = _image(draw(NARROW), NARROW, height, alt, "attn-narrow", "none")
    return Picture(title, wide + narrow, alt)


def _image(
    parts: Iterable[str], width: float, height: float, alt: str, kind: str = "", show: str = "block"
) -> Markup:
    svg = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}"{} role="img" '
        'aria-label="{}" style="width:100%;height:auto;display:{};font-family:{}">{}{}</svg>'
    )
    kind = Markup(' class="{}"').format(kind) if kind else ""
    paper = rect(0, 0, width, height, "paper")
    return svg.format(width, height, kind, alt, show, SANS, paper, Markup("").join(parts))


def columns(
    items: Sequence, left: float = LEFT, right: float = RIGHT
) -> Iterator[tuple[float, float, object]]:
    """The middle and the width of a column for each item."""
    pitch = (right - left) / len(items)
    for place, item in enumerate(items):
        yield left + (place + 0.5) * pitch, min(0.76 * pitch, 26), item


def weight_row(weights: Sequence[float], top: float, height: float) -> Iterator[Markup]:
    """A box for each weight, the darker the larger, with the number if there is room for it."""
    steps = len(palette.ramp()) - 1
    for x, width, weight in columns(weights):
        width = min(width / 0.76, 26)  # the boxes touch, so that a number of two digits fits
        colour = f"weight-{round(min(weight, 1.0) * steps)}"
        yield rect(x - width / 2, top, width, height, colour, edge="edge")
        if width > 1.6 * TEXT and weight >= 0.005:
            words = f"{weight:.2f}".removeprefix("0")
            yield text(x, top + height / 2 + 4, words, f"on-{colour}", size=TEXT)


def label(y: float, name: str, symbol: str, shape: str, role: str) -> Markup:
    """What a row contains, written to its left: name, symbol, shape."""
    return (
        text(92, y, name, role, size=TEXT, anchor="end", weight=600)
        + text(92, y + 14, maths(symbol), role, size=MATHS, anchor="end", family=SERIF)
        + text(92, y + 29, shape, "muted", size=TEXT, anchor="end", family=MONO)
    )


def vector(
    x: float, y: float, width: float, *, name: str, symbol: str, shape: str, role: str
) -> Markup:
    """A vector as a filled box that shows its name, symbol and shape."""
    middle, words = x + width / 2, f"on-{role}"
    formula = Markup('{}  <tspan font-family="{}" font-size="{}">{}</tspan>').format(
        maths(symbol), MONO, TEXT, shape
    )
    return (
        rect(x, y, width, 44, role, round=5)
        + text(middle, y + 17, name, words, size=TEXT)
        + text(middle, y + 35, formula, words, size=MATHS, family=SERIF)
    )


def operation(y: float, equation: str, left: float = LEFT, right: float = RIGHT) -> Markup:
    """An operation, as a box with its equation."""
    box = rect(left, y, right - left, 28, "surface", edge="edge", round=5)
    middle = (left + right) / 2
    return box + text(middle, y + 18, maths(equation), "ink", size=MATHS, family=SERIF)


def rect(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    *,
    edge: str = "",
    round: float = 1,
    thick: float = 0.7,
) -> Markup:
    """A filled box, with an edge if one is given."""
    return Markup(
        '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="{}" style="{}"/>'
    ).format(x, y, width, height, round, _filled(fill, edge, thick))


def circle(
    x: float, y: float, radius: float, fill: str, *, edge: str = "", thick: float = 1.5
) -> Markup:
    """A filled circle, with an edge if one is given."""
    return Markup('<circle cx="{:.1f}" cy="{:.1f}" r="{:.1f}" style="{}"/>').format(
        x, y, radius, _filled(fill, edge, thick)
    )


def _filled(fill: str, edge: str, thick: float) -> str:
    return f"fill:{_colour(fill)}" + (
        f";stroke:{_colour(edge)};stroke-width:{thick}" if edge else ""
    )


def path(
    data: str,
    role: str,
    width: float = 1.2,
    arrow: bool = False,
    dashed: bool = False,
    opacity: float = 1,
) -> Markup:
    """A line; its arrow is a path, since a marker would need an id that may clash."""
    style = f"fill:none;stroke:{_colour(role)};stroke-width:{width:.2f}"
    dashes = ";stroke-dasharray:3 2" if dashed else ""
    pale = f";opacity:{opacity:.2f}" if opacity < 1 else ""
    line = Markup('<path d="{}" style="{}{}{}"/>').format(data, style, dashes, pale)
    return line + (_arrow_head(data, role) if arrow else "")


def _arrow_head(data: str, role: str) -> Markup:
    return Markup(
        '<path d="M 0 0 L -5 -2.8 V 2.8 Z" style="fill:{}" '
        'transform="translate({} {}) rotate({})"/>'
    ).format(_colour(role), *_end(data))


def _end(data: str) -> tuple[float, float, int]:
    """Where a path of M, H and V ends, and which way it points there."""
    x = y = turn = 0
    for command, places in re.findall(r"([MHV]) ([\d. ]+)", data):
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
    on: str = "",
) -> Markup:
    """Words, rotated upright if ``turned``; lines behind them stop short of them, if it is said
    ``on`` what they stand."""
    turn = Markup(' transform="rotate(-90 {:.1f} {:.1f})"').format(x, y) if turned else ""
    halo = f";paint-order:stroke;stroke:{_colour(on)};stroke-width:6" if on else ""
    return Markup(
        '<text x="{:.1f}" y="{:.1f}" style="fill:{};font:{} {}px {};text-anchor:{}{}"{}>{}</text>'
    ).format(x, y, _colour(role), weight, size, family, anchor, halo, turn, words)


def maths(formula: str) -> Markup:
    """A line of mathematics: letters italic, words upright, ``_i`` or ``_{ij}`` as a subscript."""
    spans = []
    for base, low in re.findall(r"([^\W_]+|[^\w_]+)(?:_(\{[^}]*\}|\w))?", formula):
        slant = "italic" if len(base) == 1 and base.isalpha() and base != "Σ" else "normal"
        spans.append(Markup('<tspan font-style="{}">{}</tspan>').format(slant, base))
        if low:
            sub = Markup('<tspan dy="3" font-size="85%" font-style="italic">{}</tspan>')
            spans.append(sub.format(low.strip("{}")))
            spans.append(Markup('<tspan dy="-3">\u200b</tspan>'))  # back to the line
    return Markup("").join(spans)


def _colour(role: str) -> str:
    light = palette.LIGHT.get(role) or _ramp_colour(role)
    return f"var(--attn-{role},{light})"


def _ramp_colour(role: str) -> str:
    colour = palette.ramp()[int(role.rpartition("-")[2])]
    return palette.text_on(colour) if role.startswith("on-") else colour
