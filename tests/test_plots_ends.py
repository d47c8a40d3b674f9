"""Where labels and axes end: a line that stops early, a value beyond the last number."""

import numpy as np
import pytest
from sweeps import every

from attn_course.views import plots

X = range(2, 9)
NAN = float("nan")


@pytest.fixture
def drawn(monkeypatch):
    """Draws and returns the axes."""
    monkeypatch.setattr(plots, "picture", lambda figure, alt: figure.axes[0])

    def draw(lines, x=X, **options):
        return plots.curves(x, lines, "Title", alt="x", **options)

    return draw


def where(axes, label):
    """Where a label stands: 0 is the left or the lower edge of the axes, 1 the other one."""
    axes.figure.draw_without_rendering()
    (text,) = (text for text in axes.texts if text.get_text() == label)
    return text.get_window_extent().transformed(axes.transAxes.inverted())


def test_a_line_that_stops_early_has_its_label_where_it_stops(drawn):
    axes = drawn({"short": [1, 2, 3] + [NAN] * 4, "long": [9, 8, 7, 6, 5, 5, 5]})
    short, long = where(axes, "short"), where(axes, "long")
    assert 2 / 6 < short.x0 < 2 / 6 + 0.1
    assert short.x1 < 1 < long.x0
    assert short.y0 < 0.25 + 0.05 < short.y1 + 0.1
    assert len(axes.lines) == 2  # nothing leads to it


@pytest.mark.parametrize("logarithmic_x", [False, True])
def test_a_single_dot_at_the_left_has_its_label_beside_it(drawn, logarithmic_x):
    lines = {"dot": [9, NAN, NAN], "rises": [[1, 2, 4], [1, 3, 4]]}
    axes = drawn(lines, [300, 1200, 4800], logarithmic_x=logarithmic_x)
    assert 0 < where(axes, "dot").x0 < 0.1


def test_a_label_without_room_stays_at_the_edge_and_a_dotted_line_leads_to_it(drawn):
    crowd = {f"line {n}": [4.6 + 0.1 * n] * len(X) for n in range(9)}
    axes = drawn(
        {"short": [5, 5, 5] + [NAN] * 4, **crowd, "high": [9] * len(X), "low": [0] * len(X)}
    )
    label = where(axes, "short")
    assert label.x0 > 1
    *others, led = axes.lines
    assert len(others) == 12
    ends = axes.transAxes.inverted().transform(led.get_transform().transform(led.get_xydata()))
    assert ends[0, 0] == pytest.approx(2 / 6)
    assert ends[1, 0] == pytest.approx(1)
    assert label.y0 < ends[1, 1] < label.y1


@pytest.mark.slow
def test_labels_of_early_ends_touch_no_line_band_or_label(drawn):
    random = np.random.default_rng(3)
    for _ in range(20):
        lines = {f"line {n}": random.random((3, len(X))) for n in range(4)}
        for each in lines.values():
            each[:, random.integers(1, len(X)) :] = NAN
        lines["whole"] = random.random((3, len(X)))
        axes = drawn(lines)
        boxes = {label: where(axes, label) for label in lines}
        for label, box in boxes.items():
            assert not any(box.overlaps(other) for name, other in boxes.items() if name != label)
            if box.x0 > 1:
                continue
            place = box.transformed(axes.transAxes)
            assert not any(
                line.get_transform().transform_path(line.get_path()).intersects_bbox(place, False)
                for line in axes.lines[: len(lines)]
            )
            assert not any(
                band.get_transform().transform_path(band.get_paths()[0]).intersects_bbox(place)
                for band in axes.collections
            )


def test_an_end_at_the_edge_stays_at_the_edge(drawn):
    axes = drawn({"one": range(7), "two": range(7, 0, -1)}, ceiling=8)
    assert all(where(axes, label).x0 > 1 for label in ("one", "two", "ceiling"))


@pytest.mark.parametrize("most", every(3, [0.5949, 0.57, 0.5, 0.31, 1.0]))
def test_no_value_lies_beyond_the_last_number_of_its_axis(monkeypatch, most):
    monkeypatch.setattr(plots, "picture", lambda figure, alt: figure.axes[0])
    runs = [[0.1, 0.2, 0.9 * most], [0.1, 0.3, most]]
    rows = {"before": {"a": [0.1], "b": [0.2]}, "after": {"a": [0.2], "b": [most]}}
    for axes in (
        plots.bars("abc", runs, "t", alt="x", percent=True),
        plots.bars("abc", runs, "t", alt="x", percent=True, start=0.05),
        plots.changes(rows, "t", alt="x", percent=True),
    ):
        left, right = axes.get_xlim()
        ticks = axes.get_xticks()
        assert most <= max(ticks[ticks <= right])
        assert right < most + 0.3 * (most - left)  # and not much room is lost
