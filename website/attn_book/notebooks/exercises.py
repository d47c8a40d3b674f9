"""Exercises on a page, where no code runs: the task, its hints, its solution, and where to go.

In a notebook, an exercise has a stub to fill in and a check with a verdict. On a page neither would
do anything, so a line replaces them. It says how the function is called, and leads to the chapter
in Colab and Binder or, if the course has no address, says how to open it. How long the exercise
takes, which the verdict says in a notebook, stands below its title.
"""

import re
from collections.abc import Iterator

from bs4 import Tag

from ..site import templates
from ..site.edition import Edition
from ..site.find import of_class
from ..site.page import Page

_STUB = re.compile(
    r"^def (?P<call>\w+\([^)]*\))(?: *->[^:]*)?:\n.*?NotImplementedError", re.M | re.S
)
_CHECK = re.compile(r"^\w+\.check\(", re.M)
_SOLUTION = re.compile(r"\A\s*show_source\(\w+\.solution,")


def for_readers(page: Page, edition: Edition) -> None:
    """Replace each stub by the line, and leave out the code that shows a solution."""
    for cell, code in _cells(page):
        if _SOLUTION.match(code):
            cell.find(class_="cell_input").extract()
            cell["class"] = [*cell["class"], "attn-solution"]  # which goes to the end on paper
        elif (stub := _STUB.search(code)) and _CHECK.search(code):
            _say_below_the_title(cell)
            cell.clear()
            cell.append(_to_do(stub["call"], page.name, edition))


def _to_do(call: str, name: str, edition: Edition) -> Tag:
    """The call of an exercise, and where a reader can work on it."""
    path, where = f"{name}.ipynb", edition.address
    links = {"colab": where.colab(path), "binder": where.binder(path)} if where else {}
    return templates.element("to-do.html", call=" ".join(call.split()), **links)


def _say_below_the_title(cell: Tag) -> None:
    """Move the minutes and the difficulty from the verdict to the exercise's heading."""
    effort, title = cell.find(class_="attn-effort"), cell.find_previous("h3")
    if effort is not None and title is not None:
        title.insert_after(effort.extract())


def _cells(page: Page) -> Iterator[tuple[Tag, str]]:
    for cell in of_class(page.soup, "cell"):
        if (code := cell.find(class_="cell_input")) is not None:
            yield cell, code.get_text()
