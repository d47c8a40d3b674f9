"""Divide a long page into parts, so that a browser lays out only those that are near.

This shows the page sooner on a phone. The parts are the innermost sections and the side roads,
which are closed when a page opens. A browser that skips a
part must still know roughly how high it is, or the scroll bar jumps. The build estimates the height
from the contents, by a fit to the heights of chapters 01 to 06 at 1280 px; for most parts it is
within a twentieth. Parts are as high as when the page opens: folds and veils are shut. The last
section is always laid out: what comes after it, the links to the neighbouring pages, would
otherwise lie under it wherever it is higher than estimated. ``book.css`` does the rest. By default
a page is laid out whole, as it is without JavaScript, and when a reader returns to it or asks for a
place on it; otherwise ``early.js`` turns that off.
"""

from bs4 import Tag

from .find import of_class
from .page import Page

# sections that a tag of their heading's cell names, whatever the heading's language
SIDE, EXERCISES, QUESTIONS, DOUBTS = "attn-side", "attn-exercises", "attn-questions", "attn-doubts"
TAGGED = {"side-road": SIDE, "exercises": EXERCISES, "recall": QUESTIONS, "doubts": DOUBTS}
# Pixels on a wide page for each word of prose, each block, each line of code, and so on.
HEIGHT = {"words": 2.26, "blocks": 12, "lines": 24, "figures": 490, "widgets": 200}
HEIGHT |= {"folds": 19, "headings": 107, "sides": 31}
_PROSE = ("p", "li", "h2", "h3", "summary")
LEAST = 3  # parts; a shorter page is laid out as a whole


def divide(page: Page) -> None:
    """Mark the parts of a page, each with its estimated height."""
    sections = page.soup.article.find_all("section") if page.soup.article else []
    parts = [one for one in sections if _is_part(one)]
    if len(parts) < LEAST:
        return
    page.soup.html["data-whole"] = ""
    for part in parts[:-1]:
        part["class"] = [*part.get("class", ()), "attn-part"]
        part["style"] = f"--attn-tall:{height(part)}"


def _is_part(section: Tag) -> bool:
    if section.find_parent(class_=SIDE) or not section.find_parent("section"):
        return False
    return _is(section, SIDE) or not section.find("section")


def height(part: Tag) -> int:
    """The approximate height of a part in pixels, on a wide page, with folds and veils shut."""
    veiled = {id(one) for veil in of_class(part, "attn-veil") for one in veil.find_all(True)}
    visible = [one for one in part.find_all(True) if id(one) not in veiled and _open(one)]
    prose = [one for one in visible if one.name in _PROSE]
    code = [one for one in visible if one.name == "pre"]
    counts = {
        "words": sum(len(one.get_text().split()) for one in prose),
        "blocks": len(prose) + len([one for one in visible if _is_block(one)]),
        "lines": sum(len(one.get_text().strip().splitlines()) for one in code),
        "figures": sum(one.name == "figure" for one in visible),
        "widgets": sum(_is(one, "attn-widget") for one in visible),
        "folds": sum(not one.get("class") for one in visible if one.name == "details"),
        "headings": not _is(part, SIDE),
        "sides": _is(part, SIDE),
    }
    return round(sum(counts[what] * pixels for what, pixels in HEIGHT.items()))


def _is_block(element: Tag) -> bool:
    return element.name == "div" and _is(element, "cell", "math")


def _is(element: Tag, *classes: str) -> bool:
    return not {*classes}.isdisjoint(element.get("class", ()))


def _open(element: Tag) -> bool:
    folds = element.find_parents("details")
    return not folds or (len(folds) == 1 and element.name == "summary")
