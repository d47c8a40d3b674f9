"""What follows a prediction stays veiled until the reader has guessed or skipped the guess."""

import pytest
from browsing import DRAWN, KEY, ONLY_HERE, REST, axe, find, mounted, open_side_roads, progress_of

CHAPTER = "03-alignment-scores"
PAGE = f"chapters/{CHAPTER}.html"

# readers can see or hear it: nothing around it is hidden or excluded from drawing
IS_VISIBLE = """(node) => node.checkVisibility({ contentVisibilityAuto: false,
  visibilityProperty: true }) && !node.closest("[hidden]")"""


def gate(view, number=0):
    return view.locator(".attn-gate").nth(number)


def prediction(view, number=0):
    key = gate(view, number).get_attribute("data-gate")
    return view.locator(f".attn-widget[data-question='{key}']")


def veil_of(view, number=0):
    """The first part behind the first veil."""
    key = gate(view, number).get_attribute("data-gate")
    return view.locator(f".attn-veil[data-veil~='{key}']").first


def shown(part) -> bool:
    return part.evaluate(IS_VISIBLE)


def alive(view) -> None:
    for place in view.locator(".attn-widget[data-question]").all():
        place.locator(".attn-first").wait_for(state="detached")


def entries(view) -> list[str]:
    """What the page's table of contents shows."""
    links = view.locator("#pst-page-toc-nav a").all()
    return [link.inner_text() for link in links if shown(link)]


def heard(view) -> str:
    """Everything that a screen reader can reach."""
    tree = view.session.send("Accessibility.getFullAXTree")["nodes"]
    names = [node.get("name", {}).get("value", "") for node in tree if not node["ignored"]]
    return "\n".join(map(str, names))


def guess(view, number=0):
    """Choose the first answer or move the slider, and commit, all with the keyboard."""
    place = prediction(view, number)
    place.locator("form").wait_for()
    field = place.locator("input").first
    field.focus()
    view.keyboard.press("Space" if field.get_attribute("type") == "radio" else "ArrowRight")
    place.get_by_role("button", name="See what was measured").press("Enter")
    return place


def of_chapter(view) -> dict:
    chapters = (progress_of(view) or {"chapters": {}})["chapters"]
    return chapters.get(CHAPTER, {"guesses": {}})


def skip(view) -> None:
    gate(view).get_by_role("button").click()


def comes_to(view, address: str) -> None:
    """Open an address as whoever comes from elsewhere does."""
    view.goto("about:blank")
    view.goto(address)


def test_every_prediction_of_every_chapter_has_a_gate_and_a_veil(parsed, page_name):
    soup = parsed[page_name]
    keys = [place["data-question"] for place in soup.select(".attn-widget[data-question]")]
    assert [place["data-gate"] for place in soup.select(".attn-gate")] == keys
    for key in keys:
        assert soup.select(f".attn-veil[data-veil~='{key}']")


def test_nothing_tells_before_the_guess(page):
    view = page(PAGE)
    view.wait_for_function("() => document.querySelector('.attn-veil').hidden === 'until-found'")
    hidden = view.locator(".attn-veil[hidden]").all()
    assert hidden
    words = heard(view)
    titles = entries(view)
    figures = 0
    for part in hidden:
        assert part.bounding_box()["height"] == 0
        for heading in part.locator("h2, h3").all():
            text = heading.evaluate("(node) => node.firstChild.textContent.trim()")
            assert text not in titles
            assert text not in words.split("\n")
        for drawing in part.locator("figure img, figure svg[aria-label]").all():
            alt = drawing.get_attribute("alt") or drawing.get_attribute("aria-label")
            assert alt not in words
            figures += 1
        for claim in part.locator(".attn-claim-sentence").all():
            assert claim.inner_text() == "" or not shown(claim)
    assert figures
    style = "(node) => [getComputedStyle(node).display, getComputedStyle(node).contentVisibility]"
    assert veil_of(view).evaluate(style) == ["flow-root", "hidden"]  # the browser can find it
    view.evaluate(
        """async () => {
          for (let y = 0; y < document.documentElement.scrollHeight; y += 300) {
            scrollTo({ top: y, behavior: "instant" });
            await new Promise((drawn) => requestAnimationFrame(drawn));
          }
        }"""
    )
    assert view.locator(".attn-veil[hidden]").count() == view.locator(".attn-veil").count() > 0
    assert view.messages == []


def test_headings_come_into_the_contents_with_the_guess(page):
    view = page("chapters/02-softmax.html", width=1600)  # a whole section follows a guess
    before = entries(view)
    on_road = "(all) => all.flatMap((one, at) => (one.closest('.attn-side') ? [] : [at]))"
    last = view.locator(".attn-gate").evaluate_all(on_road)[-1]
    guess(view, 0)
    view.locator(".attn-gate").nth(last).wait_for()
    guess(view, last)
    after = entries(view)
    assert len(after) > len(before)
    assert [entry for entry in after if entry in before] == before


