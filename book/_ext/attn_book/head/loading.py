"""What a page asks for, and in which order: it is drawn, and its widgets answer, the sooner.

A browser does not look ahead in a page that carries its policy with it: what holds up the reading
of the head holds up all that is named further down. So each script waits until the page is read,
except the one that must come before anything is drawn. The theme's style sheets bring all of
Bootstrap, most of it for things that the book has not: all sheets of a page but its widgets' become
one, without the rules that can apply to no page.
"""

import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from ..notebooks.build import digest
from ..site.folder import Site, own_files
from ..site.node import ask, package, small_script
from ..site.page import Page

SCRIPT = Path(__file__).with_name("loading.cjs")
_FILES = (".woff2", ".ttf", ".png")  # what sheets ask for; a browser asks when it needs them
_WORD = re.compile(r"[\w-]+", re.ASCII)
_NO_WORDS = (".bytes.js", "searchindex.js")  # data; none of it is a name of a class


def arrange(pages: dict[str, Page], site: Site) -> None:
    """Join the style sheets of each page but those of its widgets, which the site has already."""
    make_scripts_small(pages.values(), site)
    joined: dict[tuple[str, ...], str] = {}
    words = sorted({word for text in _texts(pages.values(), site) for word in _WORD.findall(text)})
    for page in pages.values():
        names = own_files(page.file, page.head.sheets)
        of_widgets = [name for name in names if (site.folder / name).exists()]
        stock = tuple(name for name in names if name not in of_widgets)
        if stock and stock not in joined:
            joined[stock] = join(stock, words, site)
        page.head.sheets = []
        for name in [*([joined[stock]] if stock else []), *of_widgets]:
            page.head.load(name)


def make_scripts_small(pages: Iterable[Page], site: Site) -> None:
    """Those of the book's own that the pages load; the widgets' are small already."""
    for name in sorted({name for page in pages for name in page.leads_to()}):
        own = site.root / "book" / "assets" / Path(name).name
        if name.endswith(".js") and own.exists():
            site.add(name, partial(small_script, site.root, name, own.read_text("utf-8")))


def join(sheets: tuple[str, ...], words: list[str], site: Site) -> str:
    """One sheet of many, without the rules for classes and ids that are no word of ``words``.

    Files that the rules ask for come along. Returns the sheet's name in the site.
    """
    asked = {
        "esbuild": str(package(site.root, "esbuild")),
        "lightningcss": str(package(site.root, "lightningcss")),
        "folder": str(site.raw),
        "sheets": sheets,
        "files": _FILES,
        "words": words,
        "contents": digest(site.raw, ("_static/**/*",)),
    }
    answer = ask(site.root, SCRIPT, asked, "the style sheets cannot be joined")
    for name, source in answer["files"].items():
        site.copy(site.raw / source, f"_static/styles/{name}")
    return site.keep("_static/styles", answer["css"], ".css")


def _texts(pages: Iterable[Page], site: Site) -> Iterable[str]:
    """All that can name a class: the pages, and the scripts that they load."""
    scripts = set()
    for page in pages:
        yield page.html(site.root)
        scripts.update(own_files(page.file, page.head.scripts))
    for name in sorted(scripts):
        if not name.endswith(_NO_WORDS):
            made = site.folder / name
            yield (made if made.exists() else site.raw / name).read_text(encoding="utf-8")
