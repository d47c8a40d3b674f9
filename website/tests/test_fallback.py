"""A widget as a sentence and a table, made from its traits by its own module."""

import base64
import json

import numpy as np
import pytest
import torch
from making import ROOT
from sphinx.errors import ExtensionError

from attn_book.widgets.fallback import fallback
from attn_book.widgets.prerendered import Prerendered, prerender
from attn_course.views.widgets.alignment_viewer import AlignmentViewer
from attn_course.views.widgets.bottleneck_explorer import BottleneckExplorer
from attn_course.views.widgets.context_mixer import ContextMixer
from attn_course.views.widgets.date_reader import DateReader
from attn_course.views.widgets.gradient_paths import GradientPaths
from attn_course.views.widgets.one_look import OneLook
from attn_course.views.widgets.parts import Widget
from attn_course.views.widgets.prediction import Prediction
from attn_course.views.widgets.score_bars import ScoreBars
from attn_course.views.widgets.score_explorer import ScoreExplorer

pytestmark = pytest.mark.slow


def described(widget) -> dict:
    """The widget as a notebook keeps it."""
    state = {name: value for name, value in widget.get_state().items() if name != "layout"}
    data = {name: bytes(value) for name, value in state.items() if isinstance(value, bytes)}
    return {
        "state": {name: value for name, value in state.items() if name not in data},
        "buffers": [
            {"path": [name], "encoding": "base64", "data": base64.b64encode(value).decode()}
            for name, value in data.items()
        ],
    }


def shown(widget) -> tuple[list[list[str]], str]:
    result = drawn(described(widget))
    plain = [[text.replace("\u00a0", " ") for text in row] for row in result.rows]
    return plain, result.answer.replace("\u00a0", " ")


def drawn(model: dict) -> Prerendered:
    return prerender([model], "a page", ROOT)[0]


def table(widget) -> list[list[str]]:
    return shown(widget)[0]


def whole(share: float) -> str:
    """Rounded half up, as in JavaScript; empty for very small values."""
    return "" if share < 0.005 else str(int(np.floor(100 * share + 0.5)))


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


def test_an_alignment_is_shown_in_percent():
    shares = np.random.default_rng(0).dirichlet(np.ones(5) / 3, 3).astype(np.float32)
    rows = table(AlignmentViewer("ab cd", "xyz", shares))
    assert rows[0] == ["Percent", "a", "b", "␣", "c", "d"]
    assert rows[1:] == [
        [name, *(whole(float(share)) for share in row)]
        for name, row in zip("xyz", shares, strict=True)
    ]


def test_the_chosen_alignment_is_shown():
    first, second = np.full((2, 3), 1 / 3), np.eye(2, 3)
    examples = [
        {"source": "abc", "target": "xy", "weights": first},
        {"source": "def", "target": "uv", "weights": second},
    ]
    rows = table(AlignmentViewer(examples=examples, index=1))
    assert rows == [["Percent", *"def"], ["u", "100", "", ""], ["v", "", "100", ""]]


def test_a_mixer_shows_the_weights_of_each_step_or_those_to_begin_with():
    annotations = np.random.default_rng(1).normal(size=(3, 5))
    given_steps = ContextMixer(annotations, "abc", steps=[("y", [0.5, 0.25, 0.25])])
    assert table(given_steps) == [["Percent", *"abc"], ["y", "50", "25", "25"]]
    assert table(ContextMixer(annotations, "abc"))[1] == ["Weights", "33", "33", "33"]


def test_bottlenecks_are_means_over_seeds():
    def cell(model, steps, exact):
        fields = {"model": model, "size": 16, "steps": steps, "exact": exact}
        return {**fields, "written": [["a"], ["b"]]}

    explorer = BottleneckExplorer(
        [
            {
                "name": "Copy", "unit": "letters", "separator": "", "trained": [2, 3],
                "lengths": [2, 5], "asked": [[("a", "a")], [("b", "b")]],
                "cells": [
                    cell("fixed", 1_300, [[1.0, 0.5], [0.5, 0.0]]),
                    cell("attending", 300, [[1.0, 1.0], [1.0, 0.5]]),
                ],
            }
        ]
    )  # fmt: skip
    assert table(explorer) == [
        ["Letters", "One vector, size 16, 1,300 steps", "With attention, size 16, 300 steps"],
        ["2", "75 %", "100 %"],
        ["5", "25 %", "75 %"],
    ]


def test_gradients_of_the_chosen_loss_by_source_position():
    norms = np.arange(1, 25, dtype=np.float32).reshape(2, 2, 2, 3)
    shares = np.full((2, 2, 3, 4), 0.25, dtype=np.float32)
    rows = table(GradientPaths(norms, shares, ["before", "after"], target=2))
    assert rows[0][:2] == ["Loss 2, back to", "before, without attention"]
    for j in range(3):
        row = [float(text) for text in rows[1 + j][1:]]
        assert row == norms[:, :, 1, j].ravel().tolist()


