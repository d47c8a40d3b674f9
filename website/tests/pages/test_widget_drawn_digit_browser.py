"""Drawing a digit in a real browser: the page's sums against PyTorch, and what a reader does."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from torch_reader import arrays_of
from walking import has, table, walk

from attn_book.commands.widgets_harness import set_trait, trait
from attn_course.models.one_look import MaskReader
from attn_course.views.widgets.drawn_digit import DrawnDigit

PIECES = [np.full((5, 5), 0.75), np.eye(7), np.tri(3, 5, dtype=float)]


def model(seed=7):
    torch.manual_seed(seed)
    reader = MaskReader()
    with torch.no_grad():
        for name, part in reader.named_buffers():
            if "running_mean" in name:
                part.normal_(std=0.3)
            elif "running_var" in name:
                part.uniform_(0.05, 0.5)
        for norm in (reader.trunk.layers[place] for place in (1, 5, 8)):
            norm.weight.uniform_(0.5, 1.5)
            norm.bias.normal_(std=0.3)
        reader.mask.weight *= 5  # weights that are far from even
        reader.readout.weight *= 5
    return reader.eval()


def drawn(reader=None, **changes):
    options = {"height": 24, "width": 32, "bits": 32, **changes}
    return DrawnDigit(arrays_of(reader or model()), PIECES, **options)


PARTS = {"pad": ".attn-pad svg", "canvas": ".attn-scene svg", "aloud": "p.attn-aloud"}


SUMS = """async ([pixels, rows, columns]) => {
  const { unpackModel } = await import("./widgets/shared/bahdanau.js");
  const { readCanvas } = await import("./widgets/shared/mask_reader.js");
  const arrays = unpackModel(window.models[0]);
  const look = readCanvas(arrays, Float64Array.from(pixels), rows, columns);
  return { weights: look.weights, logits: [...look.logits], cells: look.cells };
}"""
# an odd row or column is dropped by the pooling, or is half a cell
SIZES = [(24, 32), (16, 16), (40, 24), (21, 17), (18, 27), (8, 8), (64, 64)]


def test_the_page_computes_what_pytorch_computes(show):
    reader = model()
    page = show(drawn(reader))
    for rows, columns in SIZES:
        pixels = torch.rand(rows, columns)
        with torch.no_grad():
            logits, weights = reader(pixels[None])
        result = page.evaluate(SUMS, [pixels.flatten().double().tolist(), rows, columns])
        np.testing.assert_allclose(result["weights"], weights[0, 0], atol=1e-5)
        np.testing.assert_allclose(result["logits"], logits[0, 0], atol=1e-5, rtol=1e-5)
        assert result["cells"]["rows"] * result["cells"]["columns"] == weights.shape[-1]


PIXELS = """async ([strokes, thickness]) => {
  const { pixelsOf, fittedStrokes } = await import("./widgets/shared/strokes.js");
  return { pixels: [...pixelsOf(strokes, thickness)], fitted: fittedStrokes(strokes, thickness) };
}"""


def in_numpy(strokes, thickness):
    """Ink wherever a fine pixel's centre is near one of many points along the strokes."""
    points = []
    for stroke in strokes:
        ends = np.array([stroke[0], *stroke], dtype=float)
        for start, end in pairwise(ends):
            points.append(start + np.linspace(0, 1, 500)[:, None] * (end - start))
    y, x = np.mgrid[:32, :32] + 0.5
    away = np.min([np.hypot(x - a, y - b) for a, b in np.concatenate(points)], axis=0)
    return (away <= thickness / 2).reshape(8, 4, 8, 4).mean(axis=(1, 3)).ravel()


def test_strokes_fill_the_box_and_become_shares_of_ink(show):
    page = show(drawn())
    strokes = [[[3, 4], [9, 6], [9, 20]], [[11, 11]], [[2, 19], [10, 21]]]
    for thickness in (2.0, 5.5):
        result = page.evaluate(PIXELS, [strokes, thickness])
        expected = in_numpy(result["fitted"], thickness)
        np.testing.assert_allclose(result["pixels"], expected, atol=0.0626)  # one of sixteen
        every = np.concatenate(result["fitted"])
        low, high = every.min(axis=0), every.max(axis=0)
        assert (high - low).max() == pytest.approx(32 - thickness)
        np.testing.assert_allclose(low + high, [32, 32])
        scale = (high - low) / np.ptp(np.concatenate(strokes), axis=0)
        assert scale[0] == pytest.approx(scale[1])  # nothing is stretched
    result = page.evaluate(PIXELS, [[[[3, 4]]], 4.0])  # a dot stays a dot
    assert sum(result["pixels"]) * 16 == pytest.approx(np.pi * 4, rel=0.1)
    assert result["fitted"] == [[[16, 16]]]


