"""The context mixer in a real browser: its arithmetic against NumPy, and what a reader does."""

import numpy as np
import pytest
from walking import call, walk

from attn_book.commands.widgets_harness import trait
from attn_course.views.widgets.context_mixer import ContextMixer

SOURCE, ANNOTATION = 7, 13
TOKENS = list("3. Mai5")
NAMES = ["0", "-", "5"]


def mixer(seed=0, **changes):
    random = np.random.default_rng(seed)
    rows = random.dirichlet(np.full(SOURCE, 0.3), len(NAMES))
    arguments = {
        "annotations": random.normal(size=(SOURCE, ANNOTATION)),
        "source": TOKENS,
        "steps": list(zip(NAMES, rows, strict=True)),
    }
    return ContextMixer(**{**arguments, **changes})


def test_the_mixture_equals_numpy(show):
    page = show(mixer())
    random = np.random.default_rng(3)
    for size in (3, 5, 11):
        rows = random.normal(size=(size, ANNOTATION))
        axes = np.linalg.qr(random.normal(size=(ANNOTATION, 2)))[0].T
        weights = random.dirichlet(np.full(size, 0.5))
        inputs = (rows.tolist(), axes.tolist(), weights.tolist())
        result = call(page, "module0.mjs", "mixture", *inputs)
        points, context = (rows - rows.mean(axis=0)) @ axes.T, weights @ rows
        far = np.linalg.norm(rows - context, axis=1)
        pairs = np.linalg.norm(rows[:, None] - rows, axis=-1)[np.triu_indices(size, 1)]
        np.testing.assert_allclose(result["points"], points, atol=1e-12)
        np.testing.assert_allclose(result["context"], context, atol=1e-12)
        np.testing.assert_allclose(result["point"], weights @ points, atol=1e-12)
        assert result["near"]["index"] == far.argmin()
        assert result["near"]["distance"] == pytest.approx(far.min())
        assert result["norm"] == pytest.approx(np.linalg.norm(context))
        assert result["longest"] == pytest.approx(np.linalg.norm(rows, axis=1).max())
        assert result["apart"] == pytest.approx(pairs.min())


PARTS = {"slider": "[type=range]", "names": ".attn-context-mark @aria-label"}


def place_of_mark(page):
    moved = page.locator(".attn-context-mark").get_attribute("transform")
    return np.array([float(part) for part in moved[10:-1].split()])


def test_a_slider_moves_the_context_and_says_so(show):
    widget = mixer()
    page = show(widget)
    go, before = walk(page, **PARTS), place_of_mark(page)
    page.get_by_role("slider").nth(2).fill("0.8")
    weights = trait(page, "weights")
    assert weights[2] == pytest.approx(0.8)
    assert sum(weights) == pytest.approx(1)
    assert not np.allclose(place_of_mark(page), before)
    assert page.locator(".attn-readout").get_attribute("data-live") == ""
    rows = np.frombuffer(widget.annotations, "<f4").reshape(SOURCE, -1)
    far = np.linalg.norm(rows - np.array(weights) @ rows, axis=1)
    go(says=f"at a distance of {far.min():.2f}")
    go(says="The largest weight is 0.80, on space.")


def test_by_keyboard_alone(show):
    widget = mixer()
    page = show(widget)
    go, last = walk(page, **PARTS), SOURCE - 1
    go("key Tab; key Tab; key Enter", weights=[1, *[0] * last])  # past the diamond
    go(says="The context is the annotation of “3” itself.")
    go("key Tab; key ArrowLeft")
    assert trait(page, "weights")[0] == pytest.approx(0.99)
    go(f"focus slider {last}; key End", weights=[*[0] * last, 1])
    go("key Tab; key Enter", says="All weights are alike, 0.14 each.")
    go(weights=pytest.approx([1 / SOURCE] * SOURCE))
    go("set weights [0.4, 0, 0.1, 0.4, 0.1, 0, 0]")
    go(says="The largest weights are 0.40 each, on “3” and “M”.")
    steps = [page.get_by_role("button", name=f"at step {i + 1},") for i in range(3)]
    for does, step in ((steps[2], 2), (page.get_by_role("button", name="Reset"), 0)):
        does.click()
        go(weights=pytest.approx(widget.steps[step]["weights"]))
        pressed = [one.get_attribute("aria-pressed") for one in steps]
        assert pressed == [str(at == step).lower() for at in range(3)]


def corners_of(page):
    drawn = page.locator(".attn-hull").get_attribute("points")
    return np.array([[float(part) for part in pair.split(",")] for pair in drawn.split()])


def inside(point, corners, slack=1.0):
    """In the drawing, where y runs downwards; a pixel beyond the wall is tolerated."""
    ahead = np.roll(corners, -1, axis=0) - corners
    there = point - corners
    cross = ahead[:, 0] * there[:, 1] - ahead[:, 1] * there[:, 0]
    return (cross <= slack * np.linalg.norm(ahead, axis=1)).all()


def drag(page, to):
    """Take the diamond to a place of the drawing, in its units, and hold it there."""
    box = page.locator(".attn-plane svg").bounding_box()
    scale = box["width"] / 320
    mark = place_of_mark(page)
    page.mouse.move(*(box[axis] + scale * part for axis, part in zip("xy", mark, strict=True)))
    page.mouse.down()
    page.mouse.move(*(box[axis] + scale * part for axis, part in zip("xy", to, strict=True)))


def test_the_diamond_is_dragged_and_stops_at_the_wall(show):
    page = show(mixer())
    go, corners = walk(page, **PARTS), corners_of(page)
    for beyond in ([316, 4], [4, 4], [160, 299]):
        assert not inside(np.array(beyond), corners)
        drag(page, beyond)
        go(says="The diamond stops at the wall of the hull: ")
        assert inside(place_of_mark(page), corners)
        page.mouse.up()
    drag(page, corners.mean(axis=0))
    page.mouse.up()
    np.testing.assert_allclose(place_of_mark(page), corners.mean(axis=0), atol=1)
    weights = np.array(trait(page, "weights"))
    assert sum(weights) == pytest.approx(1)
    assert (weights >= 0).all()
    go(value=[f"{weight:.2f}" for weight in weights])
    assert "stops at the wall" not in page.locator(".attn-readout").text_content()


def test_the_diamond_by_arrow_keys(show):
    page = show(mixer())
    go = walk(page, **PARTS)
    go("click Even")
    before = place_of_mark(page)
    for does, moved in (("focus .context-mark; key ArrowUp", [0, -8]), ("key ArrowRight", [8, -8])):
        go(does)
        np.testing.assert_allclose(place_of_mark(page) - before, moved, atol=0.5)
    go("key Shift+ArrowRight;" * 4, says="The diamond stops at the wall")
    go(names="Context, nearest to ")
    page.get_by_role("slider").first.fill("0.5")
    assert "stops at the wall" not in page.locator(".attn-readout").text_content()
    go("click .dot 4", weights=[0, 0, 0, 0, 1, 0, 0])
    assert "attn-nearest" in page.locator(".attn-dot").nth(4).get_attribute("class")
