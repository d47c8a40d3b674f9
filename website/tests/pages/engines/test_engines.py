"""What the pages promise their readers, in every engine: some of the tests in the folder above.

No test here measures letters, so none depends on fonts.
"""

import contextlib
import json
import re
from datetime import date

import pytest
from engine import patiently

from apparatus.trials.keys import agree, steps_of

ALIVE = "!document.querySelector('.attn-widget-summary')"
HEIGHTS = "[...document.querySelectorAll('.attn-widget')].map((place) => place.offsetHeight)"
# for each widget, in the page's order: its class with its modules, and its traits
WIDGETS = """(() => {
  const data = (kind) => [...document.querySelectorAll(`script[type$="widget-${kind}+json"]`)];
  const models = data("state").map((script) => JSON.parse(script.textContent).state);
  const shown = data("view").map((script) => JSON.parse(script.textContent).model_id);
  return shown.map((key) => models.find((each) => key in each)[key].state);
})()"""
# as a reader may, so that what follows a guess, or stands in a side road, is visible
SKIP = """[
  ...[...document.querySelectorAll(".attn-gate[data-state=shut] button")].map((one) => one.click()),
  ...[...document.querySelectorAll(".attn-side-road")].map((road) => (road.open = true)),
].length"""
READER = "document.querySelector('[data-widget=DateReader]')"
FRONT, CHAPTER = "book/index.html", "chapters/05-reading-dates.html"


def test_a_page_lives_fits_answers_to_keys_and_says_nothing(engine, page_name):
    engine.page(page_name)
    engine.until("document.readyState === 'complete'")
    engine.evaluate(SKIP)
    for width in (360, 1280):
        engine.resize(width)
        engine.until(ALIVE)
        assert all(height > 40 for height in engine.evaluate(HEIGHTS))
        assert engine.evaluate("document.documentElement.scrollWidth") <= width
    work_widgets(engine)
    # an observer that hears of a size one frame later has missed nothing
    assert [text for text in engine.messages() if not text.startswith("ResizeObserver loop")] == []
    assert engine.foreign() == []
    assert any(address.endswith(page_name) for address in engine.requests())


def work_widgets(engine) -> None:
    """Operate each widget with the keyboard, and check its model afterwards."""
    engine.answer(
        "document.addEventListener('attn-save', ({ detail }) => { window.model = detail; })"
    )
    # a pointer at rest would choose whatever comes to lie beneath it when the page scrolls
    engine.evaluate("document.body.style.pointerEvents = 'none'")
    for number, traits in enumerate(engine.evaluate(WIDGETS)):
        kind = traits["_anywidget_id"].rpartition(".")[2]
        place = f"document.querySelectorAll('.attn-widget')[{number}]"
        engine.evaluate(SKIP)  # the guess before it was taken back
        for step in (one for one in steps_of(kind, traits) if not one.kernel):
            if step.place:
                engine.focus(f"{place}.querySelector({json.dumps(step.place)})")
            engine.press(step.keys)
            for name, expected in step.expected.items():
                actual = settled_value(engine, name, expected)
                assert agree(expected, actual), (number, kind, step, name, actual)


def settled_value(engine, name: str, expected) -> object:
    """The trait's value, which may come a moment after the key on a busy machine."""
    value = None

    def agreed():
        nonlocal value
        value = engine.evaluate(f"window.model.get('{name}')")
        return agree(expected, value)

    with contextlib.suppress(AssertionError):
        patiently(agreed, name)
    return value


def read(engine, text: str) -> str:
    """What the date reader makes of a typed text."""
    engine.until(ALIVE)
    engine.evaluate(f"{READER}.querySelector('input').select()")
    engine.focus(f"{READER}.querySelector('input')")
    engine.press(" ".join("Space" if sign == " " else sign for sign in text))
    engine.until(f"{READER}.querySelector('input').value === {json.dumps(text)}")
    return engine.evaluate(
        f"{READER}.querySelector('[aria-label$=date]').innerText.replace(/\\s/g, '')"
    )


def test_a_page_that_has_moved_leads_on_and_says_nothing(engine):
    engine.page("chapters/14-capstone.html")
    engine.until("location.pathname.endsWith('13-capstone.html')")
    assert engine.messages() == []


