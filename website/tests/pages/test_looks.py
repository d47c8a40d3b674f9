"""How a page looks: two widths, code with colours, pictures, signs, and what suits a finger."""

import copy
import re

import pytest
from browsing import LAY_OUT, mounted, unveil
from listing import WRITTEN
from sweeps import every

from attn_course.views.palette import DARK, LIGHT, contrast

WIDE, PHONE = 1280, 360
MEASURE = "parseFloat(getComputedStyle(document.querySelector('article section > p')).maxWidth)"
# what has a box of its own in the column, with its left edge and its width
BOXES = """() => [...document.querySelectorAll(
    "article :is(h1, h2, h3, p, figure, .attn-frame, .attn-gate, .attn-code, .cell pre, div.math)")]
  .filter((box) => box.checkVisibility() && !box.parentElement.closest(
    "li, table, aside, details, .admonition, .attn-frame, .attn-claim, .attn-gate")
    && !box.matches(".visually-hidden"))
  .map((box) => [box.getBoundingClientRect(), box])
  .map(([{ left, width }, box]) => [left, width, `${box.tagName}.${box.className}`])"""
OPEN = """(fold) => new Promise((done) => {
  fold.addEventListener("toggle", () => requestAnimationFrame(done), { once: true });
  fold.open = true;
})"""
COLOURS = """(fold) => [...fold.querySelectorAll("pre span")].map((part) => [part.className,
  getComputedStyle(part).color, getComputedStyle(part.closest("pre")).backgroundColor])"""


def hexadecimal(colour: str) -> str:
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour)[:3])


@pytest.mark.parametrize(
    ("name", "width"), [*((name, WIDE) for name in every(4, WRITTEN)), (WRITTEN[0], 1700)]
)
def test_all_that_stands_in_the_column_has_one_of_two_widths(page, name, width):
    view = page(f"{name}.html", width=width, reduced_motion="reduce")
    unveil(view)
    view.evaluate(LAY_OUT)
    boxes = view.evaluate(BOXES)
    measure = view.evaluate(MEASURE)
    wide = min(46 * 16, view.evaluate("document.querySelector('article section').clientWidth"))
    assert measure < wide
    edge = min(left for left, _, _ in boxes)
    stray = [
        (round(left - edge), round(wide_), what)
        for left, wide_, what in boxes
        if abs(left - edge) > 1 or min(abs(wide_ - measure), abs(wide_ - wide)) > 1.5
    ]
    assert stray == []


def test_code_that_is_unfolded_has_colours_and_room(page):
    view = page("chapters/05-reading-dates.html", reduced_motion="reduce")
    folds = view.locator("details.attn-code").all()
    for fold in folds:
        before = fold.locator("pre").all_text_contents()
        fold.evaluate(OPEN)
        assert fold.locator("pre").all_text_contents() == before
    for scheme, theme in (("light", LIGHT), ("dark", DARK)):
        view.emulate_media(color_scheme=scheme)
        colours = {}
        for kind, colour, ground in (row for fold in folds for row in fold.evaluate(COLOURS)):
            colours[kind] = hexadecimal(colour)
            assert hexadecimal(ground) == theme["surface"]
            assert contrast(colours[kind], theme["surface"]) >= 4.5
        assert {"c", "k", "s", "m", "nf"} <= {*colours}
        assert len({*colours.values()}) >= 4
        assert colours["c"] == theme["muted"]
    pre = view.locator("details.attn-code pre").first
    assert pre.evaluate("(pre) => parseFloat(getComputedStyle(pre).paddingInlineStart)") >= 12
    assert view.messages == []


def test_comments_in_code_that_stands_open_are_muted_too(page):
    view = page("chapters/02-softmax.html", scheme="dark")
    comment = view.locator(".cell_input .highlight .c").first
    assert hexadecimal(comment.evaluate("(part) => getComputedStyle(part).color")) == DARK["muted"]


@pytest.mark.parametrize(
    ("name", "width"), [*((name, PHONE) for name in every(4, WRITTEN)), (WRITTEN[0], WIDE)]
)
def test_a_chapter_opens_with_its_picture(page, name, width):
    view = page(f"{name}.html", width=width)
    box = view.locator(".attn-opens svg").bounding_box()
    assert box["width"] >= 90
    assert box["y"] + box["height"] < 300
    title = view.locator("article h1").bounding_box()
    assert box["x"] + box["width"] <= width - 14
    assert title["x"] < 300


