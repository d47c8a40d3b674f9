"""The theory of crosstalk against memories with random keys."""

import pytest
import torch
from torch.nn import functional as F

from attn_course.crosstalk import expected_recall, pairs_held, relative_error
from attn_course.memory import memory_state


def unit(*shape):
    return F.normalize(torch.randn(*shape, dtype=torch.float64), dim=-1)


@pytest.mark.parametrize(("pairs", "size"), [(2, 7), (11, 13), (29, 13)])
def test_the_error_of_a_sum_and_of_least_squares(pairs, size):
    keys, values = unit(400, pairs, size), unit(400, pairs, size)
    errors = {
        "sum": (keys @ memory_state(keys, values, "sum").mT - values),
        "least squares": (keys @ torch.linalg.pinv(keys) @ values - values),
    }
    for rule, error in errors.items():
        found = error.pow(2).sum(dim=-1).mean().item()
        assert found == pytest.approx(relative_error(pairs, size, rule), rel=0.08, abs=1e-9)


def recalled(pairs, key_size, value_size, values, lists=500):
    """How often a memory with random keys and values gives the right one."""
    keys, known = unit(lists, pairs, key_size), unit(lists, values, value_size)
    written = torch.randint(values, (lists, pairs))
    chosen = known.gather(1, written.unsqueeze(-1).expand(-1, -1, value_size))
    read = keys @ memory_state(keys, chosen, "sum").mT
    return ((read @ known.mT).argmax(dim=-1) == written).double().mean().item()


@pytest.mark.parametrize(
    ("pairs", "key_size", "value_size", "values"),
    [(3, 7, 11, 29), (11, 17, 13, 61), (11, 13, 17, 61), (29, 29, 31, 61), (47, 31, 37, 17)],
)
def test_the_share_that_is_recalled(pairs, key_size, value_size, values):
    sizes = (pairs, key_size, value_size, values)
    assert recalled(*sizes) == pytest.approx(expected_recall(*sizes), abs=0.06)


def test_more_pairs_or_values_are_recalled_less_often_and_larger_states_more_often():
    usual = expected_recall(11, 13, 17, 61)
    assert expected_recall(1, 13, 17, 61) == 1
    assert expected_recall(13, 13, 17, 61) < usual < expected_recall(11, 17, 17, 61)
    assert expected_recall(11, 13, 17, 67) < usual < expected_recall(11, 13, 19, 61)


def test_the_pairs_held_are_where_the_share_is_crossed_and_grow_as_the_state():
    held = pairs_held(13, 17, 61, 0.9)
    below, above = int(held), int(held) + 1
    assert expected_recall(below, 13, 17, 61) >= 0.9 > expected_recall(above, 13, 17, 61)
    # keys twice as large leave room for twice as many others
    twice = pairs_held(26, 17, 61) - 1
    assert twice == pytest.approx(2 * (pairs_held(13, 17, 61) - 1), rel=0.02)


def test_what_is_refused():
    with pytest.raises(ValueError, match="share must lie between 0 and 1"):
        pairs_held(3, 5, 7, 1.0)
    with pytest.raises(ValueError, match="values must be a whole number, 2 or more"):
        pairs_held(3, 5, 1)
    with pytest.raises(ValueError, match="rule must be 'sum' or 'least squares'"):
        relative_error(3, 5, "delta")
    for place in range(4):
        sizes = [3, 5, 7, 11]
        sizes[place] = 0
        with pytest.raises(ValueError, match="or more"):
            expected_recall(*sizes)
