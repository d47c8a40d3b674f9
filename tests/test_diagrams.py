"""Diagrams show the arrays that they are given, in the colours of the page, and in words."""

import re
from functools import partial
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from attn_course.views import diagrams, palette
from attn_course.views.diagrams.block import BEAM
from attn_course.views.diagrams.pieces import LEFT, LONGEST, NARROW, RIGHT, WIDE, maths
from attn_course.views.diagrams.step import STEP
from attn_course.views.diagrams.two_ways import LONGEST as MOST_LETTERS
from attn_course.views.diagrams.weighted_sum import DRAWN, SCALED, STRIP, TOTAL, WHOLE

SOURCE, TARGET, ANNOTATION, STATE, EMBEDDING = 7, 5, 19, 13, 3
TOKENS, WRITTEN, OUTPUT = '4 <M"i>', "01&-5", "0123456789-"
SIZES = {"source": 7, "annotation": 19, "state": 13, "embedding": 5, "output": 11}
random = np.random.default_rng(3)
ANNOTATIONS = random.normal(size=(SOURCE, ANNOTATION))
WEIGHTS = random.dirichlet(np.full(SOURCE, 0.5), TARGET)
ENTERS = {
    "previous_output": random.normal(size=EMBEDDING),
    "context": random.normal(size=ANNOTATION),
    "previous_state": random.normal(size=STATE),
    "state": random.normal(size=STATE),
    "probabilities": random.dirichlet(np.full(len(OUTPUT), 0.3)),
}
A_STEP = {name: random.random([SIZES[axis] for axis in axes]) for name, axes in STEP.items()}
SHARES = np.array([0.34, 0.07, 0.5, 0.09])
A_STEP |= {"weights": np.eye(7)[4] * 0.5 + 0.5 / 7, "probabilities": np.eye(11)[2]}


def a_step(**changes):
    return diagrams.step_diagram(A_STEP | changes, TOKENS, OUTPUT, title="A & B")


weighted_sum = partial(
    diagrams.weighted_sum_diagram, annotations=ANNOTATIONS, weights=WEIGHTS[0], source=TOKENS
)


def entry(**changes):
    return diagrams.context_entry_diagram(ENTERS | changes, OUTPUT)


every_step = partial(diagrams.every_step_diagram, weights=WEIGHTS, source=TOKENS, target=WRITTEN)


def two_ways(source="qz<r"):
    return diagrams.two_ways_diagram(source)


def block(**changes):
    usual = {"tokens": ["A", " <b>", "c", "d"], "weights": SHARES, "next_token": "e&"}
    return diagrams.block_diagram(**usual | changes)


groups = partial(diagrams.groups_diagram, heads=6, groups=2, size=5, blocks=7)


def filled(svg, role):
    """Every box in a colour: (x, y, width, height)."""
    style = re.escape(f"fill:var(--attn-{role},{palette.LIGHT[role]})")
    number = r'="([\d.]+)"'
    pattern = rf'<rect x{number} y{number} width{number} height{number} rx="[\d.]+" style="{style}'
    return np.array([[float(part) for part in box] for box in re.findall(pattern, svg)])


def bars_in(svg, role, top, height):
    boxes = filled(svg, role)
    return boxes[(boxes[:, 1] >= top) & (boxes[:, 1] < top + height)]


def images(drawn):
    return list(ElementTree.fromstring(f"<figure>{drawn.svg}</figure>"))


def words(drawn):
    texts = [one for one in images(drawn)[0].iter() if one.tag.endswith("}text")]
    return ["".join(text.itertext()) for text in texts]


# ---- all of them

TWICE = (block, diagrams.rotary_diagram, groups)
ALL = (a_step, weighted_sum, entry, every_step, two_ways, *TWICE)


