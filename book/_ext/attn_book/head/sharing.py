"""What a page says of itself to others: its address, and what a link to it shows.

Open Graph is read by most that show a card beside a link; Twitter's tags are those that have no
counterpart there. An address that is not absolute means nothing to them, so without one there is
no canonical link, and no picture.
"""

from datetime import date

from ..site.page import Page
from .cards import HEIGHT, WIDTH, Card
from .edition import Edition

ASIDE = ("search", "404")  # pages to use, not to find


def complete(page: Page, edition: Edition, day: date | None, card: Card | None) -> None:
    """Fill the page's head; its title and its description are there."""
    if page.name in ASIDE:
        page.add("meta", name="robots", content="noindex")
        return
    url = edition.url(page.file)
    if url:
        page.add("link", rel="canonical", href=url)
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
            page.add("meta", property=name, content=content)
    shape = "summary_large_image" if card else "summary"
    page.add("meta", name="twitter:card", content=shape)


def title(page: Page, edition: Edition) -> str:
    """The page's title without the book's, which cards show beside it."""
    return page.soup.title.get_text().removesuffix(f" · {edition.title}")


def heading(page: Page) -> str:
    """The page's first heading, without the sign that links to it."""
    return "".join(page.soup.select_one("article h1").find_all(string=True, recursive=False))


def description(page: Page) -> str:
    return page.soup.head.find("meta", attrs={"name": "description"})["content"]


def hand_on(page: Page) -> str:
    """The tags by which a page that only leads to this one can be shared in its place."""
    tags = page.soup.head.select(
        'link[rel="canonical"], meta[property], meta[name="description"], meta[name^="twitter:"]'
    )
    return "\n".join(str(tag) for tag in tags)
