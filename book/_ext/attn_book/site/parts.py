"""Divide a long page into parts, so that a browser lays out only those that are near.

This shows the page sooner on a phone. The parts are the innermost sections. A browser that skips a
part must still know roughly how high it is, or the scroll bar jumps. The build estimates the height
from the contents, by a fit to the heights of chapters 01 to 09 at 1280 px; for most parts it is
within a twentieth. What is veiled until the reader has guessed counts as if it were open.
``book.css`` does the rest. By default a page is laid out whole, as it is without JavaScript, and
when a reader returns to it or asks for a place on it; otherwise ``early.js`` turns that off.
"""

from bs4 import Tag

from .find import of_class
from .page import Page

# Pixels on a wide page for each word of prose, each block, each line of code, and so on.
HEIGHT = {
    "words": 2.26,
    "blocks": 12,
    "lines": 24,
    "figures": 490,
    "widgets": 200,
    "folds": 19,
    "headings": 107,
}
LEAST = 3  # parts; a shorter page is laid out as a whole


def divide(page: Page) -> None:
    """Mark the parts of a page, each with its estimated height."""
    sections = page.soup.article.find_all("section") if page.soup.article else []
    parts = [one for one in sections if one.find_parent("section") and not one.find("section")]
    if len(parts) < LEAST:
        return
    page.soup.html["data-whole"] = ""
    for part in parts:
        part["class"] = [*part.get("class", ()), "attn-part"]
        part["style"] = f"--attn-tall:{height(part)}"


def height(part: Tag) -> int:
    """The approximate height of a part in pixels, on a wide page with its folds closed."""
    prose = [one for one in part.find_all(["p", "li", "h2", "h3", "summary"]) if _open(one)]
    code = [one for one in part.find_all("pre") if _open(one)]
    counts = {
        "words": sum(len(one.get_text().split()) for one in prose),
        "blocks": len(prose) + sum(one.name == "div" for one in of_class(part, "cell", "math")),
        "lines": sum(len(one.get_text().strip().splitlines()) for one in code),
        "figures": len(part.find_all("figure")),
        "widgets": len(of_class(part, "attn-widget")),
        "folds": sum(not one.get("class") and _open(one) for one in part.find_all("details")),
        "headings": 1,
    }
    return round(sum(counts[what] * each for what, each in HEIGHT.items()))


def _open(element: Tag) -> bool:
    fold = element.find_parent("details")
    return fold is None or (element.name == "summary" and element.parent is fold)
