"""Lines on a logarithmic axis: orders of magnitude, evenly spaced."""

import re

import numpy as np
import pytest

from attn_course.views import plots

X = range(5)


def drawn(lines, **options):
    return plots.curves(X, lines, "Falls", alt="falls", logarithmic=True, **options).svg


def paths(svg):
    """The heights of every line that has a point for each x, as drawn, from the top."""
    found = re.findall(r'<path d="([^"]*)"[^>]*clip-path[^>]*fill: none', svg)
    points = [re.findall(r"[ML] [\d.]+ ([\d.]+)", path) for path in found]
    return [np.array(line, dtype=float) for line in points if len(line) == len(X)]


def test_equal_factors_are_equal_steps():
    (line,) = paths(drawn({"a": [1e-1, 1e-3, 1e-5, 1e-7, 1e-9]}))
    steps = np.diff(line)
    assert (steps > 0).all()  # downwards
    np.testing.assert_allclose(steps, steps[0], atol=0.02)


def test_the_mean_over_seeds_is_the_geometric_one():
    seeds = [[1e-2] * 5, [1e-4] * 5, [1e-6] * 5]
    (together,) = paths(drawn({"a": seeds, "low": [1e-9] * 4 + [1.0]}))[:1]
    (alone,) = paths(drawn({"a": [1e-4] * 5, "low": [1e-9] * 4 + [1.0]}))[:1]
    np.testing.assert_allclose(together, alone, atol=0.02)


def test_labels_that_would_touch_are_moved_apart_by_factors():
    _, axes = plots._canvas("", "", "", height=200)
    axes.set_yscale("log")
    axes.set_ylim(1e-12, 1)
    plots._label_ends(axes, [(1e-5, "one", "#000000"), (1.1e-5, "two", "#000000")])
    heights = sorted(text.xy[1] for text in axes.texts)
    assert np.diff(np.log10(heights))[0] > 0.07 * 12
    assert np.mean(np.log10(heights)) == pytest.approx(-5 + np.log10(1.1) / 2, abs=0.01)


def across(x):
    """The ticks of a logarithmic x axis."""
    line = {"a": [0.5] * len(x)}
    svg = plots.curves(x, line, "Level", alt="level", logarithmic_x=True).svg
    return [tick for tick in re.findall(r">([\d,]+)</text>", svg) if "," in tick or len(tick) > 2]


def test_a_few_places_are_all_named_and_many_are_not():
    assert across([300, 1200, 4800]) == ["300", "1,200", "4,800"]
    assert across(range(100, 2000, 50)) == ["100", "1,000"]


def test_what_is_not_above_zero_has_no_place():
    with pytest.raises(ValueError, match="a must be above zero on a logarithmic axis"):
        drawn({"a": [1, 2, 0, 1, 1]})
