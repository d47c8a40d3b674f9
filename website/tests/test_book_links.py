"""Links in the text that set a widget to a state, as the build checks and writes them."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from ipywidgets.widgets.widget import _remove_buffers
from sphinx.errors import ExtensionError

from attn_book.site import page
from attn_book.widgets import install as widgets
from attn_book.widgets import links
from attn_course.views.widgets.alignment_viewer import AlignmentViewer
from attn_course.views.widgets.bottleneck_explorer import BottleneckExplorer
from attn_course.views.widgets.context_mixer import ContextMixer
from attn_course.views.widgets.gradient_paths import GradientPaths
from attn_course.views.widgets.score_bars import ScoreBars
from attn_course.views.widgets.score_explorer import ScoreExplorer

ROOT = Path(__file__).resolve().parents[2]
TWO = "ScoreBars: {selected: 1}\nMixer: {a: 1}"
generator = np.random.default_rng(3)


def bars():
    return ScoreBars(["one", "two", "three"], [1, 2, 3])


def task(name, sizes):
    cell = {"model": "fixed", "steps": 300, "exact": [[0.5]], "written": [["ab"]]}
    return {
        "name": name,
        "unit": "letters",
        "separator": "",
        "trained": [1, 2],
        "lengths": [2],
        "asked": [[("ab", "ab")]],
        "cells": [{**cell, "size": size} for size in sizes],
    }


def explorer():
    return BottleneckExplorer([task("copy", (16, 64)), task("names", (32, 128))])


def mixer():
    return ContextMixer(generator.normal(size=(3, 5)), "abc")


def viewer():
    return AlignmentViewer("abc", "de", generator.dirichlet(np.ones(3), 2))


def paths():
    norms = generator.random((2, 2, 2, 3)) + 0.1
    return GradientPaths(norms, generator.dirichlet(np.ones(4), (2, 2, 3)), ["before", "after"])


def scores():
    return ScoreExplorer({"dot": {}, "cosine": {}}, keys=[[1, 0], [0, 1]], query=[1, 1])


def model_of(widget) -> dict:
    """The widget as a notebook keeps it."""
    state, places, arrays = _remove_buffers(widget.get_state())
    buffers = [
        {"path": place, "encoding": "base64", "data": base64.b64encode(array).decode()}
        for place, array in zip(places, arrays, strict=True)
    ]
    kinds = {"model_name": "AnyModel", "model_module": "anywidget"}
    return json.loads(json.dumps({**kinds, "state": state, "buffers": buffers}))


def make_page(*shown, asked=(), models=None) -> page.Page:
    """A page that shows widgets in this order, and has a link for each text in ``asked``."""
    models = models or {str(n): model_of(widget) for n, widget in enumerate(shown)}
    views = "".join(
        f'<script type="{widgets.VIEW}">{json.dumps({"model_id": key})}</script>' for key in models
    )
    state = json.dumps({"state": models}).replace("<", r"\u003c")
    words = "".join(f"<p>Now <span data-set='{text}'>do this</span>.</p>" for text in asked)
    return page.Page(
        "chapters/01-x",
        "<!DOCTYPE html><html><head><meta charset='utf-8'><title>T</title></head><body>"
        f"<article><section>{words}{views}</section></article>"
        f"<script type='{widgets.STATE}'>{state}</script></body></html>",
    )


@pytest.fixture
def make(tmp_path):
    """Make the links of a page; returns them."""

    def made(*shown, asked=(), models=None):
        one = make_page(*shown, asked=asked, models=models)
        links.make(one, tmp_path)
        return one.soup.select(".attn-set")

    return made


def test_the_words_stay_and_know_their_widget_and_its_traits(make):
    (link,) = make(viewer(), bars(), asked=["ScoreBars: {temperature: 8, rule: hard}"])
    assert link.get_text() == "do this"
    assert link["data-widget"] == widgets.identity(2)
    assert json.loads(link["data-traits"]) == {"temperature": 8, "rule": "hard"}


def test_without_a_script_it_leads_nowhere(make):
    (link,) = make(bars(), asked=["ScoreBars: {temperature: 8}"])
    assert "href" not in link.attrs
    assert "data-set" not in link.attrs


def test_a_page_loads_the_script_only_if_it_has_links(tmp_path):
    for asked in ([], ["ScoreBars: {temperature: 8}"]):
        one = make_page(bars(), asked=asked)
        links.make(one, tmp_path)
        assert [name.endswith("links.js") for name in one.head.scripts] == [True] * len(asked)


def test_widgets_of_one_class_are_counted(make):
    asked = ["ScoreBars: {selected: 1}", "ScoreBars 2: {selected: 2}"]
    found = make(bars(), viewer(), bars(), asked=asked)
    assert [link["data-widget"] for link in found] == ["widget-1", "widget-3"]
    assert len({link["id"] for link in found}) == 2


def test_a_widget_that_is_shown_twice_is_set_at_its_first_place(tmp_path):
    one = make_page(bars(), asked=["ScoreBars: {selected: 1}"])
    (view,) = one.soup.find_all("script", type=widgets.VIEW)
    view.insert_after(one.data(widgets.VIEW, {"model_id": "0"}))
    links.make(one, tmp_path)
    assert one.soup.select_one(".attn-set")["data-widget"] == "widget-1"


@pytest.mark.parametrize("name", ["ScoreBar", "ScoreBars 2", "AlignmentViewer"])
def test_an_unknown_widget_says_which_there_are(make, name):
    with pytest.raises(ExtensionError, match=rf"sets '{name}'; the page shows ScoreBars$"):
        make(bars(), asked=[name + ": {selected: 1}"])


@pytest.mark.parametrize("name", ["warmth", "_esm", "layout"])
def test_an_unknown_trait_says_which_there_are(make, name):
    with pytest.raises(ExtensionError, match=rf"sets \['{name}'\]; the traits .*'temperature'"):
        make(bars(), asked=["ScoreBars: {" + name + ": 1, selected: 1}"])


@pytest.mark.parametrize(
    ("widget", "refused", "taken"),
    [
        (bars, "ScoreBars: {temperature: 100}", "ScoreBars: {temperature: 64}"),
        (bars, "ScoreBars: {temperature: hot}", "ScoreBars: {temperature: 1}"),
        (bars, "ScoreBars: {scores: [1, 2]}", "ScoreBars: {scores: [1, 2, -3]}"),
        (bars, "ScoreBars: {rule: best}", "ScoreBars: {rule: sparsemax}"),
        (explorer, "BottleneckExplorer: {size: 17}", "BottleneckExplorer: {size: 16}"),
        (mixer, "ContextMixer: {weights: [1, 1, 0]}", "ContextMixer: {weights: [0.5, 0.5, 0]}"),
        (viewer, "AlignmentViewer: {index: 1}", "AlignmentViewer: {show_gold: true}"),
        (paths, "GradientPaths: {source: 4}", "GradientPaths: {source: 3, target: 2}"),
        (scores, "ScoreExplorer: {query: [1, 9]}", "ScoreExplorer: {query: [1, -3]}"),
        (scores, "ScoreExplorer: {selected: general}", "ScoreExplorer: {selected: cosine}"),
    ],
)
def test_a_value_that_the_widget_refuses_stops_the_build(make, widget, refused, taken):
    with pytest.raises(ExtensionError, match=r"which it refuses: .*(got|must|not)"):
        make(widget(), asked=[refused])
    assert make(widget(), asked=[taken])


def test_traits_are_checked_together(make):
    """A size of the second task is none of the first."""
    assert make(explorer(), asked=["BottleneckExplorer: {size: 32, task: 1}"])
    with pytest.raises(ExtensionError, match="refuses"):
        make(explorer(), asked=["BottleneckExplorer: {size: 32}"])


@pytest.mark.parametrize(
    "text",
    ["", "ScoreBars", "ScoreBars:", "ScoreBars: 3", "ScoreBars: {}", "ScoreBars: {", "[1, 2]", TWO],
)
def test_what_is_no_widget_with_traits_says_what_came(make, text):
    with pytest.raises(ExtensionError, match="expected a widget and its traits"):
        make(bars(), asked=[text])


def test_a_widget_that_is_not_of_the_package_cannot_be_checked(make):
    model = model_of(bars())
    model["state"]["_anywidget_id"] = "__main__.Echo"
    with pytest.raises(ExtensionError, match="sets Echo, a widget of '__main__'; only"):
        make(asked=["Echo: {selected: 1}"], models={"0": model})


def test_a_check_is_made_once_for_the_same_widget_and_traits(make, monkeypatch):
    asked = ["ScoreBars: {selected: 1}"]
    calls = []
    check = links.refusal
    monkeypatch.setattr(links, "refusal", lambda *given: calls.append(given) or check(*given))
    models = {"0": model_of(bars())}
    for _ in range(2):
        make(asked=asked, models=models)
    assert len(calls) == 1
    models["0"]["state"]["scores"] = [3, 2, 1]
    make(asked=asked, models=models)
    assert len(calls) == 2
