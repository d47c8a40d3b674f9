"""What Python checks of the tally."""

import pytest

from attn_course.views.widgets.tally import Tally


def test_it_starts_where_it_is_told_to():
    assert Tally(start=7).count == 7


@pytest.mark.parametrize("start", [-1, 0.5, "3"])
def test_another_start_is_refused(start):
    with pytest.raises(ValueError, match="start must be a whole number"):
        Tally(start)
