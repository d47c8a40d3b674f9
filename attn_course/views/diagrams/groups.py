"""Grouped-query attention: which heads share keys and values, and what a cache then keeps."""

from collections.abc import Iterator
from functools import partial

from attn_course.views.diagrams.pieces import LETTERS, columns, path, rect, text, two_drawings
from attn_course.views.plots import Picture

MOST = 12  # heads that can still be told apart on a phone
ROW, FORMULA = 150, 22  # the height of a way to share, and that of the line below
PER_NUMBER = 2  # bytes


def groups_diagram(
    heads: int,
    groups: int,
    size: int,
    blocks: int,
    title: str = "Heads that share a set of keys and values leave less to keep",
) -> Picture:
    """Draw heads with keys and values of their own, in groups, and with one set for all.

    A bar shows to scale how many bytes a cache keeps of each token, at two bytes a number: 2 for
    keys and values × ``blocks`` × sets × ``size`` of a head × 2. At most `MOST` heads can be drawn,
    and ``groups`` must divide them; anything else is a ValueError.
    """
    sizes = {"heads": heads, "groups": groups, "size": size, "blocks": blocks}
    if min(sizes.values()) < 1 or heads > MOST or heads % groups:
        raise ValueError(f"heads must be at most {MOST}, in groups of the same size; got {sizes}")
    counts = {
        sets: 2 * blocks * sets * size * PER_NUMBER for sets in sorted({heads, groups, 1})[::-1]
    }
    words = "; ".join(f"{_name(heads, sets)}, {count:,} bytes" for sets, count in counts.items())
    formula = f"{blocks} blocks × sets × {size} numbers × 2 (k, v) × {PER_NUMBER} bytes"
    alt = f"{heads} heads, and what a cache keeps of each token in {blocks} blocks: {words}."
    draw = partial(_ways, heads, counts, formula)
    return two_drawings(title, draw, ROW * len(counts) + FORMULA, alt)


def _ways(heads: int, counts: dict[int, int], formula: str, width: float) -> Iterator[str]:
    for row, (sets, count) in enumerate(counts.items()):
        yield from _shared(heads, sets, ROW * row, width)
        low, bar = ROW * row + 106, 0.52 * width * count / max(counts.values())
        yield rect(8, low, bar, 22, "source")
        words = f"{count:,} bytes a token"
        yield text(bar + 16, low + 16, words, "ink", size=LETTERS, anchor="start", weight=600)
    yield text(8, ROW * len(counts) + 8, formula, "muted", size=LETTERS, anchor="start")


def _shared(heads: int, sets: int, top: float, width: float) -> Iterator[str]:
    """The queries of all heads above the sets of keys and values that they read."""
    name = _name(heads, sets)
    yield text(8, top + 18, name, "ink", size=LETTERS, anchor="start", weight=600)
    above = [x for x, _, _ in columns(range(heads), 0, width)]
    for number, (x, _, _) in enumerate(columns(range(sets), 0, width)):
        for head in above[number * heads // sets : (number + 1) * heads // sets]:
            bend = f"C {head:.1f} {top + 66} {x:.1f} {top + 60} {x:.1f} {top + 72}"
            yield path(f"M {head:.1f} {top + 54} {bend}", "edge", 1.5)
            yield _box(head, top + 30, 24, "q", "target")
        yield _box(x, top + 72, min(34, 0.92 * width / heads), "k v", "source")


def _box(x: float, y: float, width: float, words: str, role: str) -> str:
    box = rect(x - width / 2, y, width, 24, f"{role}-wash", edge=role, round=3, thick=1.5)
    return box + text(x, y + 17, words, f"{role}-text", size=LETTERS, weight=600)


def _name(heads: int, sets: int) -> str:
    if sets in (1, heads):
        return "1 set for all heads" if sets == 1 else f"{sets} sets, one for each head"
    return f"{sets} sets, each for {heads // sets} heads"