COMPOSED = """async () => {
  const { blended, scattered } = await import("./widgets/drawn_digit/scene.js");
  const values = (count, value) => Float64Array.from({ length: count }, () => value);
  const things = [
    [{ rows: 2, columns: 3, values: values(6, 0.75) }, [1, 2]],
    [{ rows: 2, columns: 2, values: values(4, 0.5) }, [2, 4]],
  ];
  const size = { rows: 7, columns: 11 };
  const large = { rows: 100, columns: 100 };
  const half = [[{ rows: 100, columns: 100, values: values(1e4, 0.5) }, [0, 0]]];
  const pieces = [{ rows: 5, columns: 5 }, { rows: 7, columns: 3 }];
  return {
    clean: [...blended(size, things, 0, 1)],
    noisy: [...blended(large, half, 0.1, 1)],
    again: [...blended(large, half, 0.1, 1)],
    other: [...blended(large, half, 0.1, 2)],
    clutter: scattered({ ...size, rows: 24, columns: 24, pieces }, 40, [8, 8], 3),
    none: scattered({ rows: 16, columns: 16, pieces: [{ rows: 12, columns: 12 }] }, 3, [4, 4], 3),
  };
}"""


def test_a_canvas_is_made_as_in_training(show):
    result = show(drawn()).evaluate(COMPOSED)
    expected = np.zeros((7, 11))
    expected[2:4, 4:6] = 0.5
    expected[1:3, 2:5] = 0.75  # the darker of the two where they overlap
    np.testing.assert_allclose(result["clean"], expected.ravel())
    noise = np.array(result["noisy"]) - 0.5
    assert abs(noise.mean()) < 0.004
    assert noise.std() == pytest.approx(0.1, rel=0.03)
    assert result["noisy"] == result["again"] != result["other"]
    assert len(result["clutter"]) == 40
    for piece, top, left in result["clutter"]:
        rows, columns = [(5, 5), (7, 3)][piece]
        assert 0 <= top <= 24 - rows
        assert 0 <= left <= 24 - columns
        assert top + rows <= 8 or top >= 16 or left + columns <= 8 or left >= 16
    assert result["none"] == []


def drag(page, part, points):
    """A stroke with the mouse, through points of a drawing, as shares of it."""
    box = page.locator(PARTS[part]).bounding_box()
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in points]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=3)
    page.mouse.up()


