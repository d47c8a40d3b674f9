"""What a chapter's result depends on, found by reading what it imports.

These are its own code cells, the modules of this repository that they import, directly or through
others, the data of these modules, the lock file, and the versions of Python and torch. Nothing else
counts: neither its prose, nor the scripts and style sheets of widgets, which the build takes from
the package as it is now (`install`).

A data file belongs to the module of the same name in its folder, in the folder above, or in one
beside it, as ``results/typo_place.json`` does to ``typos/typo_place.py``; if there is none, to
those there that have its name as a text. A data file that belongs to no module counts for every
chapter. If code chooses its imports while it runs, or cannot be parsed, all modules count.
"""

import ast
import functools
import hashlib
import importlib.util
import json
import platform
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager

ROOMS = ("attn_course", "attn_lab", "attn_class", "attn_own")  # what chapters import from
LOCK = "requirements.txt"
# the part of a cell's metadata that decides how it is run
_TAGS = {"raises-exception", "skip-execution"}
_CHOOSES = {"import_module", "__import__", "iter_modules", "walk_packages"}
# an experiment that a chapter names is one that it imports (website/tests/test_grounds.py)
FORESEEN = "attn_lab/registry.py"
_NO_RESULT = (".js", ".css")  # in the widgets' folder
_MAGIC = re.compile(r"^\s*[%!?]|\?\s*$|= *[%!]|\A\s", re.M)  # or what may be one


class Everything(Exception):
    """Any module may be imported."""


def key(root: Path, name: str) -> str:
    """A key that changes with everything that the result of the chapter ``name`` depends on."""
    notebook = _read(root, name)
    codes = _codes(notebook)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    tags = [sorted(_TAGS & {*cell["metadata"].get("tags", ())}) for cell in cells]
    kernel = notebook["metadata"].get("kernelspec", {}).get("name")
    seen = hashlib.sha256(json.dumps([name, codes, tags, kernel, *_versions()]).encode())
    for path in sorted(files(codes), key=_place):
        seen.update(_place(path).encode() + b"\0" + path.read_bytes())
    # the second is how it is run
    for path in (root / LOCK, Path(__file__).with_name("execution.py")):
        seen.update(b"\0" + (path.read_bytes() if path.exists() else b""))
    return seen.hexdigest()[:16]


def weight(root: Path, name: str) -> int:
    """How many files a chapter depends on: those that train models need more, and run longer."""
    return len(files(_codes(_read(root, name))))


def _read(root: Path, name: str) -> dict:
    return json.loads((root / f"{name}.ipynb").read_text(encoding="utf-8"))


def _codes(notebook: dict) -> list[str]:
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


@functools.cache
def rooms() -> dict[str, Path]:
    """The folders of the packages that this Python imports, and that the chapters import too."""
    specs = {name: importlib.util.find_spec(name) for name in ROOMS}
    return {
        name: Path(spec.submodule_search_locations[0]).resolve()
        for name, spec in specs.items()
        if spec
    }


def _room(path: Path) -> Path:
    """The folder of the package that a file is in."""
    return next(room for room in rooms().values() if path.is_relative_to(room))


def _place(path: Path) -> str:
    """A file's place, from the name of its package on."""
    return path.relative_to(_room(path).parent).as_posix()


def files(codes: list[str]) -> set[Path]:
    """The modules that the cells import, directly or not, and their data."""
    every = {path for room in rooms().values() for path in room.rglob("*") if path.is_file()}
    try:
        modules = _closure({path for code in codes for path in _imported(plain(code))})
    except Everything:
        modules = {path for path in every if path.suffix == ".py"}
    return modules | {path for path in every if _is_data(path) and _counts(path, modules)}


def _closure(modules: set[Path]) -> set[Path]:
    todo, seen = [*modules], set(modules)
    while todo:
        path = todo.pop()
        fresh = _imported_by(path, path.stat().st_mtime_ns) - seen
        todo += fresh
        seen |= fresh
    return seen


@functools.cache
def _imported_by(path: Path, _changed: int) -> set[Path]:
    place = _place(path)
    inside = tuple(place.split("/")[:-1])
    return _imported(path.read_text(encoding="utf-8"), inside, foreseen=place == FORESEEN)


def _imported(code: str, inside: tuple[str, ...] = (), foreseen: bool = False) -> set[Path]:
    """The files that the imports in ``code`` run, itself a module of the package ``inside``."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        raise Everything from None
    if not foreseen and any(name in code for name in _CHOOSES) and _chooses(tree):
        raise Everything
    names = {name for node in _statements(tree.body) for name in _names(node, inside)}
    return {path for name in names for path in _run(name)}


def _chooses(tree: ast.Module) -> bool:
    """Whether code chooses at run time what it imports."""
    return any(
        getattr(node, "attr", getattr(node, "id", getattr(node, "name", ""))) in _CHOOSES
        for node in ast.walk(tree)
    )


def _statements(body: list[ast.AST]) -> Iterator[ast.AST]:
    """All statements, without the expressions in them, which make up most of a tree."""
    for statement in body:
        yield statement
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from _statements(getattr(statement, field, ()))


def _names(node: ast.AST, inside: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Everything that an import names, as parts: ``from a import b`` may mean a module ``a.b``."""
    if isinstance(node, ast.Import):
        yield from (tuple(alias.name.split(".")) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = inside[: len(inside) - node.level + 1] if node.level else ()
        base = (*above, *(node.module.split(".") if node.module else ()))
        yield from ((*base, alias.name) for alias in node.names)


def _run(parts: tuple[str, ...]) -> Iterator[Path]:
    """The files that run when this module is imported: its packages' and its own."""
    if parts[0] not in rooms():
        return
    if parts[-1] == "*":
        raise Everything
    room = rooms()[parts[0]]
    for end in range(1, len(parts) + 1):
        place = room.joinpath(*parts[1:end])
        for path in (place / "__init__.py", place.with_suffix(".py")):
            if path.is_file() and path.is_relative_to(room):
                yield path


def _is_data(path: Path) -> bool:
    of_widget = "widgets" in path.parts and path.suffix in _NO_RESULT
    return path.suffix not in (".py", ".pyc", ".tmp") and not of_widget


def _counts(path: Path, modules: set[Path]) -> bool:
    """Whether a data file belongs to one of these modules, or to no module at all."""
    near = path.parent
    above = near if near == _room(path) else near.parent
    places = (near, above, *above.glob("*/"))
    owners = {folder / f"{path.stem}.py" for folder in places}
    owners = {owner for owner in owners if owner.is_file()} or _that_name(path, above)
    return not owners or bool(owners & modules)


def _that_name(data: Path, folder: Path) -> set[Path]:
    """The modules in a folder, and in those in it, that have the name of this file as a text."""
    name = re.compile(rf'"{re.escape(data.stem)}({re.escape(data.suffix)})?"')
    paths = (*folder.glob("*.py"), *folder.glob("*/*.py"))
    return {path for path in paths if name.search(path.read_text("utf-8"))}


@functools.cache
def plain(code: str) -> str:
    """A cell as plain Python, with IPython's magics translated."""
    if not _MAGIC.search(code):
        return code
    return TransformerManager().transform_cell(code)


def _versions() -> list[str]:
    try:
        torch = version("torch")
    except PackageNotFoundError:
        torch = ""
    return [platform.python_version(), torch]
