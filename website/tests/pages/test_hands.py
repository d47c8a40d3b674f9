"""Pages in the hands of their readers: fingers, copies, translations, other colours."""

import re

import pytest
from browsing import LAY_OUT, NEARBY, REST, mounted, opened, unveil, with_widgets

PHONE = {"width": 360, "has_touch": True, "is_mobile": True}
CLIPBOARD = ["clipboard-read", "clipboard-write"]
CHAPTER = "chapters/05-reading-dates.html"


SLIDERS = """() => [...document.querySelectorAll(".attn-widget input[type=range]")]
  .filter((one) => one.offsetWidth > 20 && !one.disabled)"""
STATE = """(one) => {
  const frame = one.closest(".attn-frame");
  return [one.value, one.getAttribute("aria-valuetext"), frame.innerText];
}"""


def swipe(view, x: float, y: float, up: float) -> None:
    """Scroll with a finger that comes down here."""
    cdp = view.session
    touch = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    cdp.send("Input.dispatchTouchEvent", touch)
    for step in range(1, 11):
        point = {"x": x, "y": y - up * step / 10}
        cdp.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.fixture(scope="module")
def phone(browser, site, page_name):
    """A page on a phone, which one test alone may change, and its fields as they were before."""
    with opened(browser, f"{site}/{page_name}", reduced_motion="reduce", **PHONE) as view:
        mounted(view)
        unveil(view)
        yield view, view.evaluate(FIELDS)


def test_a_finger_that_scrolls_moves_no_slider(phone, parsed, page_name):
    with_widgets(parsed, page_name)
    view, _ = phone
    view.evaluate(LAY_OUT)
    sliders = view.evaluate_handle(SLIDERS)
    count = sliders.evaluate("(all) => all.length")
    for number in range(count):
        slider = sliders.evaluate_handle("(all, n) => all[n]", number).as_element()
        slider.evaluate("(one) => one.scrollIntoView({ block: 'center', behavior: 'instant' })")
        view.evaluate(REST)
        before, top = slider.evaluate(STATE), view.evaluate("scrollY")
        box = slider.bounding_box()
        place = float(slider.evaluate("(o) => (o.value - o.min) / (o.max - o.min)"))
        away = 0.1 if place > 0.5 else 0.9  # from where the slider is
        swipe(view, box["x"] + away * box["width"], box["y"] + box["height"] / 2, 160)
        view.wait_for_function("(top) => Math.abs(scrollY - top) > 40", arg=top)
        view.evaluate(REST)
        assert slider.evaluate(STATE) == before, number


def test_a_finger_that_goes_along_still_moves_a_slider(page):
    view = page("chapters/02-softmax.html", **PHONE)
    mounted(view)
    unveil(view)
    slider = view.get_by_role("slider", name=re.compile("^Score of ")).first
    slider.evaluate("(one) => one.scrollIntoView({ block: 'center', behavior: 'instant' })")
    view.evaluate(REST)
    before, box = slider.input_value(), slider.bounding_box()
    cdp = view.session
    y = box["y"] + box["height"] / 2
    for kind, share in (("touchStart", 0.5), ("touchMove", 0.6), ("touchMove", 0.9)):
        points = [{"x": box["x"] + share * box["width"], "y": y}]
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    view.wait_for_function(
        "([one, before]) => one.value !== before", arg=[slider.element_handle(), before]
    )


# what a browser on a phone would correct, or zoom in on
FIELDS = """() => [...document.querySelectorAll("input, select, textarea")]
  .filter((one) => !["range", "checkbox", "radio", "file", "hidden"].includes(one.type))
  .filter((one) => !one.closest(".attn-first"))
  .map((one) => [one.outerHTML.slice(0, 120), parseFloat(getComputedStyle(one).fontSize),
    one.matches(".attn-frame input[type=text]") && one.outerHTML])"""


def test_a_phone_neither_zooms_in_on_a_field_nor_corrects_it(phone):
    for what, size, typed in phone[1]:
        assert size >= 16, what
        if typed:
            for words in ('autocorrect="off"', 'autocapitalize="none"', 'spellcheck="false"'):
                assert words in typed


def test_a_finger_finds_the_button_that_copies_in_folds_too(page):
    view = page("chapters/02-softmax.html", permissions=CLIPBOARD, **PHONE)
    mounted(view)
    unveil(view)
    view.evaluate(LAY_OUT)
    button = view.locator(".highlight button.copybtn").first
    assert button.evaluate("(one) => getComputedStyle(one).opacity") == "1"
    fold = view.locator("details.attn-code").first
    fold.locator("summary").tap()
    copy = fold.locator("button.copybtn").first
    view.wait_for_function(  # it comes slowly
        "(one) => getComputedStyle(one).opacity === '1'", arg=copy.element_handle()
    )
    code, box = fold.locator("pre").first.bounding_box(), copy.bounding_box()
    assert code["y"] <= box["y"] < box["y"] + box["height"] <= code["y"] + code["height"] + 1
    assert code["x"] <= box["x"] < box["x"] + box["width"] <= code["x"] + code["width"]
    copy.tap()
    copied = view.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == fold.locator("pre").first.inner_text().strip()


