"""Colour listings only once, since this takes a quarter of the time for writing pages.

The colours that `notebooks.code` would remove are removed before a page is parsed, since they make
up most of it.
"""

from pathlib import Path

from bs4 import BeautifulSoup
from sphinx.application import Sphinx

from ..notebooks.code import thin_out
from .answers import remembered


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
