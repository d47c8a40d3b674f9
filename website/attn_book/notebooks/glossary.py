"""Bold terms in the chapters become links to the glossary, and back.

A chapter sets a term in bold where it explains it and needs no other markup: in Jupyter the term is
simply bold. Bold text links to an entry of ``book/glossary`` if it is exactly one of the forms
above the entry's definition; other bold text is left alone. The first form is the headword, and the
only one that is shown. Each entry says which chapter uses it first, and which others use it much.
"""

import re

from bs4 import Tag

from ..site.find import of_class
from ..site.page import Page
from .course import Chapter

DOCUMENT = "book/glossary"
_NO_PROSE = ("a", "summary", "h1", "h2", "h3", "h4")


def link(page: Page, entries: dict[str, list[str]]) -> list[str]:
    """Link the terms of a chapter; the keys of their entries, in the order of the page."""
    by_form = {form: key for key, forms in entries.items() for form in forms}
    used = {}
    for bold in bold_texts(page) if entries else ():
        if key := by_form.get(written(bold)):
            term = bold.wrap(page.soup.new_tag("a", attrs={"class": "attn-term"}))
            term["href"] = f"{page.address(f'{DOCUMENT}.html')}#{key}"
            used[key] = None
    return [*used]


def first_uses(terms: dict[str, list[str]]) -> dict[str, str]:
    """By the key of an entry: the first chapter with a term of it, of those that have these."""
    return {key: name for name, keys in reversed(terms.items()) for key in keys}


def uses(first: str, key: str, others: dict[str, str]) -> dict[str, str]:
    """The chapter that uses a term first, and the others that use it much, each with a place."""
    return {first: f"first-{key}"} | {name: at for name, at in others.items() if name != first}


def mark(page: Page, keys: list[str]) -> None:
    """Give the first term of each of these entries a place on the page."""
    for term in of_class(page.soup, "attn-term") if keys else ():
        key = term.get("href", "").partition("#")[2]
        if key in keys:
            keys = [other for other in keys if other != key]
            term["id"] = f"first-{key}"


def entries(glossary: Page) -> dict[str, list[str]]:
    """The forms of each entry by its key; those after the headword are hidden."""
    forms = {}
    for definition in glossary.soup.select("dl.glossary > dd"):
        terms = list(_terms_above(definition))
        forms[terms[0]["id"]] = [_words(term) for term in terms]
        for term in terms[1:]:
            # its anchor stays, since Sphinx's own references to this form lead there
            terms[0].insert(0, glossary.soup.new_tag("span", attrs={"id": term["id"]}))
            term.decompose()
    return forms


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


def lead_back(glossary: Page, uses: dict[str, dict[str, str]], course: dict[str, Chapter]) -> None:
    """Say at each entry where its term is used: ``uses`` has chapters by its key, and places."""
    new = glossary.soup.new_tag
    for key, places in uses.items():
        line = new("p", attrs={"class": "attn-first-use"})
        for before, (name, place) in zip(_between(len(places)), places.items(), strict=True):
            link = new("a", href=f"{glossary.address(f'{name}.html')}#{place}")
            link.string = course[name].called
            line.extend([before, link])
        glossary.soup.find(id=key).find_next_sibling("dd").append(line)


def _between(count: int) -> list[str]:
    """The words before each of so many places."""
    return ["First in ", "; also in ", *[", "] * count][:count]
