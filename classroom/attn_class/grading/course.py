"""What an answer may import of the course itself.

The sandbox holds a copy of the textbook without its views, and none of the rooms beside it. An
exercise is about the module after which its folder is named, so its answers may import neither that
module nor what is built on it; what the file of the exercise itself imports is always allowed. For
an exercise about `weights` that leaves `alignment`, `masks` and `tasks`, but not `weights` and
`context`. The refusal is a rule of the course, not a wall: its modules are public, and a student
who reads one of these files in the sandbox could have copied it from the book.
"""

import ast
import functools
import re
import shutil
from pathlib import Path

import attn_course
from attn_class import exercises
from attn_class.exercises.frame import Exercise
from attn_class.grading.bindings import reached

PACKAGE = Path(attn_course.__file__).parent
NAME = PACKAGE.name
EXERCISES = "attn_class.exercises"
ROOMS = ("attn_class", "attn_lab", "attn_own")
OFFERED = (
    *("__init__", "_rows", "_check", "_signature", "_values", "symbols", "packing"),
    *("alignment", "masks", "weights", "context", "gradients", "self_attention"),
    *("memory", "crosstalk", "tasks", "model_file", "models"),
    *("training", "progress", "search", "interventions", "patching", "measures", "claims"),
)


def copy_to(folder: Path) -> None:
    """Put the part of the package that is offered into a folder."""
    target = folder / NAME
    _made(target)
    for file in _offered().values():
        copy = target / file.relative_to(PACKAGE)
        _made(copy.parent)
        shutil.copyfile(file, copy)
        copy.chmod(0o644)


def _made(folder: Path) -> None:
    """A folder that everybody may read, whatever the teacher's umask is."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)


def refused(exercise: Exercise) -> list[str]:
    """The modules that an answer to this exercise may not import."""
    always = [*ROOMS, *(f"{NAME}.{part}" for part in _parts() if part not in OFFERED)]
    module = _module_of(exercise)
    if module is None:
        return always
    topic = f"{NAME}.{module.split('.')[2]}"
    about = {name for name in _offered() if name == topic or name.startswith(topic + ".")}
    about -= {topic} if (PACKAGE / topic.split(".")[1]).is_dir() else set()
    built_on = reached(about, _importers())
    own = _imports(
        Path(exercises.__file__).parent.joinpath(*module.split(".")[2:]).with_suffix(".py")
    )
    allowed = reached(
        own & _offered().keys(), {one: _imports(_offered()[one]) for one in _offered()}
    )
    return sorted({*always, *(built_on - allowed)})


def _module_of(exercise: Exercise) -> str | None:
    """The module of the course that an exercise stands in, if it is one of the chapters'."""
    modules = (one.holds.__module__ for one in exercise.properties)
    return next((module for module in modules if re.match(rf"{EXERCISES}\.\w+\.", module)), None)


@functools.cache
def _parts() -> frozenset[str]:
    """The names of the modules and folders right below the package."""
    return frozenset(
        path.stem
        for path in PACKAGE.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    )


@functools.cache
def _offered() -> dict[str, Path]:
    """The modules that are offered, by their full names."""
    files = [path for part in OFFERED for path in _files(part)]
    return {_name(path): path for path in files}


def _files(part: str) -> list[Path]:
    folder = PACKAGE / part
    return sorted(folder.glob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


def _name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def _imports(path: Path) -> frozenset[str]:
    """The modules of the course that a file imports, wherever the import is."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(names & (_offered().keys() - {NAME}))


@functools.cache
def _importers() -> dict[str, set[str]]:
    """For each module that is offered, those that import it."""
    return {
        name: {other for other, path in _offered().items() if name in _imports(path)}
        for name in _offered()
    }
