"""The viewer of heads, its Python side: what it accepts, refuses and says."""

from packed import arrays_of, assert_travels

from attn_course.models.translator import transformer
from attn_course.views.widgets.heads_viewer import HeadsViewer

SOURCE, TARGET = "abcdefg", "0123-"


def arrays(**options):
    sizes = {"size": 12, "heads": 3, "hidden_size": 7, "decoder_layers": 2, **options}
    return arrays_of(transformer, 4 + len(SOURCE), 4 + len(TARGET), **sizes)


def viewer(model=None, source=SOURCE, target=TARGET, **changes):
    return HeadsViewer(arrays() if model is None else model, source, target, heads=3, **changes)


def test_what_it_begins_with():
    widget = viewer(text="bad", bits=32, chosen=("encoder", 1, 2), silenced=[("cross", 1, 0)])
    assert (widget.text, widget.chosen, widget.silenced) == (
        "bad",
        ["encoder", 1, 2],
        [["cross", 1, 0]],
    )
    assert (widget.selected, widget.result) == ({}, {})
    assert widget.layers == {"encoder": 2, "decoder": 2, "cross": 2}
    model = arrays()
    assert f"{sum(array.size for array in model.values()):,} weights" in widget.summary
    assert "its 18 heads" in widget.summary
    assert_travels(widget, model)


REFUSED = {
    viewer: [
        ({"model": arrays(norm="post")}, r"norm first and rotary.*missing: \['decoder.norm.bias'"),
        ({"model": arrays(positions="learned")}, r"unknown: \['decoder.places.learned.weight'"),
        (
            {"model": arrays(feed_forward=False)},
            r"missing: \['decoder.blocks.0.around_network.norm.bias'",
        ),
        ({"source": "abcdef"}, r"encoder.embedding.weight must .* \(10, 12\)"),
        ({"target": "01234-"}, r"decoder.embedding.weight must .* \(10, 12\)"),
        ({"model": arrays(size=8, heads=2)}, "8, into parts with an even number of entries; got 3"),
        ({"chosen": ("encoder", 2, 0)}, "chosen must be one of 2 layers and 3 heads"),
        ({"chosen": ("decoder", 0, -1)}, "chosen must be one of 2 layers and 3 heads"),
        ({"chosen": ("across", 0, 0)}, "chosen must be a kind of .*got .*'across'"),
        ({"chosen": ("cross", 0)}, "chosen must be a kind of"),
        ({"chosen": ("cross", 0, 1.0)}, "chosen must be a kind of"),
        ({"silenced": [("cross", 0, 3)]}, "each of silenced must be one of 2 layers"),
        ({"silenced": [("cross", 0, 1)] * 2}, "silenced must name each head once"),
        ({"selected": {"side": "row", "index": 0}}, "selected must be"),
        ({"selected": {"side": "source"}}, "selected must be"),
        ({"selected": {"side": "source", "index": -1}}, "selected must be"),
        ({"chosen": ["encoder", 1, 3]}, "chosen must be"),
        ({"silenced": [["encoder", 0, 0], "cross"]}, "each of silenced must be"),
    ],
}
