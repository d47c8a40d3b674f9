"""nbgrader: the folder of a course, with the notebooks in source/."""

import re
from collections.abc import Iterator, Sequence

import nbformat
from nbformat import v4

from attn_class.assignments.notebooks import cell_of, written
from attn_class.assignments.source import (
    HIDDEN,
    RUBRIC,
    SOLUTION,
    Assignment,
    Cell,
    points_in,
    tested,
)
from attn_class.assignments.targets.carried import course, inside, points, secret

CONFIG = '''"""nbgrader reads this in the folder of the course."""

from pathlib import Path

from attn_class.grading.systems import nbgrader

nbgrader.configure(get_config(), Path(__file__).resolve().parent / "private")  # noqa: F821
'''
TESTS = """# {call}: {points} points
### BEGIN HIDDEN TESTS
raise RuntimeError("not graded: nbgrader_config.py of the course was not read")
### END HIDDEN TESTS"""
SCHEMA = 3


def files(assignments: Sequence[Assignment], seed: str | None) -> dict[str, str | bytes]:
    carried = course()
    carried.pop("setup.sh")
    tree = {**carried, "nbgrader_config.py": CONFIG, "private/seed": secret(seed)}
    for task in assignments:
        tree |= inside(f"private/{task.name}", {"grader.py": task.grader})
        tree[f"source/{task.name}/{task.name}.ipynb"] = written(list(cells(task)))
    return tree


def cells(assignment: Assignment) -> Iterator[nbformat.NotebookNode]:
    """The student's cells, marked as nbgrader wants them, each followed by those of its tests."""
    for number, cell in enumerate(assignment.cells):
        new = cell_of(cell, cell.student())
        if new is not None:
            marked = _metadata(cell)
            if marked:
                new.metadata["nbgrader"] = {**marked, "grade_id": f"cell-{number}"}
            yield new
        for exercise in tested(cell.only(HIDDEN), assignment.exercises):
            text = TESTS.format(call=exercise.call, points=points(exercise))
            tests = v4.new_code_cell(text)
            tests.metadata["nbgrader"] = _marked(
                grade=True, locked=True, points=points(exercise)
            ) | {"grade_id": re.match(r"\w+", exercise.call)[0]}
            yield tests


def _metadata(cell: Cell) -> dict:
    """What nbgrader has to know about a cell: whether students answer in it, and who marks it."""
    rubric = cell.only(RUBRIC).splitlines()
    answered = any(getattr(part, "kind", "") == SOLUTION for part in cell.parts)
    if rubric and answered:
        return _marked(grade=True, solution=True, points=points_in(rubric))
    if rubric:
        return _marked(task=True, points=points_in(rubric))
    return _marked(solution=True) if answered else {}


def _marked(**flags: object) -> dict:
    kinds = {"grade": False, "solution": False, "locked": False, "task": False}
    return {**kinds, "schema_version": SCHEMA, **flags}
