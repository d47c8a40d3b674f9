"""The only module that writes a page's ``<head>``.

What Sphinx, its theme and ``_config.yml`` put there is read along with the page. The parts of this
extension add what they know, in any order: a fact with `Head.say`, a link with `Head.link`, a file
of the site with `Head.load`. `Head.write` writes all of it, in the order of `Head.elements`.
"""

import posixpath
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from bs4 import BeautifulSoup, Tag

# Before all other scripts, and the one that does not wait until the page is read: it hears of each
# script that is blocked.
FIRST = "early.js"
# After all others, when they know the page: it marks what was searched for as soon as it runs.
LAST = "sphinx_highlight.js"
_PROPERTIES = ("og:", "article:")  # Open Graph's facts; all others are named
_SOUP = BeautifulSoup("", "html.parser")


class Head:
    """The contents of the head ``tag``; ``address`` says where a file of the site is found."""

    def __init__(self, tag: Tag, address: Callable[[str], str]):
        self.tag, self.address = tag, address
        self.title = self.policy = ""
        self.facts: dict[str, str] = {}
        self.links: dict[str, dict] = {}
        self.fonts: list[str] = []
        self.sheets: list[str] = []
        self.scripts: list[str] = []
        self.others: list[Tag] = []
        for element in tag.find_all(True, recursive=False):
            self._read(element)

    def _read(self, element: Tag) -> None:
        attributes = element.attrs
        if element.name == "title":
            self.title = element.get_text()
        elif element.name == "meta" and "content" in attributes and "http-equiv" not in attributes:
            self.say(attributes.get("name") or attributes["property"], attributes["content"])
        elif element.name == "link" and attributes["rel"] == ["stylesheet"]:
            self.sheets.append(attributes["href"])
        elif element.name == "link":
            self.links[" ".join(attributes["rel"])] = attributes
        elif element.name == "script" and "src" in attributes:
            self.scripts.append(attributes["src"])
        elif "charset" not in attributes:
            self.others.append(element)

    def say(self, name: str, content: str) -> None:
        """Add a fact about the page, or replace it if it is there."""
        self.facts[name] = content

    def link(self, kind: str, address: str) -> None:
        self.links[kind] = {"rel": kind, "href": address}

    def load(self, name: str) -> None:
        """Load a style sheet or a classic script of the site, once, in the order of the calls."""
        kind = self.sheets if name.endswith(".css") else self.scripts
        if self.address(name) not in kind:
            kind.append(self.address(name))

    def elements(self) -> Iterator[Tag]:
        """All elements of the head, in the order in which they are written."""
        yield _element("meta", charset="utf-8")
        if self.policy:  # it rules only what follows it
            yield _element("meta", content=self.policy, **{"http-equiv": "Content-Security-Policy"})
        yield _element("title", self.title)
        for name, content in self.facts.items():
            kind = "property" if name.startswith(_PROPERTIES) else "name"
            yield _element("meta", **{kind: name, "content": content})
        for attributes in self.links.values():
            yield _element("link", **attributes)
        # myst-nb leaves the widgets' state in the head, which widgets/install.py takes from there
        yield from (element for element in self.others if not element.decomposed)
        for address in self.fonts:
            kind = {"as": "font", "type": "font/woff2", "crossorigin": ""}
            yield _element("link", rel="preload", href=address, **kind)
        for address in self.sheets:
            yield _element("link", rel="stylesheet", href=address)
        for address in sorted(self.scripts, key=_turn):
            waits = {} if _file(address) == FIRST else {"defer": ""}
            yield _element("script", src=address, **waits)

    def write(self) -> None:
        """Write the head into the page, one element per line."""
        elements = [*self.elements()]
        self.tag.clear()
        for element in elements:
            self.tag.extend(["\n", element])
        self.tag.append("\n")


def _element(kind: str, text: str = "", **attributes: str) -> Tag:
    tag = _SOUP.new_tag(kind, attrs=attributes)
    if text:
        tag.string = text
    return tag


def _turn(address: str) -> int:
    order, name = (FIRST, "", LAST), _file(address)
    return order.index(name if name in order else "")


def _file(address: str) -> str:
    return posixpath.basename(urlsplit(address).path)
