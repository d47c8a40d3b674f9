"""Small multiples: a set of axes per label, a row per name; and how far each label gets."""

import re

import numpy as np
import pytest

from attn_course.views import plots

ANGLES = np.linspace(0, 6, 11)


def some(panels=3, names=2):
    rng = np.random.default_rng(0)
    return {f"panel {n}": rng.random((names, len(ANGLES))) for n in range(panels)}


def places(svg, text):
    """The positions of a text in the drawing, as (x, y)."""
    found = re.findall(rf'x="([\d.]+)" y="([\d.]+)"[^>]*>{text}<', svg)
    return [(float(x), float(y)) for x, y in found]


def heights(picture):
    """The height of each curve in the drawing, in the order of panels and names."""
    paths = [
        re.findall(r"[ML] [-\d.]+ ([-\d.]+)", d) for d in re.findall(r' d="([^"]*)"', picture.svg)
    ]
    return [np.ptp([float(y) for y in path]) for path in paths if len(path) == len(ANGLES)]


def test_every_panel_is_there_and_a_row_for_every_name():
    picture = plots.panels(ANGLES, some(4), "Four", names=["key 1", "key 2"], alt="Four panels.")
    for label in ("panel 0", "panel 1", "panel 2", "panel 3"):
        assert picture.svg.count(f">{label}<") == 1
    rows = places(picture.svg, "key 1"), places(picture.svg, "key 2")
    assert len(rows[0]) == len(rows[1]) == 2  # once for each line of panels
    assert all(one[1] < two[1] - 8 for one, two in zip(*rows, strict=True)), "the first on top"
    assert (picture.title, repr(picture)) == ("Four", "Four panels.")
    assert "var(--attn-source" in picture.svg


def test_one_scale_serves_all_panels():
    lines = {"low": [[0.0] * 10 + [0.1]], "high": [[0.0] * 10 + [0.8]]}
    low, high = heights(plots.panels(ANGLES, lines, "Two", names=["a"], alt="Two panels."))
    assert high == pytest.approx(8 * low, rel=0.05)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ({"a": np.zeros((2, 7))}, "a must be"),
        ({"a": np.zeros((3, 11))}, "a must have 2 lines; got 3"),
        ({"a": np.full((2, 11), np.nan)}, "finite"),
        ({"a": np.full((2, 11), -0.5)}, "a must not be below zero; got -0.5"),
    ],
)
def test_what_does_not_fit_is_named(lines, words):
    with pytest.raises(ValueError, match=words):
        plots.panels(ANGLES, lines, "One", names=["x", "y"], alt="One panel.")


# ---- how far each label comes


def changes(before, after):
    labels = ("one", "two", "three")
    values = {
        name: dict(zip(labels, each, strict=False))
        for name, each in (("before", before), ("after", after))
    }
    return plots.changes(values, "Far", alt="How far.").svg


def test_both_ends_are_drawn_for_each_seed_and_named_once():
    rng = np.random.default_rng(0)
    several = changes(rng.random((3, 5)), 1 + rng.random((3, 7)))
    one = changes(rng.random((3, 1)), 1 + rng.random((3, 1)))
    assert several.count("<use") - one.count("<use") == 3 * (4 + 6)
    assert len(places(several, "before")) == len(places(several, "after")) == 1


def test_the_label_that_ends_highest_stands_on_top():
    svg = changes([[3], [2], [1]], [[5], [9], [7]])
    heights = [places(svg, label)[0][1] for label in ("two", "three", "one")]
    assert heights == sorted(heights)


def test_a_label_may_lack_the_second_condition():
    svg = changes([[3, 4], [2, 2.5], [1, 1.5]], [[5, 6], [9, 8]])
    full = changes([[3, 4], [2, 2.5], [1, 1.5]], [[5, 6], [9, 8], [7, 6]])
    assert full.count("<use") - svg.count("<use") == 2
    assert len(places(svg, "three")) == 1


def test_changes_are_between_two_conditions_of_the_same_labels():
    with pytest.raises(ValueError, match="two conditions"):
        plots.changes({"before": {"one": [1]}}, "Far", alt="How far.")
    with pytest.raises(ValueError, match="among those of the first"):
        plots.changes({"before": {"one": [1]}, "after": {"two": [1]}}, "Far", alt="How far.")
    with pytest.raises(ValueError, match="after, one must be finite"):
        plots.changes({"before": {"one": [1]}, "after": {"one": [np.nan]}}, "F", alt="Far.")
