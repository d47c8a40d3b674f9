"""What a reader can do in each chapter; ``website/assets/progress.js`` records what is done.

    ```{your-progress}
    ```

Each guess and each question gets a key made from its words, so a question that is reworded is a new
one, unless its notebook gives it the key that it had, as ``data-question``. On every page, the link
to a chapter in the side bar lists that chapter's keys. So every page can show how much is done, and
the space for it is there from the beginning.
"""

import hashlib
import posixpath
from collections.abc import Iterable
from functools import partial

from bs4 import Tag
from markupsafe import Markup
from sphinx.application import Sphinx

from ..site import templates
from ..site.find import of_class, with_attribute
from ..site.page import Page
from ..site.parts import QUESTIONS
from ..widgets.install import class_name, displayed, models
from . import recall
from .course import Chapter
from .course_map import OfChapters, address
from .orientation import links

KINDS = ("guesses", "questions")
PREDICTIONS = ("Prediction", "DrawnPrediction")
ToDo = dict[str, dict[str, list[str]]]  # by the name of a chapter, the keys of each kind


def setup(app: Sphinx) -> None:
    app.add_directive("your-progress", YourProgress)


class YourProgress(OfChapters):
    """A table of all chapters, and buttons to save, load and erase the reader's progress."""

    def html(self, course: list[Chapter], folder: str) -> str:
        return your_progress(course, folder)


def your_progress(course: list[Chapter], folder: str) -> Markup:
    """The table with nothing done; `show` adds how much there is to do."""
    here = partial(address, folder=folder)
    return templates.part("your-progress.html", course=course, short=short, address=here)


def mark(page: Page, chapter: Chapter) -> tuple[dict[str, list[str]], list[str]]:
    """Give each guess and question of a chapter its key; all keys, and the questions as HTML."""
    page.soup.article["data-chapter"] = short(chapter)
    questions = _questions(page)
    keys = {"guesses": _keys(_guesses(page)), "questions": _keys(questions)}
    return keys, [recall.portable_question(page, fold) for fold, _ in questions]


def show(page: Page, course: Iterable[Chapter], to_do: ToDo, renamed: dict[str, str]) -> None:
    """List the keys of all chapters, given by name, in the side bar; count them in the table.

    A link says which names its chapter had, under which a reader's progress may be kept.
    """
    for link, chapter in links(page, course, "bd-links"):
        _mark_link(page, link, chapter, to_do[chapter.name])
        former = [old for old, new in renamed.items() if new == chapter.name]
        link["data-former"] = " ".join(posixpath.basename(old) for old in former)
    keys_of = {short(chapter): to_do[chapter.name] for chapter in course}
    for cell in with_attribute(page.soup, "data-of"):
        if cell["data-of"] in KINDS:
            cell.string = f"0 of {len(keys_of[cell.parent['data-chapter']][cell['data-of']])}"


def short(chapter: Chapter) -> str:
    """The name of a chapter in a saved progress, such as ``05-reading-dates``."""
    return chapter.name.rpartition("/")[2]


def key(words: str) -> str:
    """Six hexadecimal digits that stay the same as long as the words do."""
    return hashlib.sha256(" ".join(words.split()).encode()).hexdigest()[:6]


def _guesses(page: Page) -> list[tuple[Tag, str]]:
    """The places of predictions, each with its question."""
    carried = models(page)
    return [
        (script.parent, carried[model]["state"]["question"])
        for script, model in displayed(page)
        if class_name(carried[model]) in PREDICTIONS
    ]


def _questions(page: Page) -> list[tuple[Tag, str]]:
    """The folded questions at the end of a chapter, each with its words."""
    return [
        (fold, fold.summary.get_text())
        for section in of_class(page.soup.article, QUESTIONS)
        for fold in section.find_all("details")
    ]


def _keys(questions: list[tuple[Tag, str]]) -> list[str]:
    for place, words in questions:
        place["data-question"] = place.get("data-question", key(words))
    return [*dict.fromkeys(place["data-question"] for place, _ in questions)]


def _mark_link(page: Page, link: Tag, chapter: Chapter, keys: dict[str, list[str]]) -> None:
    """Add the keys to a link of the side bar, and space for a sign and its text."""
    link["data-chapter"] = short(chapter)
    for kind in KINDS:
        link[f"data-{kind}"] = " ".join(keys[kind])
    link.append(page.soup.new_tag("span", attrs={"class": "attn-done", "aria-hidden": "true"}))
    link.append(page.soup.new_tag("span", attrs={"class": "visually-hidden attn-done-words"}))
