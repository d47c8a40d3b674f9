"""The beam tree in a browser: the search is Python's, and a reader can grow and prune it."""

import numpy as np
import pytest
import torch
from browsing import axe

from attn_book.commands.widgets_harness import overflow, set_trait, trait
from attn_course.models.translator import bahdanau
from attn_course.search import beam
from attn_course.symbols import FIRST_SYMBOL, UNKNOWN
from attn_course.views.widgets.beam_tree import BeamTree

SOURCE = ("Red", "Blue", "and", ",", "Dollar", "Euro", "Pound")
TARGET = ("rouge", "bleu", "et", "dollar", "euro", "livre")
PHRASE = "Red Dollar and Blue Euro"


def model(seed=0, spread=3.0):
    """A small model whose weights are large, so that its choices differ."""
    torch.manual_seed(seed)
    made = bahdanau(
        FIRST_SYMBOL + len(SOURCE),
        FIRST_SYMBOL + len(TARGET),
        embedding_size=5,
        encoder_size=7,
        state_size=11,
        hidden_size=3,
    ).eval()
    with torch.no_grad():
        for part in made.parameters():
            part.mul_(spread)
    return made


def tree(made=None, **changes):
    arrays = {name: part.numpy() for name, part in (made or model()).state_dict().items()}
    return BeamTree(arrays, SOURCE, TARGET, **{"text": PHRASE, "bits": 32, **changes})


def in_python(made, text, width, alpha):
    numbers = {piece: FIRST_SYMBOL + place for place, piece in enumerate(SOURCE)}
    ids = [numbers.get(piece, UNKNOWN) for piece in text.split()]
    found = beam(
        made, torch.tensor([ids]), torch.tensor([len(ids)]), beams=width, longest=24, alpha=alpha
    )[0]
    words = {FIRST_SYMBOL + place: piece for place, piece in enumerate(TARGET)}
    return [
        (" ".join(words.get(s, "\ufffd") for s in each.symbols), each.log_probability, each.score)
        for each in found
    ]


def words(page):
    return page.locator(".attn-readout").text_content()


def beginnings(page, kind=""):
    return page.locator(f".attn-beginning{kind}").count()


# ---- the arithmetic


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("width", "alpha"), [(1, 0), (2, 0.7), (3, 0), (6, 2)])
def test_the_search_is_that_of_python(show, seed, width, alpha):
    made = model(seed)
    page = show(tree(made, width=width, alpha=alpha))
    expected = in_python(made, PHRASE, width, alpha)
    found = trait(page, "result")
    assert found["best"] == expected[0][0]
    assert found["log_probability"] == pytest.approx(expected[0][1], abs=1e-5)
    assert found["score"] == pytest.approx(expected[0][2], abs=1e-5)
    rows = page.locator(".attn-ranks tbody tr")
    shown = [row.locator("td").nth(1).text_content() for row in rows.all()]
    assert shown == [text or "(nothing)" for text, _, _ in expected]
    assert found["greedy"] == in_python(made, PHRASE, 1, 0)[0][0]


def test_every_probability_of_the_tree_is_a_sum_along_its_path(show):
    made = model(1)
    page = show(tree(made, width=4))
    sums = page.evaluate(
        """async () => {
          const { beamSearch, pathTo, symbolsTo } = await import("./widgets/shared/beam.js");
          const special = { padding: 0, start: 1, end: 2 };
          const advance = (state, symbol) => ({ state: state + 1,
            logits: [9, 9, 1.5 * state - 2, symbol === 3 ? 1 : 0, symbol === 4 ? 2 : 0.5] });
          const { nodes, ended } = beamSearch(0, advance, special, { width: 3, longest: 9 });
          return ended.map(({ at, sum }) => [symbolsTo(nodes, at, special), sum,
            pathTo(nodes, at).length]);
        }"""
    )
    for symbols, found, length in sums:
        total, previous = 0.0, 1
        for number, symbol in enumerate([*symbols, 2]):
            logits = [9, 9, 1.5 * number - 2, float(previous == 3), 2 if previous == 4 else 0.5]
            total += logits[symbol] - np.log(np.exp(logits).sum())
            previous = symbol
        assert found == pytest.approx(total, abs=1e-9)
        assert length == len(symbols) + 2


