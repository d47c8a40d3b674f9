"""The wall of maps in a real browser: its numbers, its colours, and what a reader does."""

import base64
import io

import numpy as np
import pytest
from browsing import axe, of_each
from matplotlib.image import imread
from walking import table, texts_of, walk

from attn_book.commands.widgets_harness import overflow, set_trait
from attn_course.views.widgets.wall import EFFECT, LONGEST, SHARES, HeadWall, stored, stored_runs

BLOCKS, HEADS = 30, 9
SILENCED = "effect on copying"


def effects():
    return np.random.default_rng(0).normal(1, 1, (BLOCKS, HEADS))


def wall(sentences=None, **changes):
    return HeadWall(sentences or stored()[:5], {SILENCED: (effects(), "nats")}, **changes)


def measured(sentence):
    """The three measures in Python, from the weights that are stored, (block head) each."""
    weights, pieces, count = sentence.weights, sentence.pieces, len(sentence.pieces)
    links = {
        SHARES[0]: {i: [0] for i in range(2, count)},
        SHARES[1]: {i: [i - 1] for i in range(2, count)},
        SHARES[2]: {
            i: [j + 1 for j in range(i - 1) if pieces[j] == pieces[i]] for i in range(2, count)
        },
    }
    return {
        name: np.mean([weights[:, :, i, js].sum(-1) for i, js in rows.items() if js], axis=0)
        if any(rows.values())
        else None
        for name, rows in links.items()
    }


READ = """async () => {
  const { chosenSentence, mapsOf, rowsOf, measured, MEASURES } =
    await import("./widgets/wall/reading.js");
  const [model] = window.models;
  const sentence = chosenSentence(model);
  const maps = mapsOf(sentence, sentence.weights, model.get("heads"));
  const rows = Array.from({ length: maps.count }, (_, head) => rowsOf(maps, head));
  return [rows, Object.fromEntries(MEASURES.map((name) => [name, measured(maps, name)]))];
}"""


def test_the_page_reads_the_weights_and_measures_what_python_measures(show):
    page = show(wall())
    for index in (0, 2, 3, 4):
        sentence = stored()[index]
        set_trait(page, "index", index)
        rows, measures = page.evaluate(READ)
        rows = np.array(rows).reshape(sentence.weights.shape)
        assert np.abs(rows - sentence.weights).max() < 1e-6
        assert list(measures) == list(SHARES)
        for name, values in measured(sentence).items():
            if values is None:
                assert (index, measures[name]) == (2, None)
            else:
                np.testing.assert_allclose(measures[name], values.ravel(), atol=1e-6)


# the tint of each cell, out of the paths: [head][block]
TINTS = """() => {
  const tints = Array.from({ length: 9 }, () => Array(30).fill(0));
  for (const path of document.querySelectorAll(".attn-wall-tint"))
    for (const [, x, y, width] of path.getAttribute("d").matchAll(/M(\\d+) (\\d+)h(\\d+)/g))
      for (let block = +x; block < +x + +width; block++)
        tints[y][block] = +path.getAttribute("fill-opacity");
  return tints;
}"""


PARTS = {
    "title": ".attn-wall .attn-title",
    "names": ".attn-wall-map .attn-rowheader",
    "bars": ".attn-wall-bars li",
    "changed": ".attn-wall-answer .attn-hint",
    "silent": ".attn-wall-heads [aria-pressed=true]",
}


def at(page, block, head):
    """Click on the small map of a head."""
    box = page.locator(".attn-wall-field").bounding_box()
    side = box["width"] / BLOCKS
    page.mouse.click(box["x"] + (block + 0.5) * side, box["y"] + (head + 0.5) * side)


def colour(page):
    return menu(page, "Colour by").locator(":checked").inner_text()


def test_the_colours_are_the_measures(show):
    page = show(wall(index=3))
    for colour in [*SHARES, SILENCED]:
        menu(page, "Colour by").select_option(colour)
        walk(page)(colour=colour)
        values = measured(stored()[3]).get(colour)
        shares = effects().clip(0) / effects().max() if values is None else values
        strongest = 0.7
        tints = np.array(page.evaluate(TINTS)).T
        np.testing.assert_allclose(tints / strongest, shares.clip(0, 1), atol=0.5 / 20 + 1e-3)
    menu(page, "Colour by").select_option("")
    walk(page, **PARTS)(wall_tint=0)


def menu(page, name):
    return page.get_by_role("combobox", name=name)