@pytest.mark.parametrize("draw", ALL)
def test_it_is_an_image_with_words_in_the_colours_of_the_page(draw):
    plot = draw()
    assert {(one.get("role"), one.get("aria-label")) for one in images(plot)} == {("img", plot.alt)}
    assert " id=" not in plot.svg
    assert not re.findall(r"#[0-9a-f]{3}", re.sub(r"var\([^)]*\)", "", plot.svg))
    for role, colour in re.findall(r"var\(--attn-([\w-]+),(#[0-9a-f]{6})\)", plot.svg):
        assert f"--attn-{role}: {colour};" in palette.css()
    names = re.findall(r'<text x="92\.0"[^>]*font:600[^>]*>([^<]*)</text>', plot.svg)
    assert all(len(name) <= 13 for name in names)  # in 92 units, for the widest of the usual fonts


@pytest.mark.parametrize("draw", TWICE)
def test_a_phone_is_shown_a_drawing_of_its_own_with_letters_as_large(draw):
    for image, width, show, kind in zip(
        images(draw()), (WIDE, NARROW), ("block", "none"), ("attn-wide", "attn-narrow"), strict=True
    ):
        assert image.get("viewBox").startswith(f"0 0 {width} ")
        assert (image.get("class"), f";display:{show};" in image.get("style")) == (kind, True)
        drawn = ElementTree.tostring(image, "unicode")
        assert min(map(int, re.findall(r" (\d+)px", drawn))) >= 14
        for tag, x, half in (("circle", "cx", "r"), ("rect", "x", "width"), ("text", "x", "")):
            for one in image.iter(f"{{http://www.w3.org/2000/svg}}{tag}"):
                assert 0 <= float(one.get(x)) <= width - float(one.get(half, 0)), one.attrib


def test_tensors_with_gradients_and_nothing_but_zeros_can_be_drawn():
    zeros = torch.zeros(ANNOTATION, requires_grad=True)
    a_step(context=zeros)
    entry(context=zeros)
    weighted_sum(annotations=torch.zeros(SOURCE, ANNOTATION, requires_grad=True))
    every_step(weights=torch.tensor(WEIGHTS, requires_grad=True))
    block(weights=torch.tensor(SHARES, requires_grad=True))


# ---- a step of the decoder


def test_shapes_symbols_and_weights_are_written_on_a_step():
    drawn, text = a_step(), words(a_step())
    for shape in ["(7, 19)", "(13)", "(5)", "(7)", "(19)", "(11)"]:
        assert shape in " ".join(text)
    assert {"4", "␣", "<", ".57"} <= set(text)
    assert text.count(".07") == 6
    assert "p(yi) = softmax(Wo [si ; ci])" in [line.replace("\u200b", "") for line in text]
    assert re.findall(r"font:700 11px[^>]*>(.)</text>", drawn.svg) == ["2"]  # the likeliest
    assert "(7, 19)" in drawn.alt
    assert "likeliest is “2”" in drawn.alt
    assert "A &amp; B" in drawn._repr_html_()


def test_scores_below_zero_hang_and_stay_on_the_drawing():
    def bars(scores):
        style = re.escape(f"fill:var(--attn-edge,{palette.LIGHT['edge']})")
        place = r'y="([\d.]+)" width="[\d.]+" height="([\d.]+)"'
        widths = re.findall(f'{place} rx="1" style="{style}"', a_step(scores=scores).svg)
        return [(float(y), float(height)) for y, height in widths]

    scores = np.array([1.0, -1.0, 0.5, -0.5, 0, 3, -3])
    drawn = bars(scores)
    for bar, score in zip(drawn, scores, strict=True):
        assert bar[1] == pytest.approx(abs(score) * 34 / 6, abs=0.06)
        zero = bar[0] if score < 0 else bar[0] + bar[1]
        assert zero == pytest.approx(sum(drawn[0]), abs=0.11)
    assert len(bars(np.zeros(7))) == 7


