"""Where else a term of the glossary is at home: the index of the book.

An entry leads to the chapters that mention the term most often: at most four of them, and at least
twice. Each link leads to the section that does so most, and is named after the chapter alone,
since a heading may give an answer away.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from bs4 import Tag

from ..site.page import Page

AT_LEAST, AT_MOST = 2, 4
Prose = list[tuple[str, str]]  # paragraphs, each with the section that it stands in


def places(entries: dict[str, list[str]], chapters: dict[str, Prose]) -> dict[str, dict[str, str]]:
    """By the key of an entry: the names of chapters in their order, each with a section's.

    Entries are given by their forms, and chapters by their text.
    """
    counts: dict[str, dict[str, Counter[str]]] = {key: {} for key in entries}
    for name, text in chapters.items() if entries else ():
        for key, sections in _counted(entries, text).items():
            counts[key][name] = sections
    return {key: _most(of_key) for key, of_key in counts.items()}


def _most(counts: dict[str, Counter[str]]) -> dict[str, str]:
    often = sorted(total for sections in counts.values() if (total := sections.total()) >= AT_LEAST)
    least = often[-AT_MOST:][:1] or [math.inf]
    names = [name for name, sections in counts.items() if sections.total() >= least[0]]
    return {name: counts[name].most_common(1)[0][0] for name in names[:AT_MOST]}


def _counted(entries: dict[str, list[str]], text: Prose) -> dict[str, Counter[str]]:
    """For each entry that a text mentions, by its key: how often each section does."""
    key_of = {form.lower(): key for key, forms in entries.items() for form in forms}
    longest_first = sorted(key_of, key=len, reverse=True)
    any_form = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for section, paragraph in text:
        for form in any_form.findall(paragraph):
            counts[key_of[form.lower()]][section] += 1
    return counts


def prose(page: Page) -> Iterator[tuple[str, str]]:
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
