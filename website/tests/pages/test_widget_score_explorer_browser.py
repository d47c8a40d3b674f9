"""The score explorer in a real browser: by pointer, finger and keyboard."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from browsing import drag, of_each
from walking import walk

from attn_book.commands.widgets_harness import by_the_clock, trait
from attn_course.alignment import SCORES
from attn_course.models.decoder import make_score
from attn_course.views.widgets.score_explorer import ScoreExplorer

KEYS = [[2.0, 1.0], [-1.0, 2.0], [0.0, -2.0], [-2.0, -0.5]]
HIDDEN, LONGEST = 5, 7


def scores_of(seed=0):
    torch.manual_seed(seed)
    return {name: make_score(name, 2, 2, HIDDEN, LONGEST) for name in SCORES}


def explorer(seed=0, **traits):
    options = {"keys": KEYS, "query": [1.0, 1.0]} | traits
    return ScoreExplorer(
        {
            name: {part: array.numpy() for part, array in score.state_dict().items()}
            for name, score in scores_of(seed).items()
        },
        **options,
    )


ROW = re.compile(r"^\| ([a-z ]+) \| (.*) \| .* \|$", re.M)
SIGNS = {"$": "", "\\cdot": "·", "\\tanh": "tanh", "\\cos": "cos", "\\sqrt{d}": "√d"}


def test_formulas_are_those_of_the_notation(show):
    page = show(explorer())
    notation = (Path(__file__).parents[3] / "book/notation.md").read_text(encoding="utf-8")
    formulas = dict(ROW.findall(notation.partition("\n| name | score |")[2]))
    assert formulas.keys() == {name.replace("_", " ") for name in SCORES}
    for name, formula in formulas.items():
        for sign, letter in SIGNS.items():
            formula = formula.replace(sign, letter)
        inside = page.locator(".attn-card", has=card(page, name)).locator(".attn-formula")
        plain = formula.replace("_", "").replace(" ", "")
        assert inside.text_content().replace(" ", "") == plain
        letters = set(inside.locator("i").all_text_contents())
        assert letters == set(re.findall(r"(?<![a-zA-Z])[a-zA-Z](?![a-zA-Z])", formula))
    below = re.findall(r"_(\w)", "".join(formulas[name.replace("_", " ")] for name in SCORES))
    assert page.locator(".attn-formula sub").all_text_contents() == below


PARTS = {
    "query_handle": '.attn-handle[data-name="query"]',
    "where": '.attn-handle[data-name="query"] @aria-label',
    "key_handle": '.attn-handle[data-name="key 2"]',
    "pressed": ".attn-name[aria-pressed=true] @aria-label",
}


def card(page, name):
    return page.get_by_role("button", name=re.compile(f"^{name}: "))


def labels(page, *names):
    return [card(page, name).get_attribute("aria-label") for name in names]


def test_arrow_keys_move_and_it_says_what_stayed(show):
    page = show(explorer(selected="dot"))
    go, before = walk(page, **PARTS), labels(page, "stacked", "dot")
    go("focus query_handle; key ArrowRight; key Shift+ArrowUp", query=[1.1, 2.0])
    go(says="The query is at (1.1, 2.0).")
    go(says="No weight has changed under stacked.")
    stacked, dot = labels(page, "stacked", "dot")
    assert (stacked == before[0], dot == before[1]) == (True, False)
    go("focus key_handle; key ArrowLeft", says="No weight has changed under location.")
    assert trait(page, "key_points")[1] == [-1.1, 2.0]
    go("focus query_handle;" + "key Shift+ArrowLeft;" * 5, query=[-3.0, 2.0])  # the plane's edge


@pytest.mark.parametrize("finger", [False, True])
def test_a_key_can_be_dragged(show, finger):
    page = show(explorer(), width=360, has_touch=finger)
    drag(page, page.locator('.attn-handle[data-name="key 1"]'), finger)
    right, up = trait(page, "key_points")[0]
    assert right < 1.5
    assert up < 0.8
    walk(page)(says="Key 1 is at")


def test_a_card_is_shown_and_its_factor_sharpens(show):
    page = show(explorer())
    go, context = walk(page, **PARTS), page.locator(".attn-plane .attn-context")
    before, start = context.get_attribute("transform"), labels(page, "cosine")
    card(page, "cosine").click()
    go(selected="cosine", pressed="cosine: ")
    assert context.get_attribute("transform") != before
    page.get_by_role("slider").focus()
    go("key ArrowRight;" * 4, factor=5)
    assert labels(page, "cosine") != start
    go("set query [-2.0, 0.5]", where="Query at (−2.0, 0.5)")


# ---- side by side, and numbered


def test_plane_and_all_cards_are_in_one_screen(show):
    page = show(explorer(), width=1280)
    page.set_viewport_size({"width": 1280, "height": 900})
    boxes = {
        name: of_each(page.locator(name), "one.getBoundingClientRect().toJSON()")
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
    been = np.array(page.evaluate("window.been"))
    far = np.linalg.norm(start)
    np.testing.assert_allclose(np.linalg.norm(been, axis=1), far, atol=0.02)
    assert all((been[:, axis] < -0.9 * far).any() for axis in (0, 1))
    np.testing.assert_allclose(been[-1], start, atol=0.02)
    walk(page)(says=["The query went once round. No weight has changed under stacked."])
    assert go_round(page).count() == 1
