"""One page on its way from Sphinx's raw HTML to the site."""

import posixpath
import re
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag
from sphinx.errors import ExtensionError

from .site import Site, foreign, own_files

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'"
)
_RUNS = {None, "", "text/javascript", "application/javascript", "module"}
_LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page:
    """``name`` is the document's, such as ``chapters/05-reading-dates``."""

    def __init__(self, name: str, html: str):
        self.name, self.file = name, f"{name}.html"
        self.soup = BeautifulSoup(html, "html.parser")

    def address(self, name: str) -> str:
        """Where this page finds the site's file ``name``."""
        return posixpath.relpath(name, posixpath.dirname(self.file) or ".")

    def add_script(self, name: str) -> None:
        """Load a classic script of the site once the page is read, in the order of the calls."""
        self._add("script", src=self.address(name), defer="")

    def add_style(self, name: str) -> None:
        self._add("link", rel="stylesheet", href=self.address(name))

    def _add(self, kind: str, **attributes: str) -> None:
        if not self.soup.head.find(kind, attrs=attributes):
            self.soup.head.append(self.soup.new_tag(kind, attrs=attributes))

    def leads_to(self) -> list[str]:
        """The site's own files that this page loads or links to."""
        tags = self.soup.find_all(("a", *_LOADED))
        addresses = [tag.get(_LOADED.get(tag.name, "href"), "") for tag in tags]
        return own_files(self.file, addresses)


def refuse_foreign(page: Page) -> None:
    """A page asks its own host only, and what it does on a click stands in a script."""
    for tag in page.soup.find_all(True):
        address = tag.get(_LOADED.get(tag.name, ""), "")
        if foreign(address):
            raise ExtensionError(f"{page.name} loads {address}: pages ask their own host only")
        for name in tag.attrs:
            if re.match(r"on[a-z]+$", name):
                raise ExtensionError(
                    f"{page.name} has the attribute {name} in <{tag.name}>, which the site's "
                    "policy forbids: add a listener in book/assets/book.js"
                )


def refuse_dead_ends(pages: dict[str, Page]) -> None:
    """A link to a place on a page of the book leads to something that is there."""
    places = {
        page.file: {tag["id"] for tag in page.soup.find_all(id=True)} for page in pages.values()
    }
    for page in pages.values():
        for link in page.soup.select("a[href*='#']"):
            parts = urlsplit(link["href"])
            if foreign(link["href"]) or not parts.fragment:
                continue
            target = (*own_files(page.file, [parts.path]), page.file)[0]
            if target in places and unquote(parts.fragment) not in places[target]:
                raise ExtensionError(f"{page.name} leads to {link['href']}, where nothing is")


def move_inline_scripts(page: Page, site: Site) -> None:
    """Move each inline script to a file of the site; the policy allows no other."""
    for script in page.soup.find_all("script", src=False):
        if script.get("type") in _RUNS and script.string:
            name = site.keep("_static/inline", script.string, ".js")
            script.clear()
            script["src"] = page.address(name)


def mend_markup(page: Page) -> None:
    """Mend what docutils and the stock scripts would leave to other means."""
    for entry in page.soup.select("[role=doc-biblioentry]"):
        entry["role"] = "listitem"  # the other role is deprecated, and not allowed in a list
    for fold in page.soup.select("div.admonition.dropdown"):
        fold.name = "details"
        fold.find(class_="admonition-title").name = "summary"
    for label in page.soup.select("summary > p"):
        label.name = "span"  # of hidden code cells; a summary holds no paragraph
    for summary in page.soup.select("details.hide > summary[aria-label]"):
        del summary["aria-label"]  # it would hide the words that stand there


def complete_head(page: Page) -> None:
    """Give the page its policy and, where its author wrote none, a description."""
    head = page.soup.head
    policy = {"http-equiv": "Content-Security-Policy", "content": POLICY}
    # right after the encoding: a policy covers only what follows it
    head.meta.insert_after(page.soup.new_tag("meta", attrs=policy))
    first: Tag | None = page.soup.select_one("article section > p")
    described(page, first.get_text() if first else page.soup.title.get_text())


def described(page: Page, text: str, longest: int = 160) -> None:
    """Describe a page that has no description, by the beginning of a text in whole words."""
    if page.soup.head.find("meta", attrs={"name": "description"}):
        return
    text = " ".join(text.split())
    if len(text) > longest:
        text = text[: longest + 1].rpartition(" ")[0] + " …"
    page.soup.head.append(page.soup.new_tag("meta", attrs={"name": "description", "content": text}))
