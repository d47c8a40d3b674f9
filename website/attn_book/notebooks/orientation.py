"""Where readers are: a chapter's number, picture, and the pieces of a Transformer in it."""

import posixpath
from collections.abc import Iterable, Iterator
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from sphinx.errors import ExtensionError

from ..site import templates
from ..site.find import of_class
from ..site.page import Page, described, own_files
from .course import Chapter
from .course_map import pictures_of

END = "what-you-should-now-be-able-to-say"  # the section of `progress.RECALL`

PIECES = ("tokens", "positions", "q, k, v", "scores", "mask", "weights", "average")
PIECES += ("heads", "residual stream", "feed-forward", "blocks", "next token")


def number(page: Page, course: Iterable[Chapter]) -> None:
    """Number the chapters in menus and links to the next page."""
    for link, chapter in links(page, course, "bd-links", "prev-next-area"):
        title = link.select_one(".prev-next-title") or link
        title.insert(0, f"{chapter.number}. ")


def name_folds(page: Page) -> None:
    """Say which pages a fold of the menu holds; the theme shows a sign alone."""
    for fold in page.soup.select(".bd-links details > summary"):
        above = fold.parent.find_previous_sibling("a")
        fold["aria-label"] = f"Pages below {above.get_text(strip=True)}"


def links(page: Page, course: Iterable[Chapter], *areas: str) -> Iterator[tuple[Tag, Chapter]]:
    """The links around a page's text that lead to a chapter, each with its chapter."""
    by_file = {f"{chapter.name}.html": chapter for chapter in course}
    for link in (link for area in of_class(page.soup, *areas) for link in area.find_all("a")):
        address = link["href"]
        file = page.file if address == "#" else (*own_files(page.file, [address]), "")[0]
        if file in by_file:
            yield link, by_file[file]


def head(page: Page, chapter: Chapter) -> None:
    """Add the number above the title, and the question for readers who find the page elsewhere."""
    above = page.soup.new_tag("div", attrs={"class": "attn-kicker"})
    above.string = chapter.place
    page.soup.select_one("article h1").insert_before(above)
    if chapter.afterwards:
        described(page, f"{chapter.question} Afterwards you can {chapter.afterwards}.")


def illustrate(page: Page, root: Path) -> None:
    """Let a chapter open with the picture that stands for it on the map of the course."""
    if picture := pictures_of(root).get(posixpath.basename(page.name)):
        place = page.soup.new_tag("div", attrs={"class": "attn-opens", "aria-hidden": "true"})
        place.append(BeautifulSoup(picture, "html.parser"))
        page.soup.select_one("article .attn-kicker").insert_before(place)


def list_pieces(page: Page, chapter: Chapter, course: Iterable[Chapter]) -> None:
    """Say at a chapter's end which pieces of a Transformer it was about, and where others are."""
    if unknown := sorted({*chapter.pieces} - {*PIECES}):
        raise ExtensionError(f"{chapter.name} has the pieces {unknown}; they are {PIECES}")
    questions = page.soup.find(id=END)
    if not chapter.pieces or questions is None:
        return
    pieces = []
    for piece in PIECES:
        about = [other for other in course if piece in other.pieces]
        # the chapter that is about little else
        best = min(about, key=lambda other: len(other.pieces), default=chapter)
        is_here = chapter in about or best is chapter
        pieces.append((piece, "" if is_here else page.address(f"{best.name}.html")))
    rail = templates.element("pieces.html", pieces=pieces, lit=chapter.pieces)
    if more := questions.find("section"):
        more.insert_before(rail)
    else:
        questions.append(rail)
