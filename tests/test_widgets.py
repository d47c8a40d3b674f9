"""The widgets' Python side: packing, validation, and talking to a real kernel."""

import json
import pkgutil
import re
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from ipywidgets import DOMWidget
from packed import arrays_of, assert_travels
from traitlets import TraitError

from attn_course import packing
from attn_course.models.translator import bahdanau
from attn_course.views import palette, widgets
from attn_course.views.widgets.alignment_viewer import AlignmentViewer
from attn_course.views.widgets.date_reader import DateReader
from attn_course.views.widgets.parts import Widget
from attn_course.views.widgets.prediction import Prediction

SOURCE, TARGET = 7, 5
WIDGETS = [
    kind
    for module in pkgutil.iter_modules(widgets.__path__)
    for kind in vars(import_module(f"attn_course.views.widgets.{module.name}")).values()
    if isinstance(kind, type) and issubclass(kind, Widget) and kind is not Widget
]


# ---- packing

numbers = st.floats(-1e3, 1e3, width=32).filter(lambda x: x == 0 or abs(x) > 1e-6)
matrices = npst.arrays(np.float32, npst.array_shapes(min_dims=2, max_dims=2), elements=numbers)
vectors = npst.arrays(np.float32, npst.array_shapes(min_dims=1, max_dims=1), elements=numbers)


@given(st.lists(st.one_of(matrices, vectors), min_size=1, max_size=3))
def test_32_bits_give_back_what_was_packed(arrays):
    named = {f"array{number}": array for number, array in enumerate(arrays)}
    back = packing.unpack(*packing.pack(named, bits=32))
    assert list(back) == list(named)
    for name in named:
        np.testing.assert_array_equal(back[name], named[name])


@given(matrices, vectors)
def test_8_bits_err_by_at_most_half_a_step_of_the_row(matrix, vector):
    packed, layout = packing.pack({"matrix": matrix, "vector": vector}, bits=8)
    back = packing.unpack(packed, layout)
    step = np.abs(matrix).max(axis=1, keepdims=True).astype(np.float64) / 127
    assert (np.abs(back["matrix"].astype(np.float64) - matrix) <= 0.50001 * step).all()
    np.testing.assert_array_equal(back["vector"], vector)
    assert len(packed) == matrix.size + 4 * len(matrix) + 4 * vector.size


def test_a_large_row_does_not_coarsen_another():
    matrix = np.array([[1000.0, 1.0], [0.01, 0.02]])
    back = packing.unpack(*packing.pack({"matrix": matrix}))["matrix"]
    np.testing.assert_allclose(back[1], matrix[1], atol=0.02 / 254)


def test_layout_is_plain_json():
    _, layout = packing.pack({"a": np.ones((3, 2)), "b": np.ones(5)})
    assert json.loads(json.dumps(layout)) == layout
    assert [(entry["shape"], entry["bits"]) for entry in layout] == [([3, 2], 8), ([5], 32)]


# ---- what every widget keeps to


def test_every_widget_is_found():
    assert {AlignmentViewer, DateReader, Prediction} < set(WIDGETS)
    assert all(kind._esm and kind._css for kind in WIDGETS)


@pytest.mark.parametrize("widget", WIDGETS)
def test_module_is_self_contained(widget):
    module = widget._esm
    assert not re.search(r"^\s*import\b|\bimport\s*\(|\bfetch\b|XMLHttpRequest", module, re.M)
    assert module.count("export default { render };") == 1
    assert "export function render" not in module  # anywidget would mistake it for an old widget


@pytest.mark.parametrize("widget", WIDGETS)
def test_a_page_is_told_every_trait(widget):
    own = set(widget.class_trait_names()) - set(DOMWidget.class_trait_names())
    assert own <= set(widget.class_trait_names(sync=True))


@pytest.mark.parametrize("widget", WIDGETS)
def test_text_is_never_markup_and_no_element_has_an_id(widget):
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\.id\s*=|[\"']?\bid\b[\"']?:"
    )
    assert not re.search(forbidden, widget._esm)


@pytest.mark.parametrize("widget", WIDGETS)
def test_class_names_are_scoped_and_colours_come_from_the_palette(widget):
    style = widget._css
    assert palette.css() in style
    own = re.sub(r"/\*.*?\*/", "", style.replace(palette.css(), ""), flags=re.S)
    assert set(re.findall(r"#[0-9a-f]{3,8}\b|\brgba?\(", own)) == set()
    # steps of an animation are no selectors, :is(a, b) is one, and :where(.attn-a b) weighs nothing
    own = re.sub(r"@keyframes attn-[\w-]+ \{(?:[^{}]*\{[^{}]*\})*\s*\}", "", own)
    for block in re.findall(r"([^{}]+)\{", own):
        for selector in re.sub(r"^\s*:where\((?=\.attn-)|\([^)]*\)", "", block).split(","):
            assert selector.strip().startswith((".attn-", "@")), selector


# ---- alignment viewer


def random_weights(target=TARGET, source=SOURCE, seed=0):
    return np.random.default_rng(seed).dirichlet(np.ones(source), target)


