"""Make slides from the built book: ``python -m attn_book.slides`` writes them to ``_build/slides``.

    index.html             all decks
    NN-name/index.html     the deck of a chapter
    _static/               what they share

Nothing is executed: all results come from the book that was built. reveal.js shows the slides, and
its plugin the speaker's notes. A deck lies as deep in its folder as a chapter's page does in the
book's, so the addresses in a chapter's page hold in its deck too.
"""

import os
import posixpath
import shutil
import sys
from pathlib import Path

from bs4 import BeautifulSoup
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from attn_book.slides import chapter
from attn_book.slides.lecture import Slide, lecture

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).parent
FACES = ("palette.css", "fonts.css", "faces.css")
OF_THE_BOOK = (*FACES, "fonts", "pygments.css", "early.js", "favicon.svg", "katex")
OF_REVEAL = ("reveal.css", "reveal.js", "plugin/notes.js")
SHEETS = ("reveal.css", *FACES, "katex/katex.min.css", "pygments.css")


def main(root: Path = ROOT, to: Path | None = None) -> Path:
    book, to = root / "_build" / "html", to or root / "_build" / "slides"
    files = sorted((book / "chapters").glob("*.html"))
    pages = [page for page in files if "<article" in page.read_text("utf-8")]  # or it leads on
    if not pages:
        sys.exit("There is no book to make slides from yet: make book")
    new = to.with_name(f"{to.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    _copy_shared(root, new / "_static")
    teaching = chapter.questions(book / "book" / "teach.html")
    decks = []
    for page in pages:
        one = chapter.read(page)
        slides = lecture(one, teaching.get(one.number, {}))
        _copy_widgets(one, book, new)
        _write(new / one.name / "index.html", "deck.html.j2", **_deck(one, slides))
        decks.append((one, len(slides)))
    sheets = [f"_static/{name}" for name in (*FACES, "slides.css")]
    page = {"static": "_static", "sheets": sheets, "scripts": [], "chapters": decks}
    _write(new / "index.html", "contents.html.j2", **page)
    shutil.rmtree(to, ignore_errors=True)
    new.rename(to)
    print(f"{len(decks)} decks: open {os.path.relpath(to / 'index.html')}")
    return to


def _copy_shared(root: Path, static: Path) -> None:
    """Copy what all decks load: from the built book, from reveal.js, and files of their own."""
    raw, reveal = root / "_build" / "raw" / "_static", root / "node_modules" / "reveal.js"
    sources = [raw / name for name in OF_THE_BOOK] + [root / "_build/html/_static/host.js"]
    sources += [reveal / "dist" / name for name in OF_REVEAL]
    sources += [HERE / "slides.css", HERE / "slides.js"]
    static.mkdir(parents=True)
    for source in sources:
        copy = shutil.copytree if source.is_dir() else shutil.copyfile
        copy(source, static / source.name)
    shutil.copyfile(reveal / "LICENSE", static / "reveal.LICENSE.txt")


def _copy_widgets(one: chapter.Chapter, book: Path, to: Path) -> None:
    """Copy the scripts, style sheets and arrays of a chapter's widgets."""
    buffers = [buffer for state in one.states.values() for buffer in state.get("buffers", ())]
    arrays = {buffer["address"] for buffer in buffers if "address" in buffer}
    for address in {*one.scripts, *one.sheets, *arrays}:
        name = posixpath.normpath(posixpath.join("chapters", address))
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(book / name, to / name)


def _deck(one: chapter.Chapter, slides: list[Slide]) -> dict:
    """What the page of a deck is made from."""
    static, bodies = "../_static", "".join(slide.body for slide in slides)
    sheets = [f"{static}/{name}" for name in SHEETS]
    scripts = [f"{static}/{name}" for name in ("host.js", "reveal.js", "notes.js", "slides.js")]
    states = {key: state for key, state in one.states.items() if f'"{key}"' in bodies}
    files = {"sheets": [*sheets, *one.sheets, f"{static}/slides.css"], "static": static}
    files["scripts"] = [scripts[0], *one.scripts, *scripts[1:]]
    return files | {"chapter": one, "slides": slides, "states": {"state": states}}


def _spoken(notes: list[str]) -> Markup:
    """Notes for the speaker's window, which has no style sheet: the browser sets the formulas."""
    soup = BeautifulSoup("\n".join(notes), "html.parser")
    for formula in soup.select(".katex"):
        formula.replace_with(formula.math)
    return Markup(soup)  # noqa: S704


def _write(path: Path, template: str, **values: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TEMPLATES.get_template(template).render(values), encoding="utf-8")


_STRICT = {"lstrip_blocks": True, "trim_blocks": True, "undefined": StrictUndefined}
TEMPLATES = Environment(autoescape=True, loader=FileSystemLoader(HERE), **_STRICT)
TEMPLATES.filters["spoken"] = _spoken


if __name__ == "__main__":
    main()
