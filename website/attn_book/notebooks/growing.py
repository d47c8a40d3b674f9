"""The files that grow on the roads: each is what some cells of the chapters define, in order.

A cell tagged ``file-seq2seq`` belongs to ``seq2seq.py``. What it defines joins the file, or takes
the place of what has the same name there; its imports join those at the top. A cell tagged
``so-far-seq2seq`` is the file as the chapters before have left it. At the end of a road,

    <div data-grown="seq2seq"></div>

becomes what this chapter has changed, and the file to download.
"""

import ast
import difflib
import json
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from bs4 import BeautifulSoup
from markupsafe import Markup
from sphinx.errors import ExtensionError

from ..site import templates
from ..site.find import with_attribute
from ..site.page import Page

TAG, SO_FAR = "file-", "so-far-"
_CONTEXT = 2  # lines around a change


def tagged(root: Path, chapter: str, prefix: str = TAG) -> dict[str, list[str]]:
    """The code of a chapter's cells whose tag has a prefix, by the rest of the tag."""
    by_tag: dict[str, list[str]] = {}
    for cell in json.loads((root / f"{chapter}.ipynb").read_text("utf-8"))["cells"]:
        for tag in cell["metadata"].get("tags", ()):
            if tag.startswith(prefix):
                by_tag.setdefault(tag.removeprefix(prefix), []).append("".join(cell["source"]))
    return by_tag


def assembled(cells: Iterable[str]) -> str:
    """The file that these cells make: imports, constants, then classes and functions."""
    modules: set[str] = set()
    names: dict[str, set[str]] = {}
    constants: dict[str, str] = {}
    definitions: dict[str, str] = {}
    for code in cells:
        for node in ast.parse(code).body:
            if isinstance(node, ast.Import):
                modules |= {f"import {alias.name}" for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.setdefault(node.module, set()).update(alias.name for alias in node.names)
            elif isinstance(node, ast.ClassDef | ast.FunctionDef):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                lines = code.splitlines()[first - 1 : node.end_lineno]
                definitions[node.name] = "\n".join(lines)
            elif isinstance(node, ast.Assign):
                text = ast.get_source_segment(code, node)
                constants[ast.unparse(node.targets[0])] = text
            else:
                raise ExtensionError(
                    "a cell of a file may import, define and name constants; "
                    f"got {ast.unparse(node)!r}"
                )
    for module, imported in names.items():
        modules.add(f"from {module} import {', '.join(sorted(imported, key=str.lower))}")
    groups = [
        sorted(lines, key=lambda line: (line.startswith("from"), line))
        for _, lines in groupby(sorted(modules, key=_is_torch), key=_is_torch)
    ]
    top = ["\n".join(group) for group in groups]
    if constants:
        top.append("\n".join(constants.values()))
    return "\n\n\n".join(["\n\n".join(top), *definitions.values()]) + "\n"


def _is_torch(line: str) -> bool:
    return line.split()[1].partition(".")[0] == "torch"


def grown(root: Path, chapters: Iterable[str]) -> dict[str, dict[str, list[str]]]:
    """For each chapter the files that it adds to, as they were before it and as they are now."""
    cells: dict[str, list[str]] = {}
    by_chapter = {}
    for chapter in chapters:
        by_chapter[chapter] = {}
        for name, more in tagged(root, chapter).items():
            before = cells.get(name, [])
            cells[name] = before + more
            by_chapter[chapter][name] = [
                assembled(version) if version else "" for version in (before, cells[name])
            ]
    return by_chapter


def show(page: Page, files: dict[str, list[str]]) -> None:
    """Put what has changed, and the file, where a chapter asks for it."""
    for place in with_attribute(page.soup, "data-grown"):
        name = place.attrs.pop("data-grown")
        if name not in files:
            raise ExtensionError(f"{page.name} has no cell that is tagged {TAG}{name}")
        place["class"] = "attn-file"
        place.append(BeautifulSoup(_shown(name, *files[name]), "html.parser"))


def _shown(name: str, old: str, new: str) -> Markup:
    changes = difflib.unified_diff(old.splitlines(), new.splitlines(), n=_CONTEXT, lineterm="")
    lines = [*changes][2:]
    gained, lost = (sum(line[0] == sign for line in lines) for sign in "+-")
    values = {"gained": gained, "lost": lost, "lines": _marked(lines), "file": new}
    return templates.part("grown.html", name=name, **values)


_MARKS = {"+": Markup("<ins>{}\n</ins>"), "-": Markup("<del>{}\n</del>")}
_MARKS |= {"@": Markup("…\n"), " ": Markup("{}\n")}


def _marked(lines: list[str]) -> Markup:
    """Lines of a difference, with new and lost ones marked."""
    groups = groupby(lines, key=lambda line: line[0])
    texts = ((sign, "\n".join(line.rstrip() for line in group)) for sign, group in groups)
    parts = [_MARKS[sign].format(text) for sign, text in texts]
    return Markup().join(parts).removeprefix("…\n")
