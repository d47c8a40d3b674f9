"""What a page asks for, and in which order: it is drawn, and its widgets answer, the sooner.

A browser does not look ahead in a page that carries its policy with it: what holds up the reading
of the head holds up all that is named further down. So each script waits until the page is read,
except the one that must come before anything is drawn, which stands last. The theme's style
sheets bring all of Bootstrap, most of it for things that the book has not: the sheets of a page
become one, without the rules that can apply to no page.
"""

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

from bs4 import Tag
from sphinx.errors import ExtensionError

from .node import node, package
from .page import Page
from .site import Site, own_files

FIRST = "early.js"
_FILES = (".woff2", ".ttf", ".png")  # what sheets ask for; a browser asks when it needs them
_NO_WORDS = (".bytes.js", "searchindex.js")  # data; none of it is a name of a class


def arrange(pages: dict[str, Page], site: Site) -> None:
    """Join the style sheets of each page, and put its head in order."""
    joined: dict[tuple[str, ...], str] = {}
    words = "\n".join(_texts(pages.values(), site))
    for page in pages.values():
        links = _stock_sheets(page, site)
        sheets = tuple(own_files(page.file, (link["href"] for link in links)))
        if sheets and sheets not in joined:
            joined[sheets] = join(sheets, words, site)
        for link in links:
            link.decompose()
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
    made = subprocess.run(
        [node(), Path(__file__).with_name("loading.cjs")],
        input=json.dumps(asked),
        capture_output=True,
        encoding="utf-8",
    )
    if made.returncode:
        raise ExtensionError(f"the style sheets cannot be joined:\n{made.stderr}")
    answer = json.loads(made.stdout)
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


def _stock_sheets(page: Page, site: Site) -> list[Tag]:
    """The links to sheets that Sphinx brought; those of widgets are the site's already."""
    links = page.soup.head.find_all("link", rel="stylesheet")
    return [
        link
        for link in links
        if not (site.folder / own_files(page.file, [link["href"]])[0]).exists()
    ]


def _order(page: Page, sheet: str | None) -> None:
    """Style sheets, then the scripts that wait, then the one that does not."""
    head = page.soup.head
    sheets = head.find_all("link", rel="stylesheet")
    scripts = head.find_all("script", src=True)
    waiting = [script for script in scripts if not script["src"].endswith(FIRST)]
    for script in waiting:
        script["defer"] = ""
    if sheet:
        page.add_style(sheet)
        sheets.insert(0, head.find_all("link", rel="stylesheet")[-1])
    for tag in (*sheets, *waiting, *(script for script in scripts if script not in waiting)):
        head.append(tag.extract())
