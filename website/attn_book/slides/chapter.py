"""A chapter's page in the built book, as the parts from which a lecture can be made.

The page has all that a slide needs: formulas as HTML, figures in the palette's colours, widgets
with their states, and the sentences of the claims. So nothing is executed or drawn again.
"""

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from ..notebooks import course

STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
_HEADINGS = ("h1", "h2", "h3", "h4")
_SKIPPED = {"attn-effort", "attn-to-do", "attn-gate", "attn-kicker"}


@dataclass(eq=False)
class Part:
    """One element of a section, such as a paragraph, a figure or a claim."""

    kind: str  # "prose" or "fold", or "prediction", "widget", "figure", "table", "equation",
    # "claim", "code" or "printed", which a slide can show
    element: Tag
    tags: frozenset[str] = frozenset()  # of its cell in the notebook


@dataclass(eq=False)
class Section:
    """A heading and everything below it, up to the next one."""

    heading: Tag
    topic: Tag  # the heading of the first-level section that contains it
    parts: list[Part] = field(default_factory=list)

    def is_in(self, kind: str) -> bool:
        """Whether it is, or is in, a section of a kind that a tag names: `site.parts`."""
        return kind in self.topic.find_parent("section").get("class", ())


@dataclass(frozen=True)
class Chapter:
    """A chapter. ``name`` is that of its notebook, such as ``05-reading-dates``."""

    name: str
    sections: list[Section]
    states: dict[str, dict]  # of its widgets
    scripts: list[str]  # of its widgets, as the page names them
    sheets: list[str]

    @property
    def number(self) -> str:
        return course.number(f"chapters/{self.name}")

    @property
    def place(self) -> str:
        return course.place(f"chapters/{self.name}")

    @property
    def title(self) -> str:
        return words(self.sections[0].heading)

    @property
    def question(self) -> Tag:
        """The question of the chapter, which stands below its title."""
        return next(p.element for p in self.sections[0].parts if p.kind == "prose")


def read(path: Path) -> Chapter:
    """The chapter whose page this is."""
    soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    for picture in soup.select(".attn-opens"):
        picture.decompose()  # it stands before the title, which has a slide of its own
    states: dict[str, dict] = {}
    for script in soup.find_all("script", type=STATE):
        states |= json.loads(script.string)["state"]
    scripts = [script["src"] for script in soup.head.find_all("script", src=True)]
    sheets = [link["href"] for link in soup.head.find_all("link", rel="stylesheet")]
    own = ([name for name in names if "/widgets/" in name] for names in (scripts, sheets))
    return Chapter(path.stem, [*_sections(soup.article)], states, *own)


def questions(page: Path) -> dict[str, dict[str, Tag]]:
    """What *Teach with it* says about each chapter: paragraphs by first word, such as ``Ask``."""
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    teaching: dict[str, dict[str, Tag]] = {}
    for heading in soup.find_all("h3"):
        number, colon, _ = words(heading).partition(":")
        if colon:
            leads = heading.parent.select(":scope > p:has(strong)")
            teaching[number.lstrip("0")] = {words(p.strong).rstrip("."): p for p in leads}
    return teaching


def words(element: Tag) -> str:
    """The text of an element, on one line and without the sign that links to it."""
    return " ".join(clean(element).get_text().split())


def clean(element: Tag) -> Tag:
    """A copy for a slide: without links that lead away, and without ids that would occur twice."""
    copied = copy.copy(element)
    for part in copied.select("a.headerlink, .attn-first, template, attn-remembered"):
        part.decompose()
    for link in copied.find_all("a"):
        link.unwrap()
    for part in (copied, *copied.find_all(True)):
        if part.find_parent("svg") is None:  # which needs them for its own parts
            part.attrs.pop("id", None)
    return copied


# ---- a page's sections


def _sections(article: Tag) -> Iterator[Section]:
    topic = None
    for section in article.find_all("section"):
        if "attn-side" in section.get("class", ()) or section.find_parent(class_="attn-side"):
            continue  # a lecture follows the main road
        heading = section.find(_HEADINGS)
        if topic is None or heading.name in ("h1", "h2"):
            topic = heading
        yield Section(heading, topic, [*_parts(section)])


def _parts(around: Tag) -> Iterator[Part]:
    for child in around.find_all(True, recursive=False):
        classes = set(child.get("class", ()))
        if child.name in ("section", *_HEADINGS) or classes & _SKIPPED:
            continue
        if "attn-veil" in classes:
            yield from _parts(child)
        elif "cell" in classes:
            yield from _of_cell(child)
        elif "math" in classes:
            yield Part("equation", child)
        elif child.name == "details":
            yield Part("fold", child)
        elif child.find("table"):
            yield Part("table", child)
        elif child.name in ("p", "ul", "ol", "div", "blockquote"):
            yield Part("prose", child)


def _of_cell(cell: Tag) -> Iterator[Part]:
    """What a cell shows, or else its open code and what that prints."""
    tags = frozenset(name[4:] for name in cell["class"] if name.startswith("tag_"))
    widgets, figures = cell.select(".attn-widget"), cell.select("figure")
    claims = cell.select(".attn-claim")
    for widget in widgets:
        kind = "prediction" if "data-question" in widget.attrs else "widget"
        yield Part(kind, widget, tags)
    for kind, elements in (("figure", figures), ("claim", claims)):
        yield from (Part(kind, element, tags) for element in elements)
    if not (widgets or figures or claims) and cell.select("pre:not(details *)"):
        yield Part("code" if cell.select(".cell_input") else "printed", cell, tags)