def test_skip_opens_what_follows_and_can_be_undone(page):
    view = page(PAGE)
    alive(view)
    button = gate(view).get_by_role("button")
    assert button.inner_text() == "Skip the guess"
    button.press("Enter")
    assert shown(veil_of(view))
    assert gate(view).get_by_role("status").inner_text() == "What follows is open."
    assert button.evaluate("(node) => node === document.activeElement")
    assert of_chapter(view)["skipped"] == [gate(view).get_attribute("data-gate")]
    assert of_chapter(view)["guesses"] == {}
    assert button.inner_text() == "Veil the answer again"
    button.press("Space")
    assert not shown(veil_of(view))
    assert "skipped" not in of_chapter(view)
    button.press("Enter")
    guess(view)  # after a skip one may still guess
    assert shown(veil_of(view))
    assert "skipped" not in of_chapter(view)
    assert len(of_chapter(view)["guesses"]) == 1
    assert not gate(view).is_visible()


@pytest.mark.parametrize("act", [guess, skip])
def test_a_guess_once_it_is_committed_or_a_skip_opens_what_follows_and_reset_veils_it(page, act):
    view = page(PAGE)
    alive(view)
    prediction(view).get_by_role("radio").first.check()
    assert not shown(veil_of(view))
    assert of_chapter(view)["guesses"] == {}
    act(view)
    assert (shown(veil_of(view)), shown(veil_of(view, 1))) == (True, False)
    aloud = prediction(view).locator(".attn-aloud").filter(has_text="Measured")
    reset = prediction(view).get_by_role("button", name="Reset")
    if act is guess:
        assert reset.evaluate("(node) => node === document.activeElement")
        assert not gate(view).is_visible()
        aloud.wait_for()
    reset.click()
    aloud.wait_for(state="detached")
    assert not shown(veil_of(view))
    assert gate(view).get_by_text("What follows is veiled").is_visible()
    view.reload()
    assert not shown(veil_of(view))


@pytest.mark.parametrize("act", [guess, skip])
def test_it_is_remembered_before_any_other_script_runs(page, act):
    view = page(PAGE)
    act(view)
    for name in ("host", "progress", "veil", "book"):
        view.route(f"**/{name}.js*", lambda route: route.abort())
    view.reload(wait_until="domcontentloaded")
    assert (shown(veil_of(view)), shown(veil_of(view, 1))) == (True, False)
    words = "You skipped this guess." if act is skip else ""
    assert gate(view).inner_text().split("\n")[0].strip() == words


# At every frame a window writes what it knows, until it hears of the erasure.
STILL_WRITING = """
let isErased = false;
new BroadcastChannel("KEY").addEventListener("message", () => { isErased = true; });
window.writeOn = () => {
  const known = localStorage.getItem("KEY");
  const write = () => {
    if (isErased) return;
    localStorage.setItem("KEY", known);
    requestAnimationFrame(write);
  };
  write();
};""".replace("KEY", KEY)


@pytest.mark.parametrize("busy", [False, True])
def test_erasing_all_progress_in_another_window_veils_again(page, site, busy):
    view = page("about:blank")
    view.add_init_script(STILL_WRITING)
    view.goto(f"{site}/{PAGE}")
    guess(view)
    if busy:
        view.evaluate("writeOn()")
    board = view.context.new_page()
    board.goto(f"{site}/book/your-progress.html")
    board.once("dialog", lambda dialog: dialog.accept())
    board.get_by_role("button", name="Erase everything").click()
    gate(view).get_by_text("What follows is veiled").wait_for()
    assert not shown(veil_of(view))
    prediction(view).get_by_text("Your guess").last.wait_for(state="hidden")
    view.reload()
    assert not shown(veil_of(view))
    assert view.messages == []


@pytest.mark.parametrize("chapter", ["01-fixed-context", CHAPTER, "05-reading-dates"])
def test_without_javascript_everything_is_open(page, chapter):
    view = page(f"chapters/{chapter}.html", java_script_enabled=False)
    open_side_roads(view)
    assert all(part.evaluate(DRAWN) for part in view.locator(".attn-veil").all())
    for place in view.locator(".attn-gate").all():
        assert place.inner_text().strip() == "The answer follows."


# ---- whoever comes by a link


def veiled_anchor(view) -> str:
    """A claim behind a veil, as the page of all claims leads to it."""
    return view.locator(".attn-veil .attn-claim[id]").first.get_attribute("id")


