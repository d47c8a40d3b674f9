"""A side road opens by click, key, link and search, the browser's own too.

It prints, and moves nothing above it.
"""

import json

import pytest
from browsing import ONLY_HERE, REST, find, mounted
from listing import ROOT, WRITTEN

from attn_book.commands import fold
from attn_book.notebooks.minutes import SIDE

SIZES = {"desk": {"width": 1280}, "phone": {"width": 360, "scheme": "dark"}}
every_size = pytest.mark.parametrize("size", SIZES)
OPEN = "all => all.filter((fold) => fold.open).length"
# each side road with a claim in it that no guess veils
CLAIMED = """[...document.querySelectorAll(".attn-side-road")].flatMap((fold) =>
  [...fold.querySelectorAll(".attn-claim")].filter((claim) => !claim.closest(".attn-veil"))
    .slice(0, 1).map((claim) => [fold.parentElement.id, claim.id]))"""
# where what stands above a side road is
ABOVE = """(fold) => {
  const shown = [...document.querySelectorAll("article :is(h1, h2, h3, p)")];
  return shown.filter((one) => fold.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING)
    .map((one) => one.getBoundingClientRect().top);
}"""


@pytest.fixture(scope="module")
def chapter(parsed):
    """The first chapter with side roads."""
    names = (f"{name}.html" for name in WRITTEN)
    return next(name for name in names if parsed[name].select_one(f".{SIDE}"))


@pytest.mark.parametrize("name", WRITTEN)
def test_a_notebook_says_the_minutes_of_its_page(folder, name):
    path = ROOT / f"{name}.ipynb"
    original, minutes = path.read_text("utf-8"), fold.minutes_of(path)
    assert minutes
    normal = fold.text_of(fold.folded(json.loads(original), minutes))
    assert normal == original, "run `make book`, then `make format`"


@pytest.fixture
def road(page, chapter):
    """A page with its side roads: ``road("desk")``, or at a place, ``road("desk", "#place")``."""
    return lambda size="desk", place="", **options: page(
        f"{chapter}{place}", reduced_motion="reduce", **SIZES[size], **options
    )


@every_size
def test_all_are_closed_at_first_and_a_key_opens_one_and_moves_nothing_above(road, size):
    view = road(size)
    mounted(view)
    folds = view.locator(".attn-side-road")
    assert folds.evaluate_all(OPEN) == 0
    last = folds.last
    last.locator(":scope > summary").focus()
    view.evaluate(REST)  # a section that comes near turns out higher or lower than estimated
    above = last.evaluate(ABOVE)
    view.keyboard.press("Enter")
    view.wait_for_function("() => document.querySelector('.attn-side-road[open]')")
    assert last.evaluate(ABOVE) == pytest.approx(above, abs=1)
    assert last.locator(":scope > :nth-child(2)").is_visible()
    view.keyboard.press("Enter")
    view.wait_for_function("() => !document.querySelector('.attn-side-road[open]')")


def opens(view, side: str) -> None:
    view.wait_for_function(
        "(side) => document.querySelector(`[id='${side}'] > details`).open", arg=side
    )


@pytest.mark.parametrize(("size", "script"), [("desk", True), ("phone", True), ("desk", False)])
def test_a_click_on_its_line_opens_it_and_paper_has_it_open_without_javascript(road, size, script):
    view = road(size, java_script_enabled=script)
    fold = view.locator(".attn-side-road").last
    inside = fold.locator(":scope > :nth-child(2)")
    assert not inside.is_visible()
    if not script:
        view.emulate_media(media="print")
        assert inside.is_visible()
        view.emulate_media(media="screen")
    fold.locator(":scope > summary").click()
    inside.wait_for(state="visible")


@every_size
def test_an_address_of_it_or_within_it_opens_it(road, size):
    side, claim = road(size).evaluate(CLAIMED)[0]
    for place in (side, claim):
        view = road(size, f"#{place}")
        opens(view, side)
        view.locator(f"[id='{place}']").wait_for(state="visible")
        assert view.locator(".attn-side-road").evaluate_all(OPEN) == 1


def test_a_link_on_the_page_and_a_typed_address_open_it(road):
    view = road()
    sides = view.locator(f".{SIDE}").evaluate_all("all => all.map((side) => side.id)")
    for side in sides:
        view.evaluate("(side) => { location.hash = side; }", side)
        opens(view, side)


def test_what_search_finds_in_it_is_found_and_opened(page, parsed, chapter):
    words = {
        side["id"]: side.select_one("summary :is(h2, h3)").find(string=True)
        for side in parsed[chapter].select(f".{SIDE}")
        if not side.find_parent(class_="attn-veil")
    }
    side, title = next(iter(words.items()))
    view = page(f"search.html?q={title}", reduced_motion="reduce")
    view.locator(f"#search-results a[href*='#{side}']").first.click()
    view.wait_for_url(f"**#{side}")
    opens(view, side)


@every_size
def test_what_the_browser_finds_in_it_is_shown(road, size):
    view = road(size)
    mounted(view)
    fold = view.locator(".attn-side-road:not(.attn-veil *)").last
    words = fold.evaluate(ONLY_HERE)[-1]
    find(view, words)
    fold.and_(view.locator("[open]")).wait_for()
    assert view.locator(".attn-side-road").evaluate_all(OPEN) == 1
    view.evaluate(REST)
    box = fold.locator("p", has_text=words).bounding_box()
    assert 0 < box["y"] < view.viewport_size["height"] - box["height"]
