"""Listings are coloured once: it takes a quarter of the time in which Sphinx writes its pages.

The colours that `notebooks.code` takes off again go before a page is parsed: they are most of it.
"""

from pathlib import Path

from bs4 import BeautifulSoup
from sphinx.application import Sphinx

from ..notebooks.code import thin_out
from .answers import remembered


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", remember)


def remember(app: Sphinx) -> None:
    """Have the builder keep what Pygments answers, as long as no version and no code changes."""
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
