"""What the bottleneck explorer accepts, and what it refuses."""

from functools import partial

import numpy as np
import pytest
from packed import arrays_of

from attn_course.models.translator import bahdanau, fixed_context
from attn_course.packing import unpack
from attn_course.views.widgets.bottleneck_explorer import BottleneckExplorer

SIZES, LENGTHS, SEEDS = [16, 64], [2, 3, 5], 3
SAMPLES = [[("a" * n, "a" * n), ("b" * n, "b" * n)] for n in LENGTHS]
WRITTEN = [[pair[1] for pair in row] for row in SAMPLES]


def cell(model="fixed", size=16, steps=300, **changes):
    exact = np.random.default_rng(size + steps).random((SEEDS, len(LENGTHS)))
    fields = {"model": model, "size": size, "steps": steps, "exact": exact, "written": WRITTEN}
    return fields | changes


def task(**changes):
    cells = [
        cell(model, size, steps)
        for model in ("fixed", "attending")
        for size in SIZES
        for steps in (300, 1_100)
    ]
    return {
        "name": "Copy",
        "unit": "letters",
        "separator": "",
        "trained": (2, 3),
        "lengths": LENGTHS,
        "asked": SAMPLES,
        "cells": cells,
    } | changes


def test_it_begins_in_the_middle_and_holds_what_was_measured():
    usual = task()
    widget = BottleneckExplorer([usual])
    assert (widget.task, widget.size, widget.steps, widget.length) == (0, 64, 300, 3)
    carried = widget.tasks[0]
    assert (carried["sizes"], carried["steps"]) == (SIZES, [300, 1_100])
    for one, two in zip(carried["cells"], usual["cells"], strict=True):
        np.testing.assert_allclose(one["exact"], two["exact"], atol=1e-4)


def test_the_summary_says_where_each_falls():
    falls, stays = np.ones((SEEDS, 3)), np.ones((SEEDS, 3))
    falls[:, 1:] = 0.2
    cells = [cell(exact=falls), cell("attending", 64, 1_100, exact=stays)]
    summary = BottleneckExplorer([task(cells=cells)]).summary
    assert "one vector of size 16 after 300 steps: 3" in summary
    assert "attention of size 64 after 1,100 steps: none" in summary


def test_only_measured_cells_of_its_task_can_be_chosen():
    widget = BottleneckExplorer([task(), other_task()], size=16, length=5)
    for name, value in (("size", 32), ("steps", 301), ("length", 4), ("task", 2)):
        with pytest.raises(ValueError, match=rf"{name} must .*; got {value}"):
            setattr(widget, name, value)
    assert (widget.size, widget.steps, widget.length, widget.task) == (16, 300, 5, 0)
    with pytest.raises(ValueError, match="size must be one of"):
        BottleneckExplorer([task(), other_task()], task=1, size=64)


def other_task():
    """A task that shares no cell with `task`."""
    samples, written = [[("a", "a")], [("b", "b")]], [["a"], ["b"]]
    sizes = {"exact": np.ones((1, 2)), "written": written}
    cells = [cell("fixed", size, 1_000, **sizes) for size in (8, 32, 128)]
    return task(name="Count", lengths=[4, 9], trained=(4, 9), asked=samples, cells=cells)


def test_another_task_moves_to_its_nearest_cell():
    widget = BottleneckExplorer([task(), other_task()], size=64, length=5)
    widget.task = 1
    assert (widget.size, widget.steps, widget.length) == (32, 1_000, 4)
    # as a page sends it
    widget.set_state({"task": 0, "size": 16, "steps": 1_100, "length": 2})
    assert (widget.task, widget.size, widget.steps, widget.length) == (0, 16, 1_100, 2)


def explorer(**changes):
    return BottleneckExplorer([task(**changes)])


REFUSED = {
    explorer: [
        ({"lengths": [5, 3]}, "must"),
        ({"lengths": []}, "must"),
        ({"trained": (3,)}, "must"),
        ({"cells": []}, "must"),
        ({"cells": [cell(), cell()]}, "must"),
        ({"cells": [cell("neither")]}, "must"),
        ({"cells": [cell(exact=np.ones((SEEDS, 2)))]}, "must"),
        ({"cells": [cell(exact=np.ones(3))]}, "must"),
        ({"cells": [cell(exact=np.full((SEEDS, 3), 1.1))]}, "must"),
        ({"cells": [cell(written=[])]}, "must"),
        ({"asked": [[("a", "a")]]}, "must"),
        ({"symbols": "abca"}, "must"),
        ({"symbols": ["ab", "c"]}, "must"),
        ({"symbols": "abc", "separator": " "}, "must"),
    ],
}


SYMBOLS = "abcde"


def arrays(build=fixed_context, symbols=SYMBOLS, **sizes):
    count = 4 + len(symbols)
    return arrays_of(build, count, count, embedding_size=3, state_size=7, **sizes)


def test_the_weights_of_both_models_travel_in_8_bits():
    attending = arrays(bahdanau, score="dot", encoder_size=7, directions=1)
    models = {"fixed": arrays(), "attending": attending}
    cells = [cell(model, arrays=named) for model, named in models.items()]
    widget = BottleneckExplorer([task(symbols=SYMBOLS, cells=cells)], text="abc")
    assert widget.text == "abc"
    for carried in widget.tasks[0]["cells"]:
        back = unpack(carried["weights"], carried["layout"])
        assert set(back) == set(models[carried["model"]])
        for name, array in models[carried["model"]].items():
            np.testing.assert_allclose(back[name], array, atol=np.abs(array).max() / 250)


REFUSED[BottleneckExplorer] = [(([],), "empty")]
REFUSED[partial(BottleneckExplorer, [task()])] = [({"task": 1}, "task must")]
REFUSED[explorer] += [
    ({"symbols": "", "cells": [cell(arrays=arrays())]}, "symbols"),
    (
        {"symbols": SYMBOLS, "cells": [cell(arrays=arrays(symbols="abcd"))]},
        r"encoder.embedding.weight must have the shape \(9,",
    ),
    (
        {"symbols": SYMBOLS, "cells": [cell(arrays=arrays(bahdanau, encoder_size=7))]},
        "unknown.*_reverse",
    ),
    (
        {"symbols": SYMBOLS, "cells": [cell(arrays=arrays(cell="lstm"))]},
        "encoder.rnn.weight_ih_l0 must have the shape",
    ),
    ({"symbols": SYMBOLS, "cells": [cell(arrays={})]}, "dot score; missing.*decoder.cell"),
]
