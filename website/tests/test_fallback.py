"""A widget as a sentence and a table, made from its traits by its own module."""

import base64
import json
from itertools import product

import numpy as np
import pytest
from ipywidgets.widgets.widget import _remove_buffers
from making import ROOT
from sphinx.errors import ExtensionError

from attn_book.widgets.fallback import fallback
from attn_book.widgets.prerendered import Prerendered, prerender
from attn_course.views.widgets.alignment_viewer import AlignmentViewer
from attn_course.views.widgets.bottleneck_explorer import BottleneckExplorer
from attn_course.views.widgets.context_mixer import ContextMixer
from attn_course.views.widgets.gradient_paths import GradientPaths
from attn_course.views.widgets.one_look import OneLook
from attn_course.views.widgets.parts import Widget
from attn_course.views.widgets.prediction import Prediction
from attn_course.views.widgets.score_bars import ScoreBars
from attn_course.views.widgets.score_explorer import ScoreExplorer

pytestmark = pytest.mark.slow


def described(widget) -> dict:
    """The widget as a notebook keeps it, and as a page does, which sorts its keys."""
    state, paths, arrays = _remove_buffers(widget.get_state())
    data = [base64.b64encode(array).decode() for array in arrays]
    pairs = [{"path": path, "data": array} for path, array in zip(paths, data, strict=True)]
    return json.loads(json.dumps({"state": state, "buffers": pairs}, sort_keys=True))


def shown(widget) -> tuple[list[list[str]], str]:
    result = drawn(described(widget))
    plain = [[text.replace("\u00a0", " ") for text in row] for row in result.rows]
    return plain, result.answer.replace("\u00a0", " ")


def drawn(model: dict) -> Prerendered:
    return prerender([model], "a page", ROOT)[0]


def test_every_widget_has_a_table():
    for kind in Widget.__subclasses__():
        assert kind._esm.count("export function table({ model })") == 1, kind


# ---- what stands in the rows


def test_a_prediction_shows_what_there_is_to_choose_from_and_apart_from_it_what_came_out():
    guess = Prediction("Which?", ["dot", "additive"])
    possible = [["Possible answers"], ["dot"], ["additive"]]
    assert shown(guess) == (possible, "")
    guess.reveal("additive", "By far.")
    assert shown(guess) == (possible, "additive. By far.")
    assert guess.summary == "Which?"


def test_a_prediction_on_a_scale_shows_its_ends():
    scale = Prediction("How many?", (0, 10, 0.5, "letters"))
    ends = [["Possible answers"], ["from 0 letters to 10 letters"]]
    assert shown(scale) == (ends, "")
    scale.reveal(7.125)
    assert shown(scale) == (ends, "7.13 letters.")


def chosen_alignment():
    first = {"source": "abc", "target": "x", "weights": np.full((1, 3), 1 / 3)}
    second = {"source": "d f", "target": "uv"}
    weights = np.array([[0.004, 0.125, 0.871], [0, 0, 1]])
    return AlignmentViewer(examples=[first, {**second, "weights": weights}], index=1)


def mixer(**steps):
    return ContextMixer(np.random.default_rng(1).normal(size=(3, 5)), "abc", **steps)


def bottleneck():
    def cell(model, steps, exact):
        fields = {"model": model, "size": 16, "steps": steps, "exact": exact}
        return {**fields, "written": [["a"], ["b"]]}

    cells = [cell("fixed", 1_300, [[1.0, 0.5], [0.5, 0.0]])]
    cells += [cell("attending", 300, [[1.0, 1.0], [1.0, 0.5]])]
    task = {"name": "Copy", "unit": "letters", "separator": "", "trained": [2, 3], "cells": cells}
    return BottleneckExplorer([task | {"lengths": [2, 5], "asked": [[("a", "a")], [("b", "b")]]}])


def gradients():
    norms = np.arange(1, 25, dtype=np.float32).reshape(2, 2, 2, 3)
    shares = np.full((2, 2, 3, 4), 0.25, dtype=np.float32)
    return GradientPaths(norms, shares, ["before", "after"], target=2)


def explorer():
    matrix = np.array([[1.0, 2.0], [0.5, -1.0]])
    functions = {"general": {"key_projection.weight": matrix}, "dot": {}}
    return ScoreExplorer(functions, [[2, 1], [-1, 2], [0, -2]], [1, 0.5])


def bars(readable=(True, True, True), rule="softmax"):
    return ScoreBars("abc", [1, 2, -1], readable=[*readable], rule=rule, temperature=2)


def weighed(rule, *weights):
    """The rows of `bars`."""
    columns = (["Word", *"abc"], ["Score", "1", "2", "−1"], [f"Weight: {rule}", *weights])
    return [*zip(*columns, strict=True)]


def look(**options):
    return OneLook([[2, 0.5], [-0.5, 1]], **options)


