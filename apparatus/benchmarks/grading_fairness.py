"""Is a mark the same whatever the seed? Five fixed answers to each of several exercises.

    python -m apparatus.benchmarks.grading_fairness

The answers are those of `classroom/specimens/exercises`. All are graded once, and five of them,
from the best mark to the worst, are then graded under 100 seeds. grading_fairness.md has the range
of the marks of each answer, and the number of seeds under which it got its most frequent mark. An
exercise is fair if that number is always that of all seeds. These answers are known, so no sandbox
is needed; a test in classroom/tests/grading grades a sample of the table in one.
"""

import argparse
import ast
import importlib
import importlib.util
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import torch

from attn_class.exercises.frame import Exercise, _here
from attn_class.grading.extract import answer_in
from attn_class.grading.marks import Submission, Varied, seed_of

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).with_suffix(".md")
QUALITIES = 5
EXERCISES = (
    *("alignment.additive_score", "context.contexts", "gradients.clip_by_norm"),
    *("measures.clipped_precision", "models.decoder_step"),
    *("weights.causal_weights", "weights.masked_weights", "weights.safe_softmax"),
)


class Range(NamedTuple):
    """The marks of one answer under many seeds."""

    exercise: str
    answer: str
    maximum: int
    marks: Counter

    @property
    def is_one(self) -> bool:
        return len(self.marks) == 1


def handed_in(name: str) -> dict[str, Submission]:
    """Right and wrong answers to an exercise as notebooks of two cells."""
    path = (
        ROOT / "classroom" / "specimens" / "exercises" / Path(*name.split(".")).with_suffix(".py")
    )
    spec = importlib.util.spec_from_file_location(f"answers_to_{path.stem}", path)
    answers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(answers)
    source, function = path.read_text("utf-8"), exercise_of(name).function
    expressions = {
        each.arg: ast.unparse(each.value)
        for each in ast.walk(ast.parse(source))
        if isinstance(each, ast.keyword) and isinstance(each.value, ast.Lambda)
    }
    found = {}
    for answer in chain(answers.RIGHT, *answers.WRONG.values()):
        bound = expressions.get(answer.__name__, answer.__code__.co_name)
        cells = [source, getattr(answer, "text", ""), f"{function} = {bound}"]
        found[answer.__name__] = Submission("ada", cells)
    return {each: one for each, one in found.items() if "attn_course" not in _needed(one, function)}


def _needed(submission: Submission, name: str) -> str:
    """The code that an answer needs; imports of the course may be refused when it is graded."""
    return answer_in(submission.cells, name).source


def exercise_of(name: str) -> Exercise:
    return importlib.import_module(f"attn_class.exercises.{name}").exercise


def points(exercise: Exercise, submission: Submission, seed: object) -> int:
    """The points that `grade` gives, without a sandbox."""
    names: dict = {"__name__": "answer"}
    exec(answer_in(submission.cells, exercise.function).source, names)
    varied = Varied(_here(names[exercise.function], exercise.without))
    findings = list(exercise.findings(varied, seed_of(exercise, submission, seed)))
    return 0 if varied.verdict() else sum(each.property.points for each in findings if each.holds)


def of_five_qualities(name: str) -> dict[str, Submission]:
    """Five answers with marks as far apart as the answers allow, the best of them first."""
    answers = handed_in(name)
    exercise = exercise_of(name)
    marks = {each: points(exercise, answers[each], "first") for each in answers}
    order = sorted(answers, key=lambda each: -marks[each])
    different = {marks[each]: each for each in reversed(order)}  # one answer for each mark
    chosen = _spread([different[mark] for mark in sorted(different, reverse=True)])
    chosen += [each for each in order if each not in chosen][: QUALITIES - len(chosen)]
    return {each: answers[each] for each in chosen}


def ranges(name: str, seeds: Sequence[object]) -> list[Range]:
    exercise = exercise_of(name)
    maximum = sum(each.points for each in exercise.properties)
    return [
        Range(name, answer, maximum, Counter(points(exercise, submission, each) for each in seeds))
        for answer, submission in of_five_qualities(name).items()
    ]


def table(found: Sequence[Range], seeds: int) -> str:
    lines = [
        f"# The marks of fixed answers under {seeds} seeds",
        "",
        "Written by `python -m apparatus.benchmarks.grading_fairness`.",
        "",
        "| exercise | answer | of | marks | seeds with the most frequent mark |",
        "|---|---|---|---|---|",
    ]
    for each in found:
        marks = ", ".join(str(mark) for mark in sorted(each.marks))
        most = each.marks.most_common(1)[0][1]
        lines.append(f"| {each.exercise} | {each.answer} | {each.maximum} | {marks} | {most} |")
    return "\n".join(lines) + "\n"


def stored(path: Path = TABLE) -> list[tuple[str, str, set[int]]]:
    """Exercise, answer and marks of each line of the table."""
    lines = [line.strip("| ").split(" | ") for line in path.read_text("utf-8").splitlines()[6:]]
    return [
        (exercise, answer, {int(mark) for mark in marks.split(", ")})
        for exercise, answer, _, marks, _ in lines
    ]


def _spread(several: list[str]) -> list[str]:
    """At most five of them, evenly spaced, the first and the last included."""
    if len(several) <= QUALITIES:
        return several
    return [several[k * (len(several) - 1) // (QUALITIES - 1)] for k in range(QUALITIES)]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--seeds", type=int, default=100)
    words.add_argument("--exercises", nargs="+", default=EXERCISES)
    words.add_argument("--table", type=Path, default=TABLE)
    given = words.parse_args()
    torch.set_num_threads(1)
    found = []
    for name in given.exercises:
        found += ranges(name, range(given.seeds))
        moved = [each.answer for each in found if each.exercise == name and not each.is_one]
        print(f"{name}: {', '.join(moved) or 'every mark is one mark'}", flush=True)
        given.table.write_text(table(found, given.seeds), encoding="utf-8")


if __name__ == "__main__":
    main()
