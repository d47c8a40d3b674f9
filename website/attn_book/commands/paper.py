"""The book as one PDF, for paper and for readers of files: ``python -m attn_book.commands.paper``.

Chromium prints each page of the built site as its print style has it, with folds open. pypdf joins
them behind a title and a table of contents, numbers the sheets, and turns links between pages into
jumps within the file. The reference, what only a screen can do, and lists that repeat the chapters
stay out; links to them lead to the site, if it has an address.
"""

import os
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from urllib.parse import urldefrag, urljoin

from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, FloatObject, NameObject, NumberObject, TextStringObject

from attn_book import address
from attn_book.commands import serve
from attn_book.commands.archive import NAME, ROOT, VERSION
from attn_book.commands.browser import chromium
from attn_book.notebooks import course
from attn_book.site.templates import page as page_of

LEFT_OUT = ("book/reference/", "book/claims", "book/your-progress")
MARGINS = {"top": "18mm", "bottom": "20mm", "left": "20mm", "right": "20mm"}


def main(root: Path = ROOT) -> Path:
    def write(target: Path, *arguments) -> str:
        book = bound(*arguments)
        book.write(target)
        return f"{len(book.pages)} sheets"

    return made(root, "pdf", write)


def made(root: Path, kind: str, write: Callable[..., str]) -> Path:
    """The pages of the book as one file in ``dist``; ``write`` says how much it has written."""
    site = root / "_build" / "html"
    if not (site / "index.html").exists():
        sys.exit(f"There is no book yet to make {kind.upper()} of: make book")
    names = [name for name in course.documents(root) if not name.startswith(LEFT_OUT)]
    home = address.read(root)
    target = root / "dist" / f"{NAME}-{VERSION}.{kind}"
    target.parent.mkdir(exist_ok=True)
    new = target.with_suffix(".new")
    with chromium() as browser:
        extent = write(new, browser, site, names, "Attention, measured", home and home.site)
    os.replace(new, target)
    print(f"{target.relative_to(root)}: {extent}, {target.stat().st_size / 1e6:.1f} MB")
    return target


def opened(view, at: str, names: list[str]) -> Iterator[str]:
    """Each page in turn, when each widget on it has taken the place of its summary."""
    view.set_default_timeout(120_000)  # whatever else the machine does
    for name in names:
        view.goto(f"{at}{name}.html")
        # not for an idle network: on a busy machine Playwright may miss that, and wait for ever
        view.wait_for_function("!document.querySelector('.attn-widget-summary')")
        yield name


def bound(browser, site: Path, names: list[str], title: str, home: str | None) -> PdfWriter:
    """These pages of the site as one file; ``home`` is where the others are found."""
    with serve.running(site) as at:
        view = browser.new_page()

        def printed(**options) -> PdfReader:
            view.evaluate("document.fonts.ready")
            return PdfReader(BytesIO(view.pdf(format="A4", **options)))

        def render(**values) -> PdfReader:
            view.set_content(page_of("paper.html", title=title, version=VERSION, at=at, **values))
            return printed()

        parts = []
        for _ in opened(view, at, names):
            parts.append((view.locator("h1").first.evaluate(_HEADING), printed(margin=MARGINS)))
        sheets = view.evaluate(_SHEETS)
        front = render(sheets=sheets, lines=_lines(parts, 0))
        front = render(sheets=sheets, lines=_lines(parts, len(front.pages)))
        count = len(front.pages) + sum(len(part.pages) for _, part in parts)
        numbers = render(sheets=sheets, numbers=count)
    book = PdfWriter()
    book.add_metadata({"/Title": title})
    begins = {}
    for name, (heading, part) in zip(("", *names), (("", front), *parts), strict=True):
        begins[name] = len(book.pages)
        for page in part.pages:
            book.add_page(page)
        if name:
            book.add_outline_item(title=heading, page_number=begins[name])
    places = dict(_places(names, parts, begins))
    for n, page in enumerate(book.pages):
        if n >= len(front.pages):
            page.merge_page(numbers.pages[n])
            page.compress_content_streams()
        name = max((name for name in begins if begins[name] <= n), key=begins.get)
        _lead(book, page, f"{at}{name}.html", places, at, home)
    book.compress_identical_objects()
    return book


_HEADING = "(one) => one.firstChild.textContent.trim()"
_SHEETS = "[...document.querySelectorAll('link[rel=stylesheet]')].map(({ href }) => href)"


def _lines(parts: list[tuple[str, PdfReader]], before: int) -> list[tuple[str, int]]:
    """The headings, each with the number of its first sheet."""
    begins = accumulate((len(part.pages) for _, part in parts), initial=before + 1)
    return [(heading, sheet) for (heading, _), sheet in zip(parts, begins, strict=False)]


def _places(names, parts, begins) -> Iterator[tuple[str, tuple[int, float]]]:
    """The sheet and the height at which each page and each of its named places begins."""
    for name, (_, part) in zip(names, parts, strict=True):
        yield f"{name}.html", (begins[name], 842.0)
        for place, there in part.named_destinations.items():
            sheet = begins[name] + part.get_destination_page_number(there)
            yield f"{name}.html#{place.removeprefix('/')}", (sheet, float(there.top or 842))


def _lead(book: PdfWriter, page, here: str, places: dict, at: str, home: str | None) -> None:
    """Let the links of a sheet jump within the file, or else lead to the site."""
    annotations = ArrayObject()
    for annotation in page.get("/Annots", ()):
        link = annotation.get_object()
        to = str(link["/A"]["/URI"]) if "/A" in link else f"{here}#{str(link['/Dest']).lstrip('/')}"
        if to.startswith(at):
            whole = to.removeprefix(at)
            place = places.get(whole) or places.get(urldefrag(whole)[0])
            if place is None and home is None:
                continue
            if place:
                sheet, top = place
                aim = (book.pages[sheet].indirect_reference, NameObject("/XYZ"))
                height = (NumberObject(0), FloatObject(top), NumberObject(0))
                link.pop("/A", None)
                link[NameObject("/Dest")] = ArrayObject([*aim, *height])
            else:
                link["/A"][NameObject("/URI")] = TextStringObject(urljoin(home, whole))
        annotations.append(annotation)
    page[NameObject("/Annots")] = annotations


if __name__ == "__main__":
    main()
