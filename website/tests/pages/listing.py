"""The book's pages, by the names that they have in its table of contents."""

import json
from pathlib import Path

from attn_book.address import Address
from attn_book.model import left_out
from attn_book.notebooks import course
from attn_book.site import search
from attn_book.site.edition import Edition

ROOT = Path(__file__).resolve().parents[3]
SITE = ROOT / "_build" / "html"
HOME = Address("ada/attention", "https://ada.github.io/attention/", "v0.1.0")
EDITION = Edition("Attention, measured", "book/index", HOME)


# of the reference, which is made of the same parts throughout, a short page and a long one
OF_THE_REFERENCE = ["book/reference/weights", "book/reference/views-plots"]


# what `make test` opens in a browser: together, these have all that a page can have around widgets
_NUMBERED = ("02-softmax", "05-reading-dates", "07-self-attention", "12-a-language-model")
_PROSE = ("index", "your-progress", "claims", "notation", "glossary", "bibliography")
OF_EACH_KIND = (
    *(f"chapters/{name}.html" for name in _NUMBERED),
    *(f"book/{name}.html" for name in (*_PROSE, "reference/weights")),
    "search.html",
)


def documents() -> list[str]:
    """The pages that are looked at: a chapter that was not run here has no results to look at."""
    out = {path.relative_to(ROOT).with_suffix("").as_posix() for path in left_out(ROOT)}
    return [name for name in listed() if name not in out]


def searched(site: Path) -> list[list]:
    """The name, the heading and the sections of each page that the search of a site knows."""
    text = (site / search.TEXTS).read_text("utf-8")
    return json.loads(text.removeprefix("attnSections(...").rstrip(";\n)"))[1]


def listed() -> list[str]:
    """The pages of the book, in order, as ``_toc.yml`` names them."""
    names = course.documents(ROOT)
    return [name for name in names if "/reference/" not in name or name in OF_THE_REFERENCE]


CHAPTERS = [name for name in listed() if name.startswith("chapters/")]
WRITTEN = [name for name in documents() if name in CHAPTERS]
