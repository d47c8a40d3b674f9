"""If only whole numbers were measured, the axis has whole numbers."""

import re

import pytest

from attn_course.views import plots


def ticks(x):
    """All numbers on both axes; those on the y axis are whole in any case."""
    heights = [100 * place for place in range(len(x))]
    drawing = plots.curves(x, {"line": heights}, title="It rises", alt="It rises.")
    return re.findall(r"<text[^>]*>([\d.]+)</text>", drawing.svg)


@pytest.mark.parametrize("x", [range(2, 25), [2, 3, 5, 7, 11], (16, 32, 64)])
def test_whole_places_have_whole_ticks(x):
    found = ticks(x)
    assert len(found) >= 6
    assert not any("." in tick for tick in found)


def test_other_places_may_have_fractions():
    assert any("." in tick for tick in ticks([0.1, 0.2, 0.35]))