def test_long_symbols_stand_upright_and_have_room():
    short = a_step().svg
    output = ["start", "<tspan onload=x>", *"012345678"]
    upright = diagrams.step_diagram(A_STEP, "4 <Mai>", output).svg
    assert upright.count("rotate(-90") == short.count("rotate(-90") + 2
    assert "&lt;tspan" in upright
    heights = [float(re.search(r'viewBox="0 0 360 ([\d.]+)"', svg)[1]) for svg in (short, upright)]
    assert heights[1] > heights[0] + 60


def test_mathematics_is_readable_text():
    text = re.sub(r"<[^>]+>", "", maths("e_{ij} = v · tanh(W_a s_{i−1})")).replace("\u200b", "")
    assert text == "eij = v · tanh(Wa si−1)"
    assert maths("c_i").count('dy="3"') == maths("c_i").count('dy="-3"') == 1
    assert 'normal">tanh(' in maths("tanh(") or 'normal">tanh<' in maths("tanh(")


# ---- the context vector


def test_the_sum_is_drawn_at_the_scale_of_what_is_summed():
    svg = weighted_sum().svg
    strips = bars_in(svg, "source", WHOLE, STRIP).reshape(SOURCE, DRAWN, 4)
    whole = strips[..., 2]
    scaled = bars_in(svg, "source", SCALED, STRIP)[:, 2].reshape(SOURCE, DRAWN)
    total = bars_in(svg, "context", TOTAL, STRIP)[:, 2]
    unit = whole.max() / np.abs(ANNOTATIONS[:, :DRAWN]).max()
    np.testing.assert_allclose(whole, unit * np.abs(ANNOTATIONS[:, :DRAWN]), atol=0.1)
    np.testing.assert_allclose(scaled, WEIGHTS[0][:, None] * whole, atol=0.1)
    context = WEIGHTS[0] @ ANNOTATIONS[:, :DRAWN]
    np.testing.assert_allclose(total, unit * np.abs(context), atol=0.1)
    middle = LEFT + (np.arange(SOURCE) + 0.5) * (RIGHT - LEFT) / SOURCE
    starts = strips[..., 0] - middle[:, None]  # entries below zero go to the left
    assert (starts[ANNOTATIONS[:, :DRAWN] < -0.05] < 0).all()
    np.testing.assert_allclose(starts[ANNOTATIONS[:, :DRAWN] > 0], 0, atol=0.06)


def test_the_weights_and_shapes_are_written_on_the_sum():
    text = " ".join(words(weighted_sum()))
    for weight in WEIGHTS[0]:
        assert weight < 0.005 or f"{weight:.2f}".removeprefix("0") in text
    assert text.count("(7, 19)") == 2
    assert "8 of 19 entries" in text
    assert "drawn" not in " ".join(words(weighted_sum(annotations=ANNOTATIONS[:, :5])))
    assert f"{WEIGHTS[0].max():.2f}" in weighted_sum().alt


def test_what_enters_is_as_wide_as_it_is_long_and_every_entry_has_its_bar():
    drawn = entry()
    sizes = np.array([EMBEDDING + ANNOTATION, STATE + ANNOTATION])
    washes = filled(drawn.svg, "context-wash")[:, 2]
    np.testing.assert_allclose(washes, (RIGHT - LEFT) * ANNOTATION / sizes, atol=0.1)
    assert all(shape in " ".join(words(drawn)) for shape in ("(22)", "(32)"))
    heights, boxes = np.concatenate([np.abs(ENTERS["context"])] * 2), filled(drawn.svg, "context")
    np.testing.assert_allclose(boxes[:, 3] / boxes[:, 3].max(), heights / heights.max(), atol=0.01)
    assert f"“{OUTPUT[ENTERS['probabilities'].argmax()]}”" in drawn.alt