# ---- a formula is copied as TeX


def copied(view, script: str) -> str:
    """What is copied of what a script selects, its argument being the page's selection."""
    view.evaluate(f"({script})(getSelection())")
    view.keyboard.press("Control+c")
    return view.evaluate("navigator.clipboard.readText()")


def test_a_formula_is_copied_as_tex(page):
    view = page("chapters/03-alignment-scores.html", permissions=CLIPBOARD)
    mounted(view)
    view.evaluate(LAY_OUT)
    inline = "[...document.querySelectorAll('p .katex')].find((one) => one.dataset.tex)"
    tex = view.evaluate(f"{inline}.dataset.tex")
    whole = copied(view, f"(s) => s.selectAllChildren({inline}.closest('p'))")
    words = view.evaluate(f"{inline}.closest('p').firstChild.textContent").split()
    assert f"${tex}$" in whole
    assert " ".join(words) in whole.replace("\n", " ")
    assert not re.search(r"^\w$", whole, re.M), "no letter on a line of its own"
    part = f"(s) => s.selectAllChildren({inline}.querySelector('.katex-html .mord'))"
    assert copied(view, part).strip() == f"${tex}$"
    displayed = "document.querySelector('div.math .katex')"
    block = view.evaluate(f"{displayed}.dataset.tex")
    assert copied(view, f"(s) => s.selectAllChildren({displayed})").strip() == f"$${block}$$"
    letter = "[...document.querySelectorAll('p .katex')].find((one) => !one.dataset.tex)"
    text = view.evaluate(f"{letter}.querySelector('math').textContent")
    assert copied(view, f"(s) => s.selectAllChildren({letter})").strip() == f"${text}$"
    first = "document.querySelector('article p').firstChild"
    assert "$" not in copied(view, f"(s) => s.selectAllChildren({first}.parentElement)")


# ---- forced colours and darkening extensions


def test_no_extension_darkens_what_is_dark_by_itself(parsed, page_name):
    assert parsed[page_name].find("meta", attrs={"name": "darkreader-lock"})


@pytest.mark.parametrize("chosen", ["light", "dark"])
@pytest.mark.parametrize("system", ["light", "dark"])
def test_where_colours_are_forced_the_reader_s_own_choice_gives_way(page, site, system, chosen):
    view = page(NEARBY, scheme=system, forced_colors="active")
    view.evaluate("(mode) => localStorage.setItem('mode', mode)", chosen)
    view.goto(f"{site}/{CHAPTER}")
    mounted(view)
    assert view.evaluate("document.documentElement.dataset.theme") == system
    assert not view.locator(".attn-colours:visible").count()
    view.emulate_media(forced_colors="none")
    view.wait_for_function("(mode) => document.documentElement.dataset.theme === mode", arg=chosen)


# ---- the page of claims

# Waits until the page is where it was, but not forever: where it is then, its height, the visits.
COME_BACK = """async (top) => {
  for (let frames = 0; frames < 600 && Math.abs(scrollY - top) > 2; frames++) {
    await new Promise((drawn) => requestAnimationFrame(drawn));
  }
  return [scrollY, document.documentElement.scrollHeight, history.length];
}"""


def test_who_comes_back_to_the_claims_finds_those_that_were_chosen(page):
    view = page("book/claims.html")
    visits = view.evaluate("history.length")
    entries = view.locator(".attn-claims > li:visible")
    everything = view.locator(".attn-claims > li").count()
    view.get_by_role("searchbox", name="Only claims with").fill("seeds")
    chosen = entries.all_inner_texts()
    assert 2 < len(chosen) < everything
    length = view.evaluate("document.documentElement.scrollHeight")
    view.wait_for_function("() => document.querySelector('.attn-claims-count').textContent")
    assert view.evaluate("document.documentElement.scrollHeight") == length, "nothing moves"
    link = view.locator(".attn-claims-link:visible").nth(len(chosen) - 2)
    link.evaluate("(one) => one.scrollIntoView({ block: 'center' })")
    view.evaluate(REST)
    top = view.evaluate("scrollY")
    link.evaluate("(one) => one.click()")
    view.wait_for_url("**/chapters/*")
    view.go_back()
    view.wait_for_load_state()
    assert view.get_by_role("searchbox", name="Only claims with").input_value() == "seeds"
    assert entries.all_inner_texts() == chosen
    assert view.evaluate(COME_BACK, top) == [pytest.approx(top, abs=2), length, visits + 1]


def test_what_is_typed_before_the_scripts_have_come_chooses_claims(page, site):
    view = page("about:blank")
    routes = []
    view.route("**/book.js*", lambda route: routes.append(route))
    with view.expect_request("**/book.js*"):
        view.goto(f"{site}/book/claims.html", wait_until="commit")
    field = view.get_by_role("searchbox", name="Only claims with")
    field.fill("seeds")
    for route in routes:
        route.continue_()
    view.wait_for_load_state()
    assert field.input_value() == "seeds"
    entries = view.locator(".attn-claims > li")
    assert 2 < view.locator(".attn-claims > li:visible").count() < entries.count()