def test_the_wall_is_told_in_words(show):
    page, values = show(wall(index=3, colour=SHARES[2])), measured(stored()[3])[SHARES[2]]
    go, most = walk(page, **PARTS), np.unravel_index(values.argmax(), values.shape)
    go(wall_said=f"After the earlier occurrence: {100 * values.mean():.0f} % on average. Most: ")
    go(wall_said=f"block {most[0]}, head {most[1]} ({100 * values.max():.0f} %)")
    go(f"choose Colour by: {SILENCED}", wall_said=f"({effects().max():.2f} nats)")
    assert colour(page) == f"{SILENCED}, nats"
    rows = table(page)
    assert rows[0][0].endswith(f"{SILENCED}, nats")
    menu(page, "Colour by").select_option(SHARES[2])
    go("choose Sentence: A capital", wall_said="No piece of this sentence has occurred before.")
    menu(page, "Colour by").select_option("")
    go(wall_said="arrow keys")
    names = texts_of(show(wall([stored()[7]])).locator(PARTS["names"]))
    assert "⏎␣␣␣" in names  # lines and spaces have signs
    assert names[:2] == ["for", "word"]


def ink(page):
    """How opaque the picture of all maps is, [row][column]."""
    style = page.locator(".attn-ink-of-maps").evaluate(
        "(node) => getComputedStyle(node).getPropertyValue('--attn-maps')"
    )
    picture = base64.b64decode(style.split("base64,")[1].strip().rstrip('")'))
    return imread(io.BytesIO(picture))[..., 3]


def test_every_small_map_has_its_ink_in_its_place(show):
    page, weights = show(wall(index=0)), stored()[0].weights
    picture, dots, margin = ink(page), 44, 4
    assert picture.shape == (HEADS * dots, BLOCKS * dots)
    count = weights.shape[-1]
    middles = ((np.arange(count) + 0.5) * (dots - 2 * margin) / count).astype(int) + margin
    for block, head in [(0, 0), (16, 0), (18, 6), (29, 8)]:
        cell = picture[head * dots :, block * dots :][:dots, :dots]
        np.testing.assert_allclose(
            cell[np.ix_(middles, middles)], weights[block, head], atol=1 / 255 + 1e-6
        )
        assert not cell[:margin].any()


def cells(page):
    return np.array(
        of_each(page.locator(".attn-wall-map .attn-cell"), "+one.getAttribute('aria-label')")
    )


def test_a_map_is_chosen_by_click_and_shown_large(show):
    page, sentence = show(wall(index=0)), stored()[0]
    go = walk(page, **PARTS)
    at(page, 18, 6)
    go(chosen=[18, 6], title=["Block 18, head 6"])
    go(names=[piece.strip() for piece in sentence.pieces])
    expected = sentence.weights[18, 6]
    np.testing.assert_allclose(cells(page).reshape(expected.shape), expected, atol=0.0051)
    go(focus="Block 18, head 6: weight on the first token ")
    go("key Tab; key ArrowDown", selected={"side": "target", "index": 1})
    go(says="Target 2 of 16, “old”, reads “The”")
    set_trait(page, "index", 1)  # as when a model has read: the reader stays in the map
    assert page.evaluate("document.activeElement.dataset.place") == ""
    go("key Escape", selected={})


KEYS = {"ArrowRight": [11, 4], "ArrowLeft": [9, 4], "ArrowUp": [10, 3], "ArrowDown": [10, 5]}
KEYS |= {"Home": [0, 4], "End": [29, 4], "PageUp": [10, 0], "PageDown": [10, 8]}
KEYS |= {"Control+Home": [0, 0], "Control+End": [29, 8]}


def test_the_keyboard_goes_through_the_wall(show):
    page = show(wall(chosen=(10, 4)))
    go = walk(page, **PARTS)
    go("key Tab;" * 4)  # two menus, Reset, the wall
    for key, (block, head) in KEYS.items():
        go(f"set chosen [10, 4]; key {key}", chosen=[block, head])
        go(title=[f"Block {block}, head {head}"])
        cell = page.get_by_role("grid", name="All heads").get_by_role("gridcell")
        assert cell.get_attribute("aria-colindex") == str(block + 1)
        assert cell.locator("xpath=..").get_attribute("aria-rowindex") == str(head + 1)
        box, field = cell.bounding_box(), page.locator(".attn-wall-field").bounding_box()
        middle = [(box[x] + box[size] / 2 - field[x]) / field[size] for x, size in SIDES]
        expected = [(block + 0.5) / BLOCKS, (head + 0.5) / HEADS]
        np.testing.assert_allclose(middle, expected, atol=1e-3)
    go("key Control+End; key ArrowRight; key ArrowDown", chosen=[29, 8])  # the edge is the end
    page.locator(".attn-aloud", has_text="Block 29, head 8").wait_for(state="attached")