ASKERS = [[1, 1], [0, 0]]
STAGES = [*product(("before", "after"), ("without", "with"))]
# weights are worked out by hand; the widgets' own tests compare them with torch
TABLES = {
    "the chosen alignment, in percent": (
        chosen_alignment,
        [["Percent", "d", "␣", "f"], ["u", "", "13", "87"], ["v", "", "", "100"]],
    ),
    "the steps of a mixer": (
        lambda: mixer(steps=[("y", [0.5, 0.25, 0.25])]),
        [["Percent", *"abc"], ["y", "50", "25", "25"]],
    ),
    "a mixer's first weights": (mixer, [["Percent", *"abc"], ["Weights", "33", "33", "33"]]),
    "means over seeds": (
        bottleneck,
        [
            ["Letters", "One vector, size 16, 1,300 steps", "With attention, size 16, 300 steps"],
            ["2", "75 %", "100 %"],
            ["5", "25 %", "75 %"],
        ],
    ),
    "gradients of the chosen loss": (
        gradients,
        [
            ["Loss 2, back to", *(f"{when}, {how} attention" for when, how in STAGES)],
            *([f"source {j}", *map(str, range(3 + j, 25, 6))] for j in (1, 2, 3)),
        ],
    ),
    "functions in the order given": (
        explorer,
        [
            ["Key", "general", "dot"],
            ["(2.0, 1.0)", "4.0: 90 %", "2.5: 90 %"],
            ["(−1.0, 2.0)", "1.8: 10 %", "0.0: 7 %"],
            ["(0.0, −2.0)", "−3.0: < 1 %", "−1.0: 3 %"],
            ["Context", "(1.7, 1.1)", "(1.7, 1.0)"],
        ],
    ),
    "softmax": (bars, weighed("Softmax", "33 %", "55 %", "12 %")),
    "sparsemax": (lambda: bars(rule="sparsemax"), weighed("Sparsemax", "25 %", "75 %", "0 %")),
    "one that is read": (
        lambda: bars([True, False, False]),
        weighed("Softmax", "100 %", "not read", "not read"),
    ),
    "none": (lambda: bars([False] * 3), weighed("Softmax", *["not read"] * 3)),
    "a look": (
        lambda: look(step="average"),
        [
            ["key", "multiply and add: the score", "escore", "share"],
            ["1", "0.8 × 2 + 1.2 × 0.5 = 2.2", "9.03", "80 %"],
            ["2", "0.8 × (−0.5) + 1.2 × 1 = 0.8", "2.23", "20 %"],
            ["", "together", "11.25", ""],
            ["", "average", "", "(1.51, 0.60)"],
        ],
    ),
    "who asks": (
        lambda: look(step="shares", askers=ASKERS, asker=0),
        [["asks", "1", "2"], ["1", "88 %", "12 %"], ["2", "50 %", "50 %"]],
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_widget_as_a_table(name):
    make, rows = TABLES[name]
    assert shown(make())[0] == [*map(list, rows)]


# ---- bad modules, and the markup


def module(code: str) -> dict:
    return {"state": {"_esm": f"{code}\nexport default {{ render() {{}} }};"}}


def test_a_module_without_a_table_gives_none():
    assert drawn(module("")) == Prerendered(rows=None, answer="", first="", remembered=[])


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("export function table() { throw new Error('no luck'); }", "(?s)a page cannot.*no luck"),
        ("export function table() { return 3; }", "rows of texts.*3"),
        ("export function table() { return [['a']]; }", "rows of texts"),
        ("export function table() { return [['a'], ['b', 'c']]; }", "rows of texts"),
        ("export function table() { return [['a'], [1]]; }", r"rows of texts.*\[1\]"),
        ("export function answer() { return 3; }", "an answer that is a text; got 3"),
    ],
)
def test_what_is_no_table_or_answer_fails_the_build(code, message):
    with pytest.raises(ExtensionError, match=message):
        drawn(module(code))


def test_a_table_has_headers_and_its_texts_are_no_markup():
    block = fallback("A < B", [["", "<b>x</b>"], ["y", "</script>"]])
    assert block.p.get_text() == "A < B"
    assert [cell["scope"] for cell in block.select("th")] == ["col", "col", "row"]
    texts = [cell.get_text() for cell in block.select("th, td")]
    assert texts == ["", "<b>x</b>", "y", "</script>"]
    assert block.find("b") is None


def test_an_answer_is_folded_and_no_markup():
    block = fallback("Which?", [["Possible answers"], ["a"], ["b"]], "a <b>. For a reason.")
    fold = block.details.extract()
    assert "open" not in fold.attrs
    actual = (fold.summary.get_text(), fold.p.get_text())
    assert actual == ("What was measured", "a <b>. For a reason.")
    assert "reason" not in block.get_text()
    assert [cell.name for cell in block.select("tbody tr > *")] == ["td", "td"]


def test_without_a_table_a_sentence_stands_alone():
    block = fallback("", None)
    assert "needs JavaScript" in block.get_text()
    assert block.table is None