def test_lines_are_as_thick_as_the_weights():
    drawn, style = (
        every_step(),
        f"stroke:var(--attn-context,{palette.LIGHT['context']});stroke-width:",
    )
    widths = re.findall(rf'C [^"]*" style="fill:none;{re.escape(style)}([\d.]+)', drawn.svg)
    expected = 0.15 + 5 * WEIGHTS.ravel()
    np.testing.assert_allclose([float(width) for width in widths], expected, atol=0.01)
    assert words(drawn)[-1] == "5"
    assert "<" in words(drawn)
    for row, symbol in zip(WEIGHTS, WRITTEN, strict=True):
        assert f"“{symbol}” reads “{TOKENS[row.argmax()].replace(' ', '␣')}”" in drawn.alt


# ---- one vector, and attention


@pytest.mark.parametrize("source", ["ab", "qzjrx"])
def test_one_vector_is_read_by_every_step_and_attention_reads_every_state(source):
    drawn, n = two_ways(source), len(source)
    styles = [(one.tag, one.get("style", "")) for one in ElementTree.fromstring(drawn.svg).iter()]

    def count(tag, colour):
        return sum(t.endswith(f"}}{tag}") and f"{colour}," in style for t, style in styles)

    for role, boxes in (("source", 2 * n), ("target", 2 * n), ("context", 1 + n)):
        assert count("rect", f"fill:var(--attn-{role}") == boxes
    # into the one vector and out of it to every step; every state to every context and on
    assert count("path", "stroke:var(--attn-context") == 1 + n + n * n + n
    assert [words(drawn).count(letter) for letter in source] == [4] * n
    assert "every step has a context of its own" in drawn.alt


# ---- a block, positions and shared keys, each at both widths

NUMBER = r"(-?[\d.]+)"
CURVE = rf'M {NUMBER} {NUMBER} C [^"]* {NUMBER} {NUMBER}'
HAND = rf"M {NUMBER} {NUMBER} L {NUMBER} {NUMBER}"
ARC = rf"M {NUMBER} {NUMBER} A 24 24 0 0 1 {NUMBER} {NUMBER}"
at_both_widths = pytest.mark.parametrize("place", [1, 2])


def one_of(drawn, place):
    return drawn.svg.split("<svg ")[place]


def lines(svg, role, curve):
    """The lines of a colour: the numbers of their way, and how thick they are."""
    style = re.escape(f"fill:none;stroke:var(--attn-{role},{palette.LIGHT[role]});stroke-width:")
    return np.array(re.findall(rf'd="{curve}" style="{style}([\d.]+)', svg), dtype=float)


@at_both_widths
def test_beams_are_as_wide_as_the_weights_and_arrive_side_by_side(place):
    svg = one_of(block(), place)
    starts, _, _, ends, thick = lines(svg, "ink", CURVE).T
    np.testing.assert_allclose(thick, BEAM * SHARES, atol=0.006)
    assert list(starts) == sorted({*starts})
    # the last token's own comes from the other side
    np.testing.assert_allclose(np.diff(ends[:-1]), (thick[:-2] + thick[1:-1]) / 2, atol=0.11)
    rings = re.findall(r"<circle[^>]*stroke:var\(--attn-(\w+)", svg)
    assert sorted(rings) == ["context", *["edge"] * 4]  # one context, and four small networks
    assert {"A", "␣<b>", "e&", ".34", ".07", ".50", ".09"} <= set(words(block()))
    assert "reads “c” with the largest weight, 0.50" in block().alt


def clockwise(lines):
    """Where lines point, in degrees from twelve."""
    across, down = (lines[:, 2:4] - lines[:, :2]).T
    return np.degrees(np.arctan2(across, -down)) % 360