def test_the_map_of_the_course_is_thin_on_a_phone(page):
    view = page("book/index.html", width=PHONE)
    map_ = view.locator(".attn-course-map")
    track = map_.locator(".attn-course-track").first.bounding_box()
    words = map_.locator(".attn-course-words > p").nth(1).bounding_box()
    assert track["width"] <= 32
    assert words["width"] >= 280
    rows = [row.bounding_box()["height"] for row in map_.locator("> li").all()]
    assert sum(rows) / len(rows) < 260


def test_the_question_mark_of_a_guess_stands_above_the_thumb(page):
    view = page("chapters/06-gradient-paths.html")
    widget = view.locator(".attn-prediction:has(.attn-slider)").first
    widget.wait_for()
    value, slider = widget.locator(".attn-value"), widget.locator(".attn-slider")

    def middle(part):
        box = part.bounding_box()
        return box["x"] + box["width"] / 2

    assert value.text_content() == "?"
    assert abs(middle(value) - middle(slider)) < 2
    slider.press("Home")
    assert value.bounding_box()["x"] - slider.bounding_box()["x"] < 2
    slider.press("End")
    ends = [part.bounding_box()["x"] + part.bounding_box()["width"] for part in (value, slider)]
    assert abs(ends[0] - ends[1]) < 2


@pytest.mark.parametrize(("scheme", "theme"), [("light", LIGHT), ("dark", DARK)])
def test_the_skip_link_has_the_palette_s_colours(page, scheme, theme):
    view = page("book/notation.html", scheme=scheme)
    view.keyboard.press("Tab")
    link = view.locator("#pst-skip-link a")
    colours = link.evaluate(
        "(link) => [getComputedStyle(link).color,"
        " getComputedStyle(link.parentElement).backgroundColor]"
    )
    assert [hexadecimal(colour) for colour in colours] == [theme["on-accent"], theme["accent"]]


def test_what_scrolls_sideways_fades_where_there_is_more(page):
    view = page("chapters/01-fixed-context.html", width=PHONE, reduced_motion="reduce")
    view.evaluate(LAY_OUT)
    wider = view.locator(
        "article :is(pre, div.math, .pst-scrollable-table-container)"
    ).evaluate_all(
        "(boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth + 1)"
        ".map((box) => getComputedStyle(box).backgroundAttachment)"
    )
    assert wider
    assert {*wider} == {"local, local, scroll, scroll, scroll"}


def test_one_taps_with_a_finger_and_clicks_with_a_mouse(page):
    for options, verb in (({}, "Click"), ({"has_touch": True, "is_mobile": True}, "Tap")):
        view = page("book/index.html", width=PHONE, **options)
        text = view.locator("article").inner_text()
        assert re.findall(r"\b(Click|Tap) a letter", text) == [verb]


@pytest.mark.parametrize(
    ("name", "widget"),
    [
        ("chapters/05-reading-dates.html", "DateReader"),
        ("chapters/07-self-attention.html", "HeadsViewer"),
        ("chapters/11-faithfulness.html", "WeightScrubber"),
    ],
)
def test_widgets_say_tap_too(page, name, widget):
    view = page(name, width=PHONE, has_touch=True, is_mobile=True)
    mounted(view)
    text = view.locator(f'[data-widget="{widget}"]').first.inner_text()
    # the heads viewer opens with a pair chosen, and says what to tap once there is none
    assert ("Tap a character" in text) == (widget != "HeadsViewer")
    assert not re.search("click|point at", text, re.IGNORECASE)


def test_the_signs_of_print_are_the_same_on_all_pages(parsed, page_name):
    body = copy.copy(parsed[page_name].body)  # other tests read the same page
    for part in body.select("pre, code, kbd, samp, script, style, svg, template, .katex"):
        part.extract()
    for part in body.select(".attn-first, [translate=no]"):
        part.extract()
    text = body.get_text()
    assert re.findall(r".{9}\w'\w.{9}", text) == []
    assert re.findall(r".{9}[\s(]-\d.{9}", text) == []
    assert re.findall(r".{9}\d ?%.{9}", text) == []
