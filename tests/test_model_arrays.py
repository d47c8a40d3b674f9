"""The check that a model's arrays are those which a widget's page computes with."""

import numpy as np
import pytest

from attn_course.views.widgets.model_arrays import fitting, side

SHAPES = {"first": (2, 3), "second": (5,), "third": (7, 2, 1)}


def arrays(**changes):
    usual = {name: np.zeros(shape) for name, shape in SHAPES.items()} | changes
    return {name: array for name, array in usual.items() if array is not None}


def test_the_order_is_that_of_what_is_expected():
    backwards = dict(reversed(arrays().items()))
    fitted = fitting(backwards, SHAPES, "a model")
    assert list(fitted) == list(SHAPES)
    assert all(fitted[name] is backwards[name] for name in SHAPES)


def test_lists_of_numbers_are_arrays_too():
    assert fitting(arrays(second=[1, 2, 3, 4, 5]), SHAPES, "a model")["second"].shape == (5,)


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_each_array_is_missed_and_each_shape_is_checked(name):
    with pytest.raises(ValueError, match=rf"of a model; missing: \['{name}'\]; unknown: none"):
        fitting(arrays(**{name: None}), SHAPES, "a model")
    longer = np.zeros((SHAPES[name][0] + 1, *SHAPES[name][1:]))
    with pytest.raises(ValueError, match=rf"{name} must have the shape .* got \({len(longer)},"):
        fitting(arrays(**{name: longer}), SHAPES, "a model")


def test_what_may_be_missing_is_checked_where_it_is_there():
    fitted = fitting(arrays(second=None), SHAPES, "a model", {"second"})
    assert list(fitted) == ["first", "third"]
    with pytest.raises(ValueError, match=r"second must have the shape \(5,\).* got \(4,\)"):
        fitting(arrays(second=np.zeros(4)), SHAPES, "a model", {"second"})


def test_an_array_too_many_is_named():
    with pytest.raises(ValueError, match=r"missing: none; unknown: \['fourth', 'more'\]"):
        fitting(arrays(more=np.zeros(1), fourth=np.zeros(1)), SHAPES, "a model")


def test_a_size_that_others_must_fit():
    changed = arrays()
    assert [side(changed, "third", axis) for axis in range(4)] == [7, 2, 1, -1]
    assert side(changed, "fourth", 0) == -1
