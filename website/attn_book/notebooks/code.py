"""The code of a chapter as its page shows it: code that teaches stands open, the rest is folded.

- The cell of a claim shows the claim; its code is folded under the word *Measured*. The cell of
  ``expected`` shows a fold, and its code stands at the end of it.
- Imports, plotting and bookkeeping, tagged ``hide-input``, are folded under a short line that says
  what the code is for. Cells in a row share a fold, up to the one that shows something.

Folded code is plain text, one element per cell: coloured by Pygments, it would be hundreds of
elements that hardly anyone looks at. ``book.js`` colours it when a reader unfolds it. Open code
keeps the colours that `site.listings` leaves it. In Jupyter, all of these are ordinary cells.
"""

import ast
import re

from bs4 import BeautifulSoup, Tag

from ..site.find import of_class
from ..site.page import Page

HIDDEN = "tag_hide-input"  # MyST-NB's class
IMPORTS = "Code: imports"
WIDGET = "application/vnd.jupyter.widget-view+json"


def arrange(page: Page) -> None:
    """Fold the code of a page."""
    for cell in of_class(page.soup, "cell"):
        code = cell.find(class_="cell_input")
        if code is not None:
            _fold(page.soup, cell, code)


def join_folds(page: Page) -> None:
    """Join folds that stand one below another. Until then, cells are as many as in the notebook."""
    for cell in of_class(page.soup, "cell"):
        _join(cell)


def _fold(soup: BeautifulSoup, cell: Tag, code: Tag) -> None:
    if blocks := of_class(cell, "attn-claim-more", "attn-expected"):
        for block in blocks:
            block.append(_plain(soup, code))
            block.parent.attrs.pop("style", None)  # book.css has the same, for all of them
        code.extract()
        _drop_stock_fold(cell)
    elif HIDDEN in cell["class"]:
        cell["class"] = [name for name in cell["class"] if name != HIDDEN]
        fold = soup.new_tag("details", attrs={"class": "attn-code hide"})
        summary = soup.new_tag("summary")
        summary.string = label(cell, code.get_text())
        fold.extend([summary, _plain(soup, code)])
        code.extract()
        _drop_stock_fold(cell)
        cell.insert(0, fold)


def _join(cell: Tag) -> None:
    """Move the code of a cell that shows nothing into the fold of the cell that follows it.

    That fold keeps its own label, which names what the reader sees below it, unless that is the
    humblest one.
    """
    following = cell.find_next_sibling()
    if following is None or not _follows_at_once(cell, following):
        return
    fold, into = _only_fold(cell), _fold_of(following)
    if fold is not None and into is not None:
        listings = fold.find_all("pre", recursive=False)
        if into.summary.string == IMPORTS:
            into.summary.string = fold.summary.string
        into.summary.insert_after(*listings)
        cell.extract()


def _follows_at_once(cell: Tag, following: Tag) -> bool:
    return (
        next(one for one in cell.next_siblings if isinstance(one, Tag) or one.strip()) is following
    )


def _fold_of(cell: Tag) -> Tag | None:
    """The fold that has all the code of this cell."""
    return cell.find("details", class_="attn-code", recursive=False)


def _only_fold(cell: Tag) -> Tag | None:
    """The same, if the cell shows nothing else."""
    return _fold_of(cell) if len(cell.find_all(True, recursive=False)) == 1 else None


def _drop_stock_fold(cell: Tag) -> None:
    """Remove MyST-NB's own fold, which is now empty."""
    for fold in cell.select(":scope > details.hide:not(.attn-code)"):
        fold.extract()


def _plain(soup: BeautifulSoup, code: Tag) -> Tag:
    text = soup.new_tag("pre")
    text.string = code.get_text().strip("\n")
    return text


def label(cell: Tag, code: str) -> str:
    """What the code of a folded cell is for, judging by what it does and shows."""
    if any(name.startswith("tag_so-far-") for name in cell["class"]):
        return "Code: your file so far"
    if "Prediction(" in code:
        return "Code: the question"
    if cell.find("script", type=WIDGET):
        return "Code: the widget"
    if cell.find(class_="attn-figure") or cell.find("svg"):
        return "Code: the figure"
    return IMPORTS if _only_imports(code) else "Code: preparation"


def _only_imports(code: str) -> bool:
    """Whether a cell only imports and sets things up."""
    code = re.sub(r"(?m)^\s*[%!].*$", "", code)
    statements = ast.parse(code).body
    imports = [one for one in statements if isinstance(one, ast.Import | ast.ImportFrom)]
    calls = [one for one in statements if isinstance(one, ast.Expr)]
    return bool(imports) and len(imports) + len(calls) == len(statements)
