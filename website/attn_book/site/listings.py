"""Colour listings only once, since this takes a quarter of the time for writing pages.

A listing keeps the colours that help to read it (keywords, strings, numbers, comments, names being
defined) and loses the others, which make up most of its elements.
"""

from pathlib import Path

from bs4 import BeautifulSoup, PageElement, Tag
from sphinx.application import Sphinx

from .answers import remembered

# What Pygments calls the pieces that keep their colour; a longer name is a special case of these.
COLOURED = ("k", "s", "c", "m", "nf", "nc", "ow")


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", remember)


def remember(app: Sphinx) -> None:
    """Let the builder keep what Pygments returns until a version or the code changes."""
    highlighter = getattr(app.builder, "highlighter", None)
    if highlighter is None:
        return
    root, colour = Path(app.srcdir), highlighter.highlight_block

    def once(source, lang, opts=None, force=False, location=None, **options) -> str:
        grounds = [app.config.attn_book_means, source, lang, opts, force, options]
        return remembered(
            root, grounds, lambda: thin(colour(source, lang, opts, force, location, **options))
        )

    highlighter.highlight_block = once


def thin(html: str) -> str:
    soup = BeautifulSoup(html, "html.parser")
    for listing in soup.find_all("pre"):
        thin_out(soup, listing)
    return str(soup)


def thin_out(soup: BeautifulSoup, pre: Tag) -> None:
    """Remove colours that do not help the reader, and join neighbours of the same colour."""
    pieces: list[tuple[str | None, str]] = []
    for piece in pre.contents:
        colour, text = _colour(piece), piece.get_text()
        if pieces and pieces[-1][0] == colour:
            pieces[-1] = colour, pieces[-1][1] + text
        else:
            pieces.append((colour, text))
    pre.clear()
    for colour, text in pieces:
        pre.append(_coloured(soup, colour, text) if colour else text)


def _coloured(soup: BeautifulSoup, colour: str, text: str) -> Tag:
    span = soup.new_tag("span", attrs={"class": colour})
    span.string = text
    return span


def _colour(piece: PageElement) -> str | None:
    """Which of the remaining colours a piece of code has."""
    kind = (piece.get("class") or [""])[0] if isinstance(piece, Tag) else ""
    return next((one for one in COLOURED if kind.startswith(one)), None)
