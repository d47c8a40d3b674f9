"""Places that have moved: links to a former place lead on to the present one.

``book/moved.yml`` says where a document is now that had another name, and for each other document
where its former places are: at another place of the same page, at one of another page, or at a
page:

    chapters/14-capstone: chapters/13-capstone
    chapters/02-softmax:
      weights-that-are-exactly-zero: "#can-weights-be-exactly-zero"
      claim-answers-stated: chapters/c-seeing#claim-answers-stated

Each former place is a line at the end of its page, with a link, which shows only if the address
asks for it; ``book.js`` follows the link. The place of a claim moves on the page of all claims,
too, and so do all places there of a document that had another name. sphinx-reredirects knows
documents alone, and what it writes has neither a title nor a policy.
"""

from pathlib import Path

import yaml
from bs4 import BeautifulSoup
from markupsafe import Markup
from sphinx.errors import ExtensionError

from ..site.find import with_attribute
from ..site.page import Page, heading

TABLE = "book/moved.yml"
CLAIMS = "book/claims"
Line = tuple[str, str, str]  # the former place, the present one, and the title of its page
_LINE = Markup('<a class="attn-former" id="{}" href="{}">This has moved: {}</a>')


def documents(root: Path) -> dict[str, str]:
    """The present names of documents that had another, by the former."""
    return {old: new for old, new in _listed(root).items() if isinstance(new, str)}


def table(root: Path) -> dict[str, dict[str, str]]:
    """Where the former places of each document are now, as document and place."""
    return {
        name: {old: name + new if new.startswith("#") else new for old, new in places.items()}
        for name, places in _listed(root).items()
        if isinstance(places, dict)
    }


def _listed(root: Path) -> dict[str, str | dict[str, str]]:
    path = root / TABLE
    return yaml.safe_load(path.read_text("utf-8")) if path.exists() else {}


def former(root: Path, titles: dict[str, str]) -> dict[str, list[Line]]:
    """The former places of each page; ``titles`` are those of all pages, by their names."""
    lines: dict[str, list[Line]] = {name: [] for name in titles}
    for name, places in table(root).items():
        for old, new in places.items():
            if not {name, new.partition("#")[0], CLAIMS} <= titles.keys():
                continue  # in a small book; what is in no book is a dead link
            of_claim = [(CLAIMS, _among_all(name, old), _of_claim(new))]
            for page, place, to in [(name, old, new), *of_claim[: old.startswith("claim-")]]:
                lines[page].append((place, to, titles[to.partition("#")[0]]))
    return lines


def renamed(page: Page, documents: dict[str, str]) -> list[Line]:
    """The former places on the page of all claims of those whose document had another name."""
    if page.name != CLAIMS:
        return []
    places = [part["id"] for part in with_attribute(page.soup, "id")]
    lines, title = [], heading(page)
    for old, new in documents.items():
        start = _among_all(new, "")
        rests = [place.removeprefix(start) for place in places if place.startswith(start)]
        lines += [(_among_all(old, rest), f"{CLAIMS}#{start}{rest}", title) for rest in rests]
    return lines


def lead_on(page: Page, lines: list[Line]) -> None:
    """Give a page a line for each of its former places; one that is still there is refused."""
    for old, new, title in lines:
        if page.soup.find(id=old):
            raise ExtensionError(f"{TABLE}: {page.name}#{old} is said to have moved, and is there")
        document, hash_sign, place = new.partition("#")
        link = page.address(f"{document}.html") + hash_sign + place
        page.soup.article.append(BeautifulSoup(_LINE.format(old, link, title), "html.parser"))


def _of_claim(new: str) -> str:
    """The place among all claims, if it is that of a claim."""
    document, _, place = new.partition("#")
    return f"{CLAIMS}#{_among_all(document, place)}" if place.startswith("claim-") else new


def _among_all(document: str, place: str) -> str:
    return f"{document.rpartition('/')[2]}-{place}"
