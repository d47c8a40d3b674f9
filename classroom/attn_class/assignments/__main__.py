"""Make the assignments: what students get, and what only those who grade may see.

    python -m attn_class.assignments [NAME ...] [--sources coursework] [--to _build/coursework]
        [--target gradescope --seed-file secret]

For each folder NAME of the sources, with the source NAME/assignment.py:

    NAME/NAME.ipynb              to hand out
    NAME/private/grader.py       for make grade: the exercises, without solutions
    NAME/private/rubric.md       points of all parts, and what earns those of the written ones
    NAME/private/solved.ipynb    to hand out when everything is handed in

With --target they are made for one of the systems in `targets`, in a folder with its name. All
sources are read and tried before anything is written.
"""

import argparse
import os
import re
import shutil
import sys
import types
from pathlib import Path

from attn_class.assignments import source, targets
from attn_class.assignments.notebooks import notebook
from attn_class.assignments.source import HIDDEN, Assignment, Cell, Malformed, Part, tested
from attn_class.exercises.frame import Exercise
from attn_class.grading.secret import read_seed

ROOT = Path(__file__).resolve().parents[3]
SOURCES = ROOT / "classroom" / "coursework"
PAGE = "book/teach-systems.md"
BEFORE = """## Before you hand in

Save the notebook, and run this cell. It reads the file as the grader does and says what is found,
what is left out, and what may cost points. It executes nothing and tries no test."""
LOOK = """try:
    from attn_class.grading.before import look
except ImportError:
    print("This needs the packages of the course. You may hand in without it.")
else:
    look({!r}, {})"""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make coursework", description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*", help="some assignments; by default all")
    parser.add_argument("--sources", type=Path, default=SOURCES)
    parser.add_argument("--to", type=Path, default=ROOT / "_build" / "coursework")
    parser.add_argument("--target", choices=sorted(targets.TARGETS))
    parser.add_argument("--seed-file", type=Path, help="the secret of systems that keep one")
    options = parser.parse_args(arguments)
    try:
        names = known(options.names, found_in(options.sources))
        tasks = {name: assignment(options.sources / name / "assignment.py", name) for name in names}
        if options.target:
            seed = options.seed_file and read_seed(options.seed_file)
            files = targets.TARGETS[options.target](list(tasks.values()), seed)
    except ValueError as error:
        print(f"Nothing was made: {error}.", file=sys.stderr)
        return 2
    if options.target:
        put(options.to / options.target, files)
        print(f"{options.to / options.target} is made; {PAGE} says what to do with it.")
        return 0
    for name, files in ((name, products_of(task)) for name, task in tasks.items()):
        put(options.to / name, files)
        print(f"{options.to / name / name}.ipynb is to be handed out; private/ is not.")
    return 0


def found_in(folder: Path) -> list[str]:
    names = sorted(path.parent.name for path in folder.glob("*/assignment.py"))
    if not names:
        raise Malformed(f"{folder} holds no assignment; expected NAME/assignment.py")
    return names


def known(named: list[str], available: list[str]) -> list[str]:
    """The assignments that are named, or all."""
    strange = [name for name in named if name not in available]
    if strange:
        raise Malformed(f"no assignment is called {strange[0]!r}; expected {', '.join(available)}")
    return named or available


def products(path: Path, name: str) -> dict[str, str]:
    """The text of each file that is made from a source, by its name."""
    return products_of(assignment(path, name))


def assignment(path: Path, name: str) -> Assignment:
    """A source, read and tried."""
    cells = source.read(path)
    parts = source.parts(path, cells)
    grader = "\n\n\n".join(text for cell in cells if (text := cell.only(HIDDEN))) + "\n"
    exercises = _exercises(path, grader)
    _check(path, parts, exercises, "\n".join(cell.student() for cell in cells if not cell.is_text))
    return Assignment(name, cells, parts, exercises, grader)


def products_of(task: Assignment) -> dict[str, str]:
    """The text of each file. The student's notebook ends with a look at what the grader reads."""
    kinds_of = {exercise.function: list(exercise.without) for exercise in task.exercises.values()}
    end = [(Cell(True, []), BEFORE), (Cell(False, []), LOOK.format(f"{task.name}.ipynb", kinds_of))]
    return {
        f"{task.name}.ipynb": notebook([*((cell, cell.student()) for cell in task.cells), *end]),
        "private/solved.ipynb": notebook([(cell, cell.solved()) for cell in task.cells]),
        "private/grader.py": task.grader,
        "private/rubric.md": _rubric(task.name, task.parts, task.exercises),
    }


def put(folder: Path, files: dict[str, str | bytes]) -> None:
    """Write these files and no others, replacing what was there; none is left half written.

    A text that begins with "#!" is a program.
    """
    draft, old = (folder.with_name(f".{folder.name}.{what}") for what in ("draft", "old"))
    for path in (draft, old):
        shutil.rmtree(path, ignore_errors=True)
    for name, text in files.items():
        (draft / name).parent.mkdir(parents=True, exist_ok=True)
        content = text.encode() if isinstance(text, str) else text
        (draft / name).write_bytes(content)
        (draft / name).chmod(0o755 if content.startswith(b"#!") else 0o644)
    if folder.exists():
        os.replace(folder, old)
    os.replace(draft, folder)
    shutil.rmtree(old, ignore_errors=True)


def _exercises(path: Path, grader: str) -> dict[str, Exercise]:
    """The exercises of the hidden tests, by the name of the function that they ask for."""
    names = types.ModuleType("grader").__dict__
    try:
        exec(compile(grader, f"hidden tests of {path}", "exec", dont_inherit=True), names)
    except Exception as error:
        raise Malformed(f"{path}: the hidden tests do not run on their own: {error!r}") from error
    return {value.function: value for value in names.values() if isinstance(value, Exercise)}


def _check(path: Path, parts: list[Part], exercises: dict[str, Exercise], student: str) -> None:
    if not any(part.rubric for part in parts):
        raise Malformed(f"{path} has no rubric; expected ### BEGIN RUBRIC below a question")
    if not exercises:
        raise Malformed(f"{path} has no hidden tests; expected an Exercise between their marks")
    for name in exercises:
        if not re.search(rf"^def {name}\(", student, re.M):
            raise Malformed(f"{path}: {name} is graded; expected its stub in the student version")
    for part in parts:
        points = part.rubric_points + _tested_points(part, exercises)
        if points != part.points:
            raise Malformed(
                f"{path}: {part.title!r} promises {part.points} points; its tests and its rubric "
                f"give {points}"
            )


def _tested_points(part: Part, exercises: dict[str, Exercise]) -> int:
    return sum(item.points for one in tested(part.tests, exercises) for item in one.properties)


def _rubric(name: str, parts: list[Part], exercises: dict[str, Exercise]) -> str:
    total = sum(part.points for part in parts)
    lines = [f"# {name}: {total} points", ""]
    for part in parts:
        lines += [f"## {part.title}: {part.points}", ""]
        for one in tested(part.tests, exercises):
            lines += [f"`{one.call}` is graded by `make grade`:", ""]
            lines += [f"- {_points(item.points)}: {item.claim}" for item in one.properties]
            lines.append("")
        if part.rubric:
            lines += ["To be read and marked:", "", *part.rubric, ""]
    return "\n".join(lines)


def _points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"


if __name__ == "__main__":
    sys.exit(main())