def tokens(letter, count):
    return [f"{letter}{number}" for number in range(count)]


def viewer(**changes):
    arguments = {
        "source": tokens("s", SOURCE),
        "target": tokens("t", TARGET),
        "weights": random_weights(),
    }
    return AlignmentViewer(**{**arguments, **changes})


def test_viewer_keeps_weights_and_gold_row_by_row():
    gold = np.eye(TARGET, SOURCE, dtype=bool)
    widget = viewer(gold=gold)
    weights = np.frombuffer(widget.weights, "<f4").reshape(TARGET, SOURCE)
    np.testing.assert_allclose(weights, random_weights(), atol=1e-7)
    np.testing.assert_array_equal(np.frombuffer(widget.gold, np.uint8).reshape(gold.shape), gold)
    assert widget.examples[0]["gold"] is True


def test_viewer_takes_a_string_for_its_characters():
    widget = AlignmentViewer("3. Mai", "05-03", random_weights(5, 6))
    assert widget.examples[0]["source"] == ["3", ".", " ", "M", "a", "i"]


def test_several_examples_lie_one_after_the_other():
    sizes = [(2, 3), (5, 7)]
    examples = [
        {
            "name": f"{target} by {source}",
            "source": tokens("s", source),
            "target": tokens("t", target),
            "weights": random_weights(target, source),
        }
        for target, source in sizes
    ]
    widget = AlignmentViewer(examples=examples)
    every = np.concatenate([example["weights"].ravel() for example in examples])
    np.testing.assert_allclose(np.frombuffer(widget.weights, "<f4"), every, atol=1e-7)
    assert [example["name"] for example in widget.examples] == ["2 by 3", "5 by 7"]


def test_viewer_says_in_words_what_it_shows():
    weights = np.zeros((2, 3))
    weights[0, 2] = weights[1, 0] = 1
    widget = AlignmentViewer(["a", "b", "c"], ["x", "y"], weights)
    assert "x reads c (1.00), y reads a (1.00)" in widget.summary
    assert repr(widget) == f"AlignmentViewer: {widget.summary}"


def without_the_last(row=2):
    weights = random_weights()
    weights[row, -1] = 0
    return weights


REFUSED = {
    viewer: [
        ({"weights": random_weights().T}, r"\(target, source\) \(5, 7\); got \(7, 5\)"),
        ({"weights": None}, TypeError, "weights must be floating point"),
        ({"weights": np.ones((5, 7), dtype=int)}, TypeError, "int"),
        ({"weights": without_the_last()}, "row 2 sums to"),
        ({"weights": random_weights() * np.nan}, "finite"),
        ({"weights": 2 / SOURCE - random_weights()}, "not negative"),
        ({"gold": np.zeros((5, 6), dtype=bool)}, r"gold.*\(5, 7\); got \(5, 6\)"),
        ({"gold": np.zeros((5, 7))}, TypeError, "gold must be boolean"),
        ({"source": []}, "source must be one or more tokens"),
        ({"target": ["a", "", "c", "d", "e"]}, "target must be"),
        ({"examples": [{}]}, "one alignment or several examples"),
        ({"selected": {"side": "row", "index": 0}}, "selected must"),
        ({"selected": {"side": "target", "index": TARGET}}, "selected must"),
        ({"selected": {"side": "source", "index": SOURCE}}, "selected must"),
        ({"selected": {"side": "target", "index": 0, "other": SOURCE}}, "selected must"),
        ({"selected": {"side": "target"}}, "selected must"),
        ({"selected": {"side": "target", "index": -1}}, "selected must"),
        ({"selected": {"side": "target", "index": 0, "colour": "red"}}, "selected must"),
        ({"index": 1}, "index must lie between 0 and 0"),
        ({"view": "heatmap"}, TraitError, "view"),
    ],
}


def test_viewer_without_anything_to_show():
    with pytest.raises(ValueError, match="examples is empty"):
        AlignmentViewer(examples=[])


def test_a_place_can_be_selected():
    last = {"side": "target", "index": TARGET - 1}, {"side": "source", "index": SOURCE - 1}
    for selected in ({}, *last, {"side": "target", "index": 0, "other": SOURCE - 1}):
        assert viewer(selected=selected).selected == selected


# ---- date reader

SYMBOLS = {"source": "abcdefg", "target": "0123-"}


def arrays(**sizes):
    """Those of the course's model; all sizes differ."""
    small = {"embedding_size": 5, "encoder_size": 3, "hidden_size": 7, "state_size": 11}
    return arrays_of(bahdanau, 4 + 7, 4 + 5, **small | sizes)


def reader(named=None, source=SYMBOLS["source"], target=SYMBOLS["target"], **arguments):
    return DateReader(arrays() if named is None else named, source, target, **arguments)


@pytest.mark.parametrize("bias", [{}, {"decoder.score.key_projection.bias": np.full(7, 0.5, "f4")}])
def test_reader_packs_every_array(bias):
    named = arrays() | bias
    assert_travels(reader(named, bits=32), named)


