"""The score explorer in a real browser: by pointer, finger and keyboard, and against torch."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from browsing import drag

from attn_book.commands.widgets_harness import by_the_clock, overflow, set_trait, trait
from attn_course.alignment import SCORES
from attn_course.context import attend
from attn_course.models.bahdanau import make_score
from attn_course.views.widgets.score_explorer import ScoreExplorer

KEYS = [[2.0, 1.0], [-1.0, 2.0], [0.0, -2.0], [-2.0, -0.5]]
HIDDEN, LONGEST = 5, 7


def scores_of(seed=0):
    torch.manual_seed(seed)
    return {name: make_score(name, 2, 2, HIDDEN, LONGEST) for name in SCORES}


def explorer(seed=0, **traits):
    given = {"keys": KEYS, "query": [1.0, 1.0]} | traits
    return ScoreExplorer(
        {
            name: {part: array.numpy() for part, array in score.state_dict().items()}
            for name, score in scores_of(seed).items()
        },
        **given,
    )


ATTEND = """async ([name, query, keys, parts, factor]) => {
  const { attendWith } = await import("./widgets/shared/score_functions.js");
  return attendWith(name, query, keys, parts, factor);
}"""


def test_scores_weights_and_context_are_those_of_python(show):
    widget = explorer()
    page = show(widget)
    rng = np.random.default_rng(0)
    for source in (2, 3, 5):
        queries, keys = rng.normal(size=(3, 2)), rng.normal(size=(source, 2))
        for name, score in scores_of().items():
            with torch.no_grad():
                one = [torch.tensor(part[None], dtype=torch.float32) for part in (queries, keys)]
                context, weights = attend(one[0], one[1], one[1], score)
                scores = score(*one)
            for i, query in enumerate(queries):
                inputs = [name, query.tolist(), keys.tolist(), widget.matrices[name], 1]
                found = page.evaluate(ATTEND, inputs)
                np.testing.assert_allclose(found["scores"], scores[0, i], atol=1e-5)
                np.testing.assert_allclose(found["weights"], weights[0, i], atol=1e-5)
                np.testing.assert_allclose(found["context"], context[0, i], atol=1e-5)


def test_the_factor_multiplies_the_cosine_alone(show):
    widget = explorer()
    page = show(widget)
    for name in SCORES:
        inputs = [name, [1.0, 0.5], KEYS, widget.matrices[name]]
        once, seven = (page.evaluate(ATTEND, [*inputs, factor])["scores"] for factor in (1, 7))
        expected = 7 * np.array(once) if name == "cosine" else once
        np.testing.assert_allclose(seven, expected, atol=1e-12)


ROW = re.compile(r"^\| ([a-z ]+) \| (.*) \| .* \|$", re.M)
SIGNS = {"$": "", "\\cdot": "·", "\\tanh": "tanh", "\\cos": "cos", "\\sqrt{d}": "√d"}


def test_formulas_are_those_of_the_notation(show):
    page = show(explorer())
    notation = (Path(__file__).parents[3] / "book/notation.md").read_text(encoding="utf-8")
    formulas = dict(ROW.findall(notation.partition("\n| name | score |")[2]))
    assert formulas.keys() == {name.replace("_", " ") for name in SCORES}
    for name, formula in formulas.items():
        for sign, shown in SIGNS.items():
            formula = formula.replace(sign, shown)
        inside = page.locator(".attn-card", has=card(page, name)).locator(".attn-formula")
        plain = formula.replace("_", "").replace(" ", "")
        assert inside.text_content().replace(" ", "") == plain
        letters = set(inside.locator("i").all_text_contents())
        assert letters == set(re.findall(r"(?<![a-zA-Z])[a-zA-Z](?![a-zA-Z])", formula))
    below = re.findall(r"_(\w)", "".join(formulas[name.replace("_", " ")] for name in SCORES))
    assert page.locator(".attn-formula sub").all_text_contents() == below


def handle(page, name):
    return page.locator(f'.attn-handle[data-name="{name}"]')


def words(page):
    return page.locator(".attn-readout").text_content()


def card(page, name):
    return page.get_by_role("button", name=re.compile(f"^{name}: "))


def test_arrow_keys_move_and_it_says_what_stayed(show):
    page = show(explorer(selected="dot"))
    handle(page, "query").focus()
    before = {name: card(page, name).get_attribute("aria-label") for name in ("stacked", "dot")}
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    assert trait(page, "query") == [1.1, 2.0]
    assert "The query is at (1.1, 2.0)." in words(page)
    assert "No weight has changed under stacked." in words(page)
    assert card(page, "stacked").get_attribute("aria-label") == before["stacked"]
    assert card(page, "dot").get_attribute("aria-label") != before["dot"]
    handle(page, "key 2").focus()
    page.keyboard.press("ArrowLeft")
    assert trait(page, "key_points")[1] == [-1.1, 2.0]
    assert "No weight has changed under location." in words(page)


def test_nothing_leaves_the_plane(show):
    page = show(explorer())
    handle(page, "query").focus()
    for _ in range(5):
        page.keyboard.press("Shift+ArrowLeft")
    assert trait(page, "query") == [-3.0, 1.0]


@pytest.mark.parametrize("finger", [False, True])
def test_a_key_can_be_dragged(show, finger):
    page = show(explorer(), width=360, has_touch=finger)
    drag(page, handle(page, "key 1"), finger)
    right, up = trait(page, "key_points")[0]
    assert right < 1.5
    assert up < 0.8
    assert "Key 1 is at" in words(page)


def test_a_card_chooses_what_the_plane_shows(show):
    page = show(explorer())
    before = page.locator(".attn-plane .attn-context").get_attribute("transform")
    card(page, "cosine").click()
    assert trait(page, "selected") == "cosine"
    assert card(page, "cosine").get_attribute("aria-pressed") == "true"
    assert page.locator(".attn-plane .attn-context").get_attribute("transform") != before


def test_the_factor_sharpens_and_reset_takes_all_back(show):
    page = show(explorer(selected="cosine"))
    start = card(page, "cosine").get_attribute("aria-label")
    slider = page.get_by_role("slider")
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert trait(page, "factor") == 5
    assert card(page, "cosine").get_attribute("aria-label") != start
    handle(page, "key 3").focus()
    page.keyboard.press("ArrowUp")
    page.get_by_role("button", name="Reset").click()
    assert (trait(page, "factor"), trait(page, "key_points")) == (1, KEYS)
    assert card(page, "cosine").get_attribute("aria-label") == start


def test_two_views_and_python_stay_together_and_one_can_go(show):
    page = show(explorer(), views=2)
    set_trait(page, "query", [-2.0, 0.5])
    labels = page.locator('.attn-handle[data-name="query"]').evaluate_all(
        "nodes => nodes.map((node) => node.getAttribute('aria-label'))"
    )
    assert labels == ["Query at (−2.0, 0.5)"] * 2
    page.evaluate("window.cleanups[0]()")
    assert page.locator(".attn-frame").count() == 1
    set_trait(page, "query", [1.0, 0.5])
    assert "(1.0, 0.5)" in page.locator('.attn-handle[data-name="query"]').get_attribute(
        "aria-label"
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_narrow_page(show, theme):
    page = show(explorer(), width=360, theme=theme)
    assert overflow(page) <= 0
    cut = page.locator(".attn-weight, .attn-score").evaluate_all(
        "nodes => nodes.filter((node) => node.scrollWidth > node.clientWidth + 1).length"
    )
    assert cut == 0


def test_keys_that_it_uses_do_not_reach_the_notebook(show):
    page = show(explorer())
    page.evaluate(
        "window.heard = []; document.addEventListener('keydown', (e) => window.heard.push(e.key))"
    )
    handle(page, "query").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("window.heard") == []


# ---- side by side, and numbered


def test_plane_and_all_cards_are_in_one_screen(show):
    page = show(explorer(), width=1280)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.add_style_tag(content="html { font-size: 16px }")  # larger letters take more than a screen
    boxes = {
        name: page.locator(name).evaluate_all(
            "nodes => nodes.map((node) => node.getBoundingClientRect().toJSON())"
        )
        for name in (".attn-plane", ".attn-card", ".attn-readout")
    }
    assert len(boxes[".attn-card"]) == len(SCORES)
    assert all(box["bottom"] <= 900 for kind in boxes.values() for box in kind)
    assert all(box["left"] > boxes[".attn-plane"][0]["right"] for box in boxes[".attn-card"])


def test_keys_are_numbered_in_each_card_and_no_number_touches_another(show):
    for width in (360, 1280):
        page = show(explorer(), width=width)
        numbers = page.locator(".attn-card").evaluate_all(
            "all => all.map((one) => [...one.querySelectorAll('.attn-key-name')].map("
            "(node) => node.textContent))"
        )
        assert numbers == [[str(j + 1) for j in range(len(KEYS))]] * len(SCORES)
        # a text is as wide as its letters; its cell may be narrower
        ends = page.locator(".attn-score").evaluate_all(
            """nodes => nodes.map((node) => {
              const range = document.createRange();
              range.selectNodeContents(node);
              const { left, right, top } = range.getBoundingClientRect();
              return [Math.round(top), left, right];
            })"""
        )
        for (top, _, right), (other, left, _) in itertools.pairwise(ends):
            assert top != other or left - right > 1


# ---- the query goes round


def go_round(page):
    return page.get_by_role("button", name="Send the query round")


def test_the_query_goes_once_round_and_it_says_what_never_changed(show):
    page = show(explorer(selected="dot"))
    by_the_clock(page)
    page.evaluate(
        "window.been = [];"
        "window.models[0].on('change:query', () => been.push(window.models[0].get('query')))"
    )
    start = trait(page, "query")
    go_round(page).click()
    page.clock.run_for(60_000)
    assert words(page).startswith("The query went")
    been = np.array(page.evaluate("window.been"))
    far = np.linalg.norm(start)
    np.testing.assert_allclose(np.linalg.norm(been, axis=1), far, atol=0.02)
    assert all((been[:, axis] < -0.9 * far).any() for axis in (0, 1))
    np.testing.assert_allclose(been[-1], start, atol=0.02)
    assert words(page) == "The query went once round. No weight has changed under stacked."
    assert go_round(page).count() == 1


def test_it_pauses_goes_on_and_gives_way_to_a_hand(show):
    page = show(explorer())
    start = trait(page, "query")
    by_the_clock(page)
    go_round(page).click()
    page.clock.run_for(1000)
    page.get_by_role("button", name="Pause").click()
    held = trait(page, "query")
    assert held != start
    page.clock.run_for(1000)
    assert trait(page, "query") == held
    go_round(page).click()
    page.clock.run_for(1000)
    assert trait(page, "query") != held
    set_trait(page, "query", [2.0, -1.0])
    page.clock.run_for(1000)
    assert go_round(page).is_visible()
    assert trait(page, "query") == [2.0, -1.0]
    go_round(page).click()
    page.clock.run_for(1000)
    page.evaluate("window.cleanups.forEach((end) => end())")
    held = trait(page, "query")
    page.clock.run_for(1000)
    assert trait(page, "query") == held


def test_nothing_goes_round_where_motion_is_unwelcome(show):
    page = show(explorer(), reduced_motion="reduce")
    assert go_round(page).count() == 0
