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
        found = page.evaluate(GEOMETRY, [points.tolist(), marked])
        flat = letter_sets.plane(points)
        for axis, expected in zip(np.transpose(found["spread"]), flat.T, strict=True):
            np.testing.assert_allclose(np.abs(axis), np.abs(expected), atol=1e-4)
        first, second = found["parting"]
        np.testing.assert_allclose(first, letter_sets.best_direction(points, marked), atol=1e-8)
        assert np.dot(first, second) == pytest.approx(0, abs=1e-9)
        assert found["separation"] == pytest.approx(letter_sets.separation(points, marked))
        assert found["share"] == pytest.approx(letter_sets.share_as_good(points, marked))
        away = np.linalg.norm(points - points[marked[0]], axis=1)
        assert found["nearest"] == away.argsort()[1:4].tolist()


def test_five_of_twenty_six_are_all_tried_within_a_frame_or_two(show):
    page = show(shown())
    points = np.random.default_rng(5).normal(size=(26, 16))
    found = page.evaluate(GEOMETRY, [points.tolist(), [0, 4, 8, 14, 20]])
    assert found["share"] == pytest.approx(letter_sets.share_as_good(points, [0, 4, 8, 14, 20]))
    assert page.evaluate(GEOMETRY, [points.tolist(), list(range(9))])["share"] is None  # 3 million


def toggle(page, letter):
    return page.get_by_role("button", name=letter, exact=True)


def place_of(page, number):
    return page.locator(".attn-point").nth(number).evaluate("n => n.style.left + n.style.top")


def test_the_steps_are_scrubbed_with_the_keyboard_and_letters_move(show):
    page = show(shown())
    go, before = walk(page, steps=".attn-steps"), place_of(page, 0)
    go("slide Step of training ArrowLeft", frame=1, steps=["after 20 steps"])
    assert place_of(page, 0) != before
    go("click Reset", frame=2)
    assert place_of(page, 0) == before


def test_letters_are_marked_by_button_and_in_the_plane(show):
    page = show(shown())
    go = walk(page)
    assert toggle(page, "a").get_attribute("aria-pressed") == "true"
    go("press b Enter", marked=[0, 1, 4, 8], pointed=1)
    page.locator(".attn-point").nth(1).click()
    go(marked=[0, 4, 8], said="f all 165 sets of 3 letters")
    go("click a; click e", said=["Mark at least two letters, but not all of them."])


def test_neighbours_are_named(show):
    page = show(shown())
    toggle(page, "c").focus()
    away = np.linalg.norm(VECTORS[-1] - VECTORS[-1][2], axis=1).argsort()[1:4]
    near = page.locator(".attn-near").text_content()
    assert near.startswith("Nearest to “\u2068c\u2069” in all 5 dimensions: ")
    assert [near.index(f"\u2068{TOKENS[n]}\u2069", 30) for n in away] == sorted(
        near.index(f"\u2068{TOKENS[n]}\u2069", 30) for n in away
    )


def test_a_plane_chosen_for_the_letters_is_no_evidence(show):
    page = show(shown())
    page.get_by_role("combobox").select_option("parting")
    walk(page)(view="parting", said="what it shows is no evidence")
    walk(page)('set view "spread"', said="in this plane")
