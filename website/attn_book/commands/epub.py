"""The book as one EPUB, for readers of e-books: ``python -m attn_book.commands.epub``.

It has the pages that `paper` prints, as paper shows them: folds are open, solutions come last, and
code that a page hides stays out. ``epub.mjs`` copies them in Chromium, with MathML for formulas and
a picture for each widget. The same book gives the same file.
"""

import re
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urljoin
from uuid import NAMESPACE_URL, uuid5

from attn_book.commands import paper, serve
from attn_book.commands.archive import NAME, ROOT, VERSION, zipped
from attn_book.site import templates

SCRIPT = Path(__file__).with_suffix(".mjs")
FONT = "source-sans-3.woff2"  # of the labels in drawings
# as wide as an A4 sheet between its margins
VIEW = {"viewport": {"width": 680, "height": 1000}, "device_scale_factor": 2}
VIEW |= {"reduced_motion": "reduce", "color_scheme": "light"}
ON_PAPER = "document.dispatchEvent(new CustomEvent('attn-paper', { detail: true }))"
PICTURED = ".attn-widget:not([data-widget=Prediction])"


def main(root: Path = ROOT) -> Path:
    return paper.made(root, "epub", write)


def write(target: Path, browser, site: Path, names: list[str], title: str, home: str | None) -> str:
    """These pages of the site as an EPUB; ``home`` is where the others are found."""
    pages, pictures = {}, {}
    with serve.running(site) as at:
        view = browser.new_page(**VIEW)
        for name in paper.opened(view, at, names):
            view.emulate_media(media="print")
            view.evaluate(ON_PAPER)
            for place in view.locator(PICTURED).all():
                picture = f"picture-{len(pictures) + 1}.jpg"
                pictures[picture] = place.screenshot(type="jpeg", quality=80)
                place.evaluate("(place, name) => { place.dataset.picture = name; }", picture)
            pages[_file(name)] = view.evaluate(SCRIPT.read_text("utf-8"))
            view.emulate_media(media="screen")  # in which all pages load
    key = uuid5(NAMESPACE_URL, f"{NAME} {VERSION}")
    day = max(page["changed"] for page in pages.values()) or "1980-01-01"
    facts = {"title": title, "version": VERSION, "pages": pages, "pictures": pictures}
    make = partial(templates.page, **facts, font=FONT, key=key, day=day)
    texts = {file: make("epub.xhtml", page=page) for file, page in pages.items()}
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": make("epub-container.xml"),
        "book.opf": make("epub.opf"),
        "book.css": SCRIPT.with_suffix(".css").read_text("utf-8"),
        "title.xhtml": make("epub.xhtml"),
        "contents.xhtml": make("epub-contents.xhtml"),
        **{file: _lead(text, pages, at, home) for file, text in texts.items()},
    }
    font = {FONT: (site / "_static" / "styles" / FONT).read_bytes()}
    zipped(target, {name: text.encode() for name, text in files.items()} | pictures | font)
    return f"{len(pages)} pages"


def _file(name: str) -> str:
    return f"{name.replace('/', '-')}.xhtml"


def _lead(text: str, pages: dict[str, dict], at: str, home: str | None) -> str:
    """Let links lead to places in the book, or else to the site, or else nowhere."""

    def href(link: re.Match) -> str:
        page, _, place = link[1].partition("#")
        if (file := _file(page.removesuffix(".html"))) in pages:
            there = f' id="{unquote(place)}"' in pages[file]["body"]
            return f' href="{file}{f"#{place}" * there}"'
        return f' href="{urljoin(home, link[1])}"' if home else ""

    return re.sub(rf' href="{re.escape(at)}([^"]*)"', href, text)


if __name__ == "__main__":
    main()
