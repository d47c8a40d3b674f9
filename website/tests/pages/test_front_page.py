"""The opening of the front page: a date, what each of its digits read, and a way to begin."""

import pytest
from browsing import mounted, of_each, pace

FRONT = "book/index.html"
SIZES = {
    "desktop": {"width": 1280, "height": 900},
    "phone": {"width": 360, "height": 740, "is_mobile": True, "has_touch": True},
}
every_size = pytest.mark.parametrize("size", SIZES)
PARTS = (
    "article h1",
    ".attn-lead",
    ".attn-opening .attn-input",
    ".attn-opening .attn-samples button >> nth=1",
    ".attn-arcs .attn-source >> nth=0",
    ".attn-links",
    ".attn-arcs .attn-character >> nth=9",
    ".attn-opening .attn-verdict",
    ".attn-opening .attn-switch",
    ".attn-opening .attn-go",
    ".attn-begin",
    ".attn-go-on p",
)
RUNNING = "document.getAnimations().filter(({ playState }) => playState === 'running')"
DIGITS = f"""{RUNNING}.filter(({{ effect }}) => effect.target.matches(".attn-character"))"""


def opening(page, size="desktop", **options):
    view = page(FRONT, **SIZES[size], **options)
    mounted(view)
    return view


def arcs(view, selector=".attn-link"):
    """The digits at which these arcs end."""
    script = "all => all.map((one) => Number(one.style.getPropertyValue('--attn-turn')))"
    return view.locator(selector).evaluate_all(script)


def boxes(view) -> dict:
    return {part: view.locator(part).bounding_box() for part in PARTS}


@every_size
def test_all_of_it_stands_in_the_first_screen(page, size):
    places = boxes(opening(page, size, reduced_motion="reduce"))
    screen = SIZES[size]
    beyond = {
        part: box
        for part, box in places.items()
        if box["y"] < 0
        or box["y"] + box["height"] > screen["height"]
        or box["x"] < 0
        or box["x"] + min(box["width"], 40) > screen["width"]
    }
    assert beyond == {}
    assert places[".attn-links"]["height"] >= 70  # an arc can be followed


@every_size
def test_what_has_no_room_grows_the_page_and_overlaps_nothing(page, size):
    view = opening(page, size, reduced_motion="reduce")
    view.add_style_tag(content="html { font-size: 32px }")
    assert view.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    places = boxes(view)
    beside = (".attn-opening .attn-go", ".attn-go-on p")  # another part, where there is room
    tops = [places[part]["y"] for part in PARTS if part not in beside]
    assert tops == sorted(tops)
    switch, player = places[".attn-opening .attn-switch"], places[".attn-opening .attn-go"]
    below = player["y"] >= switch["y"] + switch["height"]
    assert below or player["x"] >= switch["x"] + switch["width"]
    button, links = places[".attn-begin"], places[".attn-links"]
    assert button["y"] > places[".attn-opening .attn-switch"]["y"]
    assert links["height"] >= 70
    heading = view.locator("article h2").first.bounding_box()
    assert heading["y"] > button["y"] + button["height"]


def test_the_answer_is_written_once_digit_by_digit(page, site):
    view = page("search.html")
    pace(view, 0)  # however long it takes to look
    view.goto(f"{site}/{FRONT}")
    mounted(view)
    delays = view.evaluate(
        f"{DIGITS}.map(({{ effect }}) => [effect.target.textContent, effect.getTiming().delay])"
    )
    times = [delay for _, delay in delays]
    assert times == sorted(set(times))
    assert "".join(digit for digit, _ in delays) in "1998-05-03"
    assert len(delays) > 3  # the first may have been written before the widget ran
    last = f"Math.max(...{RUNNING}.map(({{ effect }}) => effect.getComputedTiming().endTime))"
    assert 0 < view.evaluate(last) <= 5000
    pace(view, 20)
    view.wait_for_function(f"() => {RUNNING}.length === 0")
    view.get_by_role("textbox").fill("3. Mai 1999")
    assert view.evaluate(f"{RUNNING}.length") == 0


def test_pointing_at_a_digit_ends_the_play(page):
    view = opening(page)
    view.locator(".attn-arcs .attn-character").first.hover()
    assert view.evaluate(f"{DIGITS}.length") == 0
    assert set(arcs(view, ".attn-link.attn-near")) == {0}


