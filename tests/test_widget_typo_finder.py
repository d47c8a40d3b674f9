"""The typo finder's Python side: what it accepts, refuses and says."""

import pytest
from packed import arrays_of, assert_travels, without

from attn_course.models.pointer import FlattenedReader, PointerReader
from attn_course.views.widgets.typo_finder import TypoFinder

SYMBOLS = "abcdefg"
WORDS = ("bad", "bed", "cab", "fade")


def arrays(kind=PointerReader, **options):
    return arrays_of(kind, 4 + len(SYMBOLS), 3, 5, **{"score_size": 7, **options})


def finder(given=None, **changes):
    return TypoFinder(given or arrays(), **{"symbols": SYMBOLS, "words": WORDS, **changes})


def test_what_it_begins_with():
    widget = finder(text="bud", bits=32)
    assert (widget.text, widget.looked, widget.result) == ("bud", -1, {})
    assert widget.words.split(" ") == list(WORDS)
    assert "4 words" in widget.summary
    given = arrays()
    assert f"{sum(array.size for array in given.values())} weights" in widget.summary
    assert_travels(widget, given)


def test_eight_bits_take_less():
    assert len(finder().weights) < 0.6 * len(
        finder(bits=32).weights
    )  # rows this short have many scales


@pytest.mark.parametrize(
    ("given", "changes", "error", "words"),
    [
        (without(arrays(), "ask.bias"), {}, ValueError, r"missing: \['ask.bias'\]"),
        (arrays(reach=2), {}, ValueError, "unknown: .'window.bias'"),
        (arrays(layers=3, directions=1), {}, ValueError, "missing: .*reverse"),
        (arrays(), {"symbols": "abcdefgh"}, ValueError, r"shape \(12, 3\) to fit .* got \(11, 3\)"),
        (arrays(), {"words": ["bad", "Bed"]}, ValueError, "got 'Bed'"),
        (arrays(), {"words": "bad"}, TypeError, "single string"),
        (arrays(), {"words": []}, ValueError, "at least 1"),
        (arrays(), {"trained": (5, 3)}, ValueError, r"trained must be .* got \(5, 3\), 24"),
        (arrays(), {"longest": 9}, ValueError, "up to longest"),
    ],
)
def test_refusals(given, changes, error, words):
    with pytest.raises(error, match=words):
        finder(given, **changes)


def test_a_flattened_reader_is_refused():
    with pytest.raises(ValueError, match=r"unknown: .*decoder"):
        finder(arrays_of(FlattenedReader, 4 + len(SYMBOLS), 3, 5, longest=11))
