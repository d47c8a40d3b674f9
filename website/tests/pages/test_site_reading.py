"""A chapter on its page: how long it is, which code stands open, and how claims unfold."""

import json
import re

import pytest
from browsing import LAY_OUT, unveil
from listing import CHAPTERS, ROOT, WRITTEN
from sweeps import every

OPEN_CELLS = 20  # as many as the chapter that writes a language model has
MINUTES = 65  # with all side roads

every_chapter = pytest.mark.parametrize("name", WRITTEN)


def code_cells(name: str) -> list[dict]:
    notebook = json.loads((ROOT / f"{name}.ipynb").read_text("utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def source(cell: dict) -> str:
    return "".join(cell["source"])


@every_chapter
def test_the_cells_that_stand_open_are_those_that_teach(parsed, name):
    page = parsed[f"{name}.html"]
    assert 0 < len(page.select(".cell:not(.attn-side *) > .cell_input")) <= OPEN_CELLS
    for code in page.select(".cell > .cell_input"):
        assert not re.search(r"^(claim|plots\.\w+)\(", code.get_text(), re.M)


@every_chapter
def test_a_chapter_says_its_minutes_and_has_few_enough(parsed, name):
    kicker = parsed[f"{name}.html"].select_one(".attn-kicker").get_text()
    match = re.fullmatch(
        r"\w+ \w+ · (\d+) minutes(?: · (\d+) with all side roads)?, without exercises", kicker
    )
    assert 5 < int(match[1]) <= int(match[2] or match[1]) <= MINUTES


@every_chapter
def test_an_exercise_shows_its_task_its_solution_and_where_to_work_on_it(parsed, name):
    page = parsed[f"{name}.html"]
    stubs = [cell for cell in code_cells(name) if ".check(" in source(cell)]
    assert len(page.select(".attn-to-do")) == len(stubs) >= 4
    assert not page.select(".attn-verdict-not-attempted")
    efforts = page.select("h3 + .attn-effort")
    assert len(efforts) == len(stubs) == len(page.select(".attn-effort"))
    pattern = re.compile(r"About \d+ minutes, (warm-up|moderate|hard)\.")
    assert all(pattern.fullmatch(effort.get_text()) for effort in efforts)
    solutions = [fold for fold in page.select("details") if "A solution" in fold.summary.get_text()]
    assert len(solutions) == len(stubs)


@pytest.mark.parametrize("javascript", [True, False])
def test_measured_opens_to_condition_code_and_the_page_of_claims(page, javascript):
    view = page(f"{CHAPTERS[1]}.html", java_script_enabled=javascript)
    if javascript:
        unveil(view)
        view.evaluate(LAY_OUT)
    claim = view.locator(".attn-claim").first
    inside = claim.locator("pre")
    assert not inside.is_visible()
    summary = claim.locator("summary")
    assert summary.inner_text().partition(",")[0] in ("Measured", "Calculated")
    summary.focus()
    view.keyboard.press("Enter")
    assert inside.is_visible()
    assert "claim(" in inside.inner_text()
    assert "It must hold that" in claim.inner_text()
    claim.get_by_role("link", name="Among all claims").click()
    view.wait_for_url("**/book/claims.html#*")
    place = re.search(r"#(.+)", view.url)[1]
    assert view.locator(f"[id='{place}']").count() == 1


def settles(view, wrong: str) -> None:
    """Wait until nothing is wrong."""
    view.wait_for_function(f"() => ({wrong})() === 0")


def test_only_what_scrolls_sideways_is_a_stop_for_the_keyboard(page):
    view = page(f"{CHAPTERS[1]}.html", width=360)
    wrong = """() => [...document.querySelectorAll('pre')]
        .filter((box) => box.checkVisibility({ contentVisibilityAuto: true }))
        .filter((box) => (box.scrollWidth > box.clientWidth) !== (box.tabIndex === 0)).length"""
    settles(view, wrong)
    fold = view.locator("details:has(> pre):not([open])").first
    fold.locator("summary").click()
    settles(view, wrong)
    assert view.locator("pre[tabindex='0']").count() > 0


def test_all_parts_together_are_as_high_as_estimated_when_a_page_opens(page):
    heights = """() => {
        document.documentElement.setAttribute('data-whole', '')
        return [...document.querySelectorAll('.attn-part')]
            .filter((part) => !part.closest('.attn-veil[hidden]'))
            .map((part) => [part.style.getPropertyValue('--attn-tall'), part.offsetHeight])
    }"""
    for chapter in every(4, CHAPTERS):
        view = page(f"{chapter}.html")
        for width, more in ((1280, 1), (412, 1.2)):
            view.set_viewport_size({"width": width, "height": 800})
            estimated, real = zip(*view.evaluate(heights), strict=True)
            assert more * sum(map(int, estimated)) == pytest.approx(sum(real), rel=0.25), chapter
        view.goto("about:blank")


def test_a_part_is_laid_out_when_it_comes_near_but_at_once_for_a_place_on_the_page(page):
    skipped = """[...document.querySelectorAll('.attn-part > p')]
        .filter((text) => !text.checkVisibility({ contentVisibilityAuto: true })).length"""
    name = f"{CHAPTERS[1]}.html"
    view = page(name, width=360)
    assert view.evaluate(skipped) > 20
    unveil(view)
    place = view.locator(".attn-claim").last.get_attribute("id")
    view.goto("about:blank")
    view.go_back()
    assert view.evaluate(skipped) == 0
    other = page(name, width=360)
    unveil(other)
    other.goto("about:blank")
    other.goto(f"{view.url}#{place}")
    assert other.evaluate(skipped) == 0
