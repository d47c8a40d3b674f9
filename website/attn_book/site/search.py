"""What Sphinx's search lacks: Greek letters, and a line of text beside each result.

A Greek letter is indexed by its name, and so is its command in TeX: α, ``\\alpha_{ij}`` and *alpha*
are one word. The text of a page is a script of its own, as a page in a folder on a disk can load
nothing else. ``website/assets/search.js`` loads those of the pages that were found.
"""

import json
import pickle
import re
from pathlib import Path

from bs4 import Tag
from sphinx import search
from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

from . import missing
from .folder import Site
from .page import Page

FOLDER = "_static/found"
# from α to ω; the second sigma is the final one
NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
    "sigma sigma tau upsilon phi chi psi omega"
)
GREEK = NAMES.split()
_LETTERS = {chr(ord("α") + place): name for place, name in enumerate(GREEK)}
_LETTER = re.compile("[α-ω]", re.IGNORECASE)
_COMMAND = re.compile(rf"\\(?:var)?({'|'.join(GREEK)})(?![a-z])", re.IGNORECASE)
_PARTS = ("_titles", "_filenames", "_mapping", "_title_mapping", "_all_titles", "_index_entries")
_SPLIT = """
var greek = "%s".split(" ");
var splitQuery = (query) =>
  query
    .replace(/[α-ω]/gi, (letter) => ` ${greek[letter.toLowerCase().charCodeAt(0) - 945]} `)
    .split(/[^\\p{Letter}\\p{Number}_\\p{Emoji_Presentation}]+/gu)
    .filter((term) => term);
"""
_NOT_READ = {"pre", "script", "style", "svg", "template", "table", "button", "section"}
_NOT_READ_OF = {"attn-first", "attn-still", "attn-veil", "attn-gate", "headerlink", "cell_input"}
_NOT_READ_OF |= {
    "glossary",
    "attn-claim-more",
    "attn-kicker",
    "attn-progress",
    "stream",
    "text_plain",
}
# what a line of text says instead of a formula's other commands; the rest are left out
_SIGNS = {r"\sum": "∑", r"\cdot": "·", r"\times": "×", r"\le": "≤", r"\ge": "≥", r"\in": "∈"}
_SIGNS |= {r"\sqrt": "√", "}{": "/"}
_SECONDS = re.compile(r"(?<=, )\d+ s\b")  # of a training, which differ in every run
_TEX = re.compile(r"\}\{|\\[a-zA-Z]+|\\.|[{}$^&_]")


class EnglishAndGreek(SearchEnglish):
    js_splitter_code = _SPLIT % NAMES

    def split(self, input: str) -> list[str]:
        return super().split(spelt(_SECONDS.sub("", input)))


def setup(app: Sphinx) -> None:
    search.languages["en"] = EnglishAndGreek


def keep(app: Sphinx) -> None:
    """Keep the whole index for a build that writes only some of the pages.

    Of the file that browsers read, Sphinx restores half, and words that are on no page any more.
    """
    if indexer := getattr(app.builder, "indexer", None):
        with _kept(app).open("wb") as file:
            pickle.dump({name: getattr(indexer, name) for name in _PARTS}, file)


def go_on(app: Sphinx) -> bool:
    """Let Sphinx go on with the index of the last build; False if there is none."""
    if not (path := _kept(app)).exists():
        return False
    parts = pickle.loads(path.read_bytes())

    def load_indexer(written: set[str]) -> None:
        for name in ("_mapping", "_title_mapping"):
            left = {word: docs - {*written} for word, docs in parts[name].items()}
            parts[name] = {word: docs for word, docs in left.items() if docs}
        # in their places still, which decide the order of equal entries
        entries = parts["_index_entries"]
        entries.update({name: [] for name in entries if name in written})
        vars(app.builder.indexer).update(parts)

    app.builder.load_indexer = load_indexer
    return True


def _kept(app: Sphinx) -> Path:
    return Path(app.doctreedir, "search.pickle")


def spelt(text: str) -> str:
    """The text with the names of its Greek letters."""
    text = _COMMAND.sub(lambda command: f" {command[1]} ", text)
    return _LETTER.sub(lambda letter: f" {_LETTERS[letter[0].lower()]} ", text)


def write_text(page: Page, site: Site) -> None:
    """Write the text of a page, section by section, for the lines beside the results."""
    if page.soup.article and page.name != missing.NAME:
        found = json.dumps([page.name, sections(page)], ensure_ascii=False)
        name = page.name.replace("/", "-")
        site.add(f"{FOLDER}/{name}.js", lambda: f"attnFound(...{found});\n")


def sections(page: Page) -> list[list[str]]:
    """The ids of the sections and of the glossary's terms, each with its prose.

    A section's text is without that of sections within it. What a guess veils stays out: a result
    must not tell it.
    """
    found = [
        (part.get("id", ""), prose(part))
        for part in page.soup.article.find_all(["section", "dt"])
        if (part.name == "section" or part.get("id")) and not part.find_parent(_veiled)
    ]
    return [[name, text] for name, text in found if text]


def _veiled(element: Tag) -> bool:
    return "attn-veil" in element.get("class", ())


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
