"""The drawn digit's Python side: what it accepts, refuses and says."""

import numpy as np
import pytest
from packed import arrays_of, without

from attn_course.models.one_look import AverageReader, MaskReader
from attn_course.packing import unpack
from attn_course.views.widgets.drawn_digit import SIDE, DrawnDigit
from attn_course.views.widgets.drawn_digit.samples import SAMPLES

PIECES = [np.full((5, 5), 0.5), np.full((7, 3), 0.25)]


def arrays(kind=MaskReader, **options):
    return arrays_of(kind, **options)


def widget(model=None, pieces=PIECES, **changes):
    return DrawnDigit(arrays() if model is None else model, pieces, **changes)


def test_what_it_begins_with():
    reader = widget(height=24, width=40, count=5, bits=32)
    assert reader.strokes == [[[float(x), float(y)] for x, y in one] for one in SAMPLES["3"]]
    assert (reader.place, reader.chosen, reader.result) == ([8, 16], 0, {})
    assert "24 by 40 pixels" in reader.summary
    back = unpack(reader.weights, reader.layout_of_weights)
    model = arrays()
    np.testing.assert_array_equal(back["readout.weight"], model["readout.weight"])
    np.testing.assert_array_equal(back["score.weight"][0], model["mask.weight"].ravel())
    assert {name: array.shape for name, array in back.items() if "conv" in name} == {
        "conv1.weight": (16, 9),
        "conv1.bias": (16,),
        "conv2.weight": (32, 144),
        "conv2.bias": (32,),
        "conv3.weight": (32, 288),
        "conv3.bias": (32,),
    }
    assert reader.piece_sizes == [[5, 5], [7, 3]]
    assert list(reader.pieces) == 25 * [128] + 21 * [64]


@pytest.mark.parametrize("seed", range(5))
def test_clutter_lies_on_the_canvas_and_beside_the_digit(seed):
    reader = widget(height=24, width=24, count=9, seed=seed)
    assert len(reader.clutter) == 9
    for piece, top, left in reader.clutter:
        rows, columns = PIECES[piece].shape
        assert 0 <= top <= 24 - rows
        assert 0 <= left <= 24 - columns
        box = range(8, 8 + SIDE)
        covered = {(row, column) for row in box for column in box}
        own = {
            (row, column)
            for row in range(top, top + rows)
            for column in range(left, left + columns)
        }
        assert not covered & own
    assert reader.clutter != widget(height=24, width=24, count=9, seed=seed + 1).clutter


def test_there_may_be_no_clutter_and_no_drawing():
    reader = widget(pieces=[], sample="")
    assert (reader.clutter, reader.strokes, reader.pieces) == ([], [], b"")


REFUSED = {
    widget: [
        ({"model": without(arrays(), "mask.bias")}, r"missing: \['mask.bias'\]"),
        ({"model": without(arrays(), "trunk.layers.8.running_var")}, "missing: .*running_var"),
        ({"model": arrays(AverageReader)}, "missing: .*mask"),
        ({"model": arrays(normalise=False)}, "missing: .*trunk.layers"),
        (
            {"model": arrays() | {"mask.weight": np.ones((1, 31, 1, 1), dtype=np.float32)}},
            r"mask.weight must have the shape \(1, 32, 1, 1\)",
        ),
        ({"height": 30}, "height must be a multiple of 4"),
        ({"width": 8}, "16 or more"),
        ({"pieces": [np.ones((9, 3))]}, "at most 8 by 8; piece 0"),
        ({"pieces": [np.ones((3, 3), dtype=int)]}, "piece 0 is int64"),
        ({"pieces": [np.full((3, 3), 1.5)]}, "from 0 to 1"),
        ({"sample": "x"}, "sample must be one of"),
        ({"samples": {"3": [[(1, 40)]]}}, "from 0 to 32"),
        ({"samples": {"3": [[]]}}, "at least 1"),
        ({"thickness": 1.0}, "thickness must lie from 2 to 10; got 1"),
        ({"noise": 0.6}, "noise must lie from 0 to 0.5"),
        ({"count": -1}, "0 or more"),
    ],
}


REFUSED |= {
    setattr: [
        ((widget(), "strokes", [[[1.0, 33.0]]]), "from 0 to 32"),
        ((widget(), "place", [25, 0]), "place must lie on the canvas"),
        ((widget(), "clutter", [[2, 0, 0]]), "no piece 2"),
        ((widget(), "clutter", [[1, 26, 0]]), "clutter must lie on the canvas"),
    ]
}
