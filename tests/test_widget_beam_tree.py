"""The beam tree's Python side: what it checks."""

import pytest
from packed import arrays_of, assert_travels

from attn_course.models.translator import bahdanau
from attn_course.symbols import FIRST_SYMBOL
from attn_course.views.widgets.beam_tree import BeamTree

SOURCE, TARGET = tuple("abcdefg"), tuple("uvwxyz")


def arrays():
    sizes = {"embedding_size": 5, "encoder_size": 7, "state_size": 11, "hidden_size": 3}
    return arrays_of(bahdanau, FIRST_SYMBOL + len(SOURCE), FIRST_SYMBOL + len(TARGET), **sizes)


def tree(**changes):
    symbols = {"source_symbols": SOURCE, "target_symbols": TARGET}
    return BeamTree(arrays(), **{**symbols, "text": "a b c", **changes})


def test_the_traits_are_what_was_given():
    widget = tree(width=5, alpha=0.5, samples=["a", "b c"])
    assert (widget.width, widget.alpha, widget.shown, widget.text) == (5, 0.5, 0, "a b c")
    assert widget.source_symbols == list(SOURCE)
    assert widget.samples == ["a", "b c"]
    assert widget.result == {}
    assert_travels(tree(bits=32), arrays())


REFUSED = {
    tree: [
        ({"width": 0}, "width must lie from 1 to 6; got 0"),
        ({"width": 7}, "width must lie from 1 to 6; got 7"),
        ({"alpha": -0.1}, "alpha must lie from 0 to 2; got -0.1"),
        ({"alpha": float("nan")}, "alpha must lie from 0 to 2; got nan"),
        ({"longest": 0}, "longest must be a whole number, 1 or more; got 0"),
        ({"source_symbols": [*"abcdef", "a b"]}, "source_symbols must be pieces without spaces"),
        ({"target_symbols": [*"uvwxy", "u"]}, "target_symbols must be distinct"),
        ({"target_symbols": [*"uvwxy"]}, "decoder.embedding.weight must have the shape"),
    ],
}


def test_shown_is_not_negative():
    with pytest.raises(ValueError, match="shown must be 0 or more; got -1"):
        tree().shown = -1