SIDES = [("x", "width"), ("y", "height")]


# ---- where the model is operated

RUNS, EXPERIMENTS = stored_runs()
GERMANY = "The capital of Germany is"


SWAP = {"text": GERMANY, "source": 3, "position": 3, "part": "values", "from": 0}


def operated(index=2, changes=None, **options):
    widget = HeadWall(stored(), index=index, runs=RUNS, experiments=EXPERIMENTS, **options)
    widget.changes = changes or {}
    return widget


def bars(row, name="A capital"):
    """What the six bars say of a row of a stored run."""
    run = RUNS[name]
    shares = (np.frombuffer(run.shares, "<u2") / 65_535).reshape(-1, len(run.tokens))[row]
    ranked = np.argsort(-shares, kind="stable")[:6]
    named = [run.tokens[k].strip() or "␣" for k in ranked]
    percents = ["< 1 %" if share < 0.005 else f"{share:.0%}".replace("%", " %") for share in shares]
    return [f"{token}{percents[k]}" for token, k in zip(named, ranked, strict=True)]


def test_a_head_is_silenced_by_a_button_a_click_and_a_key(show):
    page, silent = show(operated(chosen=(23, 4))), {"silenced": [[23, 4]]}
    go = walk(page, **PARTS)
    go(bars=bars(0), is_next="Paris", silent=0, changed="")
    go("click Silence head 4 of block 23", changes=silent, silent=["4"])
    go(bars=bars(1 + 9 * 23 + 4), changed="“Paris” goes from 77 % to")
    go("click Undo all", changes={}, bars=bars(0))
    at(page, 23, 4)
    go(changes=silent, bars=bars(1 + 9 * 23 + 4))
    go("key Enter", changes={}, bars=bars(0))
    go("key ArrowUp; key Space", changes={"silenced": [[23, 3]]}, bars=bars(1 + 9 * 23 + 3))
    go("click Silence head 0 of block 23", bars=0, changed="one change at a time")


def test_a_token_of_another_sentence_is_exchanged_from_a_block_on(show):
    page = show(operated())
    go, slider = walk(page, **PARTS), page.get_by_role("slider", name="From block")
    go("press Germany Enter", changes={"exchange": SWAP}, is_next="Berlin", bars=bars(1 + 270 + 30))
    for block, capital in [(23, "Berlin"), (24, "Paris")]:
        slider.fill(str(block))
        go(is_next=capital, bars=bars(1 + 270 + 30 + block))
    page.get_by_role("combobox", name="Exchange its").select_option("both")
    go(bars=bars(1 + 270 + 60 + 24))
    assert page.evaluate("document.activeElement.tagName") != "BODY"
    go("click Germany", changes={}, is_next="Paris")
    tiles = page.locator(".attn-wall-tiles").first.locator(".attn-wall-tile")
    page.get_by_role("button", name="Germany").first.drag_to(tiles.nth(2))
    go(changes={"exchange": {**SWAP, "position": 2}}, changed="one change at a time")
    page.get_by_role("button", name="Germany").first.drag_to(tiles.nth(3))
    go(changes={"exchange": SWAP}, is_next="Berlin")


def test_every_experiment_says_what_to_watch_and_has_its_answer(show):
    page = show(operated())
    go = walk(page, **PARTS)
    for one in EXPERIMENTS:
        go(f"click {one['name']}", changes=one["changes"], colour=one["colour"])
        answer = one["tokens"][int(np.argmax(one["now"]))].strip()
        page.locator(".attn-is-next", has_text=answer).wait_for()
        go(wall_watch=one["watch"], is_next=answer)
        assert menu(page, "Sentence").locator(":checked").inner_text() == one["sentence"]
    go("click Hide the first token, early", colour=SHARES[0])
    early = page.evaluate(READ)[1][SHARES[0]]
    assert early  # of the plain maps; what is drawn are those with the token hidden
    go(wall_said="Weight on the first token: none here.")


def test_the_effect_of_each_head_on_this_answer_is_a_colour(show):
    page = show(operated(colour=EFFECT))
    go = walk(page, **PARTS)
    go(wall_said=f"{EFFECT.capitalize()}: …block 23, head 4 (")
    assert colour(page) == f"{EFFECT}, points"
    menu(page, "Sentence").select_option(label="A long sentence")  # of which no run is stored
    assert menu(page, "Colour by").locator("option", has_text=EFFECT).count() == 0


# ---- the reader's own sentence