def test_every_digit_has_arcs_and_a_finger_shows_its_own(page):
    view = opening(page, "phone", reduced_motion="reduce")
    assert set(arcs(view)) == set(range(10))
    place = "(node) => node.getBoundingClientRect().top + scrollY"
    before = view.locator(".attn-begin").evaluate(place)
    view.locator(".attn-arcs .attn-character").nth(3).tap()
    assert set(arcs(view, ".attn-link.attn-near")) == {3}
    readout = view.locator(".attn-opening .attn-readout")
    assert readout.inner_text().startswith("Target 4 of 10, ")
    assert not view.locator(".attn-opening .attn-verdict").is_visible()
    assert view.locator(".attn-begin").evaluate(place) == before


def test_arcs_by_keyboard_and_the_matrix_behind_a_toggle(page):
    view = opening(page, reduced_motion="reduce")
    assert view.evaluate("document.getAnimations().length") == 0
    written = view.locator(".attn-arcs .attn-character")
    assert "".join(written.all_inner_texts()) == "1998-05-03"
    opacities = of_each(written, "Number(getComputedStyle(one).opacity)")
    assert opacities == [1] * 10
    written.first.focus()
    view.keyboard.press("ArrowRight")
    assert set(arcs(view, ".attn-link.attn-near")) == {1}
    view.keyboard.press("Escape")
    assert view.locator(".attn-far").count() == 0

    assert view.locator(".attn-opening .attn-matrix").count() == 0
    reached = view.get_by_role("group", name="View").get_by_role("button", name="Matrix")
    for _ in range(3):
        view.keyboard.press("Tab")
        if reached.evaluate("(node) => node === document.activeElement"):
            break
    view.keyboard.press("Enter")
    assert reached.get_attribute("aria-pressed") == "true"
    assert view.locator(".attn-opening .attn-matrix").is_visible()
    assert view.locator(".attn-arcs").count() == 0
    view.keyboard.press("Tab")
    view.keyboard.press("Enter")
    assert view.locator(".attn-arcs").is_visible()
    assert view.messages == []


def test_a_date_that_is_read_from_the_right_stands_so(page):
    view = opening(page, "phone", reduced_motion="reduce")
    for text, iso in {"٣ مايو ١٩٩٨": "1998-05-03", "3 באפריל 2005": "2005-04-03"}.items():
        stands_so(view, text, iso)


def stands_so(view, text, iso):
    view.get_by_role("textbox").fill(text)
    letters = view.locator(".attn-arcs .attn-source")
    places = of_each(letters, "one.getBoundingClientRect().x")
    line = [letter.inner_text() for letter in letters.all()]
    first = text[0]
    assert line[-1] == first  # the line begins at the right
    assert places == sorted(places)
    year = "".join(line[:4])
    assert year == text[-4:]  # numbers run to the right even there
    assert "".join(view.locator(".attn-arcs .attn-character").all_inner_texts()) == iso
    assert view.get_by_role("group", name="ISO date").text_content() == iso
    assert view.locator(".attn-opening .attn-source-name").inner_text().startswith("←")
    # the day is written last, and is read on the right
    ends = view.locator(".attn-link").evaluate_all(
        """(all) => all.map((one) => [one.style.getPropertyValue("--attn-turn"),
          Number(one.style.getPropertyValue("--attn-share")),
          Number(one.getAttribute("d").match(/^M([\\d.]+)/)[1])])"""
    )
    _, _, start = max((end for end in ends if end[0] == "9"), key=lambda end: end[1])
    assert start > 900


def test_a_long_date_fits_a_phone(page):
    view = opening(page, "phone", reduced_motion="reduce")
    view.get_by_role("textbox").fill("воскресенье, 3 апреля 2005 г.")
    last = view.locator(".attn-arcs .attn-character").last.bounding_box()
    assert last["x"] + last["width"] <= 360


@every_size
def test_without_javascript_the_first_answer_is_drawn(page, size):
    view = page(FRONT, **SIZES[size], java_script_enabled=False, reduced_motion="reduce")
    assert view.locator(".attn-links").bounding_box()["height"] >= 70
    assert "".join(view.locator(".attn-arcs .attn-character").all_inner_texts()) == "1998-05-03"
    assert not view.locator(".attn-opening .attn-input").is_visible()
    assert view.get_by_role("cell", name="1998-05-03").first.is_visible()
    assert view.get_by_role("link", name="Begin").get_attribute("href").startswith("../chapters/01")