def test_reader_knows_the_years_of_the_course_s_dates():
    from attn_course.tasks.date_patterns import FIRST_DAY, LAST_DAY

    assert reader().years == (FIRST_DAY.year, LAST_DAY.year)


def test_reader_names_what_is_missing_and_what_is_too_much():
    named = arrays()
    bias = named.pop("decoder.readout.bias")
    with pytest.raises(ValueError, match=r"missing: \['decoder.readout.bias'\]; unknown: none"):
        reader(named)
    named |= {"decoder.readout.bias": bias, "decoder.extra": bias}
    with pytest.raises(ValueError, match=r"missing: none; unknown: \['decoder.extra'\]"):
        reader(named)


REFUSED |= {
    reader: [
        ({"source": "abcdef"}, r"encoder.embedding.weight must have the shape \(10, 5\)"),
        ({"target": "0123-x"}, r"decoder.embedding.weight must have the shape \(10, 16\)"),
        ({"source": "abcdefa"}, "source_symbols must be distinct"),
        ({"target": ["01", "2", "3", "-", "4"]}, "target_symbols must be single characters"),
        ({"bits": 4}, "8 or 32"),
        ({"longest": 0}, "longest must be a whole number, 1 or more; got 0"),
        ({"longest": 2.5}, TypeError, "longest must be a whole number, 1 or more; got 2.5"),
        (
            {"samples": "3. Mai"},
            TypeError,
            "samples must be a list.*; got the single string '3. Mai'",
        ),
        ({"samples": ["3. Mai", 3]}, TypeError, "each of the samples must be a string; got 3"),
        ({"sure_above": 1.5}, "probability"),
        ({"years": (2049, 1950)}, "years must be the first and the last"),
    ],
}


# ---- prediction


def test_prediction_with_options():
    guess = Prediction("Which?", ["additive", "dot"])
    assert guess.options == ["additive", "dot"]
    assert guess.measured is None
    guess.reveal("dot", "Half the time.")
    assert (guess.measured, guess.explanation) == ("dot", "Half the time.")
    assert repr(guess) == "Prediction: Which? (additive / dot)"  # without the measurement


def test_prediction_on_a_scale():
    guess = Prediction("How many?", (0, 100, 5, "%"))
    assert guess.scale == {"low": 0, "high": 100, "step": 5, "unit": "%"}
    guess.reveal(np.float32(97.5))
    assert guess.measured == 97.5
    assert type(guess.measured) is float  # JSON cannot encode NumPy's numbers
    assert repr(guess) == "Prediction: How many? (0 to 100 %)"


def predicted(question="How many?", options=("a", "b")):
    return Prediction(question, options)


REFUSED |= {
    predicted: [
        ({"options": []}, "two or more different answers"),
        ({"options": ["one"]}, "two or more different answers"),
        ({"options": ["one", "one"]}, "two or more different answers"),
        ({"options": ["one", " "]}, "two or more different answers"),
        ({"options": (0, 100)}, "low, high, step"),
        ({"options": (0, 100, 0)}, "step above 0"),
        ({"options": (1, 1, 1)}, "low < high"),
        ({"options": (0, 1, 5)}, "fits between"),
        ({"options": (0, float("nan"), 1)}, "high must be finite"),
        ({"options": (0, "100", 1)}, TypeError, "high must be a number"),
        ({"options": (0, 100, 1, 5)}, TypeError, "unit must be a string"),
        ({"question": ""}, "question must be a sentence"),
        ({"question": "  "}, "question must be a sentence"),
        ({"question": None}, "question must be a sentence"),
    ],
}


def test_prediction_refuses_a_measurement_or_a_guess_of_another_kind():
    choice, scale = Prediction("Which?", ["a", "b"]), Prediction("How many?", (0, 10, 1))
    with pytest.raises(ValueError, match=r"measured must be one of \['a', 'b'\]; got 'c'"):
        choice.reveal("c")
    with pytest.raises(TypeError, match="measured must be a number"):
        scale.reveal("many")
    with pytest.raises(ValueError, match="guess must be one of"):
        choice.guess = "c"
    with pytest.raises(ValueError, match="guess must lie between 0 and 10"):
        scale.guess = 11


def test_a_measurement_may_lie_beyond_the_scale():
    guess = Prediction("How many?", (0, 10, 1))
    guess.reveal(12.5)
    assert guess.measured == 12.5


REFUSED |= {
    packing.pack: [
        (({"w": array}, bits), error, words)
        for array, bits, error, words in [
            (np.ones((2, 3)), 16, ValueError, "8 or 32"),
            (np.ones((2, 3), dtype=int), 8, TypeError, "w must hold floating-point.*int"),
            (np.ones((2, 3, 5)), 8, ValueError, r"w must have one or two axes.*\(2, 3, 5\)"),
            (np.ones((0, 3)), 8, ValueError, r"\(0, 3\)"),
            (np.array([[1.0, np.nan]]), 8, ValueError, "w holds a number"),
            (np.array([np.inf]), 32, ValueError, "w holds a number"),
        ]
    ]
}
