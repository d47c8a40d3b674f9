"""What a page loads, and in which order, so that it is drawn and its widgets work early.

A browser does not look ahead in a page that contains its own content security policy: whatever
delays the reading of the head delays everything named after it. So scripts wait until the page has
been read, except the one that has to run before anything is drawn, and the style sheets of all
pages are one, except those of widgets.
"""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from attn_course.views.widgets import joining

from ..site import fonts
from ..site.folder import Site, own_files
from ..site.node import join_sheets, small_script
from ..site.page import Page

STYLES = "_static/styles"


def join(sheets: list[str], site: Site) -> str:
    """The name of the style sheet that is all of these."""
    join_sheets(site.root, site.raw, sheets, site.folder / STYLES)
    site.copy(site.raw / "_static" / "fonts" / "OFL.txt", f"{STYLES}/OFL.txt")
    (sheet,) = (site.folder / STYLES).glob("*.css")
    return f"{STYLES}/{sheet.name}"


def arrange(page: Page, sheets: list[str], joined: str) -> None:
    """Let a page load one style sheet instead of these, and its first fonts at once."""
    page.head.fonts = [page.address(f"{STYLES}/{face}.woff2") for face in fonts.FIRST]
    others = [name for name in own_files(page.file, page.head.sheets) if name not in sheets]
    page.head.sheets = [page.address(name) for name in (joined, *others)]


def make_scripts_small(names: Iterable[str], site: Site) -> None:
    """Minify the scripts that pages load, the book's own and Sphinx's; widgets' already are.

    All that are loaded become such as every supported browser can read. The book's own may import.
    """
    for name in sorted({*names}):
        own, stock = site.root / "website" / "assets" / Path(name).name, site.raw / name
        if not (own.exists() or stock.exists()):
            continue
        text = joining.join(own) if own.exists() else stock.read_text("utf-8")
        options = ("--format=iife",) if own.exists() else ()  # Sphinx's own share global names
        site.add(name, partial(small_script, site.root, name, text, *options))
