"""Nothing moves when widgets start: each place already shows what the widget will show.

The host of the widgets is held back until the page has been drawn without it. No height is named
here, since it depends on the fonts, the width and the text size; it is compared before and after.
"""

import json
from itertools import zip_longest

import pytest
from browsing import KEY, NEARBY, with_widgets
from sweeps import examples

WIDTHS = (1280, 768, 360)
# and the site: with an address, its pages have more in their heads
INPUTS = {"mouse": ("site", {}), "finger": ("home", {"has_touch": True, "is_mobile": True})}
CHAPTERS = ("01-fixed-context", "02-softmax", "03-alignment-scores", "05-reading-dates")

PLACES = """() => [document.documentElement, ...document.querySelectorAll(".attn-widget")].map(
  (place) => {
    const { top, height } = place.getBoundingClientRect();
    return `${place.dataset.widget ?? "page"} from ${top.toFixed(1)}, ${height.toFixed(1)} high`;
  })"""
ALIVE = "() => !document.querySelector('.attn-widget:has(.attn-first)')"
# what is seen of each widget: its elements in their order, with their look, state and words
LOOKS = """() => [...document.querySelectorAll(".attn-widget > div:not(.attn-still)")].map(
  (state) => [...state.querySelectorAll("*")].map((node) => [
    node.localName,
    ...[...node.classList].sort(),
    // how far a map that is too wide has been scrolled to its weight is no look of its own
    node.style.cssText.replace(/ ?--attn-scrolled: [^;]*;/, ""),
    ...["checked", "disabled", "hidden", "open", "value", "selectedIndex"]
      .map((name) => node[name]),
    ...["min", "max", "step", "type", "viewBox", "d", "transform", "aria-pressed"]
      .map((name) => node.getAttribute(name)),
    [...node.childNodes].filter((child) => child.nodeType === 3).map(({ data }) => data)
      .join(""),
  ].filter((each) => each !== undefined && each !== null && each !== "").join(" ")
    // as the build writes numbers
    .replace(/-?\\d+\\.\\d{4,}(e-\\d+)?/g, (digits) => Number(Number(digits).toFixed(3)))))"""
REACHED = """() => [...document.querySelectorAll(".attn-first *")].filter((node) => {
  node.focus();
  return document.activeElement === node;
}).map((node) => node.outerHTML)"""
# the page's own script has run; it says what suits a finger, and waits for nothing else
READY = """document.addEventListener("load", ({ target }) => {
  if (target.src?.includes("/book.js")) window.isReady = true;
}, true)"""
# fonts of formulas are loaded when a layout needs them, with or without widgets
LAYOUT = """async () => {
  document.documentElement.getBoundingClientRect();
  await document.fonts.ready;
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
}"""


def look(view) -> dict[int | str, list]:
    """Where all places on a page are at each width, and what they contain."""
    layout = {"seen": view.evaluate(LOOKS)}
    for width in WIDTHS:
        view.set_viewport_size({"width": width, "height": 800})
        view.evaluate(LAYOUT)
        layout[width] = view.evaluate(PLACES)
    return layout


@pytest.fixture
def before_and_after(page, request):
    """A page without its widgets and with them."""

    def both(name: str, stored: dict | None = None, at: str = "site", **options):
        site = request.getfixturevalue(at)
        options["reduced_motion"] = "reduce"  # otherwise a side bar would still be moving
        view = page(f"{site}/{NEARBY}" if stored else "about:blank", **options)
        if stored:
            store = "([key, text]) => localStorage.setItem(key, text)"
            view.evaluate(store, [KEY, json.dumps(stored)])
        routes = []
        view.add_init_script(READY)
        view.route("**/host.js*", lambda route: routes.append(route))
        with view.expect_request("**/host.js*"):
            view.goto(f"{site}/{name}", wait_until="commit")
        view.wait_for_function("() => window.isReady")
        # what is far away would have an estimated height, which follows the widths it was seen at
        view.evaluate("document.documentElement.dataset.whole = ''")
        before = look(view)
        for route in routes:
            route.continue_()
        view.wait_for_function(ALIVE)
        return before, look(view)

    return both


