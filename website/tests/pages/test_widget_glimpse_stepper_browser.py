"""The glimpse stepper in a real browser: what it shows of the arrays, and what a reader does."""

import numpy as np
import pytest
import torch
from browsing import axe

from attn_book.commands.widgets_harness import overflow, set_trait, trait
from attn_course.tasks.digits import cells_inside
from attn_course.views.widgets.glimpse_stepper import GlimpseStepper

ROWS, COLUMNS, CELLS = 12, 20, (3, 5)
BOXES = np.array([[0, 0, 8, 8], [4, 11, 12, 19]])


def shares(count, size, strongest, share=0.6):
    """A row for each look, of which one entry is the largest."""
    rows = np.random.default_rng(count).dirichlet(np.ones(size), count) * (1 - share)
    rows[np.arange(count), strongest] += share
    return rows.astype(np.float32)


def reader(cells, symbols):
    return {
        "weights": shares(len(cells), 15, cells).reshape(-1, *CELLS),
        "chances": shares(len(symbols), 11, symbols, share=0.9),
    }


def example(name="One", **changes):
    pixels = np.random.default_rng(2).uniform(size=(ROWS, COLUMNS)).astype(np.float32)
    readers = {
        "State decides": reader([6, 13, 0], [3, 7, 10]),
        "Step decides": reader([6, 2, 1, 4], [3, 1, 7, 10]),
    }
    return {
        "name": name,
        "pixels": pixels,
        "digits": [3, 7],
        "boxes": BOXES,
        "readers": readers,
    } | changes


def stepper(**traits):
    alone = {"Alone": reader([14], [10])}
    other = example("Two", digits=[5], boxes=BOXES[:1], readers=alone | {"Second": alone["Alone"]})
    other["readers"] = dict(zip(example()["readers"], other["readers"].values(), strict=True))
    return GlimpseStepper([example(), other], **traits)


def said(page):
    return page.locator(".attn-readout").text_content()


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def chips(page):
    return page.locator(".attn-so-far .attn-chip").all_text_contents()


def test_it_begins_at_the_second_look_and_says_what_was_read(show):
    page = show(stepper())
    weights = example()["readers"]["State decides"]["weights"][1]
    strongest = round(100 * float(weights.max()))
    assert chips(page) == ["3"]
    assert said(page).startswith("Before look 2 it has read 3.")
    assert f"{strongest}\xa0% of the weight lies on one cell, row 3 of 3, column 4 of 5" in said(
        page
    )
    assert "It reads 7" in said(page)
    assert said(page).endswith("which is right.")


def test_ink_and_weights_are_drawn_where_they_are(show):
    page = show(stepper())
    grid = page.evaluate(
        """([rows, columns]) => {
          const { x, y, width, height } = document
            .querySelector(".attn-panel svg").getBoundingClientRect();
          const levels = Array(rows * columns).fill(0);
          for (const path of document.querySelectorAll(".attn-panel svg .attn-ink"))
            for (let at = 0; at < levels.length; at++) {
              const point = new DOMPoint((at % columns) + 0.5, Math.floor(at / columns) + 0.5);
              if (path.isPointInFill(point))
                levels[at] += Number(path.getAttribute("fill-opacity"));
            }
          return levels;
        }""",
        [ROWS, COLUMNS],
    )
    np.testing.assert_allclose(grid, example()["pixels"].ravel(), atol=0.0521)
    found = page.evaluate(
        """() => [...document.querySelectorAll(".attn-panel:last-child svg .attn-cells")]
          .flatMap((path) => Array.from({ length: 15 }, (_, at) => {
            const point = new DOMPoint(4 * (at % 5) + 2, 4 * Math.floor(at / 5) + 2);
            const step = /weight-(\\d+)/.exec(path.getAttribute("style"))[1];
            return path.isPointInFill(point) ? [at, Number(step)] : null;
          }).filter(Boolean))"""
    )
    weights = example()["readers"]["State decides"]["weights"][1].ravel()
    expected = {at: round(20 * float(weight)) for at, weight in enumerate(weights)}
    assert dict(found) == {at: step for at, step in expected.items() if step}


def test_looks_are_stepped_through_and_begin_again(show):
    page = show(stepper(look=0))
    assert "nothing yet" in page.locator(".attn-so-far").text_content()
    assert said(page).startswith("Before the first look it has read nothing.")
    button(page, "Previous look").press("Enter")  # there is none
    assert trait(page, "look") == 0
    button(page, "Next look").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert trait(page, "look") == 2
    assert chips(page) == ["3", "7"]
    assert "nothing is left to read" in said(page)
    assert said(page).endswith("which is right.")
    page.get_by_role("button", name="First look").press("Space")
    assert trait(page, "look") == 0
    slider = page.get_by_role("slider", name="Look")
    slider.press("End")
    assert (trait(page, "look"), slider.get_attribute("aria-valuetext")) == (2, "look 3 of 3")
    button(page, "Previous look").click()
    assert trait(page, "look") == 1


