"""The typo finder's Python side: what it accepts, refuses and says."""

import numpy as np
import pytest
import torch

from attn_course.models.pointer import FlattenedReader, PointerReader
from attn_course.packing import unpack
from attn_course.views.widgets.typo_finder import TypoFinder

SYMBOLS = "abcdefg"
WORDS = ("bad", "bed", "cab", "fade")


def arrays(kind=PointerReader, **options):
    torch.manual_seed(5)
    model = kind(4 + len(SYMBOLS), 3, 5, **{"score_size": 7, **options})
    return {name: part.numpy() for name, part in model.state_dict().items()}


def finder(given=None, **changes):
    return TypoFinder(given or arrays(), **{"symbols": SYMBOLS, "words": WORDS, **changes})


def test_what_it_begins_with():
    widget = finder(text="bud", bits=32)
    assert (widget.text, widget.looked, widget.result) == ("bud", -1, {})
    assert widget.words.split(" ") == list(WORDS)
    assert "4 words" in widget.summary
    given = arrays()
    assert f"{sum(array.size for array in given.values())} weights" in widget.summary
    back = unpack(widget.weights, widget.layout_of_weights)
    assert set(back) == set(given)
    for name, array in given.items():
        np.testing.assert_array_equal(back[name], array)


def test_eight_bits_take_less():
    assert len(finder().weights) < 0.6 * len(
        finder(bits=32).weights
    )  # rows this short have many scales


def without(name):
    return {key: array for key, array in arrays().items() if key != name}


@pytest.mark.parametrize(
    ("given", "changes", "error", "words"),
    [
        (without("ask.bias"), {}, ValueError, r"missing: \['ask.bias'\]"),
        (arrays() | {"more": np.ones(3)}, {}, ValueError, r"unknown: \['more'\]"),
        (arrays(reach=2), {}, ValueError, "unknown: .'window.bias'"),
        (arrays(layers=3, directions=1), {}, ValueError, "missing: .*reverse"),
        (arrays(), {"symbols": "abcdefgh"}, ValueError, r"shape \(12, 3\) to fit .* got \(11, 3\)"),
        (arrays(), {"words": ["bad", "Bed"]}, ValueError, "got 'Bed'"),
        (arrays(), {"words": "bad"}, TypeError, "single string"),
        (arrays(), {"words": []}, ValueError, "at least 1"),
        (arrays(), {"trained": (5, 3)}, ValueError, r"trained must be .* got \(5, 3\), 24"),
        (arrays(), {"longest": 9}, ValueError, "up to longest"),
        (arrays(), {"bits": 4}, ValueError, "8 or 32"),
    ],
)
def test_refusals(given, changes, error, words):
    with pytest.raises(error, match=words):
        finder(given, **changes)


def test_a_flattened_reader_is_refused():
    torch.manual_seed(5)
    model = FlattenedReader(4 + len(SYMBOLS), 3, 5, longest=11)
    with pytest.raises(ValueError, match=r"unknown: .*decoder"):
        finder({name: part.numpy() for name, part in model.state_dict().items()})