@at_both_widths
def test_positions_turn_hands_and_leave_the_angle_between_two_as_it_is(place):
    svg = one_of(diagrams.rotary_diagram(), place)
    for hands, turn in zip(np.split(clockwise(lines(svg, "ink", HAND)), 2), (30, 8), strict=True):
        np.testing.assert_allclose(hands, turn * np.arange(len(hands)) % 360, atol=0.05)
    queries, keys = lines(svg, "target", HAND), lines(svg, "source", HAND)
    np.testing.assert_allclose(clockwise(keys), [30, 90, 180], atol=0.05)
    np.testing.assert_allclose((clockwise(queries) - clockwise(keys)) % 360, 60, atol=0.05)
    arcs = lines(svg, "rule", ARC)
    for ends, hands in ((arcs[:, :2], keys), (arcs[:, 2:4], queries)):  # from the key to the query
        angles = clockwise(np.hstack([hands[:, :2], ends]))
        np.testing.assert_allclose(angles, clockwise(hands), atol=0.05)
    assert "60 degrees at all three places" in diagrams.rotary_diagram().alt


@at_both_widths
def test_lines_say_who_shares_and_bars_what_is_kept(place):
    svg, text, sets = one_of(groups(), place), words(groups()), (6, 2, 1)
    sizes = [torch.zeros(7, 2, count, 5, dtype=torch.float16).nbytes for count in sets]
    assert [line for line in text if "bytes a" in line] == [f"{n:,} bytes a token" for n in sizes]
    bars = filled(svg, "source")[:, 2]
    np.testing.assert_allclose(bars / bars[0], np.array(sizes) / sizes[0], atol=0.001)
    for row, number in zip(np.split(lines(svg, "edge", CURVE), 3), sets, strict=True):
        heads, shared = row[:, 0].reshape(number, -1), row[:, 2].reshape(number, -1)
        assert list(row[:, 0]) == sorted({*row[:, 0]})
        middles = np.broadcast_to(heads.mean(axis=1, keepdims=True), heads.shape)
        np.testing.assert_allclose(shared, middles, atol=0.11)
    assert [text.count(box) for box in ("q", "k v")] == [18, 9]
    assert [len(filled(svg, f"{role}-wash")) for role in ("target", "source")] == [18, 9]
    assert words(groups(groups=6)).count("k v") == 7


def without(parts, name):
    return {key: part for key, part in parts.items() if key != name}


REFUSED = {
    diagrams.context_entry_diagram: [((without(ENTERS, "state"), OUTPUT), r"missing: \['state'\]")],
    diagrams.step_diagram: [
        ((without(A_STEP, "scores"), TOKENS, OUTPUT), r"missing: \['scores'\]"),
        ((A_STEP, "x" * (LONGEST + 1), OUTPUT), "source must have 1 to"),
    ],
    None: [
        (partial(draw, **changes), words)
        for draw, changes, words in [
            (a_step, {"scores": np.zeros(6)}, r"scores must be \(source 7\); got \(6,\)"),
            (a_step, {"context": np.zeros(20)}, r"context must be \(annotation 19\); got \(20,\)"),
            (a_step, {"state": np.zeros((13, 1))}, r"state must be \(state 13\); got \(13, 1\)"),
            (a_step, {"weights": np.full(7, np.nan)}, "weights must lie between 0 and 1"),
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
            *(
                (block, {"weights": weights}, "weights must be 4 numbers with the sum 1; got")
                for weights in ([0.5, 0.5], SHARES * 0.9, [2, -1, 0, 0], [np.nan, 1, 0, 0])
            ),
            (block, {"tokens": "ab"}, r"3 to 5 tokens.*got \['a', 'b'\]"),
            (block, {"tokens": "abcdef"}, "3 to 5 tokens"),
            (block, {"next_token": "nine long"}, "at most 8 letters; got .* 'nine␣long'"),
            (groups, {"groups": 4}, "groups of the same size; got .*'heads': 6, 'groups': 4"),
            (groups, {"heads": 14}, "at most 12"),
            (groups, {"size": 0}, "'size': 0"),
            *(
                (two_ways, {"source": source}, rf"2 to {MOST_LETTERS} letters; got '{source}'")
                for source in ("", "a", "a" * (MOST_LETTERS + 1))
            ),
        ]
    ],
}
