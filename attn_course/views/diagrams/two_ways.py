"""The two models beside each other: one vector between encoder and decoder, or attention."""

from collections.abc import Iterator

from attn_course.views.diagrams.pieces import (
    MATHS,
    SERIF,
    columns,
    drawing,
    maths,
    path,
    rect,
    text,
)
from attn_course.views.plots import MONO, WIDTH, Picture, visible

# the top of each row, from top to bottom; all boxes have the same height
NAME, ENCODER, CONTEXT, DECODER, HEIGHT = 16, 64, 128, 192, 256
BOX, GAP = 26, 24
LONGEST = 6  # letters that can still be told apart in half the width


def two_ways_diagram(
    source: str, title: str = "One vector for the whole source, or one for each step"
) -> Picture:
    """Draw how a source of a few letters is copied, through one vector and with attention.

    A source of fewer than 2 or more than `LONGEST` letters is a ValueError.
    """
    if not 2 <= len(source) <= LONGEST:
        raise ValueError(f"source must have 2 to {LONGEST} letters; got {source!r}")
    half = (WIDTH - GAP) / 2
    left, right = (0, half), (half + GAP, WIDTH)
    parts = [*_one_vector(source, *left), *_attention(source, *right)]
    alt = (
        f"Two drawings of an encoder that reads {len(source)} letters and a decoder that writes "
        "them. On the left a single vector, made of the encoder's last state, stands between "
        "them, and every step of the decoder reads it. On the right every step has a context of "
        "its own, made of all the states of the encoder, each with its own weight."
    )
    return drawing(title, parts, HEIGHT, alt)


def _one_vector(source: str, left: float, right: float) -> Iterator[str]:
    yield from _networks(source, left, right, "One vector")
    places = [x for x, _, _ in columns(source, left, right)]
    middle = (left + right) / 2
    yield path(f"M {places[-1]:.1f} {ENCODER + BOX} V {CONTEXT + BOX / 2} H {middle + 20}",
               "context", 2, arrow=True)  # fmt: skip
    yield from _lines([(middle, x, 1.6) for x in places], CONTEXT + BOX, DECODER)
    yield _box(middle, CONTEXT, 40, "context", "c")


def _attention(source: str, left: float, right: float) -> Iterator[str]:
    yield from _networks(source, left, right, "Attention")
    placed = list(columns(source, left, right))
    pairs = [(j, i, 3.2 if i == j else 0.5) for j, *_ in placed for i, *_ in placed]
    yield from _lines(pairs, ENCODER + BOX, CONTEXT)
    for number, (x, width, _) in enumerate(placed, start=1):
        yield path(f"M {x:.1f} {CONTEXT + BOX} V {DECODER}", "context", 1.6, arrow=True)
        yield _box(x, CONTEXT, width, "context", f"c_{number}")


def _networks(source: str, left: float, right: float, name: str) -> Iterator[str]:
    """The two rows of states with their letters, which are the same in both models."""
    yield text((left + right) / 2, NAME, name, "ink", size=14, weight=700)
    for row, role, symbol in ((ENCODER, "source", "h"), (DECODER, "target", "s")):
        letters = row - 8 if role == "source" else row + BOX + 18
        before = None
        for number, (x, width, letter) in enumerate(columns(source, left, right), start=1):
            if before is not None:
                yield path(
                    f"M {before:.1f} {row + BOX / 2} H {x - width / 2:.1f}", role, arrow=True
                )
            yield _box(x, row, width, role, f"{symbol}_{number}")
            yield text(x, letters, visible(letter), f"{role}-text", size=14, family=MONO)
            before = x + width / 2
    yield text(left, ENCODER - 26, "encoder reads", "muted", size=12, anchor="start")
    yield text(right, HEIGHT - 4, "decoder writes", "muted", size=12, anchor="end")


def _box(x: float, y: float, width: float, role: str, symbol: str) -> str:
    box = rect(x - width / 2, y, width, BOX, role, round=4)
    return box + text(x, y + 17, maths(symbol), f"on-{role}", size=MATHS, family=SERIF)


def _lines(pairs: list[tuple[float, float, float]], top: float, bottom: float) -> Iterator[str]:
    """Curves from above to below, each with its width."""
    bend = (top + bottom) / 2
    for above, below, width in pairs:
        line = f"M {above:.1f} {top} C {above:.1f} {bend} {below:.1f} {bend} {below:.1f} {bottom}"
        yield path(line, "context", width)