def is_led_to(view, place) -> None:
    place.get_by_text("What you are looking for is veiled.").wait_for()
    view.evaluate(REST)  # the browser itself scrolls to the place more than once
    assert place.evaluate("(node) => node === document.activeElement")
    box = place.bounding_box()
    assert 0 <= box["y"] <= 800
    assert view.locator(".attn-veil:not([hidden])").count() == 0


@pytest.mark.parametrize("route", ["address", "claims", "hash", "click"])
def test_a_link_into_a_veil_leads_to_the_guess_and_skip_leads_on(page, site, route):
    view = page(PAGE)
    anchor = veiled_anchor(view)
    if route == "address":
        comes_to(view, f"{site}/{PAGE}#{anchor}")
    elif route == "claims":
        view.goto(f"{site}/book/claims.html")
        view.get_by_role("searchbox", name="Only claims with").fill("n")  # unfolds all of them
        view.locator(f"a[href$='{PAGE}#{anchor}']").first.click()
    elif route == "hash":
        view.evaluate("(anchor) => { location.hash = anchor; }", anchor)
    else:
        view.evaluate(
            """(anchor) => {
              const link = Object.assign(document.createElement("a"), { href: `#${anchor}` });
              link.textContent = "there";
              document.querySelector("article h1").after(link);
            }""",
            anchor,
        )
        view.get_by_role("link", name="there").click()
    view.wait_for_load_state("load")
    is_led_to(view, gate(view))
    view.keyboard.press("Tab")
    view.keyboard.press("Enter")
    target = view.locator(f"#{anchor}")
    assert shown(target)
    view.wait_for_function(
        "(id) => Math.abs(document.getElementById(id).getBoundingClientRect().top) < 400",
        arg=anchor,
    )
    assert view.messages == []


def test_whoever_is_led_to_a_guess_and_makes_it_reads_on_from_there(page, site):
    view = page(PAGE)
    anchor = veiled_anchor(view)
    comes_to(view, f"{site}/{PAGE}#{anchor}")
    alive(view)
    is_led_to(view, gate(view))
    guess(view)
    assert shown(view.locator(f"#{anchor}"))
    assert not gate(view).is_visible()
    view.evaluate(REST)
    outcome = prediction(view).locator(".attn-outcome").bounding_box()
    assert 0 <= outcome["y"] <= 800


def test_what_the_browser_finds_behind_a_veil_stays_there(page):
    view = page(PAGE)
    mounted(view)
    veil = next(one for one in view.locator(".attn-veil").all() if one.evaluate(ONLY_HERE))
    find(view, veil.evaluate(ONLY_HERE)[0])
    is_led_to(view, view.locator(f"[data-gate='{veil.get_attribute('data-veil').split()[0]}']"))


def test_one_veil_behind_another_opens_with_both(page):
    view = page("chapters/01-fixed-context.html")
    both = view.locator(".attn-veil[data-veil*=' ']").first
    if both.count() == 0:
        pytest.skip("no veils overlap in this chapter")
    keys = both.get_attribute("data-veil").split()
    first, second = (view.locator(f"[data-gate='{key}']") for key in keys)
    assert not shown(second)
    first.get_by_role("button").click()
    assert (shown(second), shown(both)) == (True, False)
    second.get_by_role("button").click()
    assert shown(both)


def test_where_widgets_fail_skip_still_opens(page, site):
    view = page("about:blank")
    view.route("**/host.js*", lambda route: route.abort())
    view.goto(f"{site}/{PAGE}")
    skip(view)
    assert shown(veil_of(view))


def test_the_search_shows_no_veiled_heading_and_finds_its_page(page, site):
    view = page("chapters/05-reading-dates.html")
    heading = view.locator(".attn-veil :is(h2, h3)").first
    words = heading.evaluate("(node) => node.firstChild.textContent.trim()")
    view.goto(f"{site}/search.html?q={words.replace(' ', '+').replace('?', '')}")
    results = view.locator("#search-results li a")
    results.first.wait_for()
    texts = results.all_inner_texts()
    assert words not in texts
    assert any("Reading dates" in text for text in texts)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_axe_finds_nothing_before_the_guess_and_a_finger_skips_it(page, width, scheme):
    """After it, the page is as `test_site` sees it, at the same widths and in the same colours."""
    is_phone = width == 360
    view = page(PAGE, width=width, scheme=scheme, has_touch=is_phone, is_mobile=is_phone)
    alive(view)
    assert view.evaluate("document.documentElement.scrollWidth") <= width
    assert axe(view) == []
    if is_phone:
        button = gate(view).get_by_role("button")
        assert button.bounding_box()["height"] >= 44
        button.tap()
        assert shown(veil_of(view))
