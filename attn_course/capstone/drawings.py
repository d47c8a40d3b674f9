"""Drawings of a report card, as SVG that takes the colours of the page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np

from attn_course._values import (
    expect_count,
    expect_kind,
    expect_number,
    expect_several,
    expect_text,
)
from attn_course.measures import Interval

_WIDE, _HIGH, _LEFT, _BELOW, _ABOVE = 640, 260, 84, 40, 44


def curve(
    xs: Sequence[float], ys: Sequence[float], *, name: str, unit: str, most: float, last: int
) -> str:
    """One curve over the ``last`` steps of a training; ``most`` is the top of the scale."""
    for one in ("name", name), ("unit", unit):
        expect_text(*one)
    xs, ys = _finite("xs", xs), _finite("ys", ys)
    if len(xs) != len(ys):
        raise ValueError(f"each x must have one y; got {len(xs)} and {len(ys)}")
    expect_count("last", last)
    if not 0 < expect_number("most", most) < math.inf:
        raise ValueError(f"most must be finite and above 0; got {most}")
    right, top = _WIDE - 12, _ABOVE

    def place(x: float, y: float) -> str:
        along = _LEFT + (right - _LEFT) * x / last
        up = _HIGH - _BELOW - (_HIGH - _BELOW - top) * min(y, most) / most
        return f"{along:.1f},{up:.1f}"

    points = " ".join(place(x, y) for x, y in zip(xs, ys, strict=True))
    floor = _HIGH - _BELOW
    lines = [
        f'<line class="attn-card-axis" x1="{_LEFT}" y1="{floor}" x2="{right}" y2="{floor}"/>',
        f'<line class="attn-card-axis" x1="{_LEFT}" y1="{top}" x2="{_LEFT}" y2="{floor}"/>',
        f'<polyline class="attn-card-curve" points="{points}"/>',
        _text(_LEFT - 6, top + 5, f"{most:.3g}{unit}", "end"),
        _text(_LEFT - 6, floor + 4, f"0{unit}", "end"),
        _text(right, _HIGH - 10, f"step {last:,}", "end"),
        _text(_LEFT, _ABOVE - 18, name, "start"),
    ]
    final = f"{ys[-1]:.3g}{unit}" if len(ys) else "nothing"
    label = f"{name}: {final} at step {last:,}"
    return _svg(_WIDE, _HIGH, label, "".join(lines), "attn-card-plot")


def smoothed(values: Sequence[float], points: int = 120) -> tuple[list[float], list[float]]:
    """At most so many points of a long series: the means of its parts, and where they lie."""
    values = _finite("values", values)
    expect_count("points", points)
    parts = np.array_split(values, min(points, max(len(values), 1)))
    ends = np.cumsum([len(part) for part in parts])
    middles = [float(end - len(part) / 2) for end, part in zip(ends, parts, strict=True)]
    return middles, [float(part.mean()) if len(part) else 0.0 for part in parts]


def whisker(interval: Interval) -> str:
    """A share as a dot on a line from 0 to 1, with its interval."""
    expect_kind("interval", interval, Interval)
    mean, low, high = (4 + 152 * part for part in _finite("interval", interval))
    inner = (
        '<line class="attn-card-scale" x1="4" y1="10" x2="156" y2="10"/>'
        f'<line class="attn-card-interval" x1="{low:.1f}" y1="10" x2="{high:.1f}" y2="10"/>'
        f'<circle class="attn-card-dot" cx="{mean:.1f}" cy="10" r="4"/>'
    )
    return _svg(160, 20, "", inner, "attn-card-whisker")


def _finite(name: str, values: object) -> np.ndarray:
    """A row of finite numbers."""
    listed = expect_several(name, values, least=0)
    numbers = np.array([expect_number(f"each of {name}", value) for value in listed])
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} must be finite; got {numbers.tolist()}")
    return numbers


def _svg(width: int, height: int, label: str, inner: str, name: str) -> str:
    known = (
        f'role="img" aria-label="{escape(label, quote=True)}"' if label else 'aria-hidden="true"'
    )
    return f'<svg class="{name}" viewBox="0 0 {width} {height}" {known}>{inner}</svg>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'