# ---- weights worked out by hand; the widgets' own tests compare them with torch


@pytest.mark.parametrize(
    ("rule", "weights"),
    [("softmax", ["33 %", "55 %", "12 %"]), ("sparsemax", ["25 %", "75 %", "0 %"])],
)
def test_score_bars_show_scores_and_weights(rule, weights):
    rows = table(ScoreBars(["a", "b", "c"], [1, 2, -1], rule=rule, temperature=2))
    columns = (["Word", *"abc"], ["Score", "1", "2", "−1"], [f"Weight: {rule.title()}", *weights])
    assert [*zip(*rows, strict=True)] == [*map(tuple, columns)]


def test_a_word_that_may_not_be_read_has_no_weight():
    rows = table(ScoreBars(["a", "b"], [1, 2], readable=[True, False]))
    assert [row[2] for row in rows[1:]] == ["100 %", "not read"]
    rows = table(ScoreBars(["a", "b"], [1, 2], readable=[False, False]))
    assert [row[2] for row in rows[1:]] == ["not read", "not read"]


def test_functions_stand_in_the_order_given_however_a_page_sorts_its_keys():
    matrix, keys = np.array([[1.0, 2.0], [0.5, -1.0]]), [[2, 1], [-1, 2], [0, -2]]
    functions = {"general": {"key_projection.weight": matrix}, "dot": {}}
    model = described(ScoreExplorer(functions, keys, [1, 0.5]))
    result = drawn(json.loads(json.dumps(model, sort_keys=True)))
    assert [[text.replace("\u00a0", " ") for text in row] for row in result.rows] == [
        ["Key", "general", "dot"],
        ["(2.0, 1.0)", "4.0: 90 %", "2.5: 90 %"],
        ["(−1.0, 2.0)", "1.8: 10 %", "0.0: 7 %"],
        ["(0.0, −2.0)", "−3.0: < 1 %", "−1.0: 3 %"],
        ["Context", "(1.7, 1.1)", "(1.7, 1.0)"],
    ]


def test_a_look_is_shown_with_the_numbers_that_lead_to_it():
    rows = table(OneLook([[2, 0.5], [-0.5, 1]], step="average"))
    assert rows[1] == ["1", "0.8 × 2 + 1.2 × 0.5 = 2.2", "9.03", "80 %"]
    assert rows[-1] == ["", "average", "", "(1.51, 0.60)"]
    rows = table(OneLook([[2, 0.5], [-0.5, 1]], step="shares", askers=[[1, 1], [0, 0]], asker=0))
    assert rows == [["asks", "1", "2"], ["1", "88 %", "12 %"], ["2", "50 %", "50 %"]]


def test_dates_are_read_as_the_model_of_the_course_reads_them():
    from attn_course.models.translator import bahdanau
    from attn_course.search import answer
    from attn_course.tasks.vocabulary import Vocabulary

    torch.manual_seed(0)
    source, target = Vocabulary(sorted(" .0123459Mai")), Vocabulary("0123456789-")
    model = bahdanau(len(source), len(target), embedding_size=5, encoder_size=7, state_size=11)
    with torch.no_grad():
        for part in model.parameters():
            part.mul_(3)  # so that it writes something,
        model.decoder.readout.bias[[0, 1, 3]] = -100  # and only what has a sign
    arrays = {name: array.numpy() for name, array in model.state_dict().items()}
    samples = ["3. Mai 1998", "5", "unknown 7"]
    shown = DateReader(
        arrays, source.symbols, target.symbols, text="12.3", samples=samples, bits=32
    )
    rows = table(shown)
    assert [row[0] for row in rows[1:]] == ["12.3", *samples]
    read = answer(model, [row[0] for row in rows[1:]], source, target)
    assert [row[1] for row in rows[1:]] == [output.text for output in read]


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
    made = fallback("A < B", [["", "<b>x</b>"], ["y", "</script>"]])
    assert made.p.get_text() == "A < B"
    assert [cell["scope"] for cell in made.select("th")] == ["col", "col", "row"]
    assert [cell.get_text() for cell in made.select("th, td")] == ["", "<b>x</b>", "y", "</script>"]
    assert made.find("b") is None


def test_an_answer_is_folded_and_no_markup():
    made = fallback("Which?", [["Possible answers"], ["a"], ["b"]], "a <b>. For a reason.")
    fold = made.details.extract()
    assert "open" not in fold.attrs
    assert (fold.summary.get_text(), fold.p.get_text()) == (
        "What was measured",
        "a <b>. For a reason.",
    )
    assert "reason" not in made.get_text()
    assert [cell.name for cell in made.select("tbody tr > *")] == ["td", "td"]


def test_without_a_table_a_sentence_stands_alone():
    made = fallback("", None)
    assert "needs JavaScript" in made.get_text()
    assert made.table is None
