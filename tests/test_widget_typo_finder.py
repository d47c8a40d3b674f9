"""The typo finder's Python side: what it accepts, refuses and says."""

from packed import arrays_of, assert_travels, without

from attn_course.models.pointer import FlattenedReader, PointerReader
from attn_course.views.widgets.typo_finder import TypoFinder

SYMBOLS = "abcdefg"
WORDS = ("bad", "bed", "cab", "fade")


def arrays(kind=PointerReader, **options):
    return arrays_of(kind, 4 + len(SYMBOLS), 3, 5, **{"score_size": 7, **options})


def finder(model=None, **changes):
    return TypoFinder(model or arrays(), **{"symbols": SYMBOLS, "words": WORDS, **changes})


def test_what_it_begins_with():
    widget = finder(text="bud", bits=32)
    assert (widget.text, widget.looked, widget.result) == ("bud", -1, {})
    assert widget.words.split(" ") == list(WORDS)
    assert "4 words" in widget.summary
    model = arrays()
    assert f"{sum(array.size for array in model.values())} weights" in widget.summary
    assert_travels(widget, model)


REFUSED = {
    finder: [
        ({"model": without(arrays(), "ask.bias")}, r"missing: \['ask.bias'\]"),
        ({"model": arrays(reach=2)}, "unknown: .'window.bias'"),
        ({"model": arrays(layers=3, directions=1)}, "missing: .*reverse"),
        ({"symbols": "abcdefgh"}, r"shape \(12, 3\) to fit .* got \(11, 3\)"),
        ({"words": ["bad", "Bed"]}, "got 'Bed'"),
        ({"words": "bad"}, TypeError, "single string"),
        ({"words": []}, "at least 1"),
        ({"trained": (5, 3)}, r"trained must be .* got \(5, 3\), 24"),
        ({"longest": 9}, "up to longest"),
        (
            {"model": arrays_of(FlattenedReader, 4 + len(SYMBOLS), 3, 5, longest=11)},
            "unknown: .*decoder",
        ),
    ],
}
