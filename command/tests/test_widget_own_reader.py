"""The own reader's Python side: what it accepts, refuses and says."""

import numpy as np
import pytest

from attn_course.packing import unpack
from attn_course.views.widgets.own_reader import MODELS, OwnReader
from attn_own import designs

SOURCE, TARGET = "abcdé", "ABC"


def arrays(model):
    network = designs.build(model, 8, 4 + len(SOURCE), 4 + len(TARGET))
    return {name: part.numpy() for name, part in network.state_dict().items()}


def reader(model="bahdanau", weights=None, **changes):
    options = {"source_symbols": SOURCE, "target_symbols": TARGET, **changes}
    return OwnReader(model, weights or arrays(model), **options)


def test_it_knows_the_models_of_the_command_line():
    assert set(MODELS) == set(designs.MODELS)


@pytest.mark.parametrize("model", MODELS)
def test_what_it_begins_with(model):
    weights = arrays(model)
    widget = reader(model, weights, text="ab", samples=["c", "d"], bits=32)
    assert (widget.text, widget.result, widget.samples) == ("ab", {}, ["c", "d"])
    assert widget.source_symbols == list(SOURCE)
    assert f"{sum(array.size for array in weights.values()):,} weights" in widget.summary
    assert "5 known characters" in widget.summary
    back = unpack(widget.weights, widget.layout_of_weights)
    for name, array in weights.items():
        np.testing.assert_array_equal(back[name], array)


def test_symbols_may_be_words():
    words = {"source_symbols": ["one", "two", "x", "y", "z"], "target_symbols": ["un", "deux", "X"]}
    widget = reader(separator=" ", **words)
    assert widget.source_symbols == words["source_symbols"]
    assert "5 known words" in widget.summary


def test_each_side_has_symbols_of_its_own():
    words = ["one", "two", "x", "y", "z"]
    widget = reader(separator=" ", target_separator="", source_symbols=words, form="NFD")
    assert (widget.separator, widget.target_separator, widget.form) == (" ", "", "NFD")
    assert reader(separator="").target_separator == ""
    with pytest.raises(ValueError, match="target_symbols must be single characters"):
        reader(separator=" ", target_separator="", source_symbols=words, target_symbols=words[:3])


@pytest.mark.parametrize("model", MODELS)
def test_the_array_that_does_not_fit_is_named(model):
    for name in arrays(model):
        weights = arrays(model)
        weights[name] = np.concatenate([weights[name], weights[name][:1]])
        with pytest.raises(ValueError, match="must have the shape"):
            reader(model, weights)


def test_the_arrays_of_another_model_are_refused():
    for model in MODELS:
        for other in MODELS:
            if other != model:
                with pytest.raises(ValueError, match="missing"):
                    reader(model, arrays(other))


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"source_symbols": "abcda"}, ValueError, "source_symbols must be distinct"),
        ({"target_symbols": ["AB", "C", "D"]}, ValueError, "must be single characters; got 'AB'"),
        ({"target_symbols": ["A", "", "D"]}, ValueError, "must be single characters"),
        ({"source_symbols": [*"abcd", "e f"], "separator": " "}, ValueError, "without spaces"),
        ({"source_symbols": [*"abcd", 3]}, TypeError, "each of source_symbols must be a string"),
        ({"source_symbols": "abcdef"}, ValueError, r"encoder.embedding.weight must have the shape"),
        ({"longest": 0}, ValueError, "longest must be a whole number"),
        ({"longest_answer": 2.5}, TypeError, "longest_answer must be a whole number"),
        ({"sure_above": 1.5}, ValueError, "probability"),
        ({"bits": 4}, ValueError, "8 or 32"),
        ({"samples": "ab"}, TypeError, "samples must be a list"),
    ],
)
def test_refusals(changes, error, words):
    with pytest.raises(error, match=words):
        reader(**changes)


def test_an_unknown_model_is_refused():
    with pytest.raises(ValueError, match="model must be one of"):
        OwnReader("gpt", {}, SOURCE, TARGET)


def test_heads_must_divide_the_size():
    with pytest.raises(ValueError, match="heads must divide"):
        reader("transformer", heads=3)
