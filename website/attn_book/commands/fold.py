"""Fold in JupyterLab and Colab what a page folds: ``python -m attn_book.commands.fold FILE...``

Only Jupyter Book reads the tag ``hide-input``. `make format` writes beside it what the others read.
"""

import json
import sys
from pathlib import Path

FOLDED = {"cellView": "form", "jupyter": {"source_hidden": True}}  # of Colab, of JupyterLab


def folded(notebook: dict) -> dict:
    """The notebook with these keys in the cells that have the tag, and in no other."""
    for cell in notebook["cells"]:
        kept = {key: value for key, value in cell["metadata"].items() if key not in FOLDED}
        hides = cell["cell_type"] == "code" and "hide-input" in kept.get("tags", ())
        cell["metadata"] = dict(sorted({**kept, **(FOLDED if hides else {})}.items()))
    return notebook


def text_of(notebook: dict) -> str:
    """A notebook as its file has it."""
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        before = path.read_text("utf-8")
        after = text_of(folded(json.loads(before)))
        if after != before:
            path.write_text(after, "utf-8")
