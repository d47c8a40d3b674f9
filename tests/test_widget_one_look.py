"""One look by hand, its Python side: what it accepts, and what it refuses."""

import pytest
from traitlets import TraitError

from attn_course.views.widgets.one_look import OneLook

KEYS = [[2, 0.5], [-0.5, 1], [-1.5, -1.5], [1, -2]]


def look(**traits):
    return OneLook(**{"keys": KEYS} | traits)


def test_values_are_the_keys_unless_given_and_nobody_else_asks():
    widget = OneLook(KEYS)
    assert widget.key_points == widget.value_points == KEYS
    assert (widget.query, widget.step, widget.askers, widget.asker) == (
        [0.8, 1.2],
        "average",
        [],
        0,
    )
    assert OneLook(KEYS, values=KEYS[::-1]).value_points == KEYS[::-1]


def test_the_first_position_asks_first():
    widget = OneLook(KEYS, askers=KEYS)
    assert (widget.askers, widget.asker) == (KEYS, 1)
    assert OneLook(KEYS, askers=KEYS, asker=0).asker == 0


@pytest.mark.parametrize(
    ("traits", "words"),
    [
        ({}, "A query at (0.8, 1.2) and 4 keys in the plane, with every number of a look: "
             "its score with each key, the shares, the average."),
        ({"step": "scores"}, "A query at (0.8, 1.2) and 4 keys in the plane, with every number of "
                             "a look: its score with each key."),
        ({"step": "shares", "askers": KEYS}, "4 queries and 4 keys in the plane, with every number "
                                             "of a look: its score with each key, the shares."),
    ],
)  # fmt: skip
def test_it_says_in_words_what_it_shows(traits, words):
    assert OneLook(KEYS, **traits).summary == words


REFUSED = {
    look: [
        ({"keys": KEYS[:1]}, "keys must be 2 to 5 points; got 1"),
        ({"keys": [[0, 1], [1, 4]]}, "key 2 must be"),
        ({"query": (1, 2, 3)}, "query must be"),
        ({"query": (1, float("nan"))}, "query must be"),
        ({"values": KEYS[:3]}, "values must be 4, one per key; got 3"),
        ({"values": [*KEYS[:3], [0, 3.5]]}, "value 4 must be"),
        ({"askers": [*KEYS, [0, 0]]}, "askers must be 4, one per key; got 5"),
        ({"askers": KEYS, "asker": 5}, "asker must lie from 0 to 4; got 5"),
        ({"asker": 1}, "asker must lie from 0 to 0; got 1"),
        ({"step": "weights"}, TraitError, "scores"),
        ({"asked": 1}, TypeError, "asked is not an argument"),
    ],
}
