"""Answers in words, question by question: without names, beside the lines of the rubric.

What an assignment asks in words stands in ``private/rubric.md``, beside the grader's file. An
answer is what a student's notebook has below the heading of the question and the notebook that was
handed out has not. A code stands for the student, who is therefore not known while being marked.
"""

import difflib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from attn_class.grading.adjust import COLUMNS, Row
from attn_class.grading.handed_in import digest
from attn_class.grading.report import filled, put
from attn_class.grading.roster import sheet

_TITLE = re.compile(r"## (?P<title>.+): \d+")
_HEADING = re.compile(r"#+ (?P<title>.+) \(\d+ points?\)")
_READ = "To be read and marked:"
_POINTS = re.compile(r"- (?P<points>\d+) points?\b")


class Question(NamedTuple):
    """What is asked below one heading, with the lines of its rubric."""

    title: str
    rubric: tuple[str, ...]

    @property
    def points(self) -> int:
        return sum(int(match["points"]) for match in map(_POINTS.match, self.rubric) if match)


class WrittenPart(NamedTuple):
    """The questions of an assignment, and the lines that everybody was given."""

    questions: tuple[Question, ...]
    lines: frozenset[str]


def written_part(exercises: Iterable[str]) -> WrittenPart | None:
    """What the assignment of one of these files for graders asks in words; None if it is none."""
    for file in (Path(exercise.rpartition(":")[0] or exercise) for exercise in exercises):
        rubric = file.with_name("rubric.md")
        if file.suffix == ".py" and rubric.is_file():
            return WrittenPart(
                tuple(_questions(rubric.read_text("utf-8"))), frozenset(_handed_out(file))
            )
    return None


def _questions(rubric: str) -> Iterable[Question]:
    title, lines, is_read = "", [], False
    for line in (*rubric.splitlines(), "## end: 0"):
        if heading := _TITLE.fullmatch(line):
            if lines:
                yield Question(title, tuple(lines))
            title, lines, is_read = heading["title"], [], False
        is_read |= line == _READ
        if is_read and line.startswith("- "):
            lines.append(line)


def _handed_out(grader: Path) -> Iterable[str]:
    """The lines of the notebook that was handed out, if it still lies where it was made."""
    folder = grader.parent.parent
    path = folder / f"{folder.name}.ipynb"
    if path.is_file():
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            yield from (line.strip() for line in "".join(cell["source"]).splitlines())


def answers_in(cells: Iterable[str], part: WrittenPart) -> dict[str, str]:
    """A student's answer to each question, from the cells that are no code."""
    answers: dict[str, list[str]] = {question.title: [] for question in part.questions}
    below = None
    for line in "\n\n".join(cells).splitlines():
        if heading := _HEADING.fullmatch(line.strip()):
            below = answers.get(heading["title"])
        elif below is not None and line.strip() not in part.lines - {""}:
            below.append(line)
    return {title: "\n".join(lines).strip() for title, lines in answers.items()}


def code(seed: str, student: str) -> str:
    """What stands for a student while answers are read: nobody without the seed can tell whom."""
    return f"#{digest(seed, 'words', student)[:6]}"


def page(part: WrittenPart, answers: Mapping[str, Mapping[str, str]]) -> str:
    """All answers to each question, by the code of a student; equal ones stand together."""
    questions = []
    for question in part.questions:
        same: dict[str, list[str]] = {}
        for student, texts in sorted(answers.items()):
            same.setdefault(texts[question.title], []).append(student)
        questions.append((question, same.items()))
    return filled("words", title="Answers in words", questions=questions)


def check(part: WrittenPart, rows: Sequence[Row]) -> None:
    """A ValueError for a part of the teacher's own whose name is nearly that of a question."""
    titles = {question.title.casefold(): question.title for question in part.questions}
    for row in rows:
        if row.points.of is not None and row.exercise not in titles.values():
            for near in difflib.get_close_matches(row.exercise.casefold(), titles, 1, 0.7):
                raise ValueError(f"{row.place}: expected {titles[near]!r}, not {row.exercise!r}")


def changed(
    store: Path, answers: Mapping[str, Mapping[str, str]], rows: Sequence[Row], code_of: Callable
) -> list[str]:
    """The answers that are others than when they got their points, which ``store`` keeps."""
    before = json.loads(store.read_text("utf-8")) if store.exists() else {}
    now, others = {}, []
    for row in rows:
        text = answers.get(code_of(row.student), {}).get(row.exercise)
        if text is not None and row.points.number is not None:
            place = f"{code_of(row.student)} {row.exercise}"
            line = [digest(text), f"{row.points} {row.comment}"]
            old = before.get(place, line)
            if old[0] != line[0] and old[1] == line[1]:
                others.append(place)
                line = old
            now[place] = line
    put(store, json.dumps(before | now, indent=1))
    return others


def to_be_marked(
    part: WrittenPart, students: Iterable[str], rows: Sequence[Row], code_of: Callable[[str], str]
) -> str:
    """Lines for ``adjust.csv``, one for each answer that has no points there yet."""
    marked = {(code_of(row.student), row.exercise) for row in rows if row.points.number is not None}
    waiting = [COLUMNS]
    for question in part.questions:
        for student in sorted(students):
            if (student, question.title) not in marked:
                waiting.append((student, question.title, "", f"/{question.points}", "", "", ""))
    return sheet(waiting)
