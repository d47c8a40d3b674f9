"""The score bars' Python side: what it accepts, refuses and says."""

import numpy as np
import pytest
from traitlets import TraitError

from attn_course.views.widgets.score_bars import ScoreBars

TOKENS = ["old", "men", "tell", "ancient", "jokes"]
SCORES = [12, -1, 0.4, 5, 2]


def bars(**changes):
    return ScoreBars(**{"tokens": TOKENS, "scores": SCORES, **changes})


def test_what_it_begins_with():
    widget = bars()
    assert widget.scores == SCORES
    assert widget.readable == [True] * 5
    assert (widget.temperature, widget.rule, widget.selected) == (1.0, "softmax", 0)
    for word in ("old 12", "men -1", "tell 0.4"):
        assert word in widget.summary


def test_arrays_and_other_beginnings_are_taken():
    widget = bars(
        scores=np.array(SCORES, dtype=np.float32),
        readable=[True, False, True, True, True],
        rule="sparsemax",
        temperature=4,
        selected=3,
    )
    assert widget.scores == pytest.approx(SCORES)
    assert widget.readable[1] is False
    assert (widget.temperature, widget.rule, widget.selected) == (4.0, "sparsemax", 3)


REFUSED = {
    bars: [
        ({"tokens": ["one"], "scores": [1]}, "2 to 9"),
        ({"tokens": list("abcdefghij"), "scores": [0] * 10}, "2 to 9"),
        ({"tokens": ["a", ""], "scores": [1, 2]}, "empty"),
        ({"scores": [1, 2]}, "one per token; got 2"),
        ({"scores": [99, 1, 1, 1, 1]}, "from -5.0 to 15.0; got 99"),
        ({"scores": [float("nan"), 1, 1, 1, 1]}, "got nan"),
        ({"readable": [True]}, "5 booleans"),
        ({"readable": ["yes"] * 5}, TraitError, "."),
        ({"temperature": 0}, "temperature"),
        ({"temperature": float("nan")}, "temperature"),
        ({"selected": 5}, "from 0 to 4"),
        ({"rule": "argmax"}, TraitError, "."),
        ({"low": 3, "high": 3}, "low < high"),
        ({"low": float("-inf")}, "finite"),
        ({"colour": "red"}, TypeError, "colour"),
        ({"selected": -1}, "from 0"),
    ],
}
