"""The drawings of the context vector show the arrays that they are given."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from attn_course.views import palette
from attn_course.views.diagrams import (
    context_entry_diagram,
    every_step_diagram,
    weighted_sum_diagram,
)
from attn_course.views.diagrams.pieces import LEFT, LONGEST, RIGHT
from attn_course.views.diagrams.weighted_sum import SCALED, SHOWN, STRIP, TOTAL, WHOLE

SOURCE, TARGET, ANNOTATION, STATE, EMBEDDING = 7, 5, 19, 13, 3
TOKENS, WRITTEN, OUTPUT = '4 <M"i>', "01&-5", "0123456789-"
random = np.random.default_rng(3)
ANNOTATIONS = random.normal(size=(SOURCE, ANNOTATION))
WEIGHTS = random.dirichlet(np.full(SOURCE, 0.5), TARGET)
STEP = {
    "previous_output": random.normal(size=EMBEDDING),
    "context": random.normal(size=ANNOTATION),
    "previous_state": random.normal(size=STATE),
    "state": random.normal(size=STATE),
    "probabilities": random.dirichlet(np.full(len(OUTPUT), 0.3)),
}


def weighted_sum(**changes):
    given = {"annotations": ANNOTATIONS, "weights": WEIGHTS[0], "source": TOKENS}
    return weighted_sum_diagram(**{**given, **changes})


def entry(**changes):
    return context_entry_diagram({**STEP, **changes}, OUTPUT)


def every_step(**changes):
    given = {"weights": WEIGHTS, "source": TOKENS, "target": WRITTEN}
    return every_step_diagram(**{**given, **changes})


ALL = pytest.mark.parametrize("draw", [weighted_sum, entry, every_step])


def filled(svg, role):
    """Every box in a colour: (x, y, width, height)."""
    style = re.escape(f"fill:var(--attn-{role},{palette.LIGHT[role]})")
    number = r'="([\d.]+)"'
    pattern = rf'<rect x{number} y{number} width{number} height{number} rx="[\d.]+" style="{style}'
    return np.array([[float(part) for part in found] for found in re.findall(pattern, svg)])


def bars_in(svg, role, top, height):
    boxes = filled(svg, role)
    return boxes[(boxes[:, 1] >= top) & (boxes[:, 1] < top + height)]


def words(svg):
    texts = [each for each in ElementTree.fromstring(svg).iter() if each.tag.endswith("}text")]
    return ["".join(text.itertext()) for text in texts]


@ALL
def test_it_is_one_image_with_words_for_who_cannot_see_it(draw):
    made = draw()
    root = ElementTree.fromstring(made.svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == made.alt
    assert " id=" not in made.svg


@ALL
def test_every_colour_follows_the_page_into_the_dark(draw):
    svg = draw().svg
    left = re.sub(r"var\(--attn-([\w-]+),(#[0-9a-f]{6})\)", "", svg)
    assert not re.findall(r"#[0-9a-f]{3}", left)
    for role, colour in re.findall(r"var\(--attn-([\w-]+),(#[0-9a-f]{6})\)", svg):
        assert f"--attn-{role}: {colour};" in palette.css()


def test_the_sum_is_drawn_at_the_scale_of_what_is_summed():
    svg = weighted_sum().svg
    whole = bars_in(svg, "source", WHOLE, STRIP)[:, 2].reshape(SOURCE, SHOWN)
    scaled = bars_in(svg, "source", SCALED, STRIP)[:, 2].reshape(SOURCE, SHOWN)
    total = bars_in(svg, "context", TOTAL, STRIP)[:, 2]
    unit = whole.max() / np.abs(ANNOTATIONS[:, :SHOWN]).max()
    np.testing.assert_allclose(whole, unit * np.abs(ANNOTATIONS[:, :SHOWN]), atol=0.1)
    np.testing.assert_allclose(scaled, WEIGHTS[0][:, None] * whole, atol=0.1)
    context = WEIGHTS[0] @ ANNOTATIONS[:, :SHOWN]
    np.testing.assert_allclose(total, unit * np.abs(context), atol=0.1)


def test_entries_below_zero_go_to_the_left():
    strips = bars_in(weighted_sum().svg, "source", WHOLE, STRIP).reshape(SOURCE, SHOWN, 4)
    middle = LEFT + (np.arange(SOURCE) + 0.5) * (RIGHT - LEFT) / SOURCE
    starts = strips[..., 0] - middle[:, None]
    assert (starts[ANNOTATIONS[:, :SHOWN] < -0.05] < 0).all()
    np.testing.assert_allclose(starts[ANNOTATIONS[:, :SHOWN] > 0], 0, atol=0.06)


def test_the_weights_and_shapes_are_written_on_the_sum():
    text = " ".join(words(weighted_sum().svg))
    for weight in WEIGHTS[0]:
        assert weight < 0.005 or f"{weight:.2f}".removeprefix("0") in text
    assert text.count("(7, 19)") == 2
    assert "8 of 19 entries" in text
    assert "drawn" not in " ".join(words(weighted_sum(annotations=ANNOTATIONS[:, :5]).svg))
    assert f"{WEIGHTS[0].max():.2f}" in weighted_sum().alt


def test_what_enters_is_as_wide_as_it_is_long():
    svg = entry().svg
    washes = filled(svg, "context-wash")[:, 2]
    room = RIGHT - LEFT
    sizes = np.array([EMBEDDING + ANNOTATION, STATE + ANNOTATION])
    np.testing.assert_allclose(washes, room * ANNOTATION / sizes, atol=0.1)
    text = " ".join(words(svg))
    assert "(22)" in text
    assert "(32)" in text


def test_every_entry_has_its_bar():
    boxes = filled(entry().svg, "context")
    heights = np.concatenate([np.abs(STEP["context"])] * 2)
    np.testing.assert_allclose(boxes[:, 3] / boxes[:, 3].max(), heights / heights.max(), atol=0.01)
    assert f"“{OUTPUT[STEP['probabilities'].argmax()]}”" in entry().alt


def test_lines_are_as_thick_as_the_weights():
    style = re.escape(f"stroke:var(--attn-context,{palette.LIGHT['context']});stroke-width:")
    widths = re.findall(rf'C [^"]*" style="fill:none;{style}([\d.]+)', every_step().svg)
    expected = 0.15 + 5 * WEIGHTS.ravel()
    np.testing.assert_allclose([float(width) for width in widths], expected, atol=0.01)
    text = words(every_step().svg)
    assert text[-1] == "5"
    assert "<" in text
    for row, symbol in zip(WEIGHTS, WRITTEN, strict=True):
        read = TOKENS[row.argmax()].replace(" ", "␣")
        assert f"“{symbol}” reads “{read}”" in every_step().alt


@ALL
def test_the_names_of_rows_are_short_enough_for_the_margin(draw):
    names = re.findall(r'<text x="92\.0"[^>]*font:600[^>]*>([^<]*)</text>', draw().svg)
    assert names
    assert max(map(len, names)) <= 13  # in 92 units, for the widest of the usual fonts


def test_tensors_with_gradients_can_be_drawn():
    weighted_sum(annotations=torch.ones(SOURCE, ANNOTATION, requires_grad=True))
    entry(context=torch.ones(ANNOTATION, requires_grad=True))
    every_step(weights=torch.tensor(WEIGHTS, requires_grad=True))


def test_nothing_but_zeros_can_be_drawn():
    weighted_sum(annotations=np.zeros((SOURCE, ANNOTATION)))
    entry(context=np.zeros(ANNOTATION))


@pytest.mark.parametrize(
    ("draw", "changes", "message"),
    [
        (weighted_sum, {"annotations": ANNOTATIONS[1:]}, r"\(7, any size\); got \(6, 19\)"),
        (weighted_sum, {"annotations": ANNOTATIONS[0]}, r"got \(19,\)"),
        (weighted_sum, {"weights": WEIGHTS}, "weights must be"),
        (weighted_sum, {"weights": -WEIGHTS[0]}, "from 0 to 1"),
        (weighted_sum, {"weights": WEIGHTS[0] * np.nan}, "from 0 to 1"),
        (weighted_sum, {"source": "x" * (LONGEST + 1)}, "1 to 26 symbols; got 27"),
        (entry, {"state": np.zeros((STATE, 1))}, r"state must be one vector.*\(13, 1\)"),
        (entry, {"context": np.zeros(0)}, "context must be one vector"),
        (entry, {"probabilities": np.ones(3)}, "got 3 for 11"),
        (every_step, {"weights": WEIGHTS.T}, r"\(target 5, source 7\); got \(7, 5\)"),
        (every_step, {"weights": 2 * WEIGHTS + 1}, "between 0 and 1"),
        (every_step, {"target": ""}, "target must have 1 to"),
    ],
)
def test_what_does_not_fit_is_named(draw, changes, message):
    with pytest.raises(ValueError, match=message):
        draw(**changes)


def test_a_missing_vector_is_named():
    with pytest.raises(ValueError, match=r"missing: \['state'\]"):
        context_entry_diagram({name: STEP[name] for name in STEP if name != "state"}, OUTPUT)
