"""Veil what follows a prediction until the reader has guessed, or has skipped the guess.

A veil begins after the cell that shows a prediction. It ends where the section ends that answers
the prediction: at the first heading, of any level, after the cell that calls ``reveal`` on the
variable that was shown. Side roads that lead off there are veiled as well. A prediction that no
cell reveals does not veil anything.

The page is written open, for readers without JavaScript and for print. What belongs to a veil is
marked with the key of its prediction. The first child of each marked element, ``<attn-veiled>``,
lets ``website/assets/early.js`` hide the element as soon as it has been read. Entries of the page's
contents are marked too. Search still finds the words of a veiled heading, but does not show it.
"""

import ast
from collections.abc import Iterator
from itertools import groupby

from bs4 import BeautifulSoup, PageElement, Tag
from sphinx.errors import ExtensionError

from ..site import templates
from ..site.find import of_class, with_attribute
from ..site.page import Page
from .dependencies import plain
from .minutes import SIDE

SCRIPT = "_static/veil.js"
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
Keys = dict[int, tuple[str, ...]]  # the keys of the veils over each block, by the block's id()


def veil(page: Page, cells: list[dict]) -> set[str]:
    """Veil what follows the predictions of a page; returns the ids of the veiled headings."""
    blocks = list(blocks_of(page.soup.article))
    keys: Keys = {}
    for place, answer in predictions(page, cells):
        first, last = extent(blocks, _block(blocks, place), _block(blocks, answer))
        for block in blocks[first:last]:
            keys[id(block)] = (*keys.get(id(block), ()), place["data-question"])
        if first < last:
            gate, before = _gate(place["data-question"]), blocks[first - 1]
            before.insert_after(gate)
            keys[id(gate)] = keys.get(id(before), ())
    if not keys:
        return set()
    hidden = dict(_headings(blocks, keys))
    veil_contents(page, hidden)
    for section in page.soup.article.find_all("section", recursive=False):
        hang(page, section, keys)
    page.head.load(SCRIPT)
    return set(hidden)


# ---- where a veil begins and ends


def predictions(page: Page, cells: list[dict]) -> Iterator[tuple[Tag, Tag]]:
    """The place of each prediction, with the cell on the page that reveals the measurement."""
    on_page = of_class(page.soup.article, "cell")
    code = [_code(cell) for cell in cells if cell["cell_type"] == "code" and not _removed(cell)]
    if len(on_page) != len(code):
        raise ExtensionError(
            f"{page.name} shows {len(on_page)} code cells, but its notebook has {len(code)}"
        )
    for number, cell in enumerate(on_page):
        for place in with_attribute(cell, "data-question"):
            name = _shown_name(code[number])
            if after := [at for at in range(number, len(code)) if _reveals(code[at], name)]:
                yield place, on_page[after[0]]


def extent(blocks: list[Tag], begin: int, answer: int) -> tuple[int, int]:
    """The first block behind a veil, and the first block after it."""
    road = _side_road(blocks[begin])
    for place in range(answer, len(blocks)):
        if _ends(blocks[place + 1 :], road):
            return begin + 1, place + 1
    raise AssertionError("a block has no end")


def _ends(following: list[Tag], road: Tag | None) -> bool:
    """Whether a veil on this side road, or on the main road, ends before what follows."""
    if not following:
        return True
    if _side_road(following[0]) is road:
        return following[0].name in _HEADINGS
    return road is not None  # what lies beside the main road belongs to it


def _side_road(block: Tag) -> Tag | None:
    return block.find_parent(class_=SIDE)


def blocks_of(section: Tag) -> Iterator[Tag]:
    """The blocks of a page in order; sections are replaced by their contents."""
    for child in section.find_all(True, recursive=False):
        if child.name == "section":
            yield from blocks_of(child)
        else:
            yield child


def _block(blocks: list[Tag], element: Tag) -> int:
    around = {id(element), *map(id, element.parents)}
    return next(place for place, block in enumerate(blocks) if id(block) in around)


def _code(cell: dict) -> ast.Module:
    return ast.parse(plain("".join(cell["source"])))


def _removed(cell: dict) -> bool:
    tags = {tag.replace("_", "-") for tag in cell["metadata"].get("tags", ())}
    return "remove-cell" in tags or {"remove-input", "remove-output"} <= tags


def _shown_name(code: ast.Module) -> str | None:
    """The variable on the last line of a cell, whose value the cell shows."""
    last = code.body[-1] if code.body else None
    value = last.value if isinstance(last, ast.Expr) else None
    return value.id if isinstance(value, ast.Name) else None


def _reveals(code: ast.Module, name: str | None) -> bool:
    """Whether a cell calls ``name.reveal``."""
    nodes = (node for node in ast.walk(code) if isinstance(node, ast.Attribute))
    return any(ast.unparse(node) == f"{name}.reveal" for node in nodes)


# ---- the veil on the page


def hang(page: Page, section: Tag, keys: Keys) -> None:
    """Put neighbours behind the same veils into one element."""
    for over, group in groupby(section.find_all(True, recursive=False), lambda c: _over(c, keys)):
        children = list(group)
        if over:
            _wrap(page, children, over)
            rest = {one: tuple(k for k in of if k not in over) for one, of in keys.items()}
            for child in children:
                hang(page, child, rest)
        elif over is None:
            for child in children:
                hang(page, child, keys)


def _over(element: Tag, keys: Keys) -> tuple[str, ...] | None:
    """The veils over an element; None for a section whose parts have different veils.

    A side road is veiled as a whole, and has veils of its own within.
    """
    if element.name != "section":
        return keys.get(id(element), ())
    veils = [keys.get(id(block), ()) for block in blocks_of(element)]
    if len(set(veils)) == 1:
        return veils[0]
    shared = tuple(key for key in veils[0] if all(key in over for over in veils))
    return (shared or None) if SIDE in element.get("class", ()) else None


def _wrap(page: Page, children: list[Tag], over: tuple[str, ...]) -> None:
    veil = page.soup.new_tag("div", attrs={"class": "attn-veil"})
    children[0].insert_before(veil)
    for element in _between(children[0], children[-1]):
        veil.append(element)
    _mark(page, veil, over)


def _between(first: Tag, last: Tag) -> list[PageElement]:
    """Neighbours, with the whitespace and comments between them."""
    elements: list[PageElement] = [first]
    while elements[-1] is not last:
        elements.append(elements[-1].next_sibling)
    return elements


def _mark(page: Page, element: Tag, over: tuple[str, ...]) -> None:
    element["data-veil"] = " ".join(over)
    element.insert(0, page.soup.new_tag("attn-veiled"))


def _gate(key: str) -> Tag:
    """What stands before a veil: it explains the veil, and lets a reader skip the guess."""
    return BeautifulSoup(templates.page("gate.html", key=key), "html.parser").div.extract()


# ---- headings elsewhere


def _headings(blocks: list[Tag], keys: Keys) -> Iterator[tuple[str, tuple[str, ...]]]:
    for block in blocks:
        if block.name in _HEADINGS and id(block) in keys:
            yield block.parent["id"], keys[id(block)]


def veil_contents(page: Page, hidden: dict[str, tuple[str, ...]]) -> None:
    """Veil the entries of veiled headings in the page's own contents."""
    for entry in page.soup.select("#pst-page-toc-nav li"):
        over = hidden.get(entry.a["href"].removeprefix("#"))
        if over:
            inside = (hidden.get(a["href"].removeprefix("#"), ()) for a in entry.select("li a"))
            whole = all(set(over) <= set(other) for other in inside)
            _mark(page, entry if whole else entry.a, over)
