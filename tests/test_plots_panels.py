"""Small multiples: one set of axes a label, one line a name."""

import re

import numpy as np
import pytest

from attn_course import plots

ANGLES = np.linspace(0, 6, 11)


def some(panels=3, names=2):
    rng = np.random.default_rng(0)
    return {f"panel {n}": rng.random((names, len(ANGLES))) for n in range(panels)}


def test_every_panel_and_every_line_is_there():
    picture = plots.panels(ANGLES, some(), "Three", names=["key 1", "key 2"], alt="Three panels.")
    for label in ("panel 0", "panel 1", "panel 2"):
        assert picture.svg.count(f">{label}<") == 1
    assert picture.svg.count(">key 1<") == picture.svg.count(">key 2<") == 3
    assert (picture.title, repr(picture)) == ("Three", "Three panels.")
    assert "var(--attn-source" in picture.svg


def places(svg, text):
    """Where on the drawing a text stands: (x, y) for each time."""
    found = re.findall(rf'x="([\d.]+)" y="([\d.]+)"[^>]*>{text}<', svg)
    return [(float(x), float(y)) for x, y in found]


def test_the_names_of_level_lines_stand_apart_at_their_ends_in_order():
    lines = {"level": [[0.21] * 11, [0.18] * 11, [0.20] * 11], "moves": np.eye(11)[:3]}
    svg = plots.panels(ANGLES, lines, "Two", names=["low", "deep", "mid"], alt="Two panels.").svg
    ends = [places(svg, name)[0] for name in ("low", "mid", "deep")]
    assert len({x for x, _ in ends}) == 1
    assert np.diff([y for _, y in ends]).min() > 8  # points: the text has 9


def test_the_name_of_the_highest_line_stands_below_the_title_of_its_panel():
    svg = plots.panels(ANGLES, {"one": np.eye(11)[:1]}, "One", names=["top"], alt="A panel.").svg
    assert places(svg, "top")[0][1] - places(svg, "one")[0][1] > 8


def test_the_scales_are_shared():
    lines = {"low": [[0.0] * 10 + [0.1]], "high": [[0.0] * 10 + [1.0]]}
    svg = plots.panels(ANGLES, lines, "Two", names=["a"], alt="Two panels.", percent=True).svg
    assert len(re.findall(">100 %<", svg)) == 1  # written once for both
    assert ">10 %<" not in svg


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ({"a": np.zeros((2, 7))}, "a must be"),
        ({"a": np.zeros((3, 11))}, "a must have 2 lines; got 3"),
        ({"a": np.full((2, 11), np.nan)}, "finite"),
    ],
)
def test_what_does_not_fit_is_named(lines, words):
    with pytest.raises(ValueError, match=words):
        plots.panels(ANGLES, lines, "One", names=["x", "y"], alt="One panel.")
