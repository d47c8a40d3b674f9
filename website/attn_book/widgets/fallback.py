"""What stands in a widget's place for readers without JavaScript, or if the widget fails.

It consists of a sentence, the widget's ``summary``; the table that its module makes; and, folded,
the answer, which readers should guess first. The widget's own code makes them: see `prerendered`.
"""

from bs4 import BeautifulSoup, Tag

from .prerendered import Rows

NO_SUMMARY = "This is an interactive figure. It needs JavaScript."


def fallback(summary: str, rows: Rows | None, answer: str = "") -> Tag:
    """The sentence, the table and the folded answer, as HTML."""
    soup = BeautifulSoup(
        '<div class="attn-still"><p class="attn-widget-summary"></p></div>', "html.parser"
    )
    block = soup.div
    block.p.string = summary or NO_SUMMARY
    if rows:
        # wide tables scroll on their own, with the keyboard too
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
