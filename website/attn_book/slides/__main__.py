"""Make slides from the built book: ``python -m attn_book.slides`` writes them to ``_build/slides``.

    index.html             all decks
    NN-name/index.html     the deck of a chapter
    notes.html             the speaker's window
    _static/               what they share

Nothing is executed: all results come from the book that was built.
"""

import os
import shutil
import sys
from pathlib import Path

from attn_book.slides import chapter, deck
from attn_book.slides.lecture import lecture

ROOT = Path(__file__).resolve().parents[3]


def main(root: Path = ROOT, to: Path | None = None) -> Path:
    book, to = root / "_build" / "html", to or root / "_build" / "slides"
    found = sorted((book / "chapters").glob("[0-9][0-9]*-*.html"))
    pages = [page for page in found if "<article" in page.read_text("utf-8")]  # or it leads on
    if not pages:
        sys.exit("There is no book to make slides from yet: make book")
    new = to.with_name(f"{to.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    deck.copy_shared(root, new)
    teaching = chapter.questions(book / "book" / "teach.html")
    made = []
    for page in pages:
        one = chapter.read(page)
        slides = lecture(one, teaching.get(one.number, {}))
        deck.copy_widgets(one, book, new)
        _write(new / one.name / "index.html", deck.deck(one, slides))
        made.append((one, len(slides)))
    _write(new / "notes.html", deck.notes())
    _write(new / "index.html", deck.contents(made))
    shutil.rmtree(to, ignore_errors=True)
    new.rename(to)
    print(f"{len(made)} decks: open {os.path.relpath(to / 'index.html')}")
    return to


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
