"""One page on its way from Sphinx's raw HTML to the site."""

import json
import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag
from sphinx.errors import ExtensionError

from . import katex
from .elements import Head
from .find import of_class, with_attribute
from .folder import foreign, own_files

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
# Drawings and coloured code have more elements than prose. No step looks at them, so they are not
# parsed: of code, its text is. Drawings that contain something that a step may look for are parsed.
_SEALED = re.compile(
    r'(<figure class="attn-figure"[^>]*>(?:<figcaption.*?</figcaption>)?)((?:<svg .*?</svg>)+)',
    re.DOTALL,
)
_ASKED_FOR = re.compile(r"<(?:a|script|iframe|image|img|link|source)\b|\son\w+=")
_SEAL = re.compile(r'<attn-sealed data-number="(\d+)"></attn-sealed>')
_CODE = re.compile(r'(<div class="highlight"><pre)>(.*?)</pre>', re.DOTALL)
_CODE_SEAL = re.compile(r'<pre data-number="(\d+)"(.*?)>.*?</pre>', re.DOTALL)
# what a translating browser must leave alone; formulas say so themselves: katex.cjs
VERBATIM = ("pre", "code", "kbd", "samp")
_TAG = re.compile(r"<[^>]*>")
_WORDS = re.compile(r"(<(?:text|tspan|title|desc)\b[^>]*>)([^<]+)")


class Page:
    """``name`` is that of the document, such as ``chapters/05-reading-dates``."""

    def __init__(self, name: str, html: str):
        self.name, self.file = name, f"{name}.html"
        self._sealed: list[str] = []
        html = _CODE.sub(self._seal_code, _SEALED.sub(self._seal, html))
        self.soup = BeautifulSoup(html, "html.parser")
        self.head = Head(self.soup.head, self.address)

    def _seal(self, match: re.Match) -> str:
        before, part = match.groups()
        if _ASKED_FOR.search(part):
            return match[0]
        self._sealed.append(part)
        return f'{before}<attn-sealed data-number="{len(self._sealed) - 1}"></attn-sealed>'

    def _seal_code(self, match: re.Match) -> str:
        before, code = match.groups()
        self._sealed.append(code)
        return f'{before} data-number="{len(self._sealed) - 1}">{_TAG.sub("", code)}</pre>'

    def reword(self, change: Callable[[str], str]) -> None:
        """Change the words in the drawings, which no other step looks at."""
        for number, part in enumerate(self._sealed):
            if part.startswith("<svg"):
                self._sealed[number] = _WORDS.sub(lambda text: text[1] + change(text[2]), part)

    def html(self, root: Path) -> str:
        """The page as readers get it, with its formulas and drawings."""
        filled = katex.fill(str(self.soup), root, self.name)
        filled = _SEAL.sub(lambda seal: self._sealed[int(seal[1])], filled)
        return _CODE_SEAL.sub(
            lambda seal: f"<pre{seal[2]}>{self._sealed[int(seal[1])]}</pre>", filled
        )

    def address(self, name: str) -> str:
        """Where this page finds the site's file ``name``."""
        return posixpath.relpath(name, posixpath.dirname(self.file) or ".")

    def data(self, kind: str, content: dict) -> Tag:
        """A script element that does not run but contains data."""
        script = self.soup.new_tag("script", attrs={"type": kind})
        script.string = json.dumps(content).replace("<", "\\u003c")
        return script

    def leads_to(self) -> list[str]:
        """The site's own files that this page loads or links to."""
        tags = self.soup.find_all(("a", *LOADED))
        addresses = [tag.get(LOADED.get(tag.name, "href"), "") for tag in tags]
        return own_files(self.file, addresses)

    def places(self) -> list[str]:
        """The ids on this page, to which links may lead."""
        return [tag["id"] for tag in with_attribute(self.soup, "id")]

    def jumps(self) -> list[tuple[str, str, str]]:
        """The links to a place on a page of the site: address, file and place of each."""
        jumps = []
        for link in self.soup.find_all("a"):
            parts = urlsplit(address := link.get("href", ""))
            if parts.fragment and not foreign(address):
                file = (*own_files(self.file, [parts.path]), self.file)[0]
                jumps.append((address, file, unquote(parts.fragment)))
        return jumps


def heading(page: Page) -> str:
    """The page's first heading, without its permalink sign."""
    texts = page.soup.h1.find_all(string=True)
    return "".join(text for text in texts if not text.find_parent("a"))


def refuse_dead_ends(pages: dict[str, dict[str, list]]) -> None:
    """Require every link to a place to lead somewhere; pages have ``places`` and ``jumps``."""
    there = {f"{name}.html": {*page["places"]} for name, page in pages.items()}
    for name, page in pages.items():
        for address, file, place in page["jumps"]:
            if place not in there.get(file, (place,)):
                raise ExtensionError(f"{name} leads to {address}, where nothing is")


def mend_markup(page: Page) -> None:
    """Mend markup that docutils produces and that stock scripts would mend in the browser."""
    for entry in with_attribute(page.soup, "role"):
        if entry["role"] == "doc-biblioentry":
            entry["role"] = "listitem"  # the other role is deprecated, and not allowed in a list
    for title in of_class(page.soup, "admonition-title"):
        if "dropdown" in title.parent.get("class", ()):
            title.parent.name, title.name = "details", "summary"
    for tag in of_class(page.soup, "notranslate"):
        # Sphinx's class is Google's, the attribute is HTML's
        tag["class"] = [name for name in tag["class"] if name not in ("docutils", "notranslate")]
    for code in page.soup.find_all(VERBATIM):
        code["translate"] = "no"
        for word in code.find_all("span", class_="pre"):
            word.unwrap()
    for main in page.soup.find_all("main"):
        main.attrs.pop("role", None)  # which is its role anyway
    for summary in page.soup.find_all("summary"):
        for label in summary.find_all("p", recursive=False):
            label.name = "span"  # of hidden code cells; a summary must not contain paragraphs
        if "hide" in summary.parent.get("class", ()):
            summary.attrs.pop("aria-label", None)  # it would replace the visible words


def described(page: Page, text: str = "", longest: int = 160) -> None:
    """Describe a page that has no description by the beginning of a text, in whole words.

    By default, the text is that of the page itself.
    """
    if "description" in page.head.facts:
        return
    if not text:
        first = page.soup.select_one("article section > p")
        text = first.get_text() if first else page.head.title
    text = " ".join(text.split())
    if len(text) > longest:
        text = text[: longest + 1].rpartition(" ")[0] + " …"
    page.head.say("description", text)
