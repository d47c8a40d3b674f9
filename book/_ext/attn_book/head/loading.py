"""What a page asks for, and in which order: it is drawn, and its widgets answer, the sooner.

A browser does not look ahead in a page that carries its policy with it: what holds up the reading
of the head holds up all that is named further down. So each script waits until the page is read,
except the one that must come before anything is drawn. The theme's style sheets bring all of
Bootstrap, most of it for things that the book has not: all sheets of a page but its widgets' become
one, without the rules that can apply to no page.
"""

import posixpath
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from bs4 import Tag

from ..site.folder import Site, own_files
from ..site.node import ask, package, small_script
from ..site.page import Page

SCRIPT = Path(__file__).with_name("loading.cjs")
# After all others, in this order. The first marks what was searched for as soon as it runs: not
# before the others know the page, and not where results are listed, which searchtools.js prevents.
# The second wants it. The third is the one that does not wait.
LAST = ("sphinx_highlight.js", "searchindex.js", "early.js")
_FILES = (".woff2", ".ttf", ".png")  # what sheets ask for; a browser asks when it needs them
_NO_WORDS = (".bytes.js", "searchindex.js")  # data; none of it is a name of a class


def arrange(pages: dict[str, Page], site: Site) -> None:
    """Join the style sheets of each page, put its head in order, and make its scripts small."""
    for name in sorted({name for page in pages.values() for name in page.leads_to()}):
        own = site.root / "book" / "assets" / posixpath.basename(name)
        if name.endswith(".js") and own.exists():
            site.add(name, partial(small_script, site.root, name, own.read_text("utf-8")))
    joined: dict[tuple[str, ...], str] = {}
    words = "\n".join(_texts(pages.values(), site))
    for page in pages.values():
        sheets = _take_stock_sheets(page, site)
        if sheets and sheets not in joined:
            joined[sheets] = join(sheets, words, site)
        _order(page, joined.get(sheets))


def join(sheets: tuple[str, ...], words: str, site: Site) -> str:
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
    }
    answer = ask(SCRIPT, asked, "the style sheets cannot be joined")
    for name, source in answer["files"].items():
        site.copy(site.raw / source, f"_static/styles/{name}")
    return site.keep("_static/styles", answer["css"], ".css")


def _texts(pages: Iterable[Page], site: Site) -> Iterable[str]:
    """All that can name a class: the pages, and the scripts that they load."""
    scripts = set()
    for page in pages:
        yield str(page.soup)
        scripts.update(name for name in page.leads_to() if name.endswith(".js"))
    for name in sorted(scripts):
        if not name.endswith(_NO_WORDS):
            made = site.folder / name
            yield (made if made.exists() else site.raw / name).read_text(encoding="utf-8")


def _take_stock_sheets(page: Page, site: Site) -> tuple[str, ...]:
    """Take the links to Sphinx's sheets off the page; those of widgets are the site's already."""
    sheets = []
    for link in page.soup.head.find_all("link", rel="stylesheet"):
        (sheet,) = own_files(page.file, [link["href"]])
        if not (site.folder / sheet).exists():
            sheets.append(sheet)
            link.decompose()
    return tuple(sheets)


def _order(page: Page, sheet: str | None) -> None:
    """Sheets, the joined one first, then the scripts that wait, then the one that must not."""
    head = page.soup.head
    of_widgets = [link.extract() for link in head.find_all("link", rel="stylesheet")]
    scripts = [script.extract() for script in head.find_all("script", src=True)]
    scripts.sort(key=lambda script: LAST.index(_name(script)) if _name(script) in LAST else -1)
    for script in scripts:
        if _name(script) != LAST[-1]:
            script["defer"] = ""
    if sheet:
        page.add_style(sheet)
    head.extend([*of_widgets, *scripts])


def _name(script: Tag) -> str:
    return posixpath.basename(urlsplit(script["src"]).path)
