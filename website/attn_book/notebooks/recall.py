"""The questions at the end of each chapter once more, to be asked again when they are due.

    ```{recall}
    ```

All of them stand on that page, each hidden until ``progress.js`` finds that it is due.
"""

import posixpath
from urllib.parse import urlsplit

from bs4 import BeautifulSoup, Tag
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from ..site import templates
from ..site.find import of_class, with_attribute
from ..site.folder import own_files
from ..site.page import Page

PLACE = "attn-recall"
SEALED = "data-number"  # code and drawings, which only their own page can write out
HTML = (
    f'<div class="{PLACE}"><p class="attn-recall-state" role="status" tabindex="-1"></p>'
    "<ul></ul></div>"
)
BUTTONS = (
    '<p class="attn-recall-buttons"><button type="button" data-knew="yes">I knew it</button>'
    '<button type="button" data-knew="no">I did not</button></p>'
)


def setup(app: Sphinx) -> None:
    app.add_directive("recall", Recall)


class Recall(SphinxDirective):
    """An empty list. `fill` adds the questions when all chapters have been read."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", HTML, format="html")]


def portable_question(page: Page, fold: Tag) -> str:
    """A question of a chapter with its answer, as another page can have it."""
    if with_attribute(fold, SEALED):
        raise ExtensionError(
            f"{page.name}: the answer to {fold.summary.get_text()!r} shows code or a drawing; "
            "such questions are asked again on another page, in words alone"
        )
    return str(fold)


def fill(page: Page, chapters: list[tuple[str, str, list[str]]]) -> None:
    """Copy questions to a page that asks them again; chapters are given by name and as called."""
    for place in of_class(page.soup, PLACE):
        for chapter, called, questions in chapters:
            for question in questions:
                fold = BeautifulSoup(question, "html.parser").details
                place.ul.append(_item(page, chapter, called, fold))


def _item(page: Page, chapter: str, called: str, fold: Tag) -> Tag:
    file, facts = f"{chapter}.html", {"key": fold["data-question"], "called": called}
    answer = _moved(fold.extract(), file, page)
    answer.append(BeautifulSoup(BUTTONS, "html.parser"))
    facts |= {"chapter": posixpath.basename(chapter), "address": page.address(file)}
    return templates.element("due.html", fold=str(answer), **facts)


def _moved(fold: Tag, source: str, page: Page) -> Tag:
    """A copied fold: no name twice on a page, and its links lead where they led."""
    del fold["data-question"]
    for part in with_attribute(fold, "id"):
        del part["id"]
    for link in with_attribute(fold, "href"):
        link["href"] = _address(link["href"], source, page)
    return fold


def _address(href: str, source: str, page: Page) -> str:
    parts = urlsplit(href)
    if parts.scheme or parts.netloc:
        return href
    file = (*own_files(source, [href]), source)[0]
    return page.address(file) + (f"#{parts.fragment}" if parts.fragment else "")
