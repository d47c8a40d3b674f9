"""Nothing moves when widgets come: their places have their heights before.

The host of all widgets is held back until the page has been drawn without it.
"""

import json

import pytest
from bs4 import BeautifulSoup

WIDTHS = (1280, 820, 360)
INPUTS = {"mouse": {}, "finger": {"has_touch": True, "is_mobile": True}}
HEIGHTS = """() => [...document.querySelectorAll(".attn-widget")].map(
  (place) => `${place.dataset.widget} ${Math.round(place.getBoundingClientRect().height)}`)"""
LAYOUT = "() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))"


def heights(view) -> dict[int, list[str]]:
    found = {}
    for width in WIDTHS:
        view.set_viewport_size({"width": width, "height": 800})
        view.evaluate(LAYOUT)
        found[width] = view.evaluate(HEIGHTS)
    return found


@pytest.fixture
def before_and_after(page, site):
    """The heights of all places of a page, without its widgets and with them."""

    def look(name: str, kept: dict | None = None, **options):
        options["reduced_motion"] = "reduce"  # or a side bar would still be on its way
        view = page("search.html" if kept else "about:blank", **options)
        if kept:
            store = "text => localStorage.setItem('attention-measured.progress', text)"
            view.evaluate(store, json.dumps(kept))
        held = []
        view.route("**/host.js*", lambda route: held.append(route))
        view.goto(f"{site}/{name}", wait_until="commit")
        while not held or view.evaluate("document.readyState") == "loading":
            view.wait_for_timeout(20)
        before = heights(view)
        for request in held:
            request.continue_()
        while view.locator(".attn-still").count():
            view.wait_for_timeout(20)
        return before, heights(view)

    return look


@pytest.mark.parametrize("how", INPUTS)
def test_places_are_as_high_as_their_widgets(page_name, folder, before_and_after, how):
    if 'class="attn-widget"' not in (folder / page_name).read_text(encoding="utf-8"):
        pytest.skip("no widget on this page")
    before, after = before_and_after(page_name, **INPUTS[how])
    assert before == after


def guess(place, kind: str) -> str | float:
    """One that the reader may have made; on a slider, one that has missed."""
    room = place.select_one(".attn-room")
    answers = [answer.get_text() for answer in room.select(".attn-choice")]
    if not answers:
        low, high = (float(end.get_text().split()[0]) for end in room.select(".attn-hint")[:2])
        return low if kind == "short" else (low + high) / 2 + 1
    if kind == "measured":
        return room.select(".attn-result strong")[-1].get_text()
    return (min if kind == "short" else max)(answers, key=len)


@pytest.mark.parametrize("kind", ["measured", "short", "long"])
@pytest.mark.parametrize("chapter", ["02-softmax", "03-alignment-scores", "05-reading-dates"])
def test_place_of_a_prediction_knows_what_was_answered(folder, before_and_after, chapter, kind):
    name = f"chapters/{chapter}.html"
    soup = BeautifulSoup((folder / name).read_text(encoding="utf-8"), "html.parser")
    places = soup.select(".attn-widget[data-question]")
    guesses = {place["data-question"]: guess(place, kind) for place in places}
    record = {"read": False, "seen": [], "guesses": guesses, "questions": []}
    kept = {"course": "attention-measured", "version": 1, "chapters": {chapter: record}}
    fresh, _ = before_and_after(name)
    before, after = before_and_after(name, kept)
    assert before == after != fresh
