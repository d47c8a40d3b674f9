"""What a chapter computes with, found by reading what it imports.

These are its own code cells, the modules of this repository that they import, directly or through
others, the data of these modules, the versions that the lock file pins, and those of Python and
torch. Code counts for what it does: comments, docstrings, formatting and ``__version__`` make no
difference, nor does the cell that installs the package, which knows the address. Two kinds of
words count, since chapters show them: those in the code that ``show_source`` shows (`up_to_date`),
and the question of an experiment with expectations, which is the first line of its docstring.

A chapter's prose does not count, nor do the scripts and style sheets of widgets, which the build
takes from the package as it is now (`install`). A colour of ``views/palette.py`` does: chapters
draw their figures with it, so those that draw run again.

A data file belongs to the module of the same name in its folder, in the folder above, or in one
beside it, as ``results/typo_place.json`` does to ``typos/typo_place.py``; if there is none, to
those there that have its name as a text. A data file that belongs to no module counts for every
chapter. If code chooses its imports while it runs, or cannot be parsed, all modules count.
"""

import ast
import functools
import hashlib
import json
import platform
import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from IPython.core.displayhook import DisplayHook
from IPython.core.inputtransformer2 import TransformerManager

from attn_book.address import INSTALL
from attn_book.rooms import rooms
from attn_course.views.source import idea

from ..site.answers import remembered

LOCK = "requirements.txt"
# the part of a cell's metadata that decides how it is run
_TAGS = {"raises-exception", "skip-execution"}
_DOCUMENTED = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_EXPECTED = "\nEXPECTED = "  # as in `attn_lab.expectations`
_CHOOSES = {"import_module", "__import__", "iter_modules", "walk_packages"}
# an experiment that a chapter names is one that it imports (website/tests/test_dependencies.py)
FORESEEN = "attn_lab/registry.py"
_RUNS = Path(__file__).with_name("execution.py")
_NO_RESULT = (".js", ".wat", ".css")  # in the widgets' folder
_MAGIC = re.compile(r"^\s*[%!?]|\?\s*$|= *[%!]|\A\s", re.M)  # or what may be one
Names = frozenset[tuple[str, ...]]  # of what is imported, each as its parts


class Everything(Exception):
    """Any module may be imported."""


def key(root: Path, name: str, of_all: str = "") -> str:
    """A key that changes with everything that the result of the chapter ``name`` depends on.

    Whoever asks for the keys of several chapters can hand in what `all_files` gives.
    """
    notebook = _read(root, name)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    kernel = notebook["metadata"].get("kernelspec", {}).get("name")
    marks = [[cell.get("id") == INSTALL, cell["metadata"].get("tags", ())] for cell in cells]
    inputs = [name, kernel, *_versions(), *_pins(root / LOCK), marks, _codes(notebook)]
    inputs.append(of_all or all_files())

    def work_out() -> str:
        parts = [name, kernel, *_versions(), *_pins(root / LOCK), *map(_cell, cells)]
        content = hashlib.sha256(json.dumps(parts).encode())
        for path in sorted(files(_codes(notebook)), key=_place):
            content.update(_place(path).encode() + b"\0" + _content(path))
        run = _RUNS.read_text("utf-8")
        content.update(_understood(run, __package__)[1].encode())
        return content.hexdigest()[:16]

    return remembered(root, inputs, work_out)


def all_files() -> str:
    """A digest of all files that a chapter may depend on: while it is the same, so is its key."""
    content = hashlib.sha256()
    paths = [path for room in rooms().values() for path in _inside(room)]
    for path in sorted([*paths, Path(__file__), _RUNS]):
        content.update(str(path).encode() + b"\0" + path.read_bytes())
    return content.hexdigest()


def up_to_date(root: Path, name: str, result: dict) -> bool:
    """Whether the code that a result shows is still in its file, comments and all."""
    for cell in result["cells"]:
        for output in cell.get("outputs", ()):
            first, _, listing = output.get("data", {}).get("text/plain", "").partition("\n")
            if first == "# this notebook":
                codes = [plain(code) for code in _codes(_read(root, name))]
            elif (room := rooms().get(first[2:].partition("/")[0])) and first.endswith(".py"):
                path = room.parent / first[2:]
                codes = [path.read_text("utf-8")] if path.is_file() else []
            else:
                continue
            places = (text for code in codes for text in (code, idea(code)))
            if not any(_stripped(listing) in _stripped(text) for text in places):
                return False
    return True


