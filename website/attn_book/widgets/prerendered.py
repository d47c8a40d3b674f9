"""What a widget shows before a browser runs it, produced by its own module.

``render`` draws the first state, in a document that node provides. If the widget remembers what a
reader has done, its module exports ``remembered``: the states in which a page may begin, each with
the range of remembered values that it stands for.

A module may also export ``table``. It takes ``{ model }``, as ``render`` does, and returns rows of
texts, the first being the header. ``answer`` returns a text that readers should guess first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sphinx.errors import ExtensionError

from attn_course.views.widgets import joining

from ..site.node import ask, package

SCRIPT = Path(__file__).with_name("prerendered.mjs")
MODEL = Path(joining.__file__).with_name("shared") / "model.js"
Rows = list[list[str]]


@dataclass(frozen=True)
class Prerendered:
    rows: Rows | None  # None, "" and [] if the module has none
    answer: str
    first: str
    remembered: list[dict]  # each with ``from``, ``to`` and ``drawn``


def prerender(models: Sequence[dict], page: str, root: Path) -> list[Prerendered]:
    """What each model on a page shows; ``root`` is the book's source."""
    widgets = [{key: model.get(key, []) for key in ("state", "buffers")} for model in models]
    request = {
        "linkedom": str(package(root, "linkedom")),
        "model": MODEL.read_text("utf-8"),
        "widgets": widgets,
    }
    fault = (
        f"a widget on {page} cannot be drawn when the book is built. Its module is called in "
        "node, where nothing is laid out: what depends on a size is left to style"
    )
    results = [Prerendered(**answer) for answer in ask(root, SCRIPT, request, fault)]
    for result in results:
        _check(result, page)
    return results


def _check(widget: Prerendered, page: str) -> None:
    if widget.rows is not None and not _is_table(widget.rows):
        raise ExtensionError(
            f"a widget on {page} must give rows of texts, all of one length, the first of "
            f"them the header; got {widget.rows!r:.200}"
        )
    if not isinstance(widget.answer, str):
        raise ExtensionError(
            f"a widget on {page} must give an answer that is a text; got {widget.answer!r:.200}"
        )


def _is_table(rows: object) -> bool:
    return (
        isinstance(rows, list)
        and len(rows) > 1
        and all(isinstance(row, list) and len(row) == len(rows[0]) > 0 for row in rows)
        and all(isinstance(text, str) for row in rows for text in row)
    )
