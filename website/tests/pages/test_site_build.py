"""Builds of a small book: interrupted, finished by the next one, and refused."""

import os
import signal
import time

import pytest
from bs4 import BeautifulSoup
from small_book import FRONT, Book
from sweeps import every

from attn_book.site import search

TITLE = 'Cats & <i>dogs</i>: "both"'


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    book = Book(tmp_path_factory.mktemp("built") / "a book", TITLE, "ada/attention")
    book.built()
    return book


def straight(text):
    """A text with its quotation marks as they are typed."""
    return text.translate(str.maketrans("“”‘’", "\"\"''"))


def test_a_title_is_text_on_every_page_whatever_its_letters(book):
    pages = {name: html for name, html in book.site().items() if name.endswith(".html")}
    for name, html in pages.items():
        page = BeautifulSoup(html, "html.parser")
        assert TITLE in straight(page.title.get_text()), name
        assert "dogs" not in [element.get_text() for element in page.find_all("i")], name
        for place in page.select(".attn-book-title a, p:has(> a[href*=creativecommons])"):
            assert TITLE in straight(place.get_text()), name


def test_a_killed_build_is_finished_by_the_next_one(book):
    whole = book.site()
    book.sentence(7)
    marker = book.root / "_build" / ".unfinished"
    process = book.start()
    while not marker.exists():
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert book.site() == whole

    raw = book.root / "_build" / "raw" / "chapters" / "01-small.html"
    raw.write_text(raw.read_text("utf-8")[:500], "utf-8")
    book.built()
    mended = book.site()
    assert b"Page 7: " in mended["book/index.html"]
    assert mended["chapters/01-small.html"] == whole["chapters/01-small.html"]
    assert not marker.exists()


def test_where_nothing_has_changed_nothing_is_built(book):
    page = book.root / "_build" / "html" / "book" / "index.html"
    book.built()
    assert "Nothing that the book is made of has changed" in book.built()
    before = page.read_bytes()
    page.unlink()
    assert "Nothing" not in book.built()
    assert page.read_bytes() == before


def test_the_language_model_lies_beside_the_site_if_asked_and_a_word_that_is_gone_is_not_found(
    book, tmp_path, monkeypatch
):
    front, site = book.root / "book" / "index.md", book.root / "_build" / "html"
    (tmp_path / "any.gguf").write_bytes(b"GGUF" * 500_000)
    monkeypatch.setenv("ATTN_MODEL", str(tmp_path / "any.gguf"))
    for value, beside, word in (("", False, "Zyzzyva"), ("1", True, "Nothing")):
        front.write_text(f"{FRONT}\n{word} here.\n\n<div data-language-model></div>\n")
        monkeypatch.setenv("MODEL", value)
        book.built()
        assert ("zyzzyva" in (site / search.TEXTS).read_text("utf-8").lower()) == (not beside)
        page = BeautifulSoup((site / "book" / "index.html").read_bytes(), "html.parser")
        (place,) = page.select(".attn-language")
        assert (site / "book" / place["data-worker"]).is_file()
        assert (site / "_static" / "model").exists() == beside
        assert page.select("script[src$='/language.js']")
    assert (site / "book" / place["data-file"]).stat().st_size == int(place["data-bytes"])
    assert "(2 MB)" in place.get_text()
    book.sentence(0)


def test_a_change_of_style_alone_reaches_every_page(book):
    (book.root / "website" / "assets" / "book.css").write_text("body { color: teal }")
    book.built()
    (sheet,) = (book.root / "_build" / "html" / "_static" / "styles").glob("*.css")
    assert "teal" in sheet.read_text()


WITH_MODEL = """
from attn_course.claims import Measured, claim
from attn_course.model_file import model_file
from attn_course.views.widgets.prediction import Prediction

model_file()
guess = Prediction("Which?", ("one", "other"))
one = Measured(1.0, "piece")
claim("There is {one}.", one > 0.5, "expected", one=one)
guess.reveal("one")
guess
"""


def test_a_chapter_without_its_language_model_is_left_out_and_says_so(book, tmp_path, monkeypatch):
    link = '<span data-set="Prediction: {committed: false}">Look</span>.'
    book.write("01-small", WITH_MODEL, link)
    monkeypatch.setenv("ATTN_MODEL", str(tmp_path / "model.gguf"))
    pages = {}
    for name in ("without", "with"):
        book.built()
        pages[name] = BeautifulSoup(book.site()["chapters/01-small.html"], "html.parser").article
        (tmp_path / "model.gguf").touch()
    assert "made without the language model" in pages["without"].get_text()
    assert "Look." in pages["without"].get_text()
    assert not pages["without"].select(".attn-claim, .attn-set, [data-widget]")
    assert "language model" not in pages["with"].get_text()
    assert pages["with"].select(".attn-claim")
    assert pages["with"].select(".attn-set")
    book.chapter("01-small", 0)


@pytest.mark.parametrize(
    ("code", "message"),
    every(
        2,
        [
            ("import ipywidgets\n\nipywidgets.IntSlider()", "IntSliderModel"),
            ("import ipywidgets\n\nipywidgets.interact(lambda x: x, x=3)", "`interact`"),
            ("raise ValueError('no result')", "no result"),
        ],
    ),
)
def test_a_chapter_that_cannot_live_in_the_book_fails_the_build(book, code, message):
    whole = book.site()
    book.write("01-small", code)
    result, output = book.build()
    assert result != 0
    assert message in output
    assert book.site() == whole
    book.chapter("01-small", 0)
