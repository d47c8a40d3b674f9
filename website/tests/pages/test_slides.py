"""The decks that ``make slides`` makes, from ``file://``, as a lecturer shows them."""

import contextlib
import functools
import re

import pytest
from browsing import axe, opened
from bs4 import BeautifulSoup
from listing import listed
from sweeps import every

from attn_book.slides.__main__ import main
from attn_book.slides.lecture import MOST

READY = "() => document.documentElement.dataset.ready !== undefined"
ALIVE = "() => ![...document.querySelectorAll('section.present .attn-still')].length"
# What stands outside of its slide, or has to be scrolled to. What is only heard is not looked at.
CUT = """() => [...document.querySelectorAll(".slides section")].flatMap((slide, number) => {
  const room = slide.getBoundingClientRect();
  const parts = slide.querySelectorAll(
    ":not(aside, aside *, .katex *, svg *, .attn-aloud, script), svg text");
  return [...parts].filter((part) => part.checkVisibility()).filter((part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    const isWide = left < room.left - 1 || right > room.right + 1;
    const isHigh = top < room.top - 1 || bottom > room.bottom + 1;
    const hides = getComputedStyle(part).overflowX !== "visible" && part.clientWidth > 1;
    return isWide || isHigh || (hides && part.scrollWidth > part.clientWidth + 1);
  }).map((part) => `${number + 1}: ${part.localName} ${part.className.baseVal ?? part.className}`);
})"""


@pytest.fixture(scope="module")
def decks(folder, tmp_path_factory):
    return main(to=tmp_path_factory.mktemp("made") / "slides")


@pytest.fixture
def show(browser, decks):
    """Open a deck at a slide, which is counted from 1."""
    with contextlib.ExitStack() as windows:

        def open_deck(name, at=1, query="", **options):
            address = f"{(decks / name / 'index.html').as_uri()}{query}#/{at - 1}"
            options = {"height": 720, "reduced_motion": "reduce", **options}
            view = windows.enter_context(opened(browser, address, **options))
            view.wait_for_function(READY)
            return view

        yield open_deck


@functools.cache
def slides(path):
    return BeautifulSoup(path.read_text("utf-8"), "html.parser").select(".slides > section")


def test_every_chapter_gives_a_lecture_with_notes(decks, parsed):
    pages = {name[9:]: parsed[f"{name}.html"] for name in listed() if name[:9] == "chapters/"}
    by_name = {path.parent.name: slides(path) for path in decks.glob("*/index.html")}
    assert by_name.keys() == pages.keys()
    for name, deck in by_name.items():
        predictions = pages[name].select("article .attn-widget[data-question]:not(.attn-side *)")
        assert 12 <= len(deck) <= MOST, name  # a short main road gives a short lecture
        assert all(slide.find(["h1", "h2"]).get_text().strip() for slide in deck), name
        assert len([s for s in deck if s["class"] == ["attn-slide-prediction"]]) == len(predictions)
        assert sum(len(slide.aside.get_text().split()) for slide in deck) > 1000, name
    text = (decks / "index.html").read_text("utf-8")
    links = {link["href"] for link in BeautifulSoup(text, "html.parser").find_all("a")}
    assert links == {f"{name}/index.html" for name in by_name}


def test_decks_load_only_their_own_files_and_lead_nowhere(decks):
    for path in [*decks.glob("*.html"), *decks.glob("*/index.html")]:
        text = path.read_text("utf-8")
        matches = re.findall(r'\b(?:src|href)="([^"#]+)"|"address": "([^"]+)"', text)
        for address in filter(None, (one for both in matches for one in both)):
            assert (path.parent / address).is_file(), (path, address)
        assert not re.search(r"\son\w+=|javascript:", text)
        if path.parent != decks:
            assert "<a " not in text
        assert path.stat().st_size < 700_000


def test_a_widget_has_the_keys_until_esc_gives_them_back(show):
    view = show("02-softmax", scheme="dark")
    number = 1 + view.evaluate(
        "Reveal.getSlides().findIndex((one) => one.querySelector('[data-widget=ScoreBars]'))"
    )
    place = view.locator(".attn-foot .attn-slide-number")
    for _ in range(number - 1):
        view.keyboard.press("ArrowRight")
    assert place.text_content().startswith(f"{number} /")
    view.wait_for_function(ALIVE)
    slider = view.locator("section.present").get_by_role("slider", name=re.compile("^Score"))
    slider.first.focus()
    before = slider.first.input_value()
    slider.first.press("ArrowRight")
    assert slider.first.input_value() != before
    assert place.text_content().startswith(f"{number} /")
    assert "Esc" in view.locator(".attn-keys-said").text_content()
    view.keyboard.press("Escape")
    view.keyboard.press("ArrowLeft")
    assert place.text_content().startswith(f"{number - 1} /")
    view.keyboard.press("ArrowRight")
    slider.first.focus()
    view.keyboard.press("PageDown")  # a presenter
    assert place.text_content().startswith(f"{number + 1} /")
    assert view.messages == []
    assert [address for address in view.requests if not address.startswith("file:")] == []
    assert axe(view) == []  # last, since it asks for the style sheets again


def test_the_speaker_sees_notes_and_turns_slides(show, decks):
    deck = slides(decks / "02-softmax" / "index.html")
    number = next(n for n, one in enumerate(deck, start=1) if one.select_one("aside.notes math"))
    view = show("02-softmax", at=number)
    with view.expect_popup() as window:
        view.keyboard.press("s")
    speaker = window.value
    speaker.locator(".speaker-controls-notes math").first.wait_for()  # set without a style sheet
    assert len(speaker.locator(".speaker-controls-notes .value").text_content()) > 100
    assert speaker.locator("#current-slide iframe, #upcoming-slide iframe").count() == 2
    speaker.keyboard.press("ArrowRight")
    view.get_by_text(re.compile(rf"^{number + 1} / ")).wait_for()
    assert view.messages == []
    assert [address for address in view.requests if not address.startswith("file:")] == []


def test_a_phone_scrolls_a_slide_down_and_never_sideways(show):
    view = show("02-softmax", width=360, height=640)
    for number in range(view.evaluate("Reveal.getSlides().length")):
        view.evaluate(f"Reveal.slide({number})")
        view.wait_for_function(ALIVE)
        width, size = view.evaluate(
            """() => {
              const slide = document.querySelector("section.present");
              return [slide.scrollWidth, parseFloat(getComputedStyle(slide).fontSize)];
            }"""
        )
        assert (width, size >= 16) == (360, True), number + 1
    assert view.messages == []


def test_nothing_is_cut_off_at_1280_by_720(show, decks):
    """On paper all slides are laid out at once, in pages of that size."""
    cut = {}
    for path in every(4, sorted(decks.glob("*/index.html"))):
        view = show(path.parent.name, query="?print-pdf")
        view.locator(".pdf-page").nth(len(slides(path)) - 1).wait_for(state="attached")
        view.wait_for_function("() => !document.querySelector('.slides .attn-still')")
        view.wait_for_function("() => !document.querySelector('.attn-stage:not([data-fitted])')")
        assert view.locator(".pdf-page").count() == len(slides(path))
        cut[path.parent.name] = view.evaluate(CUT)
        assert view.messages == []
        view.close()
    assert {name: parts for name, parts in cut.items() if parts} == {}