# ---- what a reader does


def test_the_width_by_keyboard(show):
    page = show(tree(width=3))
    slider = page.get_by_role("slider", name="Width")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert trait(page, "width") == 4
    page.keyboard.press("Home")
    assert trait(page, "width") == 1
    assert "as greedy search does" in words(page)
    assert page.locator(".attn-ranks tbody tr").count() == 1


def test_length_normalisation_by_keyboard(show):
    page = show(tree())
    slider = page.get_by_role("slider", name="Length normalisation α")
    slider.press("ArrowRight")
    assert trait(page, "alpha") == pytest.approx(0.1)
    slider.press("End")
    assert trait(page, "alpha") == 2
    assert slider.get_attribute("aria-valuetext") == "2.0"


def test_it_grows_step_by_step_and_begins_again(show):
    page = show(tree())
    whole = beginnings(page)
    grow = page.get_by_role("button", name="Grow a step")
    grow.press("Enter")
    assert trait(page, "shown") == 1
    assert beginnings(page) < whole
    assert words(page).startswith("After step 1:")
    before = beginnings(page)
    grow.press("Enter")
    assert trait(page, "shown") == 2
    assert beginnings(page) > before
    page.get_by_role("slider", name="Steps drawn").press("End")
    assert beginnings(page) == whole
    assert words(page).startswith("It writes")


def test_own_phrase_small_letters_and_a_comma(show):
    page = show(tree())
    box = page.get_by_role("textbox", name="Phrase to translate")
    box.fill("red dollar, blue euro")
    first = trait(page, "result")
    box.fill("Red Dollar , Blue Euro")
    assert trait(page, "result") == first
    assert first["unknown"] == []


def test_what_cannot_be_read_is_a_sentence(show):
    page = show(tree())
    box = page.get_by_role("textbox", name="Phrase to translate")
    box.fill("   ")
    assert words(page) == "Type a phrase: its translation grows as you type."
    assert trait(page, "result") == {}
    box.fill("Red " * 17)
    assert "17 pieces" in words(page)
    box.fill("x" * 500)
    assert "It never saw" in words(page)
    assert trait(page, "result")["unknown"] == ["x" * 500]
    box.fill("Red Peso <b>")
    assert trait(page, "result")["unknown"] == ["Peso", "<b>"]


def test_reset_gives_everything_back(show):
    page = show(tree(width=2, samples=["Blue Pound"]))
    page.get_by_role("button", name="Blue Pound").click()
    page.get_by_role("slider", name="Width").press("End")
    page.get_by_role("button", name="Reset").click()
    assert [trait(page, name) for name in ("text", "width", "alpha", "shown")] == [PHRASE, 2, 0, 0]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_only_the_tree_scrolls_and_axe_finds_nothing(show, theme, width):
    mobile = {"has_touch": True, "is_mobile": True} if width == 360 else {}
    page = show(
        tree(width=6, samples=["Red Dollar"]), tree(text=""), theme=theme, width=width, **mobile
    )
    assert overflow(page) <= 0
    assert axe(page, without=["page-has-heading-one"]) == []
    inner = page.locator(".attn-tree-place").first.evaluate("n => n.scrollWidth - n.clientWidth")
    assert width > 360 or inner > 0


def test_a_finger_sets_the_width_and_grows_the_tree(show):
    page = show(tree(), width=360, has_touch=True, is_mobile=True)
    box = page.get_by_role("slider", name="Width").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)
    assert trait(page, "width") == 6
    page.get_by_role("button", name="Grow a step").tap()
    assert trait(page, "shown") == 1


def test_two_views_stay_in_step_and_clean_up(show):
    page = show(tree(), views=2)
    page.get_by_role("slider", name="Width").first.press("Home")
    assert page.get_by_role("slider", name="Width").nth(1).input_value() == "1"
    set_trait(page, "text", "Blue Pound")
    said = page.locator(".attn-readout").all_text_contents()
    assert said[0] == said[1]
    page.evaluate("window.cleanups.forEach((end) => end())")
    assert page.evaluate("window.models[0].listeners.length") == 0
    assert page.locator(".attn-frame").count() == 0
