"""What the bottleneck explorer takes, and what it refuses."""

import numpy as np
import pytest

from attn_course.widgets.bottleneck_explorer import BottleneckExplorer

SIZES, LENGTHS, SEEDS = [16, 64], [2, 3, 5], 3


def task(seed=0, **changes):
    random = np.random.default_rng(seed)
    fixed = random.random((len(SIZES), SEEDS, len(LENGTHS)))
    asked = [[("a" * n, "a" * n), ("b" * n, "b" * n)] for n in LENGTHS]
    written = [[[pair[1] for pair in each] for each in asked] for _ in SIZES]
    return {
        "name": "Copy",
        "unit": "letters",
        "separator": "",
        "trained": (2, 3),
        "sizes": SIZES,
        "lengths": LENGTHS,
        "exact": {"fixed": fixed, "attending": np.ones_like(fixed)},
        "asked": asked,
        "written": {"fixed": written, "attending": written},
    } | changes


def test_it_begins_in_the_middle_and_holds_what_was_measured():
    given = task()
    widget = BottleneckExplorer([given])
    assert (widget.task, widget.size, widget.length) == (0, 64, 3)
    np.testing.assert_allclose(
        widget.tasks[0]["exact"]["fixed"], given["exact"]["fixed"], atol=1e-4
    )


def test_the_summary_says_where_each_falls():
    exact = np.ones((2, SEEDS, 3))
    exact[0, :, 1:] = 0.2
    widget = BottleneckExplorer([task(exact={"fixed": exact, "attending": np.ones_like(exact)})])
    assert "state size 16: with one vector 3, with attention none" in widget.summary
    assert "state size 64: with one vector none" in widget.summary


def test_only_measured_cells_can_be_chosen():
    widget = BottleneckExplorer([task()], size=16, length=5)
    for name, value in (("size", 32), ("length", 4), ("task", 1)):
        with pytest.raises(ValueError, match=rf"got {value}"):
            setattr(widget, name, value)
    assert (widget.size, widget.length, widget.task) == (16, 5, 0)


def other_task():
    """A task that shares no cell with `task`."""
    random = np.random.default_rng(1).random((3, SEEDS, 2))
    asked = [[("a", "a")], [("b", "b")]]
    written = [[["a"], ["b"]]] * 3
    return {
        **task(name="Count", sizes=[8, 32, 128], lengths=[4, 9], trained=(4, 9)),
        "exact": {"fixed": random, "attending": random},
        "asked": asked,
        "written": {"fixed": written, "attending": written},
    }


def test_the_cell_of_another_task_is_refused():
    widget = BottleneckExplorer([task(), other_task()], size=16, length=5)
    for name, value in (("size", 32), ("length", 4)):
        with pytest.raises(ValueError, match=rf"{name} must be one of .* 'Copy'; got {value}"):
            setattr(widget, name, value)
    with pytest.raises(ValueError, match="size must be one of"):
        BottleneckExplorer([task(), other_task()], task=1, size=64)


def test_another_task_moves_to_its_nearest_cell():
    widget = BottleneckExplorer([task(), other_task()], size=64, length=5)
    widget.task = 1
    assert (widget.size, widget.length) == (32, 4)
    widget.set_state({"task": 0, "size": 16, "length": 2})  # as a page sends it
    assert (widget.task, widget.size, widget.length) == (0, 16, 2)


@pytest.mark.parametrize(
    "change",
    [
        {"sizes": [64, 16]},
        {"lengths": []},
        {"trained": (3,)},
        {"exact": {"fixed": np.ones((2, 3, 3))}},
        {"exact": {"fixed": np.ones((2, 3, 3)), "attending": np.ones((2, 3, 2))}},
        {"exact": {"fixed": np.ones((2, 3, 3)), "attending": np.full((2, 3, 3), 1.1)}},
        {"asked": [[("a", "a")]]},
        {"written": {"fixed": [], "attending": []}},
    ],
)
def test_what_does_not_fit_is_refused(change):
    with pytest.raises(ValueError, match="must"):
        BottleneckExplorer([task(**change)])


def test_nothing_to_show_is_refused():
    with pytest.raises(ValueError, match="empty"):
        BottleneckExplorer([])
    with pytest.raises(ValueError, match="task must"):
        BottleneckExplorer([task()], task=1)
