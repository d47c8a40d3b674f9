"""What a page says about itself to other sites: its address, and what a link to it shows.

Most sites that show a card beside a link read Open Graph; Twitter's tags are those that have no
counterpart there. They cannot use relative addresses, so as long as the site has no address, pages
have no canonical link and no picture.
"""

from datetime import date

from bs4 import Tag

from ..site.edition import Edition
from ..site.page import Page, heading
from .cards import HEIGHT, WIDTH, Card

ASIDE = ("search", "404")  # pages that are used, but need not be found
ABOUT = "an interactive book on neural attention"


def entitle(page: Page, edition: Edition) -> None:
    """The page's title, as windows and search engines show it."""
    if page.name == edition.front:
        page.head.title = f"{edition.title}: {ABOUT}"
    else:
        page.head.title = f"{heading(page)} · {edition.title}"


def complete(page: Page, edition: Edition, day: date | None, card: Card | None) -> None:
    """Complete the page's head, which has its title and its description already."""
    if page.name in ASIDE:
        page.head.say("robots", "noindex")
        return
    url = edition.url(page.file)
    if url:
        page.head.link("canonical", url)
    said = {
        "og:type": "website" if page.name == edition.front else "article",
        "og:site_name": edition.title,
        "og:title": title(page, edition),
        "og:description": description(page),
        "og:url": url,
        "article:modified_time": day and page.name != edition.front and day.isoformat(),
    }
    if card:
        said |= {
            "og:image": edition.url(card.file),
            "og:image:type": "image/png",
            "og:image:width": str(WIDTH),
            "og:image:height": str(HEIGHT),
            "og:image:alt": card.alt,
        }
    for name, content in said.items():
        if content:
            page.head.say(name, content)
    page.head.say("twitter:card", "summary_large_image" if card else "summary")


def title(page: Page, edition: Edition) -> str:
    """The page's title without the book's, which cards show beside it."""
    return page.head.title.removesuffix(f" · {edition.title}")


def description(page: Page) -> str:
    return page.head.facts["description"]


def hand_on(page: Page) -> str:
    """The tags with which a page that only redirects here can be shared instead."""
    return "\n".join(str(element) for element in page.head.elements() if _is_shared(element))


def _is_shared(element: Tag) -> bool:
    named = element.get("name", "")
    shown = named == "description" or named.startswith("twitter:") or element.get("property")
    return bool(shown) or "canonical" in element.get("rel", ())
