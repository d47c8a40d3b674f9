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
ROOMS = {"attn_lab": "laboratory", "attn_class": "classroom", "attn_own": "command"}
FOLDER = "book/reference"
PAGES = f"{FOLDER}/*"  # what the table of contents says for all of them
_LISTED = ("tasks", "models", "views", "attn_class")  # packages of which each module has a page


class Module(NamedTuple):
    """A module with a page: its full name, and what it is about."""

    full: str  # such as "attn_course.tasks.dates"
    about: str

    @property
    def name(self) -> str:
        """How pages call it: the textbook's modules without the package."""
        return self.full.removeprefix(f"{PACKAGE}.")

    @property
    def document(self) -> str:
        return f"{FOLDER}/{self.name.replace('.', '-')}"

    @property
    def path(self) -> str:
        """Its path below the folder of the course, without an ending."""
        return f"{ROOMS.get(self.full.partition('.')[0], '.')}/{self.full.replace('.', '/')}"


def modules(root: Path) -> dict[str, list[Module]]:
    """The modules that have a page, by the group that the package's docstring puts them in.

    The rooms beside the textbook are groups of their own.
    """
    groups: dict[str, list[Module]] = {}
    for group, name, about in _table(root / PACKAGE):
        groups.setdefault(group, []).append(Module(f"{PACKAGE}.{name}", about))
        groups[group] += _inside(root / PACKAGE / name, f"{PACKAGE}.{name}")
    for name, room in ROOMS.items():
        if (package := root / room / name).exists():
            about = _docstring(package).partition("\n")[0].removesuffix(".")
            groups[room] = [Module(name, about[0].lower() + about[1:]), *_inside(package, name)]
    return groups


def _inside(package: Path, full: str) -> list[Module]:
    listed = _table(package) if package.name in _LISTED else ()
    return [Module(f"{full}.{name}", about) for _, name, about in listed]


def documents(root: Path) -> list[str]:
    """The pages' documents, in their order."""
    return [module.document for group in modules(root).values() for module in group]


def source(root: Path, document: str) -> Path | None:
    """The file that a page is made from: of the reference a module, of the others its text."""
    if not document.startswith(f"{FOLDER}/"):
        return next((root / document).parent.glob(f"{Path(document).name}.*"), None)
    of_document = {module.document: module for group in modules(root).values() for module in group}
    if module := of_document.get(document):
        package = root / module.path / "__init__.py"
        return package if package.exists() else package.parent.with_suffix(".py")
    return None


def _table(package: Path) -> Iterator[tuple[str, str, str]]:
    """The lines ``group  module  about`` of a package's docstring; a group stands once."""
    group = ""
    for line in _docstring(package).splitlines():
        row = re.fullmatch(r"(?:(\S.*?)  +| +)?(\w+)  +(\S.*)", line)
        if row:
            group = row[1] or group
            yield group, row[2], row[3]


def _docstring(package: Path) -> str:
    return ast.get_docstring(ast.parse((package / "__init__.py").read_text("utf-8"))) or ""
