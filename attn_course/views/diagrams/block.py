"""A block of a Transformer: residual streams run through it, and its parts add to them."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from attn_course.views.diagrams import pieces
from attn_course.views.diagrams.pieces import LETTERS, circle, path, rect, text
from attn_course.views.plots import Picture, numbers, visible

FEWEST, MOST, LONGEST = 3, 5, 8  # tokens that fit beside words and each other; letters
BEAM = 24  # how wide all beams are together

# from top to bottom
TOKENS, TOP, QUERY, KEYS, SUM = 8, 58, 82, 106, 192
SPLIT, ADDED, FLOOR, NEXT, HEIGHT = 266, 322, 392, 448, 488
TALL = 32  # the height of a token's box


def block_diagram(
    tokens: Sequence[str],
    weights: Sequence,
    next_token: str,
    title: str = "Nothing in a residual stream is replaced: the parts of a block add to it",
) -> Picture:
    """Draw a block and what one of its heads reads for the last of some tokens.

    The beam from token j is as wide as its weight, and all beams together are `BEAM` wide. There
    are `FEWEST` to `MOST` ``tokens`` of at most `LONGEST` letters; ``weights`` are (tokens), not
    below 0, with the sum 1; ``next_token`` is what the model writes. Else it is a ValueError.
    """
    tokens, following = [visible(token) for token in tokens], visible(next_token)
    weights = numbers(weights)
    if not FEWEST <= len(tokens) <= MOST or max(map(len, [*tokens, following])) > LONGEST:
        raise ValueError(
            f"expected {FEWEST} to {MOST} tokens and a next one, of at most {LONGEST} letters; "
            f"got {tokens} and {following!r}"
        )
    if weights.shape != (len(tokens),) or not (
        weights.min() >= 0 and abs(weights.sum() - 1) < 1e-3
    ):
        raise ValueError(f"weights must be {len(tokens)} numbers with the sum 1; got {weights}")
    most = int(weights.argmax())
    alt = (
        f"The residual streams of {len(tokens)} tokens run down through a block. Attention: the "
        f"last, “{tokens[-1]}”, asks all of them, reads “{tokens[most]}” with the largest weight, "
        f"{weights[most]:.2f}, and adds the context to its own stream. Then a feed-forward network "
        "adds to each stream alone. Nothing is replaced, only added to. After the last block the "
        f"last stream says what comes next: “{following}”."
    )
    return pieces.two_drawings(title, partial(_block, tokens, weights, following), HEIGHT, alt)


def _block(tokens: list[str], weights: np.ndarray, following: str, width: float) -> Iterator[str]:
    places = [x for x, _, _ in pieces.columns(tokens, 0, width)]
    asking, pitch = places[-1], width / len(tokens)
    yield rect(0, TOP, width, FLOOR - TOP, "surface", round=10)
    for x, token in zip(places, tokens, strict=True):
        role, *line = ("target", "target", 6) if x == asking else ("source", "rule", 4)
        yield path(f"M {x:.1f} {TOKENS + TALL} V {NEXT - 6}", *line)
        yield _token(x, TOKENS, pitch, token, role, f"{role}-wash")
    yield from _attention(places, weights, pitch)
    for x in places:
        yield _feed_forward(x)
    for y, words, role, weight, on in (
        (228, "Attention, here of the last position", "ink", 600, "surface"),
        (247, "reads all positions so far, adds a context", "muted", 400, "surface"),
        (358, "Feed-forward network", "ink", 600, "surface"),
        (377, "works at each position alone, adds too", "muted", 400, "surface"),
        (416, "More blocks follow, and they only add.", "muted", 400, "paper"),
    ):
        yield text(12, y, words, role, size=LETTERS, anchor="start", weight=weight, on=on)
    yield text(asking - 46, NEXT + 21, "What comes next:", "muted", size=LETTERS, anchor="end")
    yield _token(asking, NEXT, pitch, following, "target", "paper")


def _attention(places: list[float], weights: np.ndarray, pitch: float) -> Iterator[str]:
    asking = places[-1]
    for x in places[:-1]:
        bend = f"C {asking - 0.5 * pitch:.1f} 66 {x + 0.5 * pitch:.1f} 72 {x + 7:.1f} {KEYS - 6}"
        yield path(f"M {asking:.1f} {QUERY} {bend}", "target", 1.5, dashed=True)
    low = SUM - BEAM * weights[:-1].sum() / 2  # the beams arrive on top of each other
    for x, weight in zip(places, weights, strict=True):
        end = low + BEAM * weight / 2
        low += BEAM * weight
        bend = f"{x:.1f} {SUM - 10} {asking - 0.6 * pitch:.1f} {end:.1f} {asking - 9:.1f} {end:.1f}"
        if x == asking:  # its own, which comes from the other side
            bend = f"{x + 24:.1f} {KEYS + 16} {x + 24:.1f} {SUM - 16} {x + 9:.1f} {SUM}"
        yield path(f"M {x:.1f} {KEYS} C {bend}", "ink", BEAM * weight, opacity=0.4 + 0.4 * weight)
    for x, weight in zip(places, weights, strict=True):
        yield circle(x, KEYS, 6.5, "source")
        share, beside = f"{weight:.2f}".removeprefix("0"), x - max(6.5, BEAM * weight / 2) - 4
        yield text(max(beside, 26), KEYS + 5, share, "ink", size=LETTERS, anchor="end")
    yield circle(asking, QUERY, 5.5, "target")
    yield _plus(asking, SUM, "context")


def _feed_forward(x: float) -> str:
    """A small network beside a stream, which branches off and comes back."""
    return (
        path(f"M {x:.1f} {SPLIT} H {x + 16:.1f} V {SPLIT + 18}", "edge", 1.75)
        + rect(x + 4, SPLIT + 18, 26, 22, "paper", edge="edge", round=3, thick=1.5)
        + path(f"M {x + 10:.1f} {SPLIT + 34} h 5 l 8 -9", "ink", 1.75)
        + path(f"M {x + 16:.1f} {SPLIT + 40} V {ADDED} H {x + 10:.1f}", "edge", 1.75)
        + _plus(x, ADDED, "edge")
    )


def _plus(x: float, y: float, role: str) -> str:
    sign = f"M {x - 5:.1f} {y} h 10 M {x:.1f} {y - 5} v 10"
    return circle(x, y, 9.5, "paper", edge=role, thick=2.5) + path(sign, role, 2.5)


def _token(x: float, y: float, pitch: float, token: str, role: str, fill: str) -> str:
    width = min(pitch - 6, 84)
    box = rect(x - width / 2, y, width, TALL, fill, edge=role, round=4, thick=1.5)
    return box + text(x, y + 21, token, f"{role}-text", size=LETTERS, weight=600)
