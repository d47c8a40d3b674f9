"""Rotary positions as dials: every position turns queries and keys a step further."""

import math
from collections.abc import Iterator

from attn_course.views.diagrams import pieces
from attn_course.views.diagrams.pieces import circle, columns, path
from attn_course.views.plots import Picture

QUICK, SLOW = 30, 8  # degrees from one position to the next
PAIRS = ((3, 1), (5, 3), (8, 6))  # where a query and a key stand
HEIGHT = 414


def rotary_diagram(
    title: str = "A position is an angle, and a score sees only the angle between two",
) -> Picture:
    """Draw two pairs of entries at each position, and a query and a key at three places.

    R_i q · R_j k = q · R_{j−i} k
    """
    places = ", ".join(f"{query} and {key}" for query, key in PAIRS)
    apart = {QUICK * (query - key) for query, key in PAIRS}
    alt = (
        f"Two rows of dials, one for each position. From one position to the next, the hand of a "
        f"quick pair of entries turns by {QUICK} degrees, and that of a slow pair by {SLOW}. Below "
        f"them, the quick hands of a query and a key at the positions {places}. Both pointed up "
        f"before they were turned. The hands have moved; the angle between them is {apart.pop()} "
        "degrees at all three places."
    )
    return pieces.two_drawings(title, _dials, HEIGHT, alt)


def _dials(width: float) -> Iterator[str]:
    positions = range(9 if width == pieces.WIDE else 7)
    rows = ((QUICK, "A quick pair of entries", 24), (SLOW, "A slow pair", 114))
    for turn, name, y in rows:
        yield _words(8, y, name, "ink", "start", 600)
        for x, _, position in columns(positions, 0, width):
            yield circle(x, y + 36, 22, "paper", edge="rule")
            yield _hand(x, y + 36, 22, turn * position, "ink")
    for x, _, position in columns(positions, 0, width):
        yield _words(x, 194, str(position), "muted")
    yield _words(8, 236, "A query, and a key two positions before it", "ink", "start", 600)
    yield _words(8, 256, "Before they were turned, both pointed up.", "muted", "start")
    for x, _, (query, key) in columns(PAIRS, 0, width):
        yield from _meeting(x, 318, query, key)
    yield _words(8, 404, "The hands have moved, their angle has not.", "muted", "start")


def _meeting(x: float, y: float, query: int, key: int) -> Iterator[str]:
    """A query and a key on one dial, with the angle from the key on to the query."""
    yield circle(x, y, 44, "paper", edge="rule")
    (left, top), (right, low) = (_at(x, y, 24, QUICK * place) for place in (key, query))
    yield path(f"M {left:.2f} {top:.2f} A 24 24 0 0 1 {right:.2f} {low:.2f}", "rule", 16)
    yield _hand(x, y, 44, QUICK * key, "source")
    yield _hand(x, y, 44, QUICK * query, "target")
    yield _words(x - 2, y + 60, f"query {query}", "target-text", "end", 600)
    yield _words(x + 5, y + 60, f"key {key}", "source-text", "start", 600)


def _hand(x: float, y: float, radius: float, degrees: float, role: str) -> str:
    across, down = _at(x, y, 0.88 * radius, degrees)
    line = path(f"M {x:.2f} {y:.2f} L {across:.2f} {down:.2f}", role, 3)
    return line + circle(x, y, 2.5, "ink")


def _at(x: float, y: float, radius: float, degrees: float) -> tuple[float, float]:
    """The end of a hand, which starts at twelve and turns as a clock's does."""
    angle = math.radians(degrees)
    return x + radius * math.sin(angle), y - radius * math.cos(angle)


def _words(x: float, y: float, words: str, role: str, anchor="middle", weight=400) -> str:
    return pieces.text(x, y, words, role, size=pieces.LETTERS, anchor=anchor, weight=weight)
