"""Drawing a curve in a real browser: the arithmetic against NumPy, and what a reader does."""

import numpy as np
import pytest
from walking import call, walk

from attn_book.commands.widgets_harness import set_trait, trait
from attn_course.views.widgets.drawn_prediction import Axis, DrawnPrediction

CURVE = "widgets/drawn_prediction/curve.js"
X = Axis("letters", (2, 3, 5, 7, 11))
Y = Axis("copied right", (0, 25, 50, 75, 100), unit="%")
LOG = Axis("norm of the gradient", (1e-8, 1e-4, 1), log=True)
RUNS = np.array([[98.0, 90, 60, 30, 7], [96, 92, 64, 20, 3]])


def guess(*, measured=True, **changes):
    widget = DrawnPrediction(**{"question": "How many are copied?", "x": X, "y": Y, **changes})
    if measured:
        widget.reveal({"one vector": RUNS}, "For a reason.")
    return widget


PARTS = {"handle": "[role=slider]", "values": "[role=slider] @aria-valuetext"}
SEE = "click See what was measured"


# ---- the sums


@pytest.mark.parametrize("log", [False, True])
def test_shares_and_values_equal_numpy(show, log):
    page = show(guess())
    random = np.random.default_rng(5 + log)
    for low, high in random.uniform(0.01, 9, (13, 2)).cumsum(axis=1).tolist():
        axis = {"low": low, "high": high, "log": log}
        value = random.uniform(low, high)
        of = np.log if log else np.positive
        share = (of(value) - of(low)) / (of(high) - of(low))
        assert call(page, CURVE, "shareOf", axis, value) == pytest.approx(share)
        levels = int(random.integers(2, 97))
        steps = (np.geomspace if log else np.linspace)(low, high, levels + 1)
        expected = float(f"{steps[round(share * levels)]:.3g}")
        assert call(page, CURVE, "valueAt", axis, share, levels) == pytest.approx(
            expected, rel=6e-3
        )
        assert call(page, CURVE, "valueAt", axis, -0.3, levels) == low
        assert call(page, CURVE, "valueAt", axis, 1.3, levels) == high


@pytest.mark.parametrize("log", [False, True])
def test_the_distance_equals_numpy(show, log):
    page = show(guess())
    random = np.random.default_rng(7 + log)
    for _ in range(7):
        one, other = random.uniform(0.1, 50, (2, 11))
        apart = np.abs(np.log(one / other)) if log else np.abs(one - other)
        back = np.exp if log else np.positive
        distance = call(page, CURVE, "distance", {"log": log}, one.tolist(), other.tolist())
        assert distance["average"] == pytest.approx(back(apart.mean()))
        assert distance["largest"] == pytest.approx(back(apart.max()))
        assert distance["at"] == int(apart.argmax())


def test_a_stroke_sets_what_it_crosses(show):
    page = show(guess())
    shares = [0, 0.2, 0.5, 0.7, 1]
    for ends in ((0.15, 0.75), (0.75, 0.15)):
        begin, end = ({"x": x, "y": 2 * x} for x in ends)
        crossed = dict(map(tuple, call(page, CURVE, "crossed", shares, begin, end)))
        assert crossed == pytest.approx({1: 0.4, 2: 1.0, 3: 1.4})
    assert call(page, CURVE, "nearest", shares, 0.58) == 2
    assert call(page, CURVE, "nearest", shares, 9) == 4


# ---- what a reader does


def test_a_curve_is_drawn_by_keyboard(show):
    page = show(guess())
    go, nothing = walk(page, **PARTS), [None] * 5
    go("focus handle", drawn=nothing, values=["no value yet"] * 5)
    go("key Space", drawn=[50, None, None, None, None])
    go("key ArrowUp; key PageUp", values="62 %")
    go("key ArrowRight; key ArrowDown; key ArrowDown")  # takes hold of the curve where it is
    go(drawn=[62, 60, None, None, None])
    go("key ArrowRight; key End; key ArrowRight; key Home; key ArrowRight; key ArrowRight")
    go("key Space", drawn=[62, 60, 100, 0, 0])
    go("key ArrowLeft", focus="letters 7")
    go("press See what was measured Enter", guess=[62, 60, 100, 0, 0])
    page.get_by_text("For a reason.").wait_for()
    words = "Your curve is 27 percentage points away on average, 38 at most (at 5)."
    page.get_by_text(words).wait_for()
    go("key Enter", drawn=nothing, committed=False)  # the focus is on its way back
    assert not page.get_by_text("For a reason.").is_visible()
    go(SEE, committed=False)  # a curve that is not whole is no guess
    page.get_by_text("Draw the curve first: a guess is enough.").wait_for()
    assert page.evaluate("document.activeElement.getAttribute('role')") == "slider"
    go(f"set drawn [1, null, 5, 2, null]; {SEE}", committed=False, focus="letters 3")
    page.get_by_text("The curve has no value yet at 3 and 11").wait_for()


