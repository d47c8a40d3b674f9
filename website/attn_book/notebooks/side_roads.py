"""Side roads: sections of a chapter that are closed until a reader opens them.

A chapter's main road is what is open. What proves, doubts or extends it stands beside it: in the
notebook an ordinary section, whose first cell, which begins with its heading, is tagged
``side-road``; sections within it belong to it. On the page it is a ``details`` element, whose
summary is the heading with what it costs: the minutes it takes and the claims it makes. In the
notebook a line below the heading says the minutes (`commands.fold`), which the page leaves out.

A ``details`` element opens by click and by key, and, in current browsers, for links into it and for
what is searched on the page; ``website/assets/book.js`` opens it for links in all others, and for
print. The page's own contents name the main road alone.
"""

import json
import re

from bs4 import Tag
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from ..site.find import of_class
from ..site.page import Page
from ..site.parts import TAGGED
from .minutes import SIDE, counted, minutes

TAG = "side-road"
_HEADING = re.compile(r"#{2,3} \S")
# a heading, and below it a line in italics that has one number; there may be no such line
_PARTS = re.compile(r"(.*)(?:\n\n(\*[^*\d\n]*\d+[^*\d\n]*\*)(?=\n|$))?")


def setup(app: Sphinx) -> None:
    app.connect("source-read", mark, priority=700)  # after `build`


def split(source: str) -> tuple[str, str, str]:
    """The heading of a side road, the line that says its minutes, and the rest of its cell."""
    parts = _PARTS.match(source)
    return parts[1], parts[2] or "", source[parts.end() :]


def mark(app: Sphinx, name: str, content: list[str]) -> None:
    """Give the sections of tagged cells their classes, by a line that only Sphinx gets to see."""
    if not name.startswith("chapters/"):
        return
    notebook = json.loads(content[0])
    for cell in notebook["cells"]:
        if tags := [tag for tag in cell["metadata"].get("tags", ()) if tag in TAGGED]:
            source = "".join(cell["source"])
            if cell["cell_type"] != "markdown" or not _HEADING.match(source):
                raise ExtensionError(
                    f"{name}: a cell tagged {tags[0]} begins with a heading of level 2 or 3; "
                    f"{cell['id']} begins with {source[:40]!r}"
                )
            if TAG in tags:
                heading, _, rest = split(source)
                source = heading + rest
            cell["source"] = f"{{{' '.join(f'.{TAGGED[tag]}' for tag in tags)}}}\n{source}"
    content[0] = json.dumps(notebook, ensure_ascii=False)


def close(page: Page) -> None:
    """Close the side roads of a chapter, and leave them out of the page's contents."""
    sides = of_class(page.soup.article, SIDE)
    for section in sides:
        if section.find_parent(class_=SIDE):
            raise ExtensionError(f"{page.name}: the side road {section['id']} is in another")
        _close(page, section)
    inside = {f"#{one['id']}" for side in sides for one in (side, *side.find_all("section"))}
    for entry in page.soup.select("#pst-page-toc-nav li"):
        if entry.a and entry.a["href"] in inside:
            entry.extract()


def _close(page: Page, section: Tag) -> None:
    heading = section.find(["h2", "h3"], recursive=False)
    if heading is None:
        raise ExtensionError(
            f"{page.name}: a veil begins before the side road {section['id']} and ends within it"
        )
    fold = page.soup.new_tag("details", attrs={"class": "attn-side-road"})
    summary = page.soup.new_tag("summary")
    cost = page.soup.new_tag("span", attrs={"class": "attn-side-cost"})
    cost.string = _cost(section)
    fold.extend([summary, *[*heading.next_siblings]])
    summary.extend([heading.extract(), cost])
    section.append(fold)


def _cost(section: Tag) -> str:
    """``6 min · 4 claims``."""
    claims = len(of_class(section, "attn-claim"))
    counts = [f"{claims} claim{'s' * (claims != 1)}"] if claims else []
    return " · ".join([f"{minutes(counted(section))} min", *counts])
