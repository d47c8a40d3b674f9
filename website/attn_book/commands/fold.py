"""Fold in JupyterLab and Colab what a page folds: ``python -m attn_book.commands.fold FILE...``

Only Jupyter Book reads the tags ``hide-input`` and ``side-road``. `make format` writes beside them
what the others read, and below the heading of each side road how long it takes, as its page says
if there is one. A translator may change the words of that line; its number is kept true.
"""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from attn_book.model import left_out
from attn_book.notebooks import side_roads

ROOT = Path(__file__).resolve().parents[3]
FOLDED = {"cellView": "form", "jupyter": {"source_hidden": True}}  # of Colab, of JupyterLab
CLOSED = {"id": None, "jp-MarkdownHeadingCollapsed": True}  # of a heading in Colab, in JupyterLab
SAYS = re.compile(r'class="attn-side-cost">(\d+) min')


def folded(notebook: dict, minutes: Sequence[str] = ()) -> dict:
    """The notebook with these keys in the cells that have the tag, and in no other.

    ``minutes`` are those of its side roads, if they are known.
    """
    roads = []
    for cell in notebook["cells"]:
        own = {"cellView", "jupyter", *CLOSED}
        facts = {key: value for key, value in cell["metadata"].items() if key not in own}
        tags = facts.get("tags", ())
        if cell["cell_type"] == "code" and "hide-input" in tags:
            facts |= FOLDED
        if side_roads.TAG in tags:
            facts |= {**CLOSED, "id": cell["id"]}
            roads.append(cell)
        cell["metadata"] = dict(sorted(facts.items()))
    others = {key: value for key, value in notebook["metadata"].items() if key != "colab"}
    colab = {"collapsed_sections": [cell["id"] for cell in roads]}
    notebook["metadata"] = dict(sorted({**others, **({"colab": colab} if roads else {})}.items()))
    if len(minutes) == len(roads):  # otherwise the page was made of another text
        for cell, number in zip(roads, minutes, strict=True):
            heading, line, rest = side_roads.split("".join(cell["source"]))
            line = re.sub(r"\d+", number, line or "*A side road, 0 min.*")
            cell["source"] = f"{heading}\n\n{line}{rest}".splitlines(True)
    return notebook


def minutes_of(path: Path) -> list[str]:
    """The minutes of a chapter's side roads, as its page says, which must have its results."""
    page = ROOT / "_build" / "html" / "chapters" / f"{path.stem}.html"
    is_known = page.exists() and path.resolve() not in {*left_out(ROOT)}
    return SAYS.findall(page.read_text("utf-8")) if is_known else []


def text_of(notebook: dict) -> str:
    """A notebook as its file has it."""
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        before = path.read_text("utf-8")
        after = text_of(folded(json.loads(before), minutes_of(path)))
        if after != before:
            path.write_text(after, "utf-8")