def test_what_is_drawn_is_read_and_told_to_python(show):
    reader = model()
    page = show(drawn(reader, sample="", noise=0.0))
    before = trait(page, "result")
    assert before["kind"] == "empty"
    drag(page, "pad", [(0.25, 0.2), (0.75, 0.2), (0.5, 0.9)])
    (stroke,) = trait(page, "strokes")
    assert len(stroke) > 4
    np.testing.assert_allclose(stroke[0], [8, 6.4], atol=0.2)
    np.testing.assert_allclose(stroke[-1], [16, 28.8], atol=0.2)
    result = trait(page, "result")
    assert result["kind"] == "digit"
    assert sum(result["probabilities"]) == pytest.approx(1)
    pixels = page.evaluate(PIXELS, [[stroke], 5.0])["pixels"]
    scene = np.zeros((24, 32))
    top, left = trait(page, "place")
    scene[top : top + 8, left : left + 8] = np.reshape(pixels, (8, 8))
    for piece, row, column in trait(page, "clutter"):
        size = PIECES[piece].shape
        part = scene[row : row + size[0], column : column + size[1]]
        part[:] = np.maximum(part, np.rint(255 * PIECES[piece]) / 255)
    with torch.no_grad():
        logits, weights = reader(torch.from_numpy(scene).float()[None])
    np.testing.assert_allclose(result["probabilities"], logits[0, 0].softmax(-1), atol=1e-5)
    assert result["cell"] == weights[0, 0].argmax()
    rows, columns = np.divmod(np.arange(48), 8)
    inside = (rows >= top // 4) & (rows < top // 4 + 2) & (columns >= left // 4)
    inside &= columns < left // 4 + 2
    assert (top % 4, left % 4) == (0, 0)
    assert result["inside"] == pytest.approx(weights[0, 0].numpy()[inside].sum(), abs=1e-5)
    walk(page)(says=f"reads {result['digit']}")


def test_a_pen_moved_by_keys_draws(show):
    page = show(drawn(sample=""))
    go, stroke = walk(page, **PARTS), [[10, 10], [14, 10], [18, 10], [18, 14]]
    go("focus pad; key ArrowUp; key ArrowLeft; key Space")
    go("key ArrowRight; key ArrowRight; key ArrowDown", strokes=[stroke])
    go(aloud=["Row 4, column 5, pen down"])
    go("key Space; key ArrowDown; key Space; key ArrowLeft", strokes=[stroke, [[18, 18], [14, 18]]])
    go("key Backspace", strokes=[stroke])
    go("key ArrowLeft; key Backspace; key Backspace", strokes=[])  # the pen was lifted
    go("key ArrowRight;" * 12, aloud="Row 5, column 8,")
    many = [[[16 + 10 * np.cos(n), 16 + 10 * np.sin(n)] for n in range(3000)]]
    set_trait(page, "strokes", many)  # scribbled over: it takes no more points
    drag(page, "pad", [(0.1, 0.1), (0.9, 0.9)])
    assert len(trait(page, "strokes")) == 1
    go("focus pad; key Backspace", strokes=[])


CANCEL = """(node) => {
  const { x, y } = node.getBoundingClientRect();
  node.setPointerCapture = () => {};
  for (const kind of ["pointerdown", "pointercancel"])
    node.dispatchEvent(new PointerEvent(kind,
      { pointerId: 1, button: 0, clientX: x + 5, clientY: y + 5 }));
}"""


def test_a_touch_draws_and_a_cancelled_one_draws_nothing(show):
    page = show(drawn(sample=""), width=360, has_touch=True, is_mobile=True)
    pad = page.locator(".attn-pad svg")
    assert pad.evaluate("node => getComputedStyle(node).touchAction") == "none"
    pad.tap()
    before = trait(page, "strokes")
    assert len(before) == 1
    pad.evaluate(CANCEL)
    assert trait(page, "strokes") == before


FULL = [[[0, y], [32, y]] for y in range(0, 33, 2)]


def test_what_is_no_digit_gets_a_sentence(show):
    page = show(drawn())
    go = walk(page, **PARTS)
    for strokes, kind, words in [
        ([], "empty", "Nothing is drawn."),
        ([[[5, 5]]], "dot", "A dot is no digit."),
        ([[[5, 5], [5.6, 5]], [[5, 5.5]]], "dot", "A dot is no digit."),
        (FULL, "full", "The pad is full"),
        ([[[5, 5], [5, 25]]], "digit", "in the box of your drawing"),
    ]:
        go(f"set strokes {strokes}", says=words, result=has(kind=kind))
        assert np.isfinite(trait(page, "result")["probabilities"]).all()
    go("click Clear the pad", says="off the clutter")
    go("click Clear the clutter", says="off the noise")
    go("slide Noise Home", says="off an empty canvas", box=0)
    clutter = trait(page, "clutter")
    go("click Reset; click 7 with a bar; click Shuffle the clutter", seed=1)
    assert [len(trait(page, name)) for name in ("strokes", "clutter")] == [2, 6]
    assert trait(page, "clutter") != clutter
    go("slide Noise End; slide Pen Home", noise=0.5, thickness=2)


def test_things_on_the_canvas_are_moved_by_pointer_and_keys(show):
    page = show(drawn(count=1))
    go = walk(page, **PARTS)
    go("set clutter [[0, 1, 2]]")
    drag(page, "canvas", [(16 / 32, 12 / 24), (6 / 32, 20 / 24)])
    go(place=[16, 2], chosen=0)
    drag(page, "canvas", [(4.5 / 32, 3.5 / 24), (4.5 / 32 + 2, 3.5 / 24)])
    go(chosen=1, clutter=[[0, 1, 27]])  # as far as the canvas goes
    drag(page, "canvas", [(0.5, 0.1), (0.6, 0.5)])  # nothing stands there
    go(place=[16, 2], clutter=[[0, 1, 27]])
    go("set chosen 0; set clutter [[0, 0, 0], [1, 3, 4]]; focus canvas")
    go("key ArrowUp; key ArrowRight", place=[15, 3])
    go("key Enter; key ArrowUp; key Enter; key ArrowDown", clutter=[[0, 0, 0], [1, 4, 4]])
    go(aloud=["Piece 2 of 2"])
    go("key Enter", chosen=0)
    go("set place [0, 0]")
    box = page.locator(".attn-scene .attn-box")
    sides = [box.get_attribute(name) for name in ("x", "y", "width", "height")]
    assert sides == ["0", "0", "8", "8"]


def test_the_table_reads_every_sample(show):
    rows = table(show(drawn()))
    assert rows[0] == ["Drawn", "Read", "How sure", "Weight in its box"]
    assert [row[0] for row in rows[1:]][-3:] == ["7 with a bar", "8", "9"]
    assert all(row[1] in "0123456789" for row in rows[1:])
