"""What a page loads, and in which order, so that it is drawn and its widgets work early.

A browser does not look ahead in a page that contains its own content security policy: whatever
delays the reading of the head delays everything named after it. So scripts wait until the page has
been read, except the one that has to run before anything is drawn. The theme's style sheets contain
all of Bootstrap, most of which the book does not use. All style sheets of a page except those of
its widgets are therefore joined into one, without the rules that cannot apply to any page.
"""

import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from attn_course.views.widgets import joining

from ..notebooks.build import digest
from ..site import fonts
from ..site.folder import Site, own_files
from ..site.node import ask, browsers, package, small_script
from ..site.page import Page

SCRIPT = Path(__file__).with_name("loading.cjs")
_FILES = (
    ".woff2",
    ".ttf",
    ".png",
)  # what style sheets refer to; a browser loads them when it needs them
_WORD = re.compile(r"[\w-]+", re.ASCII)
_NO_WORDS = "searchindex.js"  # data, which contain no names of classes


def arrange(pages: dict[str, Page], site: Site) -> None:
    """Join the style sheets of each page, except those of its widgets, which the site has."""
    make_scripts_small(pages.values(), site)
    joined: dict[tuple[str, ...], tuple[str, list[str]]] = {}
    words = sorted({word for text in _texts(pages.values(), site) for word in _WORD.findall(text)})
    for page in pages.values():
        names = own_files(page.file, page.head.sheets)
        of_widgets = [name for name in names if (site.folder / name).exists()]
        stock = tuple(name for name in names if name not in of_widgets)
        if stock and stock not in joined:
            joined[stock] = join(stock, words, site)
        sheet, faces = joined.get(stock, ("", []))
        page.head.fonts = [page.address(face) for face in faces]
        page.head.sheets = []
        for name in filter(None, [sheet, *of_widgets]):
            page.head.load(name)


def make_scripts_small(pages: Iterable[Page], site: Site) -> None:
    """Minify the scripts that the pages load, the book's own and Sphinx's; widgets' already are.

    All that are loaded become such as every supported browser can read. The book's own may import.
    """
    for name in sorted({n for page in pages for n in own_files(page.file, page.head.scripts)}):
        own, stock = site.root / "website" / "assets" / Path(name).name, site.raw / name
        if name.endswith(_NO_WORDS) or not (own.exists() or stock.exists()):
            continue
        text = joining.join(own) if own.exists() else stock.read_text("utf-8")
        options = ("--format=iife",) if own.exists() else ()  # Sphinx's own share global names
        site.add(name, partial(small_script, site.root, name, text, *options))


def join(sheets: tuple[str, ...], words: list[str], site: Site) -> tuple[str, list[str]]:
    """Join style sheets, without the rules for classes and ids that are not among ``words``.

    The files that the rules refer to are copied too. Returns the names in the site of the new sheet
    and of the fonts that every page asks for at once.
    """
    asked = {
        "esbuild": str(package(site.root, "esbuild")),
        "lightningcss": str(package(site.root, "lightningcss")),
        "folder": str(site.raw),
        "sheets": sheets,
        "files": _FILES,
        "browsers": browsers(site.root),
        "words": words,
        "contents": digest(site.raw, ("_static/**/*",)),
    }
    answer = ask(site.root, SCRIPT, asked, "the style sheets cannot be joined")
    place_of = {source: f"_static/styles/{name}" for name, source in answer["files"].items()}
    for source, place in place_of.items():
        site.copy(site.raw / source, place)
    faces = [f"_static/fonts/{face}.woff2" for face in fonts.FIRST]
    if faces[0] in place_of:
        site.copy(site.raw / "_static" / "fonts" / "OFL.txt", "_static/styles/OFL.txt")
    sheet = site.keep("_static/styles", answer["css"], ".css")
    return sheet, [place_of[face] for face in faces if face in place_of]


def _texts(pages: Iterable[Page], site: Site) -> Iterable[str]:
    """Everything that can name a class: the pages, and the scripts that they load."""
    scripts = set()
    for page in pages:
        yield page.html(site.root)
        scripts.update(own_files(page.file, page.head.scripts))
    for name in sorted(scripts):
        if not name.endswith(_NO_WORDS):
            made = site.folder / name
            yield (made if made.exists() else site.raw / name).read_text(encoding="utf-8")
