"""The viewer of heads, its Python side: what it accepts, refuses and says."""

import pytest
from packed import arrays_of, assert_travels

from attn_course.models.translator import transformer
from attn_course.views.widgets.heads_viewer import HeadsViewer

SOURCE, TARGET = "abcdefg", "0123-"


def arrays(**options):
    sizes = {"size": 12, "heads": 3, "hidden_size": 7, "decoder_layers": 2, **options}
    return arrays_of(transformer, 4 + len(SOURCE), 4 + len(TARGET), **sizes)


def viewer(given=None, source=SOURCE, target=TARGET, **changes):
    return HeadsViewer(arrays() if given is None else given, source, target, heads=3, **changes)


def test_what_it_begins_with():
    shown = viewer(text="bad", bits=32, chosen=("encoder", 1, 2), silenced=[("cross", 1, 0)])
    assert (shown.text, shown.chosen, shown.silenced) == (
        "bad",
        ["encoder", 1, 2],
        [["cross", 1, 0]],
    )
    assert (shown.selected, shown.result) == ({}, {})
    assert shown.layers == {"encoder": 2, "decoder": 2, "cross": 2}
    given = arrays()
    assert f"{sum(array.size for array in given.values()):,} weights" in shown.summary
    assert "its 18 heads" in shown.summary
    assert_travels(shown, given)


@pytest.mark.parametrize(
    ("given", "changes", "words"),
    [
        (arrays(norm="post"), {}, r"norm first and rotary.*missing: \['decoder.norm.bias'"),
        (arrays(positions="learned"), {}, r"unknown: \['decoder.places.learned.weight'"),
        (arrays(feed_forward=False), {}, r"missing: \['decoder.blocks.0.around_network.norm.bias'"),
        (arrays(), {"source": "abcdef"}, r"encoder.embedding.weight must .* \(10, 12\)"),
        (arrays(), {"target": "01234-"}, r"decoder.embedding.weight must .* \(10, 12\)"),
        (arrays(size=8, heads=2), {}, "8, into parts with an even number of entries; got 3"),
        (arrays(), {"chosen": ("encoder", 2, 0)}, "chosen must be one of 2 layers and 3 heads"),
        (arrays(), {"chosen": ("decoder", 0, -1)}, "chosen must be one of 2 layers and 3 heads"),
        (arrays(), {"chosen": ("across", 0, 0)}, "chosen must be a kind of .*got .*'across'"),
        (arrays(), {"chosen": ("cross", 0)}, "chosen must be a kind of"),
        (arrays(), {"chosen": ("cross", 0, 1.0)}, "chosen must be a kind of"),
        (arrays(), {"silenced": [("cross", 0, 3)]}, "each of silenced must be one of 2 layers"),
        (arrays(), {"silenced": [("cross", 0, 1)] * 2}, "silenced must name each head once"),
        (arrays(), {"selected": {"side": "row", "index": 0}}, "selected must be"),
        (arrays(), {"selected": {"side": "source"}}, "selected must be"),
        (arrays(), {"selected": {"side": "source", "index": -1}}, "selected must be"),
    ],
)
def test_what_is_refused(given, changes, words):
    with pytest.raises((ValueError, TypeError), match=words):
        viewer(given, **changes)


def test_the_heads_that_are_named_later_are_checked_too():
    shown = viewer()
    shown.chosen = ["encoder", 1, 2]
    with pytest.raises(ValueError, match="chosen must be"):
        shown.chosen = ["encoder", 1, 3]
    with pytest.raises(ValueError, match="each of silenced must be"):
        shown.silenced = [["encoder", 0, 0], "cross"]
