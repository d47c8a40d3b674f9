"""The drawing of a decoder step shows the arrays that it is given."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from attn_course.views import palette
from attn_course.views.diagrams import step_diagram
from attn_course.views.diagrams.pieces import LONGEST, maths
from attn_course.views.diagrams.step import STEP

SIZES = {"source": 7, "annotation": 19, "state": 13, "embedding": 5, "output": 11}
generator = np.random.default_rng(7)


def a_step(**changes):
    step = {name: generator.random([SIZES[axis] for axis in axes]) for name, axes in STEP.items()}
    step["weights"] = np.eye(7)[4] * 0.5 + 0.5 / 7
    step["probabilities"] = np.eye(11)[2]
    return {**step, **changes}


def draw(**changes):
    return step_diagram(a_step(**changes), '4 <M"i>', "0123456789-", title="A & B")


def words(svg):
    texts = [each for each in ElementTree.fromstring(svg).iter() if each.tag.endswith("}text")]
    return ["".join(text.itertext()) for text in texts]


def test_every_shape_is_written_on_it():
    text = " ".join(words(draw().svg))
    for shape in ["(7, 19)", "(13)", "(5)", "(7)", "(19)", "(11)"]:
        assert shape in text


def test_the_symbols_and_the_weights_are_those_given():
    text = words(draw().svg)
    assert text[text.index("4") : text.index("4") + 1] == ["4"]
    assert "␣" in text
    assert "<" in text
    assert ".57" in text
    assert text.count(".07") == 6


def test_scores_below_zero_hang_and_stay_on_the_drawing():
    def bars(scores):
        style = re.escape(f"fill:var(--attn-edge,{palette.LIGHT['edge']})")
        place = r'y="([\d.]+)" width="[\d.]+" height="([\d.]+)"'
        found = re.findall(f'{place} rx="1" style="{style}"', draw(scores=scores).svg)
        return [(float(y), float(height)) for y, height in found]

    scores = np.array([1.0, -1.0, 0.5, -0.5, 0, 3, -3])
    for bar, score in zip(bars(scores), scores, strict=True):
        assert bar[1] == pytest.approx(abs(score) * 34 / 6, abs=0.06)
        zero = bar[0] if score < 0 else bar[0] + bar[1]
        assert zero == pytest.approx(bars(scores)[0][0] + bars(scores)[0][1], abs=0.11)
    assert len(bars(np.zeros(7))) == 7


def test_the_likeliest_output_stands_out():
    bold = re.findall(r"font:700 11px[^>]*>(.)</text>", draw().svg)
    assert bold == ["2"]


def test_long_symbols_stand_upright_and_have_room():
    short = draw().svg
    output = ["start", "<tspan onload=x>", *"012345678"]
    made = step_diagram(a_step(), "4 <Mai>", output).svg
    assert made.count("rotate(-90") == short.count("rotate(-90") + 2
    assert "&lt;tspan" in made
    heights = [float(re.search(r'viewBox="0 0 360 ([\d.]+)"', svg)[1]) for svg in (short, made)]
    assert heights[1] > heights[0] + 60


def test_tensors_with_gradients_can_be_drawn():
    draw(context=torch.zeros(19, requires_grad=True))


def test_it_is_one_image_with_words_for_who_cannot_see_it():
    made = draw()
    root = ElementTree.fromstring(made.svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == made.alt
    assert "(7, 19)" in made.alt
    assert "likeliest is “2”" in made.alt
    assert "A &amp; B" in made._repr_html_()


def test_every_colour_follows_the_page_into_the_dark():
    left = re.sub(r"var\(--attn-([\w-]+),(#[0-9a-f]{6})\)", "", draw().svg)
    assert not re.findall(r"#[0-9a-f]{3}", left)
    assert " id=" not in left
    for role, colour in re.findall(r"var\(--attn-([\w-]+),(#[0-9a-f]{6})\)", draw().svg):
        assert f"--attn-{role}: {colour};" in palette.css()


def test_the_readout_has_the_name_that_it_has_in_the_text():
    formulas = [text.replace("\u200b", "") for text in words(draw().svg)]
    assert "p(yi) = softmax(Wo [si ; ci])" in formulas


def test_mathematics_is_readable_text():
    text = re.sub(r"<[^>]+>", "", maths("e_{ij} = v · tanh(W_a s_{i−1})")).replace("\u200b", "")
    assert text == "eij = v · tanh(Wa si−1)"
    assert maths("c_i").count('dy="3"') == maths("c_i").count('dy="-3"') == 1
    assert 'normal">tanh(' in maths("tanh(") or 'normal">tanh<' in maths("tanh(")


def test_what_does_not_fit_is_named():
    short = a_step()
    del short["scores"]
    with pytest.raises(ValueError, match=r"missing: \['scores'\]"):
        step_diagram(short, "4 <Mai>", "0123456789-")
    with pytest.raises(ValueError, match=r"scores must be \(source 7\); got \(6,\)"):
        draw(scores=np.zeros(6))
    with pytest.raises(ValueError, match=r"context must be \(annotation 19\); got \(20,\)"):
        draw(context=np.zeros(20))
    with pytest.raises(ValueError, match=r"state must be \(state 13\); got \(13, 1\)"):
        draw(state=np.zeros((13, 1)))
    with pytest.raises(ValueError, match="source must have 1 to"):
        step_diagram(a_step(), "x" * (LONGEST + 1), "0123456789-")
    with pytest.raises(ValueError, match="weights must lie between 0 and 1"):
        draw(weights=np.full(7, np.nan))
