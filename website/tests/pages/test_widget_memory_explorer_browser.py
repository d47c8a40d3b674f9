"""The memory explorer in a real browser: its arithmetic, and what a reader does."""

import numpy as np
import pytest
import torch
from test_widget_memory_explorer import KEY_VECTORS, VALUE_VECTORS, explorer
from torch.nn import functional as F

from attn_book.commands.widgets_harness import overflow, set_trait, trait
from attn_course.memory import memory_state
from attn_course.views.widgets.memory_explorer import RULES

REMEMBER = """async (given) => {
  const { remember } = await import("./module0.mjs");
  return remember(given);
}"""


def test_the_matrix_and_the_products_equal_those_of_the_package(show):
    page, random = show(explorer()), np.random.default_rng(3)
    for size, count in ((2, 1), (5, 7), (11, 23)):
        keys, values = (
            F.normalize(torch.tensor(random.normal(size=(rows, size))), dim=-1) for rows in (7, 5)
        )
        pairs = np.stack([random.integers(7, size=count), random.integers(5, size=count)], axis=1)
        for rule in RULES:
            given = {"rule": rule, "size": size, "decay": 0.7, "sharpness": 9.0}
            given |= {"keys": keys.tolist(), "values": values.tolist(), "pairs": pairs.tolist()}
            found = page.evaluate(REMEMBER, given)
            written = keys[pairs[:, 0]], values[pairs[:, 1]]
            queries = keys[[each["key"] for each in found["answers"]]]
            if rule == "softmax":
                read = (9 * queries @ written[0].T).softmax(dim=-1) @ written[1]
            else:
                kind = "delta" if rule == "delta" else "sum"
                decay = 0.7 if rule == "decay" else 1.0
                state = memory_state(*(part[None] for part in written), kind, decay)[0]
                np.testing.assert_allclose(found["state"], state, atol=1e-12)
                read = queries @ state.T
            products = [each["products"] for each in found["answers"]]
            np.testing.assert_allclose(products, read @ values.T, atol=1e-12)


@pytest.mark.parametrize("rule", RULES)
def test_the_page_and_python_read_the_same_answers(show, rule):
    widget = explorer(rule=rule, written=6, size=3)
    page = show(widget)
    shown = page.locator(".attn-answer").evaluate_all("all => all.map((one) => one.textContent)")
    assert shown == [f"{key} → {read}" for key, _, read in widget.answers]
    wrong = page.locator(".attn-answer .attn-mistake").count()
    assert wrong == sum(value != read for _, value, read in widget.answers)
    script = """async ([bytes, count]) => {
      const { unitRows } = await import("./module0.mjs");
      return unitRows(window.models[0].get(bytes), count, 3);
    }"""
    for name, rows in (("key_vectors", KEY_VECTORS), ("value_vectors", VALUE_VECTORS)):
        expected = F.normalize(torch.tensor(rows[:, :3]), dim=-1)
        found = page.evaluate(script, [name, len(rows)])
        np.testing.assert_allclose(found, expected, atol=1e-5)


def readout(page):
    return page.locator(".attn-readout").text_content()


def test_the_memory_fills_and_a_slider_empties_it(show):
    page = show(explorer(written=1))
    assert readout(page).startswith("1 pair written. Of 1 key, 1 reads back right. Asked for")
    page.get_by_role("slider", name="Pairs written").fill("6")
    assert trait(page, "written") == 6
    assert trait(page, "asked") == 1, "the key that was written last"
    assert readout(page).startswith("6 pairs written. Of 4 keys, ")
    assert page.locator(".attn-readout").get_attribute("data-live") == ""
    page.get_by_role("slider", name="Pairs written").fill("0")
    assert readout(page) == "Nothing is written yet."
    assert page.locator(".attn-answer").count() == page.locator(".attn-bar-row").count() == 0


def test_the_matrix_has_the_chosen_size_and_softmax_has_none(show):
    page = show(explorer())
    for size in ("0", "3"):
        page.get_by_role("slider", name="Size").fill(size)
        assert page.locator(".attn-kept").count() == trait(page, "size") ** 2
    page.get_by_role("combobox", name="Writing rule").select_option("softmax")
    assert trait(page, "rule") == "softmax"
    assert page.locator(".attn-matrix").count() == 0
    assert page.locator(".attn-everything li").count() == 4
    assert "88 in all, and growing" in page.locator(".attn-memory").text_content()


def test_own_pairs_are_written_and_reset_takes_them_back(show):
    widget = explorer()
    page = show(widget)
    page.get_by_role("combobox", name="Key").select_option("5")
    page.get_by_role("combobox", name="Value").select_option("3")
    page.get_by_role("button", name="Write this pair").click()
    assert trait(page, "pairs")[4] == [5, 3]
    assert trait(page, "pairs")[5:] == widget.pairs[4:]
    assert (trait(page, "written"), trait(page, "asked")) == (5, 5)
    for _ in range(45):
        page.get_by_role("button", name="Write this pair").click()
    assert trait(page, "written") == len(trait(page, "pairs")) == 40
    page.get_by_role("button", name="Reset").click()
    assert trait(page, "pairs") == widget.pairs
    assert trait(page, "written") == 4


def test_by_keyboard_alone(show):
    page = show(explorer())
    page.evaluate("document.addEventListener('keydown', (e) => (window.bubbled = e.key))")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert trait(page, "written") == 5
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    assert trait(page, "size") == 3
    assert page.evaluate("window.bubbled") == "Tab"
    page.locator(".attn-answer").nth(2).focus()
    page.keyboard.press("Enter")
    assert trait(page, "asked") == 6
    focused = "document.activeElement.getAttribute('aria-pressed')"
    assert page.evaluate(focused) == "true", "the focus stays where it was"
    assert page.locator(".attn-gold").count() == page.locator(".attn-best").count() == 1


def test_every_answer_says_whether_it_is_right(show):
    widget = explorer(written=6, size=2)
    page = show(widget)
    for (key, value, read), node in zip(
        widget.answers, page.locator(".attn-answer").all(), strict=True
    ):
        outcome = "right" if read == value else f"wrong, {value} was written"
        assert node.get_attribute("aria-label") == f"{key} → {read}, {outcome}"


def test_a_tap_on_a_phone_in_the_dark(show):
    page = show(explorer(written=6), has_touch=True, is_mobile=True, width=360, theme="dark")
    page.locator(".attn-answer").nth(3).tap()
    assert trait(page, "asked") == 2
    assert overflow(page) <= 0


def test_two_views_follow_python_and_leave_nothing_behind(show):
    page = show(explorer(), views=2)
    set_trait(page, "written", 2)
    said = page.locator(".attn-readout").all_text_contents()
    assert said[0] == said[1]
    assert said[0].startswith("2 pairs written")
    page.evaluate("window.cleanups.forEach((end) => end())")
    assert page.evaluate("window.models[0].listeners.length") == 0
    assert page.locator(".attn-frame").count() == 0
