"""What `make try-lab` presses, expects and concludes; the trial itself takes minutes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from test_widgets import WIDGETS

from apparatus.trials import environment, keys, lab, notebook, server
from attn_course.views.widgets.context_mixer import ContextMixer
from attn_course.views.widgets.parts import Widget
from attn_course.views.widgets.prediction import Prediction
from attn_course.views.widgets.score_bars import ScoreBars
from attn_course.views.widgets.wall import HeadWall, stored


def traits_of(widget: Widget) -> dict:
    return {name: getattr(widget, name) for name in widget.keys}


# ---- the keys


def test_every_widget_of_the_package_has_its_keys():
    assert keys.STEPS.keys() == {kind.__name__ for kind in WIDGETS}


def test_a_widget_that_is_not_known_is_an_error():
    with pytest.raises(LookupError, match="no keys are known for a Sparkline"):
        keys.steps_of("Sparkline", {})


@pytest.mark.parametrize(
    ("widget", "first"),
    [
        (Prediction("How many?", (0, 0.6, 0.1)), {"guess": 0.4}),
        (Prediction("How many?", (2, 24, 0.5)), {"guess": 13.5}),
        (Prediction("Which?", ["a", "b"]), {"guess": "a"}),
        (ScoreBars(["a", "b"], [1, 2]), {"scores": [1.1, 2.0]}),
        (ContextMixer([[0.0, 1], [1, 0], [2, 2.0]], "abc"), {"weights": [1.0, 0.0, 0.0]}),
        (HeadWall(stored()[:1], chosen=(23, 4)), {"chosen": [24, 4]}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_first_step_changes_and_the_last_goes_back(widget, first):
    traits = traits_of(widget)
    steps = keys.steps_of(type(widget).__name__, traits)
    assert notebook.differing(steps[0].expected, first) == ""
    assert notebook.differing(steps[0].expected, traits) != ""
    assert notebook.differing(steps[-1].expected, traits) == ""
    assert {name for step in steps for name in step.expected} == set(steps[-1].expected)


def test_a_wall_gets_a_sentence_of_the_reader_s_own():
    (sentence,) = sentences = stored()[:1]
    wall = HeadWall(sentences, read=lambda text: sentence[1:])
    *_, typed, _ = keys.steps_of("HeadWall", traits_of(wall))
    assert typed.keys.endswith(" Enter")
    assert notebook.differing(typed.expected, traits_of(wall)) != ""
    wall.text = "d dabjmx"
    assert notebook.differing(typed.expected, traits_of(wall)) == ""


def test_every_widget_gets_arrows_letters_enter_and_ends_with_its_reset():
    widget = ScoreBars(["a", "b"], [1, 2])
    steps = keys.steps_of("ScoreBars", traits_of(widget))
    pressed = {key for step in steps for key in step.keys.split()}
    assert {"ArrowRight", "ArrowDown", "Enter", "Space", "d", "b"} <= pressed
    assert steps[-1].place == keys.RESET


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        (0.3, 0.1 + 0.2, True),
        ([0.3, 1.0], [0.1 + 0.2, 1], True),
        ([0.3], [0.3, 0.3], False),
        (0.3, None, False),
        (True, False, False),
        (keys.Other({}), {}, False),
        (keys.Other({}), {"iso": "1998-05-03"}, True),
    ],
)
def test_values_agree_but_for_dust(expected, actual, same):
    assert keys.agree(expected, actual) is same


# ---- what is concluded

STANDING = {"cells": [["a", "code", "1"], ["b", "code", "2"]], "active": 1}
STANDING |= {"mode": "command", "inside": True}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cells": STANDING["cells"][:1]}, "it had 2 cells and has 1"),
        ({"active": 0}, "the active cell was 1 and is 0"),
        ({"mode": "edit"}, "it was in command mode and is in edit mode"),
        ({"inside": False}, "the focus has left the widget"),
        ({"cells": [["a", "markdown", "1"], ["b", "code", "2"]]}, "a cell has changed"),
    ],
)
def test_a_key_that_the_notebook_took_is_named(change, words):
    notebook.unmoved(STANDING, dict(STANDING), "ArrowDown")
    with pytest.raises(notebook.Trouble, match=f"took the key d for itself: {words}"):
        notebook.unmoved(STANDING, STANDING | change, "d")


def cell(index=3, **changes):
    defaults = {"index": index, "id": "x", "empty": False, "ran": True, "errors": [], "views": []}
    return defaults | changes


def test_cells_that_failed_or_did_not_run_are_named():
    assert notebook.faults([cell(), cell(empty=True, ran=False)]) == []
    assert notebook.faults([cell(), cell(4, ran=False)]) == ["cell 4 (x) was not run"]
    wrong = notebook.faults([cell(errors=["ValueError: no"]), cell(4, ran=False)])
    assert wrong == ["cell 3 (x) raised ValueError: no"]


def test_all_widgets_on_display_are_listed_in_their_order():
    views = notebook.views([cell(views=["m", "n"]), cell(5, views=["m"])])
    places = [(view.cell, view.number, view.model) for view in views]
    assert places == [(3, 0, "m"), (3, 1, "n"), (5, 0, "m")]


def test_a_message_names_what_python_has_otherwise():
    traits = {"guess": "a", "committed": True}
    message = notebook.differing(traits, traits | {"guess": None})
    assert message == "Python has guess = None, expected 'a'"


def test_the_kernel_returns_the_traits_of_one_widget():
    widget = Prediction("Which?", ["a", "b"])
    widget.guess = "b"
    traits = json.loads(eval(notebook.TRAITS.format(model=widget.model_id)))
    assert traits["guess"] == "b"
    assert traits["_anywidget_id"].endswith(".Prediction")
    assert "_esm" not in traits


def test_what_the_wheel_does_not_bring_is_named(tmp_path):
    place = environment.Environment(tmp_path)
    assert len(lab.lacking(place)) == 3
    extension = tmp_path / "share/jupyter/labextensions/anywidget/package.json"
    extension.parent.mkdir(parents=True)
    extension.write_text("{}")
    assert not [path for path in lab.lacking(place) if "labextensions/anywidget" in path]


def test_a_chapter_is_named_by_the_beginning_of_its_name():
    assert [path.stem for path in lab.chapters("02")] == ["02-softmax"]
    assert len(lab.chapters("")) > 5
    with pytest.raises(SystemExit, match=r"one of 01-fixed-context, .*; got '99'"):
        lab.chapters("99")


# ---- the server and the script


def test_a_server_that_does_not_answer_is_reported(tmp_path):
    (tmp_path / "log.txt").write_text("no such option")
    with pytest.raises(SystemExit, match=r"does not answer(.|\n)*no such option"):
        server.await_answer("http://127.0.0.1:1/", seconds=0, log=tmp_path / "log.txt")


def test_the_script_of_the_page_is_javascript():
    node = Path(sys.executable).with_name("node")
    if not node.exists():
        pytest.skip("needs node, which the book's build has")
    subprocess.run([node, "--check", notebook.SCRIPT], check=True)
