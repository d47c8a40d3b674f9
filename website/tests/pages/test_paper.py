"""A printed page: light and complete, with everything unfolded and the solutions at its end."""

import re

import pytest
from browsing import DRAWN, mounted, with_widgets

CHAPTER = "chapters/03-alignment-scores.html"
SHEET = {"width": 680, "height": 1000}  # what an A4 sheet has between its margins, in CSS pixels
COLOURS = """() => [...new Set([...document.querySelectorAll("article *")].flatMap((node) => {
  const { color, backgroundColor, fill, stroke } = getComputedStyle(node);
  return [color, backgroundColor, fill, stroke];
}))].sort()"""
# a page responds to a change of medium with the next frame
SETTLE = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
TITLES = "all => all.map((one) => one.firstChild.textContent)"


def on_paper(page, name, scheme="light", **options):
    view = page(name, scheme=scheme, reduced_motion="reduce", **options)
    mounted(view)
    view.evaluate("document.documentElement.dataset.whole = ''")
    turn(view, "print", color_scheme=scheme)
    return view


def turn(view, media, **options) -> None:
    view.emulate_media(media=media, **options)
    view.evaluate(SETTLE)


def luminance(colour: str) -> float:
    return sum(map(float, re.findall(r"[\d.]+", colour)[:3])) / 765


@pytest.mark.parametrize("name", ["book/index.html", CHAPTER])
def test_paper_is_light_whatever_the_theme_and_the_screen_is_dark_again_after_it(page, name):
    view = on_paper(page, name, "dark")
    in_the_dark = view.evaluate(COLOURS)
    turn(view, "print", color_scheme="light")
    in_the_light = view.evaluate(COLOURS)
    assert in_the_dark == in_the_light
    assert len(in_the_light) > 5
    turn(view, "screen", color_scheme="dark")
    ground = view.evaluate("getComputedStyle(document.body).backgroundColor")
    assert luminance(ground) < 0.2


def test_solutions_stand_at_the_end_of_the_paper_and_go_back(page):
    view = page(CHAPTER)
    mounted(view)
    # but for what is a tab stop, since code that was unfolded has been measured
    words = """() => document.querySelector("article").innerHTML.replaceAll(' tabindex="0"', "")"""
    before = view.evaluate(words)
    exercises = view.locator("section:has(> .attn-solution) > :is(h2, h3)").evaluate_all(TITLES)
    count = view.locator(".attn-solution").count()
    assert count >= 4
    turn(view, "print")
    gathered = view.locator("article > section > section").last
    assert gathered.locator("> h2").inner_text() == "Solutions"
    assert gathered.locator("h3").evaluate_all(TITLES) == exercises
    assert gathered.locator(".attn-solution pre").count() == count
    assert view.locator(".attn-solution").count() == count
    assert all(code.is_visible() for code in gathered.locator("pre").all())
    turn(view, "screen")
    assert view.evaluate(words) == before


def test_everything_is_unfolded_on_paper_and_nothing_waits_to_be_pressed(page):
    view = on_paper(page, CHAPTER)
    aligned = "all => [...new Set(all.map((one) => getComputedStyle(one).textAlign))]"
    assert view.locator("h1:visible, h2:visible").evaluate_all(aligned) == ["start"]
    shut = view.locator("article details:not([open], .hide, .attn-frame *)")
    assert shut.count() == 0
    assert all(part.evaluate(DRAWN) for part in view.locator(".attn-veil").all())
    gates = view.locator(".attn-gate").all_inner_texts()
    assert {words.strip() for words in gates} == {"The answer follows."}
    assert view.locator("article details p:visible").count() > 5
    pressed = ".attn-frame :is(.attn-quiet, .attn-primary, .attn-moving):visible"
    assert view.locator(pressed).count() == 0
    script = "all => all.map((one) => getComputedStyle(one).printColorAdjust)"
    assert set(view.locator(".attn-frame, .attn-frame *").evaluate_all(script)) == {"exact"}


def test_folds_are_printed_open_without_javascript(page):
    view = page(CHAPTER, java_script_enabled=False)
    answer = view.locator("article .attn-solution pre").first
    assert not answer.is_visible()
    view.emulate_media(media="print")
    assert answer.bounding_box()["height"] > 20


def test_no_widget_is_taller_than_a_sheet_or_torn(page, page_name, parsed):
    with_widgets(parsed, page_name)
    view = on_paper(page, page_name, **SHEET)
    places = view.locator(".attn-widget")
    assert {place.bounding_box()["height"] > SHEET["height"] for place in places.all()} == {False}
    torn = "all => all.map((one) => getComputedStyle(one).breakInside)"
    assert set(places.evaluate_all(torn)) == {"avoid"}


def test_the_first_print_has_all_its_pages(page):
    """Chromium counts them before it prints: what is gathered later would be cut off."""
    view = page(CHAPTER)
    mounted(view)
    first, second = (len(re.findall(rb"/Type\s*/Page\b", view.pdf())) for _ in range(2))
    assert first == second > 5
    assert view.locator(".attn-solutions").count() == 0


@pytest.mark.parametrize("number", ["01", "02", "05", "b"])
def test_what_leads_stays_on_the_sheet_with_what_it_leads_to(page, parsed, number):
    (name,) = (name for name in parsed if name.startswith(f"chapters/{number}-"))
    view = page(name, reduced_motion="reduce")
    mounted(view)
    view.emulate_media(media="print")
    led = view.locator("article :is(h2, h3, .attn-effort), article p:has(+ details)")
    breaks = """all => [...new Set(all.map(getComputedStyle).flatMap(
      ({ breakAfter, breakInside }) => [breakAfter, breakInside]))]"""
    assert led.evaluate_all(breaks) == ["avoid"]  # after it, and between its own lines


def test_the_tree_of_a_beam_is_printed_whole(page, parsed):
    (name,) = (name for name in parsed if name.startswith("chapters/a-"))
    view = on_paper(page, name, **SHEET)
    trees = view.locator(".attn-tree-place")
    assert trees.count() > 0
    for tree in trees.all():
        box, inner = tree.bounding_box(), tree.locator("svg").bounding_box()
        assert inner["width"] > 100
        assert inner["x"] + inner["width"] <= box["x"] + box["width"] + 0.5
        assert tree.evaluate("(one) => one.scrollWidth <= one.clientWidth")
