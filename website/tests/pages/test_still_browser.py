"""Pages whose widgets cannot run: no JavaScript, a missing script, a script that throws."""

import re

import pytest
from browsing import open_side_roads, pace, unveil

CHAPTER = "chapters/02-softmax.html"
SIDES = """all => all.map((one) => one.getBoundingClientRect())
  .map(({ left, right }) => [left, right])"""
OWN = re.compile(r"/_static/widgets/[0-9a-f]+\.js$")
IN_THIS_BROWSER = "could not start in this browser"
FAILS = {  # what stands in place of the script, and what readers are told
    "does not come": (None, "could not start: a file that it needs did not arrive"),
    "is no script": ("<!DOCTYPE html>", IN_THIS_BROWSER),
    "throws": ("throw new Error('no luck')", IN_THIS_BROWSER),
    "throws when it draws": (
        "window.attnCourse.register('KEY', {default: {render({ el }) "
        "{ el.append('half'); throw new Error('no luck') }}})",
        IN_THIS_BROWSER,
    ),
}


def widget(view, kind):
    return view.locator(f".attn-widget[data-widget={kind}]").first


def script_of(parsed, name, kind) -> str:
    """The key of the module of a widget's class, as the page names it."""
    match = re.search(
        rf'"_anywidget_id": "[\w.]*\.{kind}".*?"_esm": "(\w+)"', str(parsed[name]), re.DOTALL
    )
    return match[1]


def cannot(view, key, body) -> None:
    """Let the script with this key fail; serve all others unchanged."""

    def answer(route):
        if f"/{key}." not in route.request.url:
            route.continue_()
        elif body is None:
            route.abort()
        else:
            route.fulfill(body=body.replace("KEY", key), content_type="text/javascript")

    view.route("**/_static/widgets/*.js", answer)


def test_without_javascript_each_widget_is_a_sentence_and_a_table_that_fit(page, parsed, page_name):
    view = page(page_name, java_script_enabled=False)
    open_side_roads(view)
    places = view.locator(".attn-widget")
    assert places.count() == len(parsed[page_name].select(".attn-widget"))
    for place in places.all():
        assert place.locator(".attn-widget-summary").is_visible()
        assert len(place.locator(".attn-widget-summary").inner_text()) > 20
        table = place.locator("table:visible")
        assert table.is_visible()
        assert table.locator("tr").count() > 1
        texts = [cell for cell in table.locator("tbody :is(th, td)").all_inner_texts() if cell]
        assert texts
    for width in (1280, 360):
        view.set_viewport_size({"width": width, "height": 800})
        assert view.locator("html").bounding_box()["width"] <= width
        for left, right in places.evaluate_all(SIDES):
            assert left >= 0
            assert right <= width + 1


def test_without_javascript_what_was_measured_is_folded_below_what_one_may_guess(page):
    view = page(CHAPTER, java_script_enabled=False)
    open_side_roads(view)
    for guess in view.locator(".attn-widget[data-widget=Prediction]").all():
        assert guess.locator(".attn-widget-summary").inner_text().endswith("?")
        assert guess.get_by_role("table").inner_text().startswith("Possible answers")
        fold = guess.locator("details")
        measured = fold.locator("p").text_content().partition(". ")[0]
        assert measured not in guess.locator(".attn-widget-summary").inner_text()
        assert not fold.locator("p").is_visible()
        fold.locator("summary").press("Enter")
        assert fold.locator("p").is_visible()


@pytest.mark.parametrize("how", FAILS)
def test_a_widget_that_fails_leaves_its_table_and_the_rest_works(page, site, parsed, how):
    view = page("about:blank")
    body, words = FAILS[how]
    cannot(view, script_of(parsed, CHAPTER, "Prediction"), body)
    view.goto(f"{site}/{CHAPTER}")
    failed, whole = widget(view, "Prediction"), widget(view, "ScoreBars")
    failed.locator(".attn-widget-summary").get_by_text(words).wait_for()
    unveil(view)
    assert failed.get_by_role("table").is_visible()
    assert "half" not in failed.inner_text()
    whole.get_by_role("slider").first.wait_for()
    assert whole.locator(".attn-still").count() == 0
    view.get_by_role("button", name="Chapters").click()
    view.get_by_role("navigation", name="Main").wait_for(state="hidden")
    view.locator("details[data-question] summary").first.press("Enter")
    view.get_by_role("checkbox", name="I knew it").first.wait_for()


@pytest.mark.parametrize("name", ["*.js", "*.bytes.js"])
def test_a_script_that_the_host_s_policy_blocks_is_told_as_blocked(page, site, name):
    """A host may allow less than the page does: here, all scripts but some."""
    view = page("about:blank")
    allowed = {
        "*.js": f"script-src {site}/_static/host.js {site}/_static/early.js",
        "*.bytes.js": f"script-src {site}/_static/host.js {site}/_static/early.js WIDGETS",
    }[name]

    def answer(route):
        whole = route.fetch()
        own = re.findall(r"_static/widgets/[0-9a-f]+\.js", whole.text())
        policy = allowed.replace("WIDGETS", " ".join(f"{site}/{path}" for path in own))
        headers = whole.headers | {"Content-Security-Policy": policy}
        route.fulfill(response=whole, headers=headers)

    view.route("**/index.html", answer)
    view.goto(f"{site}/book/index.html")
    widget(view, "DateReader").get_by_text("could not start: the policy of this page").wait_for()


def test_weights_that_do_not_come_leave_the_table(page, site):
    view = page("about:blank")
    view.route("**/*.bytes.js", lambda route: route.abort())
    view.goto(f"{site}/book/index.html")
    place = widget(view, "DateReader")
    place.get_by_text("a file that it needs did not arrive").wait_for()
    assert place.get_by_role("cell", name="1998-05-03").first.is_visible()
    assert any("could not be loaded" in message for message in view.messages)


def test_without_the_host_the_table_appears_after_a_while(page, site):
    view = page("search.html")
    pace(view, 0)
    view.route("**/host.js", lambda route: route.abort())
    view.goto(f"{site}/book/index.html")
    still = widget(view, "DateReader").locator(".attn-still")
    table = still.get_by_role("table", include_hidden=True)
    assert not table.is_visible()
    (delay,) = still.evaluate("(one) => one.getAnimations().map((a) => a.effect.getTiming().delay)")
    assert 2000 < delay < 8000
    pace(view, 100)
    table.wait_for(state="visible")
