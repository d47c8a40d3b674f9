"""Drawings of a report card, as SVG that takes the colours of the page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from markupsafe import Markup

from attn_course._signature import checked
from attn_course._values import Count, Range, expect_number, expect_several, expect_text
from attn_course.measures import Interval

_WIDE, _HIGH = 640, 260
_LEFT, _RIGHT, _ABOVE, _FLOOR = 84, 500, 44, 220  # on the right is room for the curves' names
_APART = 28  # of two such names, so that neither covers the other

Most = Annotated[float, Range(" above 0, and finite", lambda number: 0 < number < math.inf)]
Curve = tuple[Sequence[float], Sequence[float]]  # steps, and a value at each


@checked
def curves(lines: Mapping[str, Any], *, name: str, unit: str, most: Most, last: Count) -> Markup:
    """Curves over the ``last`` steps of a training; ``most`` is the top of the scale.

    lines  by the names that stand at their ends
    name   what is measured
    """
    read = {each: _curve(each, line) for each, line in lines.items()}

    def up(y: float) -> float:
        return _FLOOR - (_FLOOR - _ABOVE) * min(y, most) / most

    drawn, said, ends = _axes(name, unit, most, last), [], {}
    for number, (each, (xs, ys)) in enumerate(read.items()):
        across = _LEFT + (_RIGHT - _LEFT) * xs / last
        places = " ".join(f"{x:.1f},{up(y):.1f}" for x, y in zip(across, ys, strict=True))
        kind = "attn-card-curve attn-card-other" if number else "attn-card-curve"
        drawn.append(Markup('<polyline class="{}" points="{}"/>').format(kind, places))
        said.append(f"{each} {ys[-1]:.3g}{unit}" if len(ys) else f"{each} nothing")
        ends[each] = up(ys[-1]) if len(ys) else _FLOOR
    drawn += [_text(_RIGHT + 8, y + 5, each, "start") for each, y in _spread(ends).items()]
    label = f"{name}: {', '.join(said) or 'nothing'} at step {last:,}"
    return _svg(_WIDE, _HIGH, label, Markup("").join(drawn), "attn-card-plot")


def _axes(name: str, unit: str, most: float, last: int) -> list[Markup]:
    line = Markup('<line class="attn-card-axis" x1="{}" y1="{}" x2="{}" y2="{}"/>')
    return [
        line.format(_LEFT, _FLOOR, _RIGHT, _FLOOR),
        line.format(_LEFT, _ABOVE, _LEFT, _FLOOR),
        _text(_LEFT - 6, _ABOVE + 5, f"{most:.3g}{unit}", "end"),
        _text(_LEFT - 6, _FLOOR + 4, f"0{unit}", "end"),
        _text(_RIGHT, _HIGH - 10, f"step {last:,}", "end"),
        _text(_LEFT, _ABOVE - 18, name, "start"),
    ]


def _curve(name: str, line: Curve) -> tuple[np.ndarray, np.ndarray]:
    """The steps and the values of a curve, as many of the one as of the other."""
    expect_text("the name of a curve", name)
    xs, ys = (_finite(f"a curve's {part}", each) for part, each in zip("xy", line, strict=True))
    if len(xs) != len(ys):
        raise ValueError(f"each x must have one y; got {len(xs)} and {len(ys)} in {name!r}")
    return xs, ys


def _spread(ends: dict[str, float]) -> dict[str, float]:
    """The heights of names beside the ends of their curves, moved up where they would overlap."""
    placed, below = {}, math.inf
    for name, height in sorted(ends.items(), key=lambda end: -end[1]):
        below = placed[name] = max(min(height, below - _APART), _ABOVE - _APART)
    return placed


@checked
def smoothed(values: Iterable[float], points: Count = 120) -> tuple[list[float], list[float]]:
    """At most so many points of a long series: the means of its parts, and where they lie."""
    parts = np.array_split(_finite("values", values), min(points, max(len(values), 1)))
    ends = np.cumsum([len(part) for part in parts])
    middles = [float(end - len(part) / 2) for end, part in zip(ends, parts, strict=True)]
    return middles, [float(part.mean()) if len(part) else 0.0 for part in parts]


@checked
def whisker(interval: Interval) -> Markup:
    """A share as a dot on a line from 0 to 1, with its interval."""
    mean, low, high = (4 + 152 * part for part in _finite("interval", interval))
    inner = Markup(
        '<line class="attn-card-scale" x1="4" y1="10" x2="156" y2="10"/>'
        '<line class="attn-card-interval" x1="{:.1f}" y1="10" x2="{:.1f}" y2="10"/>'
        '<circle class="attn-card-dot" cx="{:.1f}" cy="10" r="4"/>'
    ).format(low, high, mean)
    return _svg(160, 20, "", inner, "attn-card-whisker")


def _finite(name: str, values: object) -> np.ndarray:
    """A row of finite numbers."""
    listed = expect_several(name, values, least=0)
    numbers = np.array([expect_number(f"each of {name}", value) for value in listed])
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} must be finite; got {numbers.tolist()}")
    return numbers


def _svg(width: int, height: int, label: str, inner: Markup, name: str) -> Markup:
    known = Markup('role="img" aria-label="{}"').format(label)
    return Markup('<svg class="{}" viewBox="0 0 {} {}" {}>{}</svg>').format(
        name, width, height, known if label else Markup('aria-hidden="true"'), inner
    )


def _text(x: float, y: float, text: str, anchor: str) -> Markup:
    return Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>').format(x, y, anchor, text)
