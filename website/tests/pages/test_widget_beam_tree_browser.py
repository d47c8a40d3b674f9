"""The beam tree in a browser: the search is Python's, and a reader can grow and prune it."""

import numpy as np
import pytest
import torch
from torch_reader import arrays_of, scaled
from walking import has, walk

from attn_book.commands.widgets_harness import set_trait, trait
from attn_course.models.translator import bahdanau
from attn_course.search import beam
from attn_course.symbols import FIRST_SYMBOL, UNKNOWN
from attn_course.views.widgets.beam_tree import BeamTree

SOURCE = ("Red", "Blue", "and", ",", "Dollar", "Euro", "Pound")
TARGET = ("rouge", "bleu", "et", "dollar", "euro", "livre")
PHRASE = "Red Dollar and Blue Euro"
SIZES = {"embedding_size": 5, "encoder_size": 7, "state_size": 11, "hidden_size": 3}


def model(seed=0):
    torch.manual_seed(seed)
    counts = (FIRST_SYMBOL + len(symbols) for symbols in (SOURCE, TARGET))
    return scaled(bahdanau(*counts, **SIZES), 3.0)


def tree(reader=None, **changes):
    arrays = arrays_of(reader or model())
    return BeamTree(arrays, SOURCE, TARGET, **{"text": PHRASE, "bits": 32, **changes})


def in_python(reader, text, width, alpha):
    numbers = {piece: FIRST_SYMBOL + place for place, piece in enumerate(SOURCE)}
    ids = [numbers.get(piece, UNKNOWN) for piece in text.split()]
    options = {"beams": width, "longest": 24, "alpha": alpha}
    [answers] = beam(reader, torch.tensor([ids]), torch.tensor([len(ids)]), **options)
    words = [*FIRST_SYMBOL * ["\ufffd"], *TARGET]
    return [
        (" ".join(words[symbol] for symbol in one.symbols), one.log_probability, one.score)
        for one in answers
    ]


# ---- the arithmetic


def test_the_search_is_that_of_python(show):
    for seed in range(4):
        reader = model(seed)
        page = show(tree(reader))
        rows = page.locator(".attn-ranks tbody tr > td:nth-of-type(2)")
        for width, alpha in [(1, 0), (2, 0.7), (3, 0), (6, 2)]:
            set_trait(page, "width", width)
            set_trait(page, "alpha", alpha)
            expected, result = in_python(reader, PHRASE, width, alpha), trait(page, "result")
            assert result["best"] == expected[0][0]
            assert result["log_probability"] == pytest.approx(expected[0][1], abs=1e-5)
            assert result["score"] == pytest.approx(expected[0][2], abs=1e-5)
            assert rows.all_text_contents() == [text or "(nothing)" for text, _, _ in expected]
            assert result["greedy"] == in_python(reader, PHRASE, 1, 0)[0][0]


def test_every_probability_of_the_tree_is_a_sum_along_its_path(show):
    reader = model(1)
    page = show(tree(reader, width=4))
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
    for symbols, actual, length in sums:
        total, previous = 0.0, 1
        for number, symbol in enumerate([*symbols, 2]):
            logits = [9, 9, 1.5 * number - 2, float(previous == 3), 2 if previous == 4 else 0.5]
            total += logits[symbol] - np.log(np.exp(logits).sum())
            previous = symbol
        assert actual == pytest.approx(total, abs=1e-9)
        assert length == len(symbols) + 2


# ---- what a reader does


def test_a_reader_sets_the_width_and_grows_the_tree(show):
    page = show(tree(width=3, samples=["Blue Pound"]))
    parts = {"ranks": ".attn-ranks tbody tr"}
    go = walk(page, alphas="[type=range][aria-label^=Length] @aria-valuetext", **parts)
    go("slide Width ArrowRight", width=4)
    go("slide Width Home", width=1, ranks=1, says="as greedy search does")
    go("slide Length normalisation α ArrowRight", alpha=pytest.approx(0.1))
    go("slide Length normalisation α End", alpha=2, alphas=["2.0"])
    go("click Blue Pound", text="Blue Pound")
    go("click Reset", text=PHRASE, width=3, alpha=0, shown=0)
    counts = [page.locator(".attn-beginning").count()]
    for step in (1, 2):
        go("press Grow a step Enter", shown=step, says=f"After step {step}:")
        counts.append(page.locator(".attn-beginning").count())
    assert counts[1] < counts[2] <= counts[0]
    go("slide Steps drawn End", says="It writes", beginning=counts[0])


def test_what_is_typed_is_read_or_gets_a_sentence(show):
    page = show(tree())
    go = walk(page)
    go("fill Phrase to translate: red dollar, blue euro")  # small letters and a comma
    first = trait(page, "result")
    go("fill Phrase to translate: Red Dollar , Blue Euro", result=first)
    assert first["unknown"] == []
    go(f"fill Phrase to translate: {'Red ' * 17}", says="17 pieces")
    go(f"fill Phrase to translate: {'x' * 500}", says="It never saw")
    go(result=has(unknown=["x" * 500]))
    go("fill Phrase to translate: Red Peso <b>", result=has(unknown=["Peso", "<b>"]))


def test_a_finger_sets_the_width_and_the_tree_alone_scrolls(show):
    page = show(tree(), width=360, has_touch=True, is_mobile=True)
    box = page.get_by_role("slider", name="Width").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)
    walk(page)(width=6)
    assert page.locator(".attn-tree-place").evaluate("n => n.scrollWidth > n.clientWidth")
