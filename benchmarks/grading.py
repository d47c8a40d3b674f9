"""How fast is a class graded, and how much memory does the grader need?

    python -m benchmarks.grading

A class with right and wrong answers to twelve exercises is graded as by `make grade`, two students
at a time: in sandboxes, and in plain processes without walls. Beside it stands what no way of
grading can do without, the same checks in the grader's own process, one answer after the other,
which gives no protection at all. All run in one round, one after the other, so that a machine that
slows down favours none. Printed are the median and the range of the ratios over the rounds, the
time that 300 submissions would take, and the memory of the largest process.
"""

import argparse
import itertools
import json
import resource
import statistics
import tempfile
import textwrap
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from attn_course.exercises.frame import NotAttempted, _here
from attn_course.grading import classroom, sandbox
from attn_course.grading.classroom import code_cells, graded
from attn_course.grading.extract import answer_in
from benchmarks.grading_fairness import exercise_of, handed_in

EXERCISES = (
    *("alignment.additive_score", "alignment.general_score", "context.contexts"),
    *("gradients.path_count", "gradients.clip_by_norm", "measures.clipped_precision"),
    *("models.decoder_step", "models.write_from_one_vector", "search.beam_search"),
    *("search.greedy_search", "weights.masked_weights", "weights.causal_weights"),
)
CLASS = 300
SEED = "a seed that only this script knows"


def hand_in(folder: Path, students: int, exercises: Sequence[str] = EXERCISES) -> None:
    """Each student answers each exercise with the next of the answers of its tests."""
    answers = [itertools.cycle(alone(name)) for name in exercises]
    for number in range(students):
        cells = list(map(next, answers))
        notebook = {"cells": [{"cell_type": "code", "source": cell} for cell in cells]}
        path = folder / f"student{number:03}.ipynb"
        path.write_text(json.dumps(notebook), encoding="utf-8")


def alone(name: str) -> list[str]:
    """The answers to an exercise, each with all that it needs in the function itself.

    In one notebook with answers to others, their helpers would have the same names.
    """
    function = exercise_of(name).function
    sources = [answer_in(each.cells, function)[0] for each in handed_in(name).values()]
    return [
        f"def {function}(*values):\n{textwrap.indent(each, '    ')}\n    return {function}(*values)"
        for each in sources
    ]


def with_walls(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as results:
        graded(folder, Path(results), EXERCISES, SEED)


def without_walls(folder: Path) -> None:
    """The sandboxes that are started from here on have none; the workers ask for themselves."""
    before = classroom._prepare
    classroom._prepare = _prepare_without_walls
    try:
        with_walls(folder)
    finally:
        classroom._prepare = before


def _prepare_without_walls() -> None:
    torch.set_num_threads(1)
    sandbox.isolation = lambda: "left out, to see what it costs"


def in_this_process(folder: Path) -> None:
    for path in sorted(folder.iterdir()):
        cells = code_cells(path)
        for exercise in map(exercise_of, EXERCISES):
            names: dict = {"__name__": "answer"}
            exec(answer_in(cells, exercise.function)[0], names)
            try:
                list(exercise.findings(_here(names[exercise.function], exercise.without), SEED))
            except NotAttempted:
                continue


WAYS: dict[str, Callable[[Path], None]] = {
    "sandboxes": with_walls,
    "plain processes": without_walls,
    "the grader's own process": in_this_process,
}


def seconds(way: Callable[[Path], None], folder: Path) -> float:
    start = time.monotonic()
    way(folder)
    return time.monotonic() - start


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--students", type=int, default=20)
    words.add_argument("--rounds", type=int, default=3)
    given = words.parse_args()
    torch.set_num_threads(1)
    found: dict[str, list[float]] = {name: [] for name in WAYS}
    with tempfile.TemporaryDirectory() as place:
        hand_in(Path(place), given.students)
        for _ in range(given.rounds):
            for name, way in WAYS.items():
                found[name].append(seconds(way, Path(place)))
    for name, several in found.items():
        ratios = [one / first for one, first in zip(several, found["sandboxes"], strict=True)]
        minutes = statistics.median(several) / given.students * CLASS / 60
        print(
            f"{name}: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) "
            f"times the time in sandboxes; {CLASS} submissions in {minutes:.1f} minutes"
        )
    largest = max(resource.getrusage(who).ru_maxrss for who in (0, resource.RUSAGE_CHILDREN))
    print(f"memory of the largest process: {largest / 1024:.0f} MB")


if __name__ == "__main__":
    main()
