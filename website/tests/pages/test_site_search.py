"""The search: sections and terms as one types, by their words, other names and Greek letters."""

import re

import pytest
from browsing import axe

SOURCES = ["served", "folder"]
LINKS = "#search-results li a"
# what learners type, and where it should lead: one of the first three results begins with this
QUERIES = {
    "RoPE": "chapters/07-self-attention.html#positions",
    "positional encoding": "book/glossary.html#term-rotary-positions",
    "induction head": "chapters/12-a-language-model.html#induction",
    "padding mask": "chapters/02-softmax.html#",
    "why divide by sqrt d": "chapters/03-alignment-scores.html#scaled-dot-product",
    "cross attention": "book/glossary.html#term-cross-attention",
    "bleu score": "book/glossary.html#term-BLEU",
    "what is a query key value": "chapters/07-self-attention.html#query-key-and-value",
    "hallucination": "book/glossary.html#term-hallucination",
    "softmax": "chapters/02-softmax.html",
    "Softmaxes": "chapters/02-softmax.html",
    "beam search": "book/glossary.html#term-beam-search",
    "kv cache": "chapters/07-self-attention.html#",
    "GQA": "chapters/09-cheaper-attention.html#",
    "teacher forcing": "book/glossary.html#term-teacher-forcing",
    "temperature": "chapters/08-write-a-language-model.html#temperature",
    "tokenizer": "book/glossary.html#term-token",
    "flash attention": "chapters/09-cheaper-attention.html",
    "letters guess": "chapters/01-fixed-context.html#random-letters-leave-nothing-to-guess",
    "\N{GREEK SMALL LETTER ALPHA}": "",
}


@pytest.fixture
def search(page, folder):
    def look(words, source="served", **options):
        start = "search.html" if source == "served" else (folder / "search.html").as_uri()
        view = page(f"{start}?q={words}", **options)
        view.locator(LINKS).first.wait_for()
        return view

    return look


def links(view) -> list[str]:
    hrefs = view.locator(LINKS).evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    return [href.removeprefix("../").removeprefix("./") for href in hrefs]


def test_what_learners_type_leads_to_its_section_as_they_type(page):
    view = page("search.html")  # the first letters are typed while the texts are on their way
    field = view.get_by_role("searchbox")
    for words, place in QUERIES.items():
        field.fill(words)
        view.locator(LINKS).first.wait_for()
        assert any(link.startswith(place) for link in links(view)[:3]), (words, links(view)[:3])
        assert view.url.endswith(f"?q={view.evaluate('encodeURIComponent', words)}")
    assert axe(view) == []
    field.fill("zyzzyva")
    view.get_by_text("Nothing was found for \u201czyzzyva\u201d.").wait_for()
    assert view.messages == []


@pytest.mark.parametrize("source", SOURCES)
def test_a_result_says_its_chapter_and_shows_a_line_with_the_word(search, source):
    view = search("sparsemax", source)
    for result in view.locator("#search-results li").all():
        line = result.locator(".attn-found")
        words = line.inner_text()
        assert 20 < len(words) < 260
        if "chapters/" in result.locator("a").get_attribute("href"):
            assert re.match(r"(Chapter \d+|Study [A-Z])\b", words)
    assert "sparsemax" in view.locator(".attn-found strong").first.inner_text().lower()
    assert view.messages == []


def test_greek_letters_are_found_by_sign_and_by_name(search):
    by_sign, by_name = search("\N{GREEK SMALL LETTER ALPHA}"), search("alpha")
    assert links(by_sign) == links(by_name)
    assert len(links(by_sign)) >= 5
    marked = by_sign.locator(".attn-found strong").all_inner_texts()
    assert "\N{GREEK SMALL LETTER ALPHA}" in "".join(marked)


def test_headings_with_the_whole_word_come_first(search):
    titles = search("mask").locator(LINKS).all_inner_texts()
    assert len(titles) > 30
    assert all(re.search(r"\bmasks?\b", title.lower()) for title in titles[:5])


def test_on_any_page_the_arrows_lead_through_the_results(page):
    view = page("chapters/02-softmax.html", width=360)
    view.keyboard.press("Control+k")
    view.keyboard.type("padding mask")
    view.locator(LINKS).first.wait_for()
    assert len(links(view)) <= 8
    for _ in range(3):
        view.keyboard.press("ArrowDown")
    view.keyboard.press("ArrowUp")
    assert view.evaluate(f"document.activeElement === document.querySelectorAll('{LINKS}')[1]")
    assert view.evaluate("document.documentElement.scrollWidth") <= 360
    place = links(view)[1]
    view.keyboard.press("Enter")
    view.wait_for_url(f"**/{place}")
    assert view.messages == []


def test_a_search_whose_texts_did_not_arrive_says_so(page, site):
    view = page("about:blank")
    view.route("**/sections.js", lambda route: route.abort())
    view.goto(f"{site}/search.html?q=mask")
    view.get_by_role("alert").get_by_text("sections.js, which did not arrive").wait_for()
