"""What the code on each road shows: visible lines, classes, and names that come from nowhere.

    python -m attn_book.commands.roads

On a road a name is made or imported in sight. A folded cell may import libraries, what draws and
what claims, and may hold a piece of the reader's own files; whatever else it makes is not in sight.
"""

import ast
import builtins
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from attn_book.notebooks import course, growing
from attn_book.notebooks.side_roads import TAG

HIDDEN = {"hide-input", "remove-cell"}
OWN = ("attn_course", "attn_lab", "attn_class")
FOLDED = ("attn_course.views", "attn_course.claims")
_FILES = growing.TAG, growing.SO_FAR  # tags of the reader's own files
_HEADING = re.compile(r"(#{1,3}) (.*)")
_CLAIM = re.compile(r"^\s*claim\(", re.MULTILINE)


@dataclass(frozen=True)
class Code:
    """The code on a road: its lines that are not blank, its classes, names that it lacks."""

    lines: int
    classes: int
    claims: int
    lacking: frozenset[str]


def road(notebook: Path) -> Code:
    known, lacking = set(dir(builtins)), set()
    lines = classes = claims = 0
    for tags, source in _cells(json.loads(notebook.read_text("utf-8"))["cells"]):
        tree = ast.parse(source)
        if tags & HIDDEN and any(tag.startswith(_FILES) for tag in tags):
            known |= _bound(tree)
        elif tags & HIDDEN:
            known |= _bound(*(node for node in tree.body if _may_be_folded(node)))
        elif _CLAIM.search(source):
            claims += 1
        else:
            lines += sum(bool(line.strip()) for line in source.splitlines())
            classes += sum(isinstance(node, ast.ClassDef) for node in tree.body)
            known |= _bound(tree)
            lacking |= _names(tree, ast.Load) - known
    return Code(lines, classes, claims, frozenset(lacking))


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


if __name__ == "__main__":
    print("| road | visible lines | classes | claims | names that come from nowhere |")
    print("|---|---:|---:|---:|---|")
    for chapter in course.chapters(Path.cwd()):
        counts = road(Path(f"{chapter.name}.ipynb"))
        names = ", ".join(sorted(counts.lacking))
        print(f"| {chapter.name} | {counts.lines} | {counts.classes} | {counts.claims} | {names} |")
