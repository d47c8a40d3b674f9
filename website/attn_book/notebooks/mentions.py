"""Where else a term of the glossary is at home: the index of the book.

An entry leads to the chapters that mention the term most often: at most four of them, and at least
twice. Each link leads to the section that does so most, and is named after the chapter alone,
since a heading may give an answer away.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from bs4 import Tag

from ..site.page import Page
from .course import Chapter

AT_LEAST, AT_MOST = 2, 4


class Entry(Protocol):
    key: str
    forms: list[str]


def places(
    entries: Sequence[Entry], pages: dict[str, Page], course: Iterable[Chapter]
) -> dict[str, list[tuple[Chapter, str]]]:
    """By the key of an entry: chapters in their order, each with the name of a section."""
    found: dict[str, list[tuple[int, Chapter, str]]] = {entry.key: [] for entry in entries}
    for chapter in course:
        for key, sections in _counted(entries, pages[chapter.name]).items():
            ((section, _),) = sections.most_common(1)
            found[key].append((sections.total(), chapter, section))
    return {key: _most(of_key) for key, of_key in found.items()}


def _most(found: list[tuple[int, Chapter, str]]) -> list[tuple[Chapter, str]]:
    often = sorted(place[0] for place in found if place[0] >= AT_LEAST)[-AT_MOST:]
    kept = [place[1:] for place in found if often and place[0] >= often[0]]
    return kept[:AT_MOST]


def _counted(entries: Sequence[Entry], page: Page) -> dict[str, Counter[str]]:
    """For each entry that a page mentions, by its key: how often each section does."""
    key_of = {form.lower(): entry.key for entry in entries for form in entry.forms}
    longest_first = sorted(key_of, key=len, reverse=True)
    any_form = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for section, text in _prose(page):
        for form in any_form.findall(text):
            found[key_of[form.lower()]][section] += 1
    return found


def _prose(page: Page) -> Iterator[tuple[str, str]]:
    """Each paragraph outside of cells and folds, with the section that it stands in."""
    for text in page.soup.article.find_all(["p", "li"]):
        section = text.find_parent("section")
        if section is not None and section.get("id") and not _set_apart(text):
            own = (
                part for part in text.find_all(string=True) if part.find_parent(["p", "li"]) is text
            )
            yield section["id"], " ".join("".join(own).split())


def _set_apart(text: Tag) -> bool:
    return any(
        above.name == "details" or "cell" in above.get("class", ()) for above in text.parents
    )
