"""Otter: a folder per assignment, with the notebook that `otter assign` takes."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence

import nbformat
from nbformat import v4

from attn_class.assignments.notebooks import written
from attn_class.assignments.source import (
    HIDDEN,
    RUBRIC,
    SOLUTION,
    Assignment,
    Cell,
    points_in,
    tested,
)
from attn_class.assignments.targets.carried import LOCK, course, inside, points, secret

CONFIG = """# ASSIGNMENT CONFIG
name: {name}
init_cell: false
check_all_cell: false
export_cell: false
strip_solutions_from_all_cells: true
requirements: {lock}
run_tests: {tried}
autograder_files:
{wheels}
generate:
  show_hidden: true
  force_public_test_summary: false
plugins:
  - attn_class.grading.systems.otter.Marks:
      private: private"""
TESTS = '''""" # BEGIN TEST CONFIG
hidden: true
points: {points}
""" # END TEST CONFIG
raise RuntimeError("not graded: the plugin of the course did not run")'''


def files(assignments: Sequence[Assignment], seed: str | None) -> dict[str, str | bytes]:
    carried = course()
    wheels = {name: content for name, content in carried.items() if name.endswith(".whl")}
    lines = "".join(f"/autograder/source/files/{name}\n" for name in wheels)
    tree = {}
    for task in assignments:
        own = {
            f"{task.name}.ipynb": written(list(cells(task, wheels))),
            "private/grader.py": task.grader,
            "private/seed": secret(seed),
            **wheels,
            LOCK: lines + "".join(_pins(carried[LOCK])),
        }
        tree |= inside(task.name, own)
    return tree


def _pins(lock: str) -> Iterator[str]:
    """The versions of what the package itself needs; Otter brings its own of everything else."""
    for line in lock.splitlines(keepends=True):
        if re.match(r"(torch|numpy|jaxtyping|babel|num2words)==", line):
            yield line


def cells(assignment: Assignment, wheels: Iterable[str]) -> Iterator[nbformat.NotebookNode]:
    """The configuration, and the solved cells with their stubs as Otter's prompts."""
    tried = json.dumps(not _is_one_students(assignment))
    about = {"name": assignment.name, "lock": LOCK, "tried": tried}
    about["wheels"] = "\n".join(f"  - {name}" for name in wheels)
    yield v4.new_raw_cell(CONFIG.format(**about))
    questions = 0
    for cell in assignment.cells:
        rubric = cell.only(RUBRIC).splitlines()
        if rubric and cell.is_text:
            questions += 1
            yield from _question(cell, questions, points_in(rubric))
        else:
            text = cell.student() if cell.is_text else _prompted(cell)
            if text.strip():
                yield v4.new_markdown_cell(text) if cell.is_text else v4.new_code_cell(text)
        for exercise in tested(cell.only(HIDDEN), assignment.exercises):
            about = {"name": re.match(r"\w+", exercise.call)[0], "check_cell": False}
            yield _raw("BEGIN QUESTION", about | {"points": points(exercise)})
            yield _raw("BEGIN TESTS")
            yield v4.new_code_cell(TESTS.format(points=points(exercise)))
            yield _raw("END TESTS")
            yield _raw("END QUESTION")


def _is_one_students(assignment: Assignment) -> bool:
    """Whether the solved version has the variant of one student, so that it loses points here."""
    return any(re.search(r"^VARIANT = ", cell.student(), re.M) for cell in assignment.cells)


def _question(cell: Cell, number: int, most: int) -> Iterator[nbformat.NotebookNode]:
    """A question that is read and marked. Its text is locked, its stub is where students write."""
    question = "\n".join(part for part in cell.parts if isinstance(part, str)).strip("\n")
    stubs = [part.stub for part in cell.parts if not isinstance(part, str)]
    about = {"name": f"written_{number}", "manual": True, "points": most}
    yield _raw("BEGIN QUESTION", about)
    yield v4.new_markdown_cell(question or f"**In words ({most} points)**")
    yield _raw("BEGIN PROMPT")
    yield v4.new_markdown_cell("\n".join(line for stub in stubs for line in stub).strip("\n"))
    yield _raw("END PROMPT")
    yield _raw("END QUESTION")


def _raw(mark: str, about: dict | None = None) -> nbformat.NotebookNode:
    lines = [f"{name}: {json.dumps(value)}" for name, value in (about or {}).items()]
    return v4.new_raw_cell("\n".join([f"# {mark}", *lines]))


def _prompted(cell: Cell) -> str:
    """Code whose solutions Otter replaces with our stubs."""
    lines = []
    for part in cell.parts:
        if isinstance(part, str):
            lines.append(part)
        elif part.kind == SOLUTION:
            indent = re.match(r"\s*", part.lines[0] if part.lines else "")[0]
            lines += [f"{indent}# BEGIN SOLUTION NO PROMPT", *part.lines, f"{indent}# END SOLUTION"]
            lines += [f'{indent}""" # BEGIN PROMPT', *part.stub, f'{indent}""" # END PROMPT']
    return "\n".join(lines).strip("\n")
