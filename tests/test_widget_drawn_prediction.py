"""The drawn prediction's Python side: axes, possible guesses, and measurements."""

import math

import numpy as np
import pytest
import traitlets

from attn_course.views.widgets.drawn_prediction import Axis, DrawnPrediction

X = Axis("letters", (2, 3, 5, 7, 11))
Y = Axis("copied right", (0, 25, 50, 75, 100), unit="%")
LOG = Axis("norm", {1e-6: "a millionth", 1.0: "one"}, log=True)


def guess(**changes):
    return DrawnPrediction(**{"question": "How many?", "x": X, "y": Y, **changes})


def test_axes_and_positions_are_plain_numbers():
    widget = guess(x=X._replace(ticks=np.arange(2, 13, 5)), positions=np.array([3.0, 11.0]))
    assert widget.positions == [3.0, 11.0]
    assert all(type(value) in (int, float) for value in widget.positions)
    assert (widget.x["low"], widget.x["high"], widget.x["log"]) == (2, 12, False)
    assert widget.drawn == [None, None]
    assert widget.summary == widget.question
    assert repr(widget) == "DrawnPrediction: How many? (2 points to draw)"


def test_a_tick_may_have_a_text_of_its_own():
    widget = guess(y=LOG)
    assert widget.y["ticks"] == [{"at": 1e-6, "text": "a millionth"}, {"at": 1.0, "text": "one"}]
    assert [tick["text"] for tick in guess().y["ticks"]] == [""] * 5


REFUSED = {
    guess: [
        ({"question": " "}, "question must be a sentence"),
        ({"x": (0, 1)}, TypeError, r"x must be an Axis; got \(0, 1\)"),
        ({"y": Y._replace(ticks=(50, 25))}, "ticks of y must be .* rising"),
        ({"y": Y._replace(ticks=(50,))}, "two or more"),
        ({"y": Y._replace(ticks=("a", "b"))}, TypeError, "ticks of y must be numbers; got 'a'"),
        ({"y": Y._replace(ends=(0, 90))}, "ticks of y must lie between"),
        ({"y": Y._replace(log=True)}, "y begins at 0"),
        ({"y": Y._replace(ends=(0, math.inf))}, "must be finite"),
        ({"positions": (1, 3)}, "positions must lie on the x axis"),
        ({"positions": (3, 3)}, "positions must be two or more rising"),
        ({"levels": 1}, "levels must be a whole number above 1; got 1"),
    ],
}


def test_what_was_measured_is_a_mean_and_a_range_over_runs():
    runs = np.random.default_rng(3).uniform(0, 100, (7, 5))
    widget = guess()
    widget.reveal({"one vector": runs, "attention": runs[0]}, "For a reason.")
    curve, other = widget.curves
    assert (curve["name"], curve["runs"], other["runs"]) == ("one vector", 7, 1)
    np.testing.assert_allclose(curve["mean"], [sum(column) / 7 for column in runs.T])
    assert curve["low"] == [min(column) for column in runs.T.tolist()]
    assert curve["high"] == [max(column) for column in runs.T.tolist()]
    assert other["mean"] == other["low"] == other["high"]
    assert widget.explanation == "For a reason."


def test_on_a_logarithmic_axis_the_mean_is_that_of_the_logarithms():
    widget = guess(y=LOG)
    widget.reveal([[1e-6] * 5, [1e-2] * 5])
    assert widget.curves[0]["name"] == "measured"
    np.testing.assert_allclose(widget.curves[0]["mean"], [1e-4] * 5)


@pytest.mark.parametrize("trait", ["drawn", "guess"])
def test_a_curve_is_as_long_as_the_positions_and_stays_on_the_axis(trait):
    widget = guess()
    setattr(widget, trait, [0, 100, 50, 25, 1.5])
    for wrong in ([1, 2], [0, 0, 0, 0, 101], [0, 0, 0, -1, 0], [0, 0, 0, 0, "a"]):
        with pytest.raises((ValueError, TypeError, traitlets.TraitError)):
            setattr(widget, trait, wrong)
    assert getattr(widget, trait) == [0, 100, 50, 25, 1.5]


def test_a_drawing_may_have_gaps_and_a_guess_may_not():
    widget = guess()
    widget.drawn = [None, 1, None, 2, None]
    with pytest.raises(TypeError, match="guess must be numbers; got None"):
        widget.guess = [None, 1, None, 2, None]


REFUSED |= {
    guess().reveal: [
        (({},), "at least one curve"),
        (([1, 2, 3],), r"measured must hold a number for each of the 5 positions.*\(3,\)"),
        ((np.zeros((0, 5)),), r"one run or more; got the shape \(0, 5\)"),
        (({"a": [1, 2, 3, 5, math.nan]},), "a must be finite"),
    ],
    guess(y=LOG).reveal: [(([0, 1, 1, 1, 1],), "above 0 on a logarithmic axis")],
}
