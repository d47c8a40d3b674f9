"""How pages introduce themselves: what they are, where they belong, how old they are."""

from ..notebooks.course import Chapter
from ..site.edition import Edition
from ..site.folder import Site
from ..site.page import Page, heading
from . import cards, history, sitemap
from . import sharing as head
from .cards import Card


def give(
    pages: dict[str, Page],
    chapters: list[Chapter],
    site: Site,
    notebooks: dict[str, dict],
    edition: Edition,
) -> None:
    """Let each page say what it is, where it belongs and when it was last changed."""
    days = history.dates(site.root, [*pages])
    shown = _cards(pages, chapters, site, notebooks, edition) if edition.address else {}
    for page in pages.values():
        day, card = days.get(page.name), shown.get(page.name)
        history.show(page, day)
        head.complete(page, edition, day, card)
        page.head.say("darkreader-lock", "The book is dark by itself.")  # the extension changed it
    sitemap.write(pages.values(), edition, days, site)


def _cards(
    pages: dict[str, Page],
    chapters: list[Chapter],
    site: Site,
    notebooks: dict[str, dict],
    edition: Edition,
) -> dict[str, Card]:
    """A picture for every page that may be shared."""
    drawings = {
        name: cards.of_book(site.root, edition.title, heading(page))
        for name, page in pages.items()
        if name not in head.ASIDE
    }
    for chapter in chapters:
        above = f"{edition.title} · Chapter {chapter.number}"
        drawing = cards.of_chapter(chapter.name, above, notebooks[chapter.name])
        drawings[chapter.name] = drawing or drawings[chapter.name]
    return cards.draw(drawings, site, site.raw.with_name("cards"))
