"""Count how often a button was pressed. Made up for a test of the recipes."""

import traitlets

from attn_course.views.widgets.parts import Widget


class Tally(Widget):
    """Count how often a button was pressed.

        Tally(start=3)

    start  a whole number, 0 or more

    Traits for ``observe``: ``count``.
    """

    start = traitlets.Int(0).tag(sync=True)
    count = traitlets.Int(0).tag(sync=True)

    def __init__(self, start: int = 0):
        if not isinstance(start, int) or start < 0:
            raise ValueError(f"start must be a whole number, 0 or more; got {start!r}")
        super().__init__(start=start, count=start, summary=f"A button, and a count from {start}.")