def at(page, x, y):
    """A point given as shares of the first drawing, in coordinates of the window."""
    box = page.locator(".attn-canvas").first.bounding_box()
    return box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"]


def stroke(page, start, end, **options):
    page.mouse.move(*at(page, *start))
    page.mouse.down()
    page.mouse.move(*at(page, *end), **options)
    page.mouse.up()


def test_a_curve_is_drawn_with_the_mouse(show):
    page = show(guess())
    stroke(page, (-0.01, 0.9), (1.01, 0.1))
    page.mouse.move(*at(page, 0.5, 1))
    shares = (np.array([2, 3, 5, 7, 11]) - 2) / 9
    np.testing.assert_allclose(trait(page, "drawn"), 90 - 80 * shares, atol=2)
    for ends in [(0.03, 0.97), (0.97, 0.03), (0.1, 0.6), (0.05, 0.95)]:
        set_trait(page, "drawn", [None] * 5)
        stroke(page, (ends[0], 0.8), (ends[1], 0.2), steps=5)
        drawn = trait(page, "drawn")
        assert None not in drawn
        left, right = sorted(zip(ends, (80, 20), strict=True))
        assert (drawn[0], drawn[-1]) == pytest.approx((left[1], right[1]), abs=3)
    set_trait(page, "drawn", [90, 80, 70, 60, 50])
    stroke(page, (0.3, 0.2), (0.5, 0.2), steps=3)
    assert trait(page, "drawn") == [90, 80, 20, 20, 50]  # what it does not reach stays
    page.mouse.click(*at(page, 0.35, 0.5))
    walk(page)(SEE, drawn=[90, 80, 50, 20, 50])
    page.mouse.click(*at(page, 0.35, 0.9))
    assert trait(page, "drawn")[2] == trait(page, "guess")[2] == 50


def touches(page, *points):
    """Move one finger through these points."""
    for number, (x, y) in enumerate(points):
        kind = "touchMove" if number else "touchStart"
        page.session.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]}
        )
    page.session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_finger_that_goes_along_draws(show):
    page = show(guess(), width=360, has_touch=True, is_mobile=True)
    touches(page, *(at(page, share, 0.8 - share / 2) for share in np.linspace(0, 1, 21)))
    drawn = trait(page, "drawn")
    assert None not in drawn
    np.testing.assert_allclose([drawn[0], drawn[-1]], [80, 30], atol=4)


def test_a_finger_that_goes_up_scrolls(show):
    page = show(guess(), guess(), guess(), width=360, has_touch=True, is_mobile=True)
    touches(page, *(at(page, 0.5, share) for share in np.linspace(0.1, 0.9, 21)))
    page.wait_for_function("scrollY > 50")
    assert trait(page, "drawn") == [None] * 5


def test_a_curve_is_typed_into_the_table(show):
    page = show(guess())
    page.get_by_text("The curve as a table").press("Enter")
    boxes = page.get_by_role("spinbutton")
    for place, text in enumerate(["97", "88.5", "150", "-3", "1e1"]):
        boxes.nth(place).fill(text)
    boxes.last.press("Enter")
    assert trait(page, "guess") == [97, 88.5, 100, 0, 10]
    assert boxes.first.is_disabled()
    row = page.get_by_role("row", name="5", exact=False).filter(has_text="62")
    assert "62\u00a0% (60 to 64\u00a0%)" in row.inner_text()


def measured(mean, low=None, high=None, runs=1):
    return [{"name": "a", "mean": mean, "low": low or mean, "high": high or mean, "runs": runs}]


def test_the_measured_curves_lie_where_their_numbers_say(show):
    page = show(guess(y=LOG, measured=False))
    go = walk(page, **PARTS)
    set_trait(page, "drawn", [1e-4] * 5)
    set_trait(page, "curves", measured([1e-8, 1e-4, 1.0, 1e-2, 1e-12]))  # the last lies below
    go(curve=0)
    go(SEE, band=0)
    points = page.locator("polyline.attn-curve").get_attribute("points").split()
    places = np.array(points, dtype=float).reshape(5, 2)
    np.testing.assert_allclose(places[:, 0], 100 * (np.array([2, 3, 5, 7, 11]) - 2) / 9)
    np.testing.assert_allclose(places[:, 1], [100, 50, 0, 25, 100])
    assert "10⁻⁴" in page.locator(".attn-tick-y").all_inner_texts()
    page.locator(".attn-said .attn-guessed").get_by_text("a factor of").wait_for()


def test_before_it_is_measured_a_drawing_waits(show):
    page = show(guess(measured=False))
    go = walk(page, **PARTS)
    go(f"set drawn [1, 2, 3, 4, 5]; {SEE}")
    page.get_by_text("Run the cells below to see the result.").wait_for()
    set_trait(page, "curves", measured([1] * 5, [0] * 5, [2] * 5, 3))
    page.get_by_text("2 percentage points away on average, 4 at most (at 11)").wait_for()
    go(band=1)
