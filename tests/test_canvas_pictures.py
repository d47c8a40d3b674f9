"""Pictures of canvases: what is drawn where, and in how few elements."""

from xml.etree import ElementTree

import numpy as np
import pytest

from attn_course.views import palette
from attn_course.views.canvas_pictures import LEVELS, draw_canvases

BLUE, GOLD, INK = (palette.LIGHT[name] for name in ("source", "gold", "ink"))


def paths(picture, colour):
    """The paths of a colour, filled or outlined."""
    root = ElementTree.fromstring(picture.svg)
    paths = [element for element in root.iter() if element.tag.endswith("}path")]
    return [element for element in paths if colour in element.get("style", "")]


def area(path):
    """The area that a path of rectangles covers, by the shoelace formula."""
    total, points = 0.0, []
    words = path.get("d").split()
    place = 0
    while place < len(words):
        if words[place] in "ML":
            if words[place] == "M":
                points = []
            points.append((float(words[place + 1]), float(words[place + 2])))
            place += 3
        else:
            turns = zip(points, points[1:] + points[:1], strict=True)
            total += abs(sum(x * v - u * y for (x, y), (u, v) in turns)) / 2
            place += 1
    return total


def test_each_pixel_is_drawn_once_at_its_level():
    rng = np.random.default_rng(3)
    pixels = rng.random((12, 20))
    drawn = paths(draw_canvases([pixels], "", alt="x", columns=1), BLUE)
    assert len(drawn) <= LEVELS
    counts = [((pixels >= 0.1) & (np.ceil(5 * pixels) == level)).sum() for level in range(1, 6)]
    whole = sum(map(area, drawn))
    shares = [area(path) / whole for path in drawn]
    assert shares == pytest.approx([count / sum(counts) for count in counts], abs=0.01)


def test_weights_and_boxes_lie_over_the_pixels():
    weights = np.zeros((3, 5))
    weights[1, 2], weights[2, 4] = 0.9, 0.01
    picture = draw_canvases(
        [np.zeros((12, 20))], "t", alt="x", boxes=[[[4, 8, 8, 12], [0, 0, 0, 0]]], weights=[weights]
    )
    (cell,), (box,) = paths(picture, INK), paths(picture, GOLD)
    assert area(cell) == pytest.approx(area(box), rel=0.01)
    assert not paths(picture, BLUE)


def test_a_canvas_costs_few_elements():
    pixels = [np.random.default_rng(3).random((24, 24)) for _ in range(8)]
    svg = draw_canvases(pixels, "t", alt="x", names=list("abcdefgh")).svg
    assert len(list(ElementTree.fromstring(svg).iter())) < 8 * 25


def drawn(**changes):
    return draw_canvases(**{"pixels": [np.zeros((12, 20))], "title": "t", "alt": "x"} | changes)


REFUSED = {
    drawn: [
        ({"pixels": []}, "pixels must hold at least 1"),
        ({"pixels": [np.ones((3, 3)) * 2]}, "pixels must lie from 0 to 1"),
        ({"pixels": [np.ones(3)]}, "canvas 0 is float64"),
        ({"names": ["a", "b"]}, "names must be none, or 1"),
        ({"weights": [np.ones((2, 3))]}, "one entry for each cell"),
        ({"columns": 0}, "columns must be"),
    ],
}
