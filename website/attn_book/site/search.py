"""What the search looks through: the sections of every page and the terms of the glossary.

MiniSearch, an npm package, finds and ranks them in the browser (``website/assets/search.js``). The
texts are a script of their own, which is loaded when a reader begins to search: a page in a folder
on a disk can load nothing else. Sphinx's own search is left out. It finds pages, not sections, and
does not answer while one types.
"""

import json
import re
from functools import partial
from pathlib import Path

from bs4 import Tag
from sphinx.application import Sphinx

from . import missing, node
from .folder import Site
from .page import Page

TEXTS = "_static/sections.js"
LIBRARY, SCRIPT = "_static/minisearch.js", "_static/search.js"
_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
    "sigma sigma tau upsilon phi chi psi omega"
)
_LETTERS = {chr(ord("α") + place): name for place, name in enumerate(_GREEK.split())}
_COMMAND = re.compile(rf"\\(?:var)?({'|'.join(_LETTERS.values())})(?![a-z])", re.IGNORECASE)
_NOT_READ = {"pre", "script", "style", "svg", "template", "table", "button", "section"}
_NOT_READ_OF = {"attn-first", "attn-still", "attn-veil", "attn-gate", "attn-kicker", "stream"}
_NOT_READ_OF |= {"attn-progress", "attn-side-cost", "attn-first-use", "attn-claims", "glossary"}
_NOT_READ_OF |= {"attn-claim-more", "headerlink", "cell_input", "text_plain"}
# what a line of text says instead of a formula's other commands; the rest are left out
_SIGNS = {r"\sum": "∑", r"\cdot": "·", r"\times": "×", r"\le": "≤", r"\ge": "≥", r"\in": "∈"}
_SIGNS |= {r"\sqrt": "√", "}{": "/"}
_TEX = re.compile(r"\}\{|\\[a-zA-Z]+|\\.|[{}$^&_]")


_HEADINGS = ["h1", "h2", "h3", "h4"]


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", leave_out)


def leave_out(app: Sphinx) -> None:
    """Let Sphinx make no index."""
    app.builder.search = False


def write(pages: list[tuple[str, str, list]], site: Site) -> None:
    """Write the name, heading and sections of each page, and the scripts that search them."""
    index = json.dumps([_LETTERS, pages], ensure_ascii=False, separators=(",", ":"))
    site.add(TEXTS, lambda: f"attnSections(...{index});\n")
    root = site.root
    library = node.package(root, "minisearch")
    licence, code = (
        (library / name).read_text("utf-8") for name in ("LICENSE.txt", "dist/umd/index.js")
    )
    own = (Path(__file__).parents[2] / "assets" / "search.js").read_text("utf-8")
    for name, text in ((LIBRARY, f"/*! {licence} */\n{code}"), (SCRIPT, own)):
        site.add(name, partial(node.small_script, root, name, text))


def sections(page: Page) -> list[list[str]]:
    """The id, the heading and the prose of each section and of each of the glossary's terms.

    A section's text is without that of sections within it. Sections that a guess veils have no
    place of their own, since a result must not tell what they say. Their words find the page: they
    are a fourth entry of its first section.
    """
    if not page.soup.article or page.name == missing.NAME:
        return []
    listed, veiled = [], []
    for part in page.soup.article.find_all(["section", "dt"]):
        if part.name == "section" or part.get("id"):
            section = [part.get("id", ""), _title(part), prose(part)]
            (veiled if part.find_parent(class_="attn-veil") else listed).append(section)
    for first in listed[:1]:
        first[0] = ""  # the page itself
    if veiled:
        listed[0].append(" ".join(text for section in veiled for text in section[1:]))
    return [section for section in listed if section[1] or section[2]]


def _title(part: Tag) -> str:
    """The heading of a section, also within a fold, or a term with its other forms."""
    if "sig" in part.get("class", ()):
        return part["id"].removeprefix("attn_course.")
    heading = part if part.name == "dt" else part.find(_HEADINGS)
    if not heading or (part.name == "section" and heading.find_parent("section") is not part):
        return ""
    pieces: list[str] = []
    for child in heading.children:
        _gather(child, pieces) if isinstance(child, Tag) else pieces.append(child)
    title = " ".join("".join(pieces).split())
    forms = [form["id"] for form in heading.find_all(id=True) if part.name == "dt"]
    names = [form.removeprefix("term-").replace("-", " ") for form in forms]
    one = title.lower().removesuffix("s")
    others = [name for name in names if name.lower().removesuffix("s") != one]
    return f"{title} ({', '.join(others)})" if others else title


def prose(part: Tag) -> str:
    pieces: list[str] = []
    if part.name == "dt":
        _gather(part.find_next_sibling("dd"), pieces)
    for child in part.children if part.name == "section" else ():
        if isinstance(child, Tag) and child.name not in ("h1", "h2", "h3", "h4"):
            _gather(child, pieces)
    return " ".join("".join(pieces).split())


def _gather(element: Tag, pieces: list[str]) -> None:
    if element.name in _NOT_READ or not _NOT_READ_OF.isdisjoint(element.get("class", ())):
        return
    if element.name == "attn-formula":
        whole = element["data-display"] == "true"
        pieces.append(" … " if whole else plain(element.get_text()))
        return
    for child in element.children:
        if isinstance(child, Tag):
            _gather(child, pieces)
        else:
            pieces.append(child)
    if element.name in ("p", "li", "div", "summary", "dt", "dd"):
        pieces.append(" ")


def plain(latex: str) -> str:
    """A formula as a line of text can show it: its letters, and no commands."""
    names = {name: letter for letter, name in _LETTERS.items() if letter != "ς"}
    latex = _COMMAND.sub(lambda command: names[command[1].lower()], latex)
    return _TEX.sub(lambda part: _SIGNS.get(part[0], ""), latex)
