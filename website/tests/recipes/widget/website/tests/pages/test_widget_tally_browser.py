"""What a reader does with the tally."""

from attn_course.views.widgets.tally import Tally


def test_enter_and_space_count_and_reset_goes_back(show):
    page = show(Tally(start=3))
    more = page.get_by_role("button", name="One more")
    more.press("Enter")
    more.press("Space")
    page.get_by_text("Pressed 5 times.").wait_for()
    page.get_by_role("button", name="Reset").press("Enter")
    page.get_by_text("Pressed 3 times.").wait_for()
