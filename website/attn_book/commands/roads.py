"""Names on a road that come from nowhere: what its code uses, and no cell in sight has made.

On a road a name is made or imported in sight. A folded cell may import libraries, what draws and
what claims, and may hold a piece of the reader's own files; whatever else it makes is not in sight.
"""

import ast
import builtins
import json
import re
from collections.abc import Iterator
from pathlib import Path

from attn_book.notebooks import growing
from attn_book.notebooks.side_roads import TAG

HIDDEN = {"hide-input", "remove-cell"}
OWN = ("attn_course", "attn_lab", "attn_class")
FOLDED = ("attn_course.views", "attn_course.claims")
_FILES = growing.TAG, growing.SO_FAR  # tags of the reader's own files
_HEADING = re.compile(r"(#{1,3}) (.*)")
_CLAIM = re.compile(r"^\s*claim\(", re.MULTILINE)


def lacking(notebook: Path) -> set[str]:
    """The names that the code on a road lacks."""
    known, missing = set(dir(builtins)), set()
    for tags, source in _cells(json.loads(notebook.read_text("utf-8"))["cells"]):
        tree, hidden = ast.parse(source), tags & HIDDEN
        if not hidden and _CLAIM.search(source):
            continue  # its page folds the code
        whole = not hidden or any(tag.startswith(_FILES) for tag in tags)
        known |= _bound(*([tree] if whole else filter(_may_be_folded, tree.body)))
        if not hidden:
            missing |= _names(tree, ast.Load) - known
    return missing


def _cells(cells: list[dict]) -> Iterator[tuple[set[str], str]]:
    """The code cells before the exercises that stand in no side road, with their tags."""
    side = 4  # the level of the side road's heading; 4 is on no side road
    for cell in cells:
        source, tags = "".join(cell["source"]), set(cell["metadata"].get("tags", ()))
        if cell["cell_type"] == "code":
            if side == 4:
                yield tags, source
        elif heading := _HEADING.match(source):
            level = len(heading[1])
            if "exercises" in tags:
                return
            if TAG in tags:
                side = level
            elif level <= side:
                side = 4


def _may_be_folded(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return not node.module.startswith(OWN) or node.module.startswith(FOLDED)
    return isinstance(node, ast.Import)


def _bound(*trees: ast.AST) -> set[str]:
    """The names that are set, defined, imported or given as arguments."""
    names = set()
    for tree in trees:
        names |= _names(tree, ast.Store)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names.add(node.name)
            elif isinstance(node, ast.alias):
                names.add((node.asname or node.name).partition(".")[0])
            elif isinstance(node, ast.arg):
                names.add(node.arg)
    return names


def _names(tree: ast.AST, context: type) -> set[str]:
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, context)
    }
