"""Listings keep the colours that help to read them, and lose most of their elements.

Keywords, strings, numbers, comments and names that are defined stay coloured.
"""

from collections.abc import Iterator

from pygments.formatters import HtmlFormatter
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge

# What Pygments calls the pieces that keep their colour; a longer name is a special case of these.
COLOURED = ("k", "s", "c", "m", "nf", "nc", "ow")


def setup(app: Sphinx) -> None:
    PygmentsBridge.html_formatter = Thin


class Thin(HtmlFormatter):
    """Pygments' own HTML, which joins neighbours of the same class."""

    def _get_css_classes(self, ttype) -> str:
        kind = super()._get_css_classes(ttype)
        return next((one for one in COLOURED if kind.startswith(one)), "")

    def _wrap_pre(self, inner: Iterator) -> Iterator:
        yield 0, "<pre>"  # without the empty element that Pygments begins with
        yield from inner
        yield 0, "</pre>"
