"""The weight scrubber, its Python side: what it accepts, refuses and says."""

from packed import arrays_of, assert_travels

from attn_course.models.translator import bahdanau
from attn_course.views.widgets.weight_scrubber import CHANGES, WeightScrubber

SOURCE, TARGET = "abcdefg", "0123-"


def arrays(**options):
    sizes = {"encoder_size": 3, "state_size": 11, "hidden_size": 7, **options}
    return arrays_of(bahdanau, 4 + len(SOURCE), 4 + len(TARGET), **sizes)


def scrubber(model=None, source=SOURCE, target=TARGET, **changes):
    return WeightScrubber(arrays() if model is None else model, source, target, **changes)


def test_what_it_begins_with():
    widget = scrubber(text="bad", step=2, change="hidden", places=(2, 0), other="dad", bits=32)
    assert (widget.text, widget.step, widget.change) == ("bad", 2, "hidden")
    assert (widget.places, widget.other, widget.result) == ([0, 2], "dad", {})
    model = arrays()
    assert f"{sum(array.size for array in model.values()):,} weights" in widget.summary
    assert_travels(widget, model)


REFUSED = {
    scrubber: [
        ({"model": arrays(score="general")}, "GRU cells and the additive score; missing"),
        ({"source": "abcdef"}, r"encoder.embedding.weight must have the shape \(10, "),
        ({"target": "01234-"}, r"decoder.embedding.weight must have the shape \(10, "),
        ({"step": -1}, "step must be a whole number, 0 or more; got -1"),
        ({"shuffle": -1}, "shuffle must be a whole number, 0 or more; got -1"),
        ({"change": "moved"}, r"change must be one of \['none', 'all', .*; got 'moved'"),
        ({"places": 3}, TypeError, "places must be a list or another sequence; got 3"),
        ({"places": [0, -2]}, "each of places must be a whole number, 0 or more; got -2"),
        ({"places": [0.5]}, TypeError, "each of places must be a whole number, 0 or more; got 0.5"),
        ({"places": [3, 1, 3]}, r"places must name each position once; got \[3, 1, 3\]"),
    ],
}


def test_places_that_are_set_later_are_in_order():
    widget = scrubber()
    for change in CHANGES:
        widget.change = change
    widget.places = [5, 2]
    assert widget.places == [2, 5]