def test_two_readers_are_compared(show):
    page = show(stepper())
    other = page.locator(".attn-other")
    assert "at look 2: its largest weight" in other.text_content()
    assert "row 1 of 3, column 3 of 5" in other.text_content()
    assert "reads “\u20681\u2069”" in other.text_content()
    button(page, "Step decides").click()
    assert button(page, "Step decides").get_attribute("aria-pressed") == "true"
    assert "the digit to read now is 7." in said(page)
    page.get_by_role("slider", name="Look").press("End")
    assert trait(page, "look") == 3
    assert other.text_content().endswith("it has already ended.")
    assert chips(page) == ["3", "1", "7"]
    wrong = page.locator(".attn-wrong-chip").all_text_contents()
    assert wrong == ["1", "7"]
    button(page, "State decides").click()  # which took three looks
    assert said(page).startswith("Before look 3")
    button(page, "Step decides").click()
    set_trait(page, "look", 2)
    assert "but all digits have been read." in said(page)


def test_one_reader_alone_is_compared_with_none(show):
    alone = {"Only": reader([6, 13], [3, 10])}
    page = show(GlimpseStepper([example(readers=alone)]))
    assert page.locator(".attn-switch").count() == 0
    assert page.locator("select").count() == 0
    assert page.locator(".attn-other").text_content() == ""
    assert "the digit to read now is 7." in said(page)


def test_boxes_are_outlined_and_weighed(show):
    page = show(stepper())
    assert page.locator(".attn-box").count() == 0
    assert "in the box" not in said(page)
    page.get_by_role("checkbox", name="Exact boxes").press("Space")
    assert trait(page, "show_boxes") is True
    boxes = (
        page.locator(".attn-panel")
        .first.locator(".attn-box")
        .evaluate_all(
            "all => all.map((one) => ['y', 'x', 'height', 'width']"
            ".map((name) => +one.getAttribute(name)))"
        )
    )
    assert boxes == [[0, 0, 8, 8], [4, 11, 8, 8]]
    weights = example()["readers"]["State decides"]["weights"][1].ravel()
    inside = cells_inside(torch.from_numpy(BOXES), ROWS, COLUMNS).numpy()
    share = round(100 * float(weights[inside[1]].sum()))
    assert f"{share}\xa0% of the weight lies in the box of the 7, the second digit." in said(page)
    button(page, "Step decides").click()
    assert "of the weight lies in no box." in said(page)


def test_another_canvas_begins_at_its_first_look(show):
    page = show(stepper())
    page.get_by_label("Canvas").select_option("Two")
    assert (trait(page, "index"), trait(page, "look")) == (1, 0)
    assert "but the digit to read now is 5." in said(page)
    assert page.get_by_role("slider", name="Look").is_disabled()
    button(page, "Reset").click()
    assert (trait(page, "index"), trait(page, "look")) == (0, 1)


def test_the_largest_probability_has_the_highest_bar(show):
    page = show(stepper())
    bars = page.locator(".attn-chance-bar").evaluate_all(
        "all => all.map((one) => parseFloat(one.style.height))"
    )
    chances = example()["readers"]["State decides"]["chances"][1]
    np.testing.assert_allclose(bars, 100 * chances, atol=0.051)
    assert page.locator(".attn-chosen-symbol b").text_content() == "7"


def test_two_views_stay_in_step_and_clean_up(show):
    page = show(stepper(), views=2)
    button(page, "Next look").first.click()
    words = page.locator(".attn-readout").all_text_contents()
    assert words[0] == words[1]
    assert words[0].startswith("Before look 3")
    page.evaluate("window.cleanups.forEach((end) => end())")
    assert page.evaluate("window.models[0].listeners.length") == 0
    assert page.locator(".attn-frame").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_barriers_and_no_overflow_on_a_phone(show, theme):
    page = show(stepper(reader=1, look=3), width=360, theme=theme)
    assert axe(page, without=["page-has-heading-one"]) == []
    assert overflow(page) <= 0


TABLE = """async () => {
  const { table } = await import("./module0.mjs");
  return table({ model: window.models[0] });
}"""


def test_the_table_has_every_look_of_every_reader(show):
    rows = show(stepper()).evaluate(TABLE)
    assert rows[0] == ["Reader", "Look", "Largest weight", "Reads"]
    assert [row[:2] for row in rows[1:]] == [
        *[["State decides", str(n)] for n in (1, 2, 3)],
        *[["Step decides", str(n)] for n in (1, 2, 3, 4)],
    ]
    assert rows[2][2].startswith("row 3 of 3, column 4 of 5 (")
    assert [row[3].split(" ")[0] for row in rows[1:4]] == ["3", "7", "end"]
