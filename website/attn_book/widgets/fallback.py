"""What stands in a widget's place for readers without JavaScript, or if the widget fails.

It consists of a sentence, the widget's ``summary``; the table that its module makes; and, folded,
the answer, which readers should guess first. The widget's own code makes them: see `prerendered`.
"""

from bs4 import Tag

from ..site.templates import element
from .prerendered import Rows

NO_SUMMARY = "This is an interactive figure. It needs JavaScript."


def fallback(summary: str, rows: Rows | None, answer: str = "") -> Tag:
    """The sentence, the table and the folded answer, as HTML."""
    return element("still.html", summary=summary or NO_SUMMARY, rows=rows, answer=answer)
