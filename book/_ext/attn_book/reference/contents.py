"""Which modules have a page, in the order in which the package says to read them.

The order is that of the tables in the docstrings of the package and of the packages that
`_LISTED` names. Other packages are used as a whole, and have one page.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = "attn_course"
FOLDER = "book/reference"
PAGES = f"{FOLDER}/*"  # what the table of contents says for all of them
_LISTED = ("tasks", "models", "views", "classroom")  # packages of which each module has a page


class Module(NamedTuple):
    """A module with a page: its name below the package, and what it is about."""

    name: str  # such as "tasks.dates"
    about: str

    @property
    def document(self) -> str:
        return f"{FOLDER}/{self.name.replace('.', '-')}"

    @property
    def path(self) -> str:
        """Its path below the folder of the course, without an ending."""
        return self.full.replace(".", "/")

    @property
    def full(self) -> str:
        return f"{PACKAGE}.{self.name}"


def modules(root: Path) -> dict[str, list[Module]]:
    """The modules that have a page, by the group that the package's docstring puts them in."""
    found: dict[str, list[Module]] = {}
    for group, name, about in _table(root / PACKAGE):
        inside = _table(root / PACKAGE / name) if name in _LISTED else ()
        found.setdefault(group, []).append(Module(name, about))
        found[group] += [Module(f"{name}.{each}", about) for _, each, about in inside]
    return found


def documents(root: Path) -> list[str]:
    """The pages' documents, in their order."""
    return [module.document for group in modules(root).values() for module in group]


def source(root: Path, document: str) -> Path | None:
    """The file that a page is made from: of the reference a module, of the others its text."""
    if not document.startswith(f"{FOLDER}/"):
        return next((root / document).parent.glob(f"{Path(document).name}.*"), None)
    for module in (each for group in modules(root).values() for each in group):
        if module.document == document:
            package = root / module.path / "__init__.py"
            return package if package.exists() else package.parent.with_suffix(".py")
    return None


def _table(package: Path) -> Iterator[tuple[str, str, str]]:
    """The lines ``group  module  about`` of a package's docstring; a group stands once."""
    text = ast.get_docstring(ast.parse((package / "__init__.py").read_text("utf-8"))) or ""
    group = ""
    for line in text.splitlines():
        row = re.fullmatch(r"(?:(\S.*?)  +| +)?(\w+)  +(\S.*)", line)
        if row:
            group = row[1] or group
            yield group, row[2], row[3]
