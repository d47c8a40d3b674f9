"""Links in the text that set a widget to a state, in a browser."""

import json
import re

import pytest
from browsing import REST, axe, mounted, open_side_roads, unveil

CHAPTER = "chapters/01-fixed-context.html"

# keeps the model of each widget by the id of its place, as the page itself does not
KEEP = """window.kept = {};
document.addEventListener("attn-start", ({ target, detail }) => { kept[target.id] = detail; });"""
# part of it is in the window, below the bar at the top
VISIBLE = """(node) => {
  const { top, bottom } = node.getBoundingClientRect();
  const bar = document.querySelector(".bd-header-article").getBoundingClientRect().bottom;
  return bottom > Math.max(bar, 0) && top < innerHeight;
}"""
# whether what a reader sees at a point of the window leads back to the text
ON_TOP = "([x, y]) => document.elementFromPoint(x, y)?.closest('.attn-set-line') !== null"


@pytest.fixture
def reader(page, site):
    """A chapter without veils, all side roads open, whose models the test can see."""

    def read(name=CHAPTER, **options):
        view = page("about:blank", **options)
        view.add_init_script(KEEP)
        view.goto(f"{site}/{name}")
        mounted(view)
        unveil(view)
        open_side_roads(view)
        return view

    return read


def links(view):
    return view.locator("a.attn-set")


def press(view, link) -> None:
    """Go to a link and press it, by keyboard."""
    link.evaluate(
        """(link) => {
          link.focus({ preventScroll: true });
          link.scrollIntoView({ block: "center", behavior: "instant" });
        }"""
    )
    view.evaluate(REST)
    view.keyboard.press("Enter")
    view.evaluate(REST)


def line(view):
    """The words above the widget of the first link."""
    return view.locator(".attn-set-line").first


def place_of(view, link):
    return view.locator(f"#{link.get_attribute('data-widget')}")


def traits_of(view, link) -> dict:
    """The traits that a link sets, as they are now."""
    names = json.loads(link.get_attribute("data-traits"))
    place = link.get_attribute("data-widget")
    get = "([place, names]) => names.map((name) => kept[place].get(name))"
    return dict(zip(names, view.evaluate(get, [place, list(names)]), strict=True))


def test_every_chapter_refers_back_to_its_widget(parsed, page_name):
    if not re.match("chapters/0[1-6]", page_name):
        return
    assert 1 <= len(parsed[page_name].select("a.attn-set")) <= 3


def test_every_link_sets_its_widget_and_shows_it(reader, parsed, page_name):
    if not parsed[page_name].select("a.attn-set"):
        return
    view = reader(page_name)
    for link in links(view).all():
        wanted = json.loads(link.get_attribute("data-traits"))
        place, before = place_of(view, link), traits_of(view, link)
        drawn = place.inner_html()
        assert before != wanted, "the link before has set the same state"
        press(view, link)
        assert traits_of(view, link) == wanted
        view.wait_for_function(
            "([id, drawn]) => document.getElementById(id).innerHTML !== drawn",
            arg=[link.get_attribute("data-widget"), drawn],
        )
        assert place.evaluate(VISIBLE)
    assert view.messages == []


def test_it_leads_to_the_widget_and_back_by_keyboard(reader):
    view = reader()
    link = links(view).first
    assert line(view).get_attribute("role") == "status"
    assert line(view).text_content() == ""
    press(view, link)
    back = line(view).get_by_role("link", name="Back to the text")
    assert back.evaluate("(node) => node === document.activeElement")
    assert place_of(view, link).evaluate(VISIBLE)
    top, end = (part.bounding_box() for part in (line(view), back))
    assert view.evaluate(ON_TOP, [end["x"] + end["width"] / 2, end["y"] + end["height"] / 2])
    assert top["y"] + top["height"] < 200
    assert line(view).text_content() == f"Done: {link.text_content()}. Back to the text"
    view.keyboard.press("Enter")
    view.evaluate(REST)
    assert link.evaluate("(node) => node === document.activeElement")
    assert link.evaluate(VISIBLE)
    assert line(view).text_content() == ""


def test_the_browsers_own_way_back_leads_to_the_text(reader):
    view = reader()
    # what has been seen keeps its height: a side road that a script has opened was never seen
    link = view.locator("a.attn-set:not(.attn-side *)").last
    press(view, link)
    assert not link.evaluate(VISIBLE)
    view.go_back()
    view.wait_for_function(VISIBLE, arg=link.element_handle())


def test_a_finger_does_the_same(reader):
    view = reader(width=360, has_touch=True, is_mobile=True)
    link = links(view).last
    link.scroll_into_view_if_needed()
    view.evaluate(REST)
    link.tap()
    view.evaluate(REST)
    assert traits_of(view, link) == json.loads(link.get_attribute("data-traits"))
    assert place_of(view, link).evaluate(VISIBLE)
    line(view).get_by_role("link").tap()
    view.evaluate(REST)
    assert link.evaluate(VISIBLE)


def test_a_widget_in_view_stays_where_it_is(reader):
    view = reader(height=2400)  # large letters make a high widget
    link = links(view).first
    place = place_of(view, link)
    place.evaluate("(place) => document.querySelector('a.attn-set').after(place)")
    place.evaluate("(place) => place.scrollIntoView({ block: 'center', behavior: 'instant' })")
    link.evaluate("(link) => link.focus({ preventScroll: true })")
    view.evaluate(REST)
    top = place.bounding_box()["y"]
    view.keyboard.press("Enter")
    view.evaluate(REST)
    assert place.bounding_box()["y"] == pytest.approx(top, abs=1)
    assert "#" not in view.url
    assert line(view).text_content() == f"Done: {link.inner_text()}. "
    assert line(view).bounding_box()["height"] <= 1
    assert traits_of(view, link) == json.loads(link.get_attribute("data-traits"))


@pytest.mark.parametrize("lack", ["no JavaScript", "no host"])
def test_where_widgets_do_not_run_the_words_are_words(page, site, lack):
    if lack == "no JavaScript":
        view = page(CHAPTER, java_script_enabled=False)
    else:
        view = page("about:blank")
        view.route("**/host.js*", lambda route: route.abort())
        view.goto(f"{site}/{CHAPTER}")
    for link in links(view).all():
        assert link.get_attribute("href") is None
        plain = "(node) => getComputedStyle(node).color === getComputedStyle(node.parentNode).color"
        assert link.evaluate(plain)
        assert link.evaluate("(node) => getComputedStyle(node).textDecorationLine") == "none"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_axe_finds_nothing_after_a_press(reader, width, scheme):
    view = reader(width=width, scheme=scheme)
    press(view, links(view).first)
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    assert line(view).is_visible()
    assert axe(view, within=".attn-set-line, .attn-widget, p:has(a.attn-set)") == []