def _stripped(code: str) -> str:
    return "\n".join(line.strip() for line in ("", *code.splitlines(), ""))


def _cell(cell: dict) -> list | None:
    """What counts of a cell; of the one that installs, only that it is there."""
    if cell.get("id") == INSTALL:
        return None
    code = plain("".join(cell["source"]))
    silent = ";" in code and DisplayHook.semicolon_at_end_of_expression(code)
    tags = sorted(_TAGS & {*cell["metadata"].get("tags", ())})
    # a traceback shows the code as it is written
    return [code if "raises-exception" in tags else _understood(code)[1], silent, tags]


def _content(path: Path) -> bytes:
    if path.suffix != ".py":
        return path.read_bytes()
    return _understood(path.read_text("utf-8"), _place(path))[1].encode()


def _pins(lock: Path) -> list[str]:
    """The lines of the lock file in order, without comments."""
    lines = lock.read_text("utf-8").splitlines() if lock.exists() else []
    return sorted(filter(None, (re.sub(r"(^|\s)#.*", "", line).strip() for line in lines)))


def weight(root: Path, name: str) -> int:
    """How many files a chapter depends on: those that train models need more, and run longer."""
    return len(files(_codes(_read(root, name))))


def _read(root: Path, name: str) -> dict:
    return json.loads((root / f"{name}.ipynb").read_text(encoding="utf-8"))


def _codes(notebook: dict) -> list[str]:
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _room(path: Path) -> Path:
    """The folder of the package that a file is in."""
    return next(room for room in rooms().values() if path.is_relative_to(room))


def _place(path: Path) -> str:
    """A file's place, from the name of its package on."""
    return path.relative_to(_room(path).parent).as_posix()


def files(codes: list[str]) -> set[Path]:
    """The modules that the cells import, directly or not, and their data."""
    every = {path for room in rooms().values() for path in _inside(room)}
    try:
        modules = _closure({path for code in codes for path in _run(_understood(plain(code))[0])})
    except Everything:
        modules = {path for path in every if path.suffix == ".py"}
    return modules | {path for path in every if _is_data(path) and _counts(path, modules)}


@functools.cache
def _inside(room: Path) -> list[Path]:
    return [path for path in room.rglob("*") if path.is_file() and path.suffix != ".pyc"]


def _closure(modules: set[Path]) -> set[Path]:
    todo, reached = [*modules], set(modules)
    while todo:
        path = todo.pop()
        fresh = _module(path, path.stat().st_mtime_ns)[0] - reached
        todo += fresh
        reached |= fresh
    return reached


@functools.cache
def _module(path: Path, _changed: int) -> tuple[set[Path], str]:
    """The files that a module imports, and what it does."""
    names, does = _understood(path.read_text("utf-8"), _place(path))
    return _run(names), does


@functools.cache
def _understood(code: str, place: str = "") -> tuple[Names | None, str]:
    """What Python code imports, and what it does: a digest that no comment changes.

    The names are None if they cannot be told by reading the code, of a module at this place or of a
    cell. A docstring that is a question stays.
    """
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return None, code
    foreseen = place == FORESEEN or not any(name in code for name in _CHOOSES)
    inside = tuple(place.split("/")[:-1])
    names = {name for node in _statements(tree.body) for name in _names(node, inside)}
    imported = frozenset(names) if foreseen or not _chooses(tree) else None
    question = (ast.get_docstring(tree) or "").partition("\n")[0] if _EXPECTED in code else ""
    for node in _statements([tree] if place else tree.body):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            del node.body[0]
    tree.body = [node for node in tree.body if not _is_version(node)]
    return imported, hashlib.sha256(f"{question} {ast.dump(tree)}".encode()).hexdigest()


def _is_version(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and ast.unparse(node.targets) == "__version__"


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


def _run(names: Names | None) -> set[Path]:
    """The files that run when these modules are imported: their packages' and their own."""
    own = {name for name in names or () if name[0] in rooms()}
    if names is None or any(name[-1] == "*" for name in own):
        raise Everything
    return {path for room, *parts in own for path in _on_the_way(rooms()[room], parts)}


def _on_the_way(room: Path, parts: list[str]) -> Iterator[Path]:
    for end in range(len(parts) + 1):
        place = room.joinpath(*parts[:end])
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


@functools.cache
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
    return [platform.python_version(), version("torch")]