@pytest.mark.parametrize("how", INPUTS)
def test_nothing_moves_and_nothing_changes_when_widgets_come(
    page_name, parsed, before_and_after, how
):
    places = with_widgets(parsed, page_name)
    at, options = INPUTS[how]
    before, after = before_and_after(page_name, skipped(page_name, places), at, **options)
    assert len(before["seen"]) == len(places)
    assert all(before["seen"])
    assert differences(before.pop("seen"), after.pop("seen")) == []
    assert before == after


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_nothing_moves_where_what_follows_is_veiled(before_and_after, chapter):
    before, after = before_and_after(f"chapters/{chapter}.html")
    for width in WIDTHS:
        pairs = list(zip(before[width], after[width], strict=True))
        visible = [pair for pair in pairs if not pair[0].endswith(", 0.0 high")]
        assert len(visible) > 1  # the others lie behind veils
        assert [first for first, _ in visible] == [then for _, then in visible]


def skipped(page_name, places) -> dict:
    """The stored progress of a reader who skips every guess, so that nothing is veiled."""
    keys = [place["data-question"] for place in places if "data-question" in place.attrs]
    return progress(page_name, skipped=keys) if keys else {}


def progress(page_name, **changes) -> dict:
    chapter = page_name.rpartition("/")[2].removesuffix(".html")
    record = {"read": False, "seen": [], "guesses": {}, "questions": [], **changes}
    return {"course": "attention-measured", "version": 1, "chapters": {chapter: record}}


def differences(first: list[list[str]], live: list[list[str]]) -> list[tuple[str, str]]:
    """The differences between first states and widgets, each with its counterpart."""
    pairs = [pair for both in zip(first, live, strict=True) for pair in zip_longest(*both)]
    return [pair for pair in pairs if pair[0] != pair[1]]


def test_what_waits_can_neither_be_heard_nor_reached(page, site, parsed, page_name):
    with_widgets(parsed, page_name)
    view = page("about:blank")
    view.route("**/host.js*", lambda route: route.abort())
    view.goto(f"{site}/{page_name}")
    view.wait_for_selector(".attn-first :is(button, input, select):not(details *)")
    tree = view.context.new_cdp_session(view).send("Accessibility.getFullAXTree")["nodes"]
    roles = {node["role"]["value"] for node in tree if not node["ignored"]}
    assert "heading" in roles
    assert not roles & {"radio", "slider", "combobox", "ColumnHeader", "RadioGroup"}
    assert view.evaluate(REACHED) == []


def guesses(places, turn: int) -> dict[str, str | float | list]:
    """A guess for each prediction; each turn covers another kind of remembered guess."""
    answers = {}
    for place in places:
        states = place.select("template")
        state = states[turn % len(states)]
        guess = state[("data-from", "data-to")[turn // len(states) % 2]]
        field = place.select_one(".attn-first input")
        if field["type"] == "number":  # a drawn curve: one value at each position
            values = [float(box["min"]) for box in place.select(".attn-first input")]
            answers[place["data-question"]] = values
        else:
            answers[place["data-question"]] = float(guess) if field["type"] == "range" else guess
    return answers


@pytest.mark.parametrize("turn", range(examples(5, 1)))
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_place_of_a_prediction_knows_what_was_answered(parsed, before_and_after, chapter, turn):
    name = f"chapters/{chapter}.html"
    places = parsed[name].select(".attn-widget[data-question]")
    before, after = before_and_after(name, progress(name, guesses=guesses(places, turn)))
    fresh = [place.select_one(".attn-first .attn-outcome") for place in places]
    assert fresh
    assert not any(outcome.get_text() for outcome in fresh)
    outcomes = [" ".join(state) for state in after["seen"] if "attn-outcome" in " ".join(state)]
    phrases = ("It came out", " away")
    assert all(any(words in outcome for words in phrases) for outcome in outcomes)
    changed = differences(*(without_numbers(layout.pop("seen")) for layout in (before, after)))
    assert changed == []
    assert before == after


def without_numbers(states: list[list[str]]) -> list[list[str]]:
    """Without the guess where it is not text: the build knows only on which side it lies."""
    unknown = ("attn-guessed", "Your guess", "attn-slider", "attn-value")

    def is_known(node: str) -> bool:
        return not any(name in node for name in unknown)

    return [[*filter(is_known, state)] for state in states]
