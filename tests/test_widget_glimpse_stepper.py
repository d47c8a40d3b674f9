"""The glimpse stepper's Python side: what it accepts, refuses and says."""

import numpy as np
from packed import without
from traitlets import TraitError

from attn_course.views.widgets.glimpse_stepper import GlimpseStepper

ROWS, COLUMNS, CELLS, LOOKS = 13, 17, (3, 5), 2


def shares(*shape, seed=0):
    drawn = np.random.default_rng(seed).dirichlet(np.ones(np.prod(shape[1:])), shape[0])
    return drawn.reshape(shape).astype(np.float32)


def reader(looks=LOOKS, seed=0):
    return {"weights": shares(looks, *CELLS, seed=seed), "chances": shares(looks, 11, seed=seed)}


def example(**changes):
    pixels = np.random.default_rng(2).uniform(size=(ROWS, COLUMNS)).astype(np.float32)
    boxes = np.array([[1, 0, 9, 8], [5, 9, 13, 17]])
    return {
        "name": "One",
        "pixels": pixels,
        "digits": [3, 7],
        "boxes": boxes,
        "readers": {"state": reader(), "step": reader(3, seed=1)},
    } | changes


def test_arrays_lie_one_after_the_other():
    first, second = example(), example(name="Two", digits=[5], boxes=np.array([[0, 0, 8, 8]]))
    widget = GlimpseStepper([first, second])
    assert [one["name"] for one in widget.examples] == ["One", "Two"]
    pixels = np.frombuffer(widget.pixels, np.uint8).reshape(2, ROWS, COLUMNS) / 255
    np.testing.assert_allclose(pixels[1], second["pixels"], atol=0.5 / 255 + 1e-6)
    weights = np.frombuffer(widget.weights, "<f4")
    parts = [one["readers"][name]["weights"] for one in (first, second) for name in one["readers"]]
    np.testing.assert_array_equal(weights, np.concatenate([part.ravel() for part in parts]))
    chances = np.frombuffer(widget.chances, "<f4")
    parts = [one["readers"][name]["chances"] for one in (first, second) for name in one["readers"]]
    np.testing.assert_array_equal(chances, np.concatenate([part.ravel() for part in parts]))
    assert widget.examples[0]["boxes"] == first["boxes"].tolist()
    assert widget.examples[0]["readers"][1] == {"name": "step", "looks": 3, "rows": 3, "columns": 5}


def test_it_says_in_words_what_stands_there_and_what_is_read():
    chances = np.full((LOOKS, 11), 0.01, dtype=np.float32)
    chances[0, 3] = chances[1, 10] = 0.9
    readers = {"state": reader() | {"chances": chances}}
    widget = GlimpseStepper([example(readers=readers)])
    assert widget.summary == "One: a canvas with the digits 3 7 among clutter. state: 3 end."
    assert repr(widget) == f"GlimpseStepper: {widget.summary}"


def test_it_begins_at_the_second_look():
    widget = GlimpseStepper([example()])
    assert (widget.index, widget.reader, widget.look, widget.show_boxes) == (0, 0, 1, False)
    assert widget.examples[0]["name"] == "One"
    unnamed = {key: value for key, value in example().items() if key != "name"}
    assert GlimpseStepper([unnamed]).examples[0]["name"] == "Canvas 1"


def stepper(**changes):
    return GlimpseStepper([example(**changes)])


def whole(**changes):
    return GlimpseStepper(**{"examples": [example()], **changes})


REFUSED = {
    stepper: [
        ({"pixels": np.ones((3, 5), dtype=int)}, TypeError, "pixels must be floating-point"),
        ({"pixels": np.ones(7)}, "pixels must have 2 axes"),
        ({"pixels": np.full((ROWS, COLUMNS), 1.2)}, "from 0 to 1"),
        ({"pixels": np.full((ROWS, COLUMNS), np.nan)}, "from 0 to 1"),
        ({"digits": [3]}, r"boxes must be .* \(1, 4\)"),
        ({"digits": [3, 10]}, "numbers of the symbols"),
        ({"digits": []}, "at least 1"),
        ({"boxes": np.array([[0, 0, 8, 8], [0, 9, 8, 18]])}, "lie on the canvas"),
        ({"boxes": np.array([[0, 0, 0, 8], [0, 9, 8, 17]])}, "lie on the canvas"),
        ({"boxes": np.ones((2, 4))}, "whole numbers"),
        ({"readers": {}}, "at least 1"),
        ({"readers": {"one": {"weights": shares(2, 3, 5)}}}, "weights and chances"),
        (
            {"readers": {"one": reader() | {"chances": shares(3, 11)}}},
            r"chances must be \(look symbol\) \(2, 11\); got \(3, 11\)",
        ),
        (
            {"readers": {"one": reader() | {"weights": 0.5 * shares(2, 3, 5)}}},
            r"weights of each look must sum to 1; got \[0.5, 0.5\]",
        ),
        ({"readers": {"one": reader() | {"weights": shares(2, 15)}}}, "weights must have 3 axes"),
        ({"name": 5}, TypeError, "name must be a string"),
    ],
    whole: [
        ({"examples": []}, "at least 1"),
        ({"examples": [np.ones((3, 5))]}, TypeError, "must be of the type Mapping"),
        ({"examples": [without(example(), "boxes")]}, r"lacks \['boxes'\]"),
        ({"examples": [example(), example(readers={"state": reader()})]}, "same readers"),
        ({"symbols": list("00123456789")}, "symbols must be distinct"),
        ({"index": 1}, "index must lie from 0 to 0; got 1"),
        ({"reader": 2}, "reader must lie from 0 to 1; got 2"),
        ({"look": -1}, TraitError, "look"),
    ],
}
