"""Figures of shares: stacked areas, triangles, and axes on which factors are equally long."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from attn_course.views import plots

POINTS, LABELS = 13, 3
generator = np.random.default_rng(7)
X = np.geomspace(0.1, 100, POINTS)
SHARES = generator.dirichlet(np.ones(LABELS), POINTS).T
NAMES = ["one & all", "two", "three"]


def some_areas(**options):
    shares = dict(zip(NAMES, SHARES, strict=True))
    return plots.areas(X, shares, "Shares", alt="shares", strong="two", **options)


def some_simplexes(**changes):
    panel = {
        "points": generator.dirichlet(np.ones(3), 11),
        "paths": generator.dirichlet(np.ones(3), (2, 7)),
    }
    panels = {"soft": panel | changes, "only dots": {"points": np.eye(3)}}
    return plots.simplexes(panels, "abc", "Triangles", alt="triangles")


def curve(**options):
    values = 10.0 ** -np.arange(POINTS)
    return plots.curves(X, {"falling": values}, "Falls", alt="falls", **options)


def texts(picture):
    root = ElementTree.fromstring(picture.svg)
    return ["".join(node.itertext()).strip() for node in root.iter() if node.tag.endswith("text")]


def test_labels_stand_on_their_areas():
    assert set(NAMES) <= set(texts(some_areas()))


def test_corners_and_panels_are_named():
    words = texts(some_simplexes())
    assert words.count("a") == words.count("b") == words.count("c") == 2
    assert {"soft", "only dots"} <= set(words)


def test_panels_stand_beside_each_other():
    root = ElementTree.fromstring(some_simplexes().svg)
    nodes = [node for node in root.iter() if node.tag.endswith("text")]
    place = {}
    for node in nodes:
        x = re.search(r"[-\d.]+(?= [-\d.]+\))", node.get("transform", "")) or [node.get("x")]
        place.setdefault("".join(node.itertext()).strip(), []).append(float(x[0]))
    assert max(place["a"][0], place["b"][0], place["c"][0]) < min(place["a"][1], place["b"][1])


def test_the_corners_of_the_triangle_are_as_far_from_each_other_as_from_the_next():
    corners = plots._in_triangle(np.eye(3))
    distances = [np.linalg.norm(corners[a] - corners[b]) for a, b in ((0, 1), (1, 2), (2, 0))]
    np.testing.assert_allclose(distances, 1)
    np.testing.assert_allclose(plots._in_triangle(np.full(3, 1 / 3)), corners.mean(axis=0))


def test_equal_steps_to_the_right_are_equal_factors():
    assert {"1", "10"} <= set(texts(curve(logarithmic_x=True)))
    assert not {"1", "10"} & set(texts(curve()))
    far = plots.curves(np.geomspace(1, 1e8, POINTS), {"a": X}, "t", alt="a", logarithmic_x=True)
    assert "10⁶" in texts(far)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda: plots.areas(X, {"a": 2 * SHARES[0] + 1}, "t", alt="a"), "more than 1"),
        (lambda: plots.areas(X, {"a": -SHARES[0]}, "t", alt="a"), "negative"),
        (lambda: plots.areas(X, {"a": SHARES[0][:-1]}, "t", alt="a"), "a must be"),
        (lambda: some_simplexes(points=np.ones((5, 3))), "distributions"),
        (lambda: some_simplexes(paths=np.ones((5, 7, 2)) / 2), "distributions"),
        (lambda: plots.simplexes({}, "ab", "t", alt="a"), "3 corners"),
    ],
)
def test_what_cannot_be_drawn_is_refused(spoil, words):
    with pytest.raises(ValueError, match=words):
        spoil()
