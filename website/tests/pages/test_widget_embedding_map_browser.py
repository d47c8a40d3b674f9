"""The embedding map in a real browser: its geometry against NumPy, and what a reader does."""

import numpy as np
import pytest
from walking import walk

from attn_course.views.widgets.embedding_map import EmbeddingMap
from attn_lab.typos import letter_sets

STEPS, TOKENS, SIZE = (0, 20, 70), "abcdefghijk", 5
VECTORS = np.random.default_rng(3).normal(size=(len(STEPS), len(TOKENS), SIZE)).astype("f4")


def shown(**changes):
    options = {"vectors": VECTORS, "steps": STEPS, "tokens": TOKENS, "chosen": "aei", **changes}
    return EmbeddingMap(**options)


GEOMETRY = """async ([points, marked]) => {
  const plane = await import("./widgets/embedding_map/plane.js");
  const distances = plane.distancesOf(points);
  return {
    spread: plane.project(points, plane.spreadPlane(points)),
    parting: plane.partingPlane(points, new Set(marked)),
    separation: plane.separation(distances, marked),
    share: plane.shareAsGood(distances, marked),
    nearest: plane.nearest(distances, marked[0], 3),
  };
}"""


@pytest.mark.parametrize("marked", [[0, 4, 8], [3, 10], [0, 1, 2, 3, 4, 5, 6]])
def test_the_geometry_equals_numpy(show, marked):
    page = show(shown())
    for points in VECTORS.astype(float):
        geometry = page.evaluate(GEOMETRY, [points.tolist(), marked])
        flat = letter_sets.plane(points)
        for axis, expected in zip(np.transpose(geometry["spread"]), flat.T, strict=True):
            np.testing.assert_allclose(np.abs(axis), np.abs(expected), atol=1e-4)
        first, second = geometry["parting"]
        np.testing.assert_allclose(first, letter_sets.best_direction(points, marked), atol=1e-8)
        assert np.dot(first, second) == pytest.approx(0, abs=1e-9)
        assert geometry["separation"] == pytest.approx(letter_sets.separation(points, marked))
        assert geometry["share"] == pytest.approx(letter_sets.share_as_good(points, marked))
        away = np.linalg.norm(points - points[marked[0]], axis=1)
        assert geometry["nearest"] == away.argsort()[1:4].tolist()


def test_five_of_twenty_six_are_all_tried_within_a_frame_or_two(show):
    page = show(shown())
    points = np.random.default_rng(5).normal(size=(26, 16))
    geometry = page.evaluate(GEOMETRY, [points.tolist(), [0, 4, 8, 14, 20]])
    assert geometry["share"] == pytest.approx(letter_sets.share_as_good(points, [0, 4, 8, 14, 20]))
    assert page.evaluate(GEOMETRY, [points.tolist(), list(range(9))])["share"] is None  # 3 million


def place_of(page, number):
    return page.locator(".attn-point").nth(number).evaluate("n => n.style.left + n.style.top")


def test_a_reader_scrubs_marks_and_turns(show):
    page = show(shown())
    parts = {"steps": ".attn-steps"}
    go, before = walk(page, pressed="[aria-pressed=true]", **parts), place_of(page, 0)
    go("slide Step of training ArrowLeft", frame=1, steps=["after 20 steps"])
    assert place_of(page, 0) != before
    go("click Reset", frame=2)
    assert place_of(page, 0) == before
    go("press b Enter", marked=[0, 1, 4, 8], pointed=1, pressed=["a", "b", "e", "i"])
    go("click .point 1", marked=[0, 4, 8], says="f all 165 sets of 3 letters")
    page.get_by_role("combobox").select_option("parting")
    go(view="parting", says="what it shows is no evidence")
    go('set view "spread"', says="in this plane")
    go("click a; click e", says=["Mark at least two letters, but not all of them."])


def test_neighbours_are_named(show):
    page = show(shown())
    page.get_by_role("button", name="c", exact=True).focus()
    away = np.linalg.norm(VECTORS[-1] - VECTORS[-1][2], axis=1).argsort()[1:4]
    near = "…".join(f"“{TOKENS[n]}”" for n in away)
    walk(page, near=".attn-near")(near=f"Nearest to “c” in all 5 dimensions: …{near}")