def test_a_page_works_from_its_folder(engine):
    engine.file(CHAPTER)
    engine.until("document.readyState === 'complete'")
    engine.evaluate(SKIP)
    for day in (date(2005, 3, 3), date(1998, 11, 17)):  # and the trained model reads
        assert read(engine, f"{day:%-d %B %Y}") == day.isoformat()
    assert all(height > 40 for height in engine.evaluate(HEIGHTS))
    # WebKit asks for no font of a folder before its style sheet does
    assert [text for text in engine.messages() if not text.endswith(".woff2")] == []
    engine.until(f"{FACES}.every(({{ status }}) => status === 'loaded')")
    assert engine.foreign() == []


FACES = """['Book Serif', 'Book Sans'].map((name) => [...document.fonts].find(
  ({ family, status }) => family.includes(name) && status !== 'unloaded') ?? {})"""
MISSED = """(() => {
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  const part = document.getElementById(location.hash.slice(1));
  const off = part.getBoundingClientRect().top
    - parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)
    - parseFloat(getComputedStyle(part).scrollMarginTop);
  const left = scrollHeight - clientHeight - scrollTop;
  return off > 0 && left < 2 ? 0 : Math.round(off);
})()"""
VISIBLE = """[...document.querySelectorAll("#pst-page-toc-nav a")]
  .filter((link) => !document.getElementById(link.hash.slice(1)).closest("[hidden]"))"""


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", ["02-softmax", "05-reading-dates", "c-seeing"])
def test_a_jump_stops_at_its_place_on_the_first_click_and_back_where_it_began(engine, name, width):
    for share in (0.5, 0.9):
        engine.page(f"chapters/{name}.html", width=width)
        engine.until("document.readyState === 'complete'")
        engine.answer("scrollTo({ top: 300, behavior: 'instant' })")
        engine.until("scrollY > 250")
        engine.evaluate(f"({VISIBLE}).at({share} * ({VISIBLE}).length).click() ?? true")
        engine.until("location.hash")
        settle(engine)
        assert abs(engine.evaluate(MISSED)) <= 2
        engine.answer("history.back()")
        engine.until("!location.hash")
        settle(engine)
        assert abs(engine.evaluate("scrollY") - 300) <= 2


STILL = """
  const look = () => {
    const now = `${scrollY} ${document.documentElement.scrollHeight}`;
    window.still = now === window.place ? window.still + 1 : 0;
    window.place = now;
    requestAnimationFrame(look);
  };
  if (window.still === undefined) look();
  window.still = 0;
"""


def settle(engine) -> None:
    """Wait until the page has not moved for half a second of frames."""
    engine.answer(STILL)
    engine.until("window.still > 30")


@pytest.mark.parametrize("at", ["page", "file"])
def test_the_policy_stops_inline_scripts_and_other_hosts(engine, at):
    getattr(engine, at)(FRONT)
    engine.answer(
        """
        const add = (kind, more) => {
          document.head.append(Object.assign(document.createElement(kind), more));
        };
        add("script", { textContent: "window.ran = true" });
        for (const host of ["http://a.invalid", "https://b.invalid"]) {
          add("script", { src: `${host}/a.js` });
          add("img", { src: `${host}/a.png` });
        }
        return "";
        """
    )
    patiently(lambda: len(engine.messages()) >= 5, "five refusals")
    assert not engine.evaluate("window.ran")
    assert engine.foreign() == []


def choose(engine) -> None:
    """The next choice of colours, whose button has the focus."""
    before = engine.evaluate("document.documentElement.dataset.mode")
    engine.press("Enter")
    engine.until(f"document.documentElement.dataset.mode !== '{before}'")


def test_colours_are_chosen_by_keyboard_and_kept(engine):
    engine.page(FRONT)
    theme = "document.documentElement.dataset.theme"
    button = "[...document.querySelectorAll('.attn-colours')].find((one) => one.offsetWidth)"
    brightness = {}
    for _ in range(3):
        engine.focus(button)
        choose(engine)
        paper = engine.evaluate("getComputedStyle(document.body).backgroundColor")
        brightness[engine.evaluate(theme)] = sum(map(int, re.findall(r"\d+", paper)[:3]))
    assert brightness["light"] > 700
    assert brightness["dark"] < 100
    for _ in range(2):
        choose(engine)
    engine.answer("window.before = true; location.reload()")
    engine.until("!window.before && document.readyState === 'complete'")
    assert engine.evaluate("localStorage.mode") == engine.evaluate(theme) == "dark"


def test_search_is_opened_and_used_by_keyboard(engine):
    engine.page(FRONT)
    engine.press("Control+k")
    engine.until("document.activeElement.name === 'q'")
    engine.press("a n n o t a t i o n Enter")
    engine.until("location.pathname.endsWith('/search.html')")
    engine.until("document.querySelector('#search-results li a')")
    assert engine.messages() == []
