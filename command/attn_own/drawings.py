"""The curves of a report card, as SVG that takes the colours of the page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from markupsafe import Markup

from attn_course._signature import checked
from attn_course._values import Count, Range, expect_number, expect_several, expect_text
from attn_own.page import TEMPLATES

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
    points, ends, summary = [], {}, []
    for curve, line in lines.items():
        xs, ys = _curve(curve, line)
        across = _LEFT + (_RIGHT - _LEFT) * xs / last
        heights = _FLOOR - (_FLOOR - _ABOVE) * np.minimum(ys, most) / most
        points.append(" ".join(f"{x:.1f},{y:.1f}" for x, y in zip(across, heights, strict=True)))
        ends[curve] = float(heights[-1]) if len(ys) else _FLOOR
        summary.append(f"{curve} {ys[-1]:.3g}{unit}" if len(ys) else f"{curve} nothing")
    plot = {"name": name, "unit": unit, "most": most, "last": last, "points": points}
    plot |= {"left": _LEFT, "right": _RIGHT, "above": _ABOVE, "floor": _FLOOR}
    plot |= {"ends": _apart(ends)}
    plot |= {"summary": f"{name}: {', '.join(summary) or 'nothing'} at step {last:,}"}
    return TEMPLATES.get_template("card.html.j2").module.curves(plot)


def _curve(name: str, line: Curve) -> tuple[np.ndarray, np.ndarray]:
    """The steps and the values of a curve, as many of the one as of the other."""
    expect_text("the name of a curve", name)
    xs, ys = (_finite(f"a curve's {part}", side) for part, side in zip("xy", line, strict=True))
    if len(xs) != len(ys):
        raise ValueError(f"each x must have one y; got {len(xs)} and {len(ys)} in {name!r}")
    return xs, ys


def _apart(ends: dict[str, float]) -> dict[str, float]:
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


def _finite(name: str, values: object) -> np.ndarray:
    """A row of finite numbers."""
    listed = expect_several(name, values, least=0)
    numbers = np.array([expect_number(f"each of {name}", value) for value in listed])
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} must be finite; got {numbers.tolist()}")
    return numbers