SHOW = """async ([pieces, weights]) => {
  const { show } = await import("./widgets/wall/reading.js");
  show(window.models[0], pieces, Float32Array.from(weights));
}"""


def causal(pieces, seed=0):
    weights = np.tril(np.random.default_rng(seed).random((BLOCKS, HEADS, pieces, pieces)) + 0.01)
    return (weights / weights.sum(axis=-1, keepdims=True)).astype(np.float32)


def test_a_model_in_the_page_shows_a_sentence_of_its_own(show):
    page, weights = show(wall(chosen=(3, 4))), causal(3)
    assert page.get_by_label("Your own sentence").is_visible() is False
    page.evaluate(SHOW, [["My", " own", " cat"], weights.ravel().tolist()])
    page.wait_for_function(
        "() => document.querySelector('.attn-wall-text').textContent === 'My own cat'"
    )
    np.testing.assert_allclose(cells(page).reshape(3, 3), weights[3, 4], atol=0.0071)
    assert menu(page, "Sentence").input_value() == "5"
    page.evaluate(SHOW, [["My", " own", " cat"], causal(3, seed=1).ravel().tolist()])
    np.testing.assert_allclose(cells(page).reshape(3, 3), causal(3, seed=1)[3, 4], atol=0.0071)


def test_a_long_one_is_cut_and_one_that_does_not_fit_is_refused(show):
    page, count = show(wall()), LONGEST + 1
    page.evaluate(SHOW, [["a"] * count, causal(count).ravel().tolist()])
    page.wait_for_function(
        "() => document.querySelectorAll('.attn-wall-map .attn-cell').length > 1500"
    )
    np.testing.assert_allclose(
        cells(page).reshape(LONGEST, LONGEST), causal(count)[0, 0, :LONGEST, :LONGEST], atol=0.0071
    )
    with pytest.raises(Exception, match="270 maps of 2 pieces; got 3 weights"):
        page.evaluate(SHOW, [["a", "b"], [1, 1, 1]])


def test_a_reader_types_where_somebody_reads(show):
    go = walk(show(wall()), wall_said="form .attn-hint")
    go("set reads true; fill Your own sentence: The <b>cat</b>; key Enter", text="The <b>cat</b>")
    go(wall_said=["Reading …"])
    go('set problem "The text is too long."', wall_said=["The text is too long."])


# ---- all readers


@pytest.mark.parametrize("width", [360, 1200])
def test_the_cell_that_is_chosen_is_in_sight_and_can_be_met(show, width):
    phone = {"has_touch": True, "is_mobile": True} if width == 360 else {}
    page = show(wall(chosen=(18, 6)), width=width, **phone)
    set_trait(page, "reads", True)
    assert not overflow(page)
    assert axe(page, without=["page-has-heading-one"]) == []
    cell = page.locator(".attn-wall-cell").bounding_box()
    assert 0 <= cell["x"] <= width - cell["width"]
    assert cell["width"] >= (23.9 if width == 360 else 20)


def test_the_maps_have_ink_on_paper_in_print_and_with_forced_colours(show):
    page = show(wall(), theme="dark")
    colour = "getComputedStyle(document.querySelector('.attn-ink-of-maps')).backgroundColor"
    assert page.evaluate(colour) == "rgb(232, 234, 237)"
    page.emulate_media(media="print")
    assert page.evaluate(colour) == "rgb(28, 30, 34)"
    page.emulate_media(media="screen", forced_colors="active")
    assert page.evaluate(colour) == "rgb(232, 234, 237)"
    ground = "getComputedStyle(document.querySelector('.attn-wall-picture')).backgroundColor"
    assert page.evaluate(ground) == "rgb(20, 24, 30)"


LOST = """() => {
  const sentence = window.models[0].get("sentences")[1];
  const { weights } = sentence;
  const get = () => (window.lost ? Promise.reject(new Error("lost")) : Promise.resolve(weights));
  Object.defineProperty(sentence, "weights", { get });
  window.lost = true;
}"""


def test_a_sentence_that_is_loaded_late_and_one_that_is_lost(show):
    page = show(wall(index=0))
    go, before = walk(page, **PARTS), cells(page)
    page.evaluate(LOST)
    go("choose Sentence: A plain sentence")
    page.locator(".attn-wall-said", has_text="not be loaded").wait_for()
    np.testing.assert_array_equal(cells(page), before)
    page.evaluate("window.lost = false")
    go("choose Sentence: A capital; choose Sentence: A plain sentence")
    page.locator(".attn-wall-text", has_text="She put").wait_for()
    go(wall_said="on average")
