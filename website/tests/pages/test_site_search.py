"""The search: headings first, a line of text and the chapter below each result, Greek letters."""

import re

import pytest

SOURCES = ["served", "folder"]
# below each result stands its chapter, and a line that comes later
LINES = """() => [...document.querySelectorAll(".attn-found")]
  .every((one) => one.childNodes.length > 1)"""


@pytest.fixture
def search(page, folder):
    def look(words, source="served", **options):
        start = "search.html" if source == "served" else (folder / "search.html").as_uri()
        view = page(f"{start}?q={words}", **options)
        view.locator(".search-summary").get_by_text("Search finished").wait_for()
        view.wait_for_function(LINES)
        return view

    return look


def titles(view) -> list[str]:
    return view.locator("ul.search > li > a").all_text_contents()


def links(view) -> list[str]:
    return [link.get_attribute("href") for link in view.locator("ul.search > li > a").all()]


def test_headings_come_first_and_the_chapter_before_its_sections(search):
    view = search("softmax")
    found = titles(view)
    assert found[0] == "Softmax"
    assert links(view)[0] == "chapters/02-softmax.html"
    named = ["softmax" in re.findall(r"\w+", title.lower()) for title in found]
    assert sum(named) >= 3
    assert named[: sum(named)] == [True] * sum(named)
    assert len(found) > sum(named)  # pages on which it only occurs
    assert len({*links(view)}) == len(found)


def test_a_heading_is_found_by_some_of_its_words(search):
    view = search("letters guess")
    assert titles(view)[0] == "Random letters leave nothing to guess"
    assert links(view)[0] == "chapters/01-fixed-context.html#random-letters-leave-nothing-to-guess"


@pytest.mark.parametrize("source", SOURCES)
def test_a_result_says_its_chapter_and_shows_a_line_with_the_word(search, source):
    view = search("sparsemax", source)
    for result in view.locator("ul.search > li").all():
        line = result.locator(".attn-found")
        words = line.inner_text()
        assert 20 < len(words) < 260
        if "chapters/" in result.locator("a").get_attribute("href"):
            assert re.match(r"(Chapter \d+|Study [A-Z])\b", words)
    assert "sparsemax" in view.locator(".attn-found strong").first.inner_text().lower()
    assert view.messages == []


@pytest.mark.parametrize("source", SOURCES)
def test_greek_letters_are_found_by_sign_and_by_name(search, source):
    by_sign, by_name = search("α", source), search("alpha", source)
    assert links(by_sign) == links(by_name)
    assert "book/notation.html" in links(by_sign)
    assert len(links(by_sign)) >= 5
    assert {"α"} <= {*by_sign.locator(".attn-found strong").all_inner_texts()}


def test_texts_are_loaded_only_for_what_was_found(search):
    view = search("sparsemax")
    asked = {address for address in view.requests if "/_static/found/" in address}
    pages = {address.partition("#")[0] for address in links(view)}
    assert len(asked) == len(pages)
