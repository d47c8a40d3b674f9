"""The arrays of a model, as a widget is given them and as it hands them to its page."""

import numpy as np
import torch

from attn_course.packing import unpack


def arrays_of(build, *sizes, **options):
    """By the names that they have in the model's state; the same in every run."""
    torch.manual_seed(5)
    return {name: part.numpy() for name, part in build(*sizes, **options).state_dict().items()}


def without(arrays, name):
    return {key: array for key, array in arrays.items() if key != name}


def assert_travels(widget, arrays):
    """What a widget that packs in 32 bits carries is what it was given."""
    back = unpack(widget.weights, widget.layout_of_weights)
    assert set(back) == set(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(back[name], array)
