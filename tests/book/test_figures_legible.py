"""Figures, diagrams and the table of names on a phone: large enough letters, whole words."""

from browsing import LAY_OUT, unveil

PHONE = {"width": 360, "is_mobile": True, "has_touch": True}
# of each figure, the letters below 11 pixels; test_widgets_legible_browser.py has the widgets'
TOO_SMALL = """() => [...document.querySelectorAll(".attn-figure svg :is(text, tspan)")]
  .filter((node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
  .map((node) => [node, node.getScreenCTM(), parseFloat(getComputedStyle(node).fontSize)])
  .map(([node, { a, b }, size]) => [Math.hypot(a, b) * size, node])
  .filter(([size]) => size < 10.99)
  .map(([size, node]) => [size, node.textContent, node.ownerSVGElement.ariaLabel])"""


def test_no_letter_of_a_figure_is_too_small(page, page_name):
    view = page(page_name, **PHONE)
    unveil(view)
    view.evaluate(LAY_OUT)
    assert view.evaluate(TOO_SMALL) == []


def test_no_name_in_the_table_of_symbols_is_broken(page):
    view = page("book/notation.html", **PHONE)
    names = view.locator("#symbols td code")
    assert names.count() > 10
    lines = names.evaluate_all("all => all.map((one) => one.getClientRects().length)")
    assert lines == [1] * len(lines)
    assert (
        view.locator("#symbols table").evaluate("(one) => one.getBoundingClientRect().right") < 345
    )
