"""The questions at the end of each chapter once more, to be asked again when they are due.

    ```{recall}
    ```

All of them stand on that page, each hidden until ``progress.js`` finds that it is due.
"""

import posixpath
from copy import copy
from urllib.parse import urlsplit

from bs4 import BeautifulSoup, Tag
from docutils import nodes
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from ..site.find import having, of_class
from ..site.folder import own_files
from ..site.page import Page
from .course import Chapter

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


def fill(pages: dict[str, Page], asked: dict[Chapter, list[tuple[Tag, str]]]) -> None:
    """Copy the questions, and their answers, to each page that asks them again."""
    for page in pages.values():
        for place in of_class(page.soup, PLACE):
            for chapter, questions in asked.items():
                for fold, _ in questions:
                    place.ul.append(_item(page, chapter, pages[chapter.name], fold))


def _item(page: Page, chapter: Chapter, source: Page, fold: Tag) -> Tag:
    short = posixpath.basename(chapter.name)
    link = Markup(
        '<li data-chapter="{}" data-recall="{}" hidden><p><a href="{}">{}. {}</a></p></li>'
    ).format(short, fold["data-question"], page.address(source.file), chapter.number, chapter.title)
    item = BeautifulSoup(link, "html.parser").li
    answer = _moved(copy(fold), source, page)
    answer.append(BeautifulSoup(BUTTONS, "html.parser"))
    item.append(answer)
    return item


def _moved(fold: Tag, source: Page, page: Page) -> Tag:
    """A copied fold: no name twice on a page, and its links lead where they led."""
    if having(fold, SEALED):
        raise ExtensionError(
            f"{source.name}: the answer to {fold.summary.get_text()!r} shows code or a drawing; "
            "such questions are asked again on another page, in words alone"
        )
    del fold["data-question"]
    for part in having(fold, "id"):
        del part["id"]
    for link in having(fold, "href"):
        link["href"] = _address(link["href"], source, page)
    return fold


def _address(href: str, source: Page, page: Page) -> str:
    parts = urlsplit(href)
    if parts.scheme or parts.netloc:
        return href
    file = (*own_files(source.file, [href]), source.file)[0]
    return page.address(file) + (f"#{parts.fragment}" if parts.fragment else "")
