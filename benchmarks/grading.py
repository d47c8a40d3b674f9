r"""How fast is a class graded, and how much memory does the grader need?

    python -m benchmarks.grading

A class with right and wrong answers to twelve exercises is graded as by `make grade`, two students
at a time: in sandboxes, and in plain processes without walls. For comparison, what no way of
grading can do without: the same checks in the grader's own process, one answer after the other,
with no protection at all. In each round all ways run one after the other, so that a machine that
slows down favours none. The output is the median and the range of the ratios over the rounds, the
time that 300 submissions would take, and the memory of the largest process.

    python -m benchmarks.grading --assignment attention-from-an-empty-file --students 300 \
        --rounds 1 --ways sandboxes

grades a whole class: each student answers every function of the assignment, with the next of the
answers from its tests.
"""

import argparse
import ast
import itertools
import json
import os
import resource
import statistics
import tempfile
import textwrap
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import torch

from attn_course.exercises.frame import Exercise, NotAttempted, _here
from attn_course.grading import classroom, sandbox
from attn_course.grading.classroom import graded
from attn_course.grading.extract import answer_in
from attn_course.grading.notebooks import code_cells
from benchmarks.coursework_fairness import answers_to, exercises_of
from benchmarks.grading_fairness import exercise_of, handed_in
from tools.coursework.__main__ import products

EXERCISES = (
    *("alignment.additive_score", "alignment.general_score", "context.contexts"),
    *("gradients.path_count", "gradients.clip_by_norm", "measures.clipped_precision"),
    *("models.decoder_step", "models.write_from_one_vector", "search.beam_search"),
    *("search.greedy_search", "weights.masked_weights", "weights.causal_weights"),
)
ROOT = Path(__file__).parents[1]
CLASS = 300
SEED = "a seed that only this script knows"


class Class(NamedTuple):
    """A folder of submissions, and what they are graded with, as names and as exercises."""

    folder: Path
    names: Sequence[str]
    exercises: Sequence[Exercise]


def class_of_chapters(place: Path, students: int) -> Class:
    hand_in(place, students)
    return Class(place, EXERCISES, [exercise_of(each) for each in EXERCISES])


def class_of_assignment(place: Path, students: int, assignment: str) -> Class:
    """The grader lies beside the folder of the submissions, as `make coursework` writes it."""
    source = ROOT / "coursework" / assignment / "assignment.py"
    folder, grader = place / "handed-in", place / "grader.py"
    grader.write_text(products(source, assignment)["private/grader.py"], encoding="utf-8")
    folder.mkdir()
    _write(folder, students, list(alone_in(assignment).values()))
    return Class(folder, [str(grader)], list(exercises_of(assignment).values()))


def hand_in(folder: Path, students: int, exercises: Sequence[str] = EXERCISES) -> None:
    """Each student answers each exercise with the next of the answers from its tests."""
    _write(folder, students, [alone(name) for name in exercises])


def _write(folder: Path, students: int, answers: Sequence[Sequence[str]]) -> None:
    following = [itertools.cycle(each) for each in answers]
    for number in range(students):
        cells = list(map(next, following))
        notebook = {"cells": [{"cell_type": "code", "source": cell} for cell in cells]}
        path = folder / f"student{number:03}.ipynb"
        path.write_text(json.dumps(notebook), encoding="utf-8")


def alone(name: str) -> list[str]:
    """The answers to an exercise, each with all that it needs inside the function.

    In a notebook with several answers, helpers could otherwise have the same names.
    """
    function = exercise_of(name).function
    sources = [answer_in(each.cells, function).source for each in handed_in(name).values()]
    return [_within(function, each) for each in sources]


def alone_in(assignment: str) -> dict[str, list[str]]:
    """The same for the functions of an assignment whose tests have answers."""
    answers = answers_to(assignment)
    (path,) = {each.__code__.co_filename for of in answers.values() for each in of.values()}
    tree = ast.parse(Path(path).read_text("utf-8"))
    for each in tree.body:
        if isinstance(each, ast.FunctionDef):
            each.decorator_list = []  # which only say whether an answer is right
    source = ast.unparse(tree)
    return {
        function: [
            _within(function, answer_in([source, f"{function} = {name}"], function).source)
            for name in named
        ]
        for function, named in answers.items()
    }


def _within(function: str, source: str) -> str:
    """A function of this name that holds all of a source."""
    lines = textwrap.indent(source, "    ")
    return f"def {function}(*values, **named):\n{lines}\n    return {function}(*values, **named)"


def with_walls(handed: Class) -> None:
    with tempfile.TemporaryDirectory() as results:
        graded(handed.folder, Path(results), handed.names, SEED)


def without_walls(handed: Class) -> None:
    """Every worker that starts here is told that there is no isolation, and uses none."""
    before = classroom._prepare
    classroom._prepare = _prepare_without_walls
    try:
        with_walls(handed)
    finally:
        classroom._prepare = before


def _prepare_without_walls() -> None:
    torch.set_num_threads(1)
    sandbox.isolation = lambda: "left out, to see what it costs"


def in_this_process(handed: Class) -> None:
    for path in sorted(handed.folder.iterdir()):
        cells = code_cells(path)
        for exercise in handed.exercises:
            names: dict = {"__name__": "answer"}
            exec(answer_in(cells, exercise.function).source, names)
            try:
                list(exercise.findings(_here(names[exercise.function], exercise.without), SEED))
            except NotAttempted:
                continue


WAYS: dict[str, Callable[[Class], None]] = {
    "sandboxes": with_walls,
    "plain processes": without_walls,
    "the grader's own process": in_this_process,
}


def seconds(way: Callable[[Class], None], handed: Class) -> float:
    start = time.monotonic()
    way(handed)
    return time.monotonic() - start


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--students", type=int, default=20)
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--assignment", help="a folder of coursework, instead of the exercises")
    words.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    given = words.parse_args()
    torch.set_num_threads(1)
    found: dict[str, list[float]] = {name: [] for name in given.ways}
    with tempfile.TemporaryDirectory() as place:
        handed = (
            class_of_assignment(Path(place), given.students, given.assignment)
            if given.assignment
            else class_of_chapters(Path(place), given.students)
        )
        for _ in range(given.rounds):
            for name, several in found.items():
                several.append(seconds(WAYS[name], handed))
    for name, several in found.items():
        ratios = [one / first for one, first in zip(several, found[given.ways[0]], strict=True)]
        minutes = statistics.median(several) / given.students * CLASS / 60
        print(
            f"{name}: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) "
            f"times the time in {given.ways[0]}; {CLASS} submissions in {minutes:.1f} minutes"
        )
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{given.students} submissions a round; load of the machine at the end: {load}")
    for who, name in (
        (resource.RUSAGE_SELF, "parent"),
        (resource.RUSAGE_CHILDREN, "largest child"),
    ):
        print(f"memory of the {name}: {resource.getrusage(who).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
