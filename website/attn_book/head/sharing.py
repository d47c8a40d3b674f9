"""What a page says about itself to other sites: its address, and what a link to it shows.

Most sites that show a card beside a link read Open Graph; Twitter's tags are those that have no
counterpart there. They cannot use relative addresses, so as long as the site has no address, pages
have no canonical link and no picture, and there is no ``sitemap.xml``. ``robots.txt``, which names
it, is read only at the root of a host; below a path it does no harm.

sphinxext-opengraph gives each page the same kind of picture, its title in words, and no canonical
link; without an address it writes relative ones. sphinx-sitemap lists only the pages that a build
has written again. So we use neither.
"""

from collections.abc import Iterable
from datetime import date
from xml.etree import ElementTree

from bs4 import Tag

from ..notebooks.course import Chapter
from ..site.edition import Edition
from ..site.folder import Site
from ..site.page import Page, heading
from . import cards
from .cards import HEIGHT, WIDTH, Card

ASIDE = ("search", "404")  # pages that are used, but need not be found
ABOUT = "an interactive book on neural attention"
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


def entitle(page: Page, edition: Edition) -> None:
    """The page's title, as windows and search engines show it."""
    if page.name == edition.front:
        page.head.title = f"{edition.title}: {ABOUT}"
    else:
        page.head.title = f"{heading(page)} · {edition.title}"


def say_where(names: list[str], site: Site, edition: Edition, days: dict[str, date]) -> None:
    """Say to search engines where the pages are, if the site has an address."""
    if edition.address:
        site.add("sitemap.xml", lambda: sitemap(names, edition, days))
        where = edition.url("sitemap.xml")
        site.add("robots.txt", lambda: f"User-agent: *\nAllow: /\n\nSitemap: {where}\n")


def pictures(
    headings: dict[str, str],
    chapters: Iterable[Chapter],
    site: Site,
    notebooks: dict[str, dict],
    edition: Edition,
) -> dict[str, Card]:
    """A picture for every page that may be shared, if the site has an address."""
    if not edition.address:
        return {}
    drawings = {
        name: cards.of_book(site.root, edition.title, heading)
        for name, heading in headings.items()
        if name not in ASIDE
    }
    for chapter in chapters:
        above = f"{edition.title} · {chapter.place}"
        drawing = cards.of_chapter(chapter.name, above, notebooks[chapter.name])
        drawings[chapter.name] = drawing or drawings[chapter.name]
    return cards.draw(drawings, site, site.raw.with_name("cards"))


def complete(page: Page, edition: Edition, day: date | None, card: Card | None) -> None:
    """Complete the page's head, which has its title and its description already."""
    page.head.say("darkreader-lock", "The book is dark by itself.")  # the extension changed it
    if page.name in ASIDE:
        page.head.say("robots", "noindex")
        return
    if url := edition.url(page.file):
        page.head.link("canonical", url)
    facts = {
        "og:type": "website" if page.name == edition.front else "article",
        "og:site_name": edition.title,
        "og:title": page.head.title.removesuffix(f" · {edition.title}"),
        "og:description": page.head.facts["description"],
        "og:url": url,
        "article:modified_time": day and page.name != edition.front and day.isoformat(),
    }
    if card:
        facts |= {"og:image": edition.url(card.file), "og:image:type": "image/png"}
        facts |= {"og:image:width": str(WIDTH), "og:image:height": str(HEIGHT)}
        facts["og:image:alt"] = card.alt
    for name, content in facts.items():
        if content:
            page.head.say(name, content)
    page.head.say("twitter:card", "summary_large_image" if card else "summary")


def shared_tags(page: Page) -> str:
    """The tags with which a page that only redirects here can be shared instead."""
    return "\n".join(str(element) for element in page.head.elements() if _is_shared(element))


def _is_shared(element: Tag) -> bool:
    named = element.get("name", "")
    of_card = named == "description" or named.startswith("twitter:") or element.get("property")
    return bool(of_card) or "canonical" in element.get("rel", ())


def sitemap(names: list[str], edition: Edition, days: dict[str, date]) -> str:
    """The list of pages that are to be found, for search engines."""
    root = ElementTree.Element("urlset", xmlns=_SITEMAP)
    for name in (name for name in names if name not in ASIDE):
        entry = ElementTree.SubElement(root, "url")
        ElementTree.SubElement(entry, "loc").text = edition.url(f"{name}.html")
        if name in days:
            ElementTree.SubElement(entry, "lastmod").text = days[name].isoformat()
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
