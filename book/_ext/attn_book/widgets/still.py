"""What stands in a widget's place until the widget does, and for good without JavaScript.

A sentence, the widget's ``summary``, and a table, if its module exports a function ``table``: it
takes ``{ model }`` as ``render`` does and returns rows of texts, the first of them the header. A
module may export ``answer`` too: its text is folded, for a reader should guess first. Node calls
both at build time, so that they come from the very code that answers in the page.
"""

from collections.abc import Sequence
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from sphinx.errors import ExtensionError

from ..site.node import ask

SCRIPT = Path(__file__).with_name("still.mjs")
NO_SUMMARY = "An interactive figure stands here. It needs JavaScript."


Rows = list[list[str]]


def contents(models: Sequence[dict], names: str) -> list[tuple[Rows | None, str]]:
    """The rows and the answer that each module makes of its model; None, "" where it makes none."""
    given = [{key: model.get(key, []) for key in ("state", "buffers")} for model in models]
    found = ask(SCRIPT, given, f"a widget on {names} cannot be made a table")
    for rows, answer in found:
        if rows is not None and not _is_table(rows):
            raise ExtensionError(
                f"a widget on {names} must give rows of texts, all of one length, the first of "
                f"them the header; got {rows!r:.200}"
            )
        if not isinstance(answer, str):
            raise ExtensionError(
                f"a widget on {names} must give an answer that is a text; got {answer!r:.200}"
            )
    return [(rows, answer) for rows, answer in found]


def still(summary: str, rows: Rows | None, answer: str = "") -> Tag:
    """The sentence, the table and the folded answer, as HTML."""
    soup = BeautifulSoup(
        '<div class="attn-still"><p class="attn-widget-summary"></p></div>', "html.parser"
    )
    block = soup.div
    block.p.string = summary or NO_SUMMARY
    if rows:
        # wide tables scroll by themselves, by keyboard too
        frame = soup.new_tag(
            "div",
            attrs={"class": "attn-still-table", "tabindex": "0"}
            | {"role": "group", "aria-label": "The figure as a table"},
        )
        frame.append(_table(soup, rows))
        block.append(frame)
    if answer:
        fold, label, text = soup.new_tag("details"), soup.new_tag("summary"), soup.new_tag("p")
        label.string, text.string = "What was measured", answer
        fold.extend([label, text])
        block.append(fold)
    return block.extract()


def _table(soup: BeautifulSoup, rows: Rows) -> Tag:
    new = soup.new_tag
    table, head, body = new("table"), new("thead"), new("tbody")
    for place, row in enumerate(rows):
        line = new("tr")
        for column, text in enumerate(row):
            scope = "col" if place == 0 else "row"
            header = place == 0 or (column == 0 and len(row) > 1)
            cell = new("th", attrs={"scope": scope}) if header else new("td")
            cell.string = text
            line.append(cell)
        (body if place else head).append(line)
    table.extend([head, body])
    return table


def _is_table(rows: object) -> bool:
    return (
        isinstance(rows, list)
        and len(rows) > 1
        and all(isinstance(row, list) and len(row) == len(rows[0]) > 0 for row in rows)
        and all(isinstance(text, str) for row in rows for text in row)
    )
