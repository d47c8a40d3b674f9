"""Bold terms in the chapters become links to the glossary, and back.

A chapter sets a term in bold where it explains it and needs no other markup: in Jupyter the term is
simply bold. Bold text links to an entry of ``book/glossary`` if it is exactly one of the forms
above the entry's definition; other bold text is left alone. The first form is the headword, and the
only one that is shown. Each entry says which chapter uses it first, and which others use it much.
"""

import re
from dataclasses import dataclass, field

from bs4 import Tag

from ..site.page import Page
from . import mentions
from .course import Chapter

DOCUMENT = "book/glossary"
_NO_PROSE = ("a", "summary", "h1", "h2", "h3", "h4")


@dataclass
class Entry:
    """One entry: its headword, its place on the page, and all forms that link to it."""

    word: str
    key: str
    definition: Tag
    forms: list[str] = field(default_factory=list)


def link(pages: dict[str, Page], course: list[Chapter]) -> None:
    """Link the terms of all chapters, first to last."""
    if DOCUMENT not in pages:
        return
    glossary = pages[DOCUMENT]
    found = entries(glossary)
    by_form = {form: entry for entry in found for form in entry.forms}
    first: dict[str, Chapter] = {}
    for chapter in course:
        page = pages[chapter.name]
        for bold in bold_texts(page):
            entry = by_form.get(written(bold))
            if entry is None:
                continue
            term = bold.wrap(page.soup.new_tag("a", attrs={"class": "attn-term"}))
            term["href"] = f"{page.address(glossary.file)}#{entry.key}"
            if entry.key not in first:
                first[entry.key], term["id"] = chapter, f"first-{entry.key}"
    elsewhere = mentions.places([entry for entry in found if entry.key in first], pages, course)
    for entry in found:
        if explained := first.get(entry.key):
            others = [place for place in elsewhere[entry.key] if place[0] is not explained]
            _lead_back(glossary, entry, [(explained, f"first-{entry.key}"), *others], pages)


def entries(glossary: Page) -> list[Entry]:
    """The entries of the page; the forms after the headword are hidden."""
    found = []
    for definition in glossary.soup.select("dl.glossary > dd"):
        terms = list(_terms_above(definition))
        word, key = _words(terms[0]), terms[0]["id"]
        found.append(Entry(word, key, definition, [_words(term) for term in terms]))
        for term in terms[1:]:
            # its anchor stays, since Sphinx's own references to this form lead there
            terms[0].insert(0, glossary.soup.new_tag("span", attrs={"id": term["id"]}))
            term.decompose()
    return found


def bold_texts(page: Page) -> list[Tag]:
    """Bold text in prose, not in headings, links or outputs."""
    return [
        bold
        for bold in page.soup.article.find_all("strong")
        if not bold.find_parent(_NO_PROSE) and not bold.find_parent(class_="cell_output")
    ]


def written(bold: Tag) -> str:
    """The text without the full stop of a run-in heading, as in **Padding.**"""
    return " ".join(bold.get_text().split()).rstrip(".:")


def _terms_above(definition: Tag) -> list[Tag]:
    terms = []
    above = definition.find_previous_sibling()
    while above is not None and above.name == "dt":
        terms.insert(0, above)
        above = above.find_previous_sibling()
    return terms


def _words(term: Tag) -> str:
    words = (text for text in term.find_all(string=True) if not text.find_parent("a"))
    return re.sub(r"\s+", " ", "".join(words)).strip()


def _lead_back(
    glossary: Page, entry: Entry, places: list[tuple[Chapter, str]], pages: dict[str, Page]
) -> None:
    new = glossary.soup.new_tag
    line = new("p", attrs={"class": "attn-first-use"})
    for before, (chapter, name) in zip(_between(len(places)), places, strict=True):
        place = new("a", href=f"{glossary.address(pages[chapter.name].file)}#{name}")
        place.string = f"{chapter.number}. {chapter.title}"
        line.extend([before, place])
    entry.definition.append(line)


def _between(count: int) -> list[str]:
    """The words before each of so many places."""
    return ["First in ", "; also in ", *[", "] * count][:count]
