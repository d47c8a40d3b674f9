"""A class list in, a table of marks out, in the form in which Canvas or Moodle takes it back.

Canvas: an export of the gradebook. It comes back with the columns that Canvas recognises a student
by and the column of one assignment. Moodle: an export of grades or participants with e-mail
addresses or id numbers. What cannot be such a list is a ValueError that says what was expected.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

CANVAS = ("ID", "SIS Login ID", "Section")
NAMES = (("Student",), ("LastName", "FirstName"))  # Canvas writes one column or two
TEST = "Student, Test"  # whom Canvas lists once a teacher has looked through a student's eyes
MOODLE = ("Email address", "ID number")
LATE = ("student", "late", "allowed")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
# what the two make of a file's name in a download of all submissions
_DOWNLOADED = (
    re.compile(r"[^_]+_(?:LATE_)?(?P<key>\d+)_\d+_"),
    re.compile(r"(?P<key>.+)_\d+_assignsubmission_(?:file|onlinetext)"),
)


class Student(NamedTuple):
    """A line of the class list: how the student is called, and the texts that mean nobody else."""

    name: str
    keys: frozenset[str]
    row: Mapping[str, str]
    shared: frozenset[str] = frozenset()  # what means others as well


class Roster(NamedTuple):
    """A class list. ``kind`` is "Canvas" or "Moodle", ``column`` takes the marks."""

    kind: str
    column: str
    head: Sequence[str]
    students: Sequence[Student]
    above: Sequence[Mapping[str, str]] = ()  # Canvas's lines that are no student's

    @property
    def possible(self) -> float | None:
        """The points that Canvas has for this assignment, if it says so."""
        # above them Canvas writes "Manual Posting", where marks are not shown at once
        found = [row[self.column].replace(",", ".") for row in self.above]
        return next((float(each) for each in found if _is_number(each)), None)


class Late(NamedTuple):
    """Days late, and how many of them cost nothing."""

    late: float
    allowed: float


class Sorted(NamedTuple):
    """Who handed in what: records by the student's name, and what is left over on both sides."""

    found: Mapping[str, dict]
    unknown: Sequence[tuple[str, str]]
    missing: Sequence[str]


def read(path: Path, assignment: str) -> Roster:
    """The class list in this file."""
    head, rows = _rows(path)
    if is_canvas(head):
        return _canvas(path, head, rows, assignment)
    if set(MOODLE) & set(head):
        return _moodle(path, head, rows, assignment)
    raise ValueError(
        f"{path} is not a class list: its first line has the columns {', '.join(head)[:200]!r}; "
        f"expected Canvas's Student, {', '.join(CANVAS)} and assignments, or Moodle's "
        f"{' or '.join(MOODLE)}"
    )


def is_canvas(head: Iterable[str]) -> bool:
    """Whether these are the columns of an export of Canvas's gradebook."""
    return any({*CANVAS, *names} <= set(head) for names in NAMES)


def read_late(path: Path, roster: Roster) -> dict[str, Late]:
    """Late days and accommodations by the student's name: a table student, late, allowed."""
    head, rows = _rows(path)
    if tuple(head) != LATE:
        raise ValueError(f"{path} has the columns {', '.join(head)}; expected {', '.join(LATE)}")
    found = {}
    for number, row in enumerate(rows, start=2):
        several = students_of(row["student"], roster)
        student = several[0] if len(several) == 1 else None
        days = [row[name].strip() or "0" for name in LATE[1:]]
        if student is None:
            came = f"{len(several)} students" if several else "nobody"
            also = f"; expected one of {_listed(several)}" if several else ""
            raise ValueError(
                f"{path}, line {number}: {row['student']!r} matches {came} in the class list{also}"
            )
        if student.name in found:
            raise ValueError(f"{path}, line {number}: {row['student']!r} occurs twice")
        if not all(_is_number(each) and float(each) >= 0 for each in days):
            raise ValueError(
                f"{path}, line {number}: days must be numbers from 0 on, not {', '.join(days)}"
            )
        found[student.name] = Late(*map(float, days))
    return found


def student_of(name: str, roster: Roster) -> Student | None:
    """Whom a name means: a student's name, id, login or address, or a downloaded file's name."""
    found = students_of(name, roster)
    return found[0] if len(found) == 1 else None


def students_of(name: str, roster: Roster) -> list[Student]:
    """All whom a name may mean: whoever is called so, or those who share it."""
    wanted = {_plain(name)}
    wanted |= {_plain(match["key"]) for each in _DOWNLOADED if (match := each.match(name))}
    found = [each for each in roster.students if wanted & each.keys]
    return found or [each for each in roster.students if wanted & each.shared]


def called(name: str) -> str:
    """The name in a downloaded file's name, or all of it; upper case and spaces do not matter."""
    found = [match["key"] for each in _DOWNLOADED if (match := each.match(name))]
    return _plain(found[0] if found else name)


def assigned(records: Sequence[dict], roster: Roster) -> Sorted:
    """Which record is whose. A student with two of them has none until the teacher chooses."""
    who = [(student_of(record["student"], roster), record) for record in records]
    times = Counter(student.name for student, _ in who if student)
    found = {
        student.name: record for student, record in who if student and times[student.name] == 1
    }
    unknown = [
        (record["student"], _why(record["student"], roster))
        for student, record in who
        if not student
    ]
    unknown += [
        (record["student"], f"one of {times[student.name]} by {student.name}")
        for student, record in who
        if student and times[student.name] > 1
    ]
    missing = [each.name for each in roster.students if each.name not in {*times, TEST}]
    return Sorted(found, unknown, missing)


def _why(name: str, roster: Roster) -> str:
    several = students_of(name, roster)
    if not several:
        return "not in the class list"
    whose = _listed(several)
    return (
        f"may be by {whose}: rename it to the ID, login or address of one of them, and grade again"
    )


def _listed(students: Sequence[Student]) -> str:
    return " or ".join(each.name for each in students)


def counted(record: dict, late: Late, percent: float) -> float:
    """The points of a record, less what the days cost that were not allowed."""
    points = sum(mark["points"] for mark in record["marks"])
    days = max(0.0, late.late - late.allowed)
    return points * max(0.0, 1 - days * percent / 100)


def deducted(found: Sorted, late: Mapping[str, Late], percent: float) -> dict[str, str]:
    """What each late student is told, by the name under which they handed in."""
    sentences = {}
    for name, record in found.found.items():
        days = late.get(name, Late(0, 0))
        points = sum(mark["points"] for mark in record["marks"])
        left = counted(record, days, percent)
        if left < points:
            sentences[record["student"]] = (
                f"Handed in {days.late:g} days late, with {days.allowed:g} allowed: "
                f"{points - left:g} of {points:g} points are deducted, and {left:g} count."
            )
    return sentences


def table(records: Sequence[dict], roster: Roster, late: Mapping[str, Late], percent: float) -> str:
    """The class list with the marks. Who handed in nothing gets no zero.

    Canvas has "EX" for whoever is excused, and "N/A": what stands there stays.
    """
    found = assigned(records, roster).found
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerow([cell(name) for name in roster.head])
    for row in roster.above:
        lines.writerow([cell(row[name]) for name in roster.head])
    for student in roster.students:
        mark = student.row[roster.column] if roster.kind == "Canvas" else ""
        if student.name in found:
            record = found[student.name]
            points = counted(record, late.get(student.name, Late(0, 0)), percent)
            mark = f"{round(points * _scale(record, roster), 2):g}"
        row = {**student.row, roster.column: mark}
        lines.writerow([cell(row[name]) for name in roster.head])
    return text.getvalue()


def cell(text: str) -> str:
    """Text in a table that is opened in a spreadsheet: no formula, one line."""
    text = " ".join(text.split())
    return "'" + text if text.startswith(_FORMULA) else text


def _scale(record: dict, roster: Roster) -> float:
    maximum = sum(mark["maximum"] for mark in record["marks"])
    return 1.0 if roster.possible is None or not maximum else roster.possible / maximum


def _canvas(path: Path, head: list[str], rows: list[dict], assignment: str) -> Roster:
    others = [name for name in head if re.fullmatch(r".* \(\d+\)", name)]
    fitting = [each for each in others if assignment in (each, each.rsplit(" (", 1)[0])]
    if len(fitting) != 1:
        expected = f"ASSIGNMENT= one of {', '.join(others)}" if others else "one, created in Canvas"
        raise ValueError(
            f"{path} has {len(fitting)} columns for the assignment {assignment!r}; "
            f"expected {expected}"
        )
    names = next(each for each in NAMES if set(each) <= set(head))
    kept = [name for name in head if name in (*names, *CANVAS, "SIS User ID")]
    above = [row for row in rows if not row["ID"].strip()]
    students = [
        _student(", ".join(filter(None, map(row.get, names))), row, (*CANVAS[:2], "SIS User ID"))
        for row in rows
        if row["ID"].strip()
    ]
    return Roster("Canvas", fitting[0], [*kept, fitting[0]], _alone(path, students, "ID"), above)


def _moodle(path: Path, head: list[str], rows: list[dict], assignment: str) -> Roster:
    by = [name for name in MOODLE if name in head and all(row[name].strip() for row in rows)]
    if not by:
        raise ValueError(
            f"{path} has lines without {' or '.join(name for name in MOODLE if name in head)}; "
            "expected one of them in every line"
        )
    students = []
    for row in rows:
        last = row.get("Last name", row.get("Surname", ""))
        name = f"{row.get('First name', '')} {last}".strip() or row[by[0]]
        students.append(_student(name, row, MOODLE))
    return Roster("Moodle", assignment, [*by, assignment], _alone(path, students, by[0]))


def _student(name: str, row: dict, columns: Iterable[str]) -> Student:
    names = {name}
    last, comma, first = name.partition(",")
    if comma:
        names.add(f"{first} {last}")
    keys = names | {row[each] for each in columns if row.get(each)}
    return Student(" ".join(name.split()), frozenset(map(_plain, keys)) - {""}, row)


def _alone(path: Path, students: list[Student], column: str) -> list[Student]:
    """The students, each told from the others; who has another's name is named by this column."""
    if not students:
        raise ValueError(f"{path} lists no student")
    ids = Counter(_plain(each.row[column]) for each in students)
    twice = [each for each, times in ids.items() if times > 1]
    if twice:
        raise ValueError(f"{path} has two lines with the {column} {twice[0]!r}; expected one")
    keys = Counter(key for each in students for key in each.keys)
    shared = {key for key, times in keys.items() if times > 1}
    names = Counter(each.name for each in students)
    return [
        each._replace(keys=each.keys - shared, shared=each.keys & shared)
        if names[each.name] == 1
        else _told_apart(each, shared, column)
        for each in students
    ]


def _told_apart(student: Student, shared: set[str], column: str) -> Student:
    """One of those with the same name: the name that reports give them is theirs alone."""
    name = f"{student.name} ({student.row[column]})"
    return student._replace(
        name=name, keys=(student.keys - shared) | {_plain(name)}, shared=student.keys & shared
    )


def separator(text: str) -> str:
    """What stands between the cells of a table: the most frequent of three in its first line."""
    return max(",;\t", key=text.split("\n", 1)[0].count)


def _rows(path: Path) -> tuple[list[str], list[dict]]:
    """The first line, and the others by its names."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise ValueError(
            f"{path} cannot be read: {reason}; expected a table as CSV, which spreadsheets save as "
            "CSV UTF-8"
        ) from None
    cells = csv.reader(io.StringIO(text), delimiter=separator(text))
    lines = [line for line in cells if any(line)]
    if not lines:
        raise ValueError(f"{path} is empty; expected a table as CSV")
    head = [name.strip() for name in lines[0]]
    twice = [name for name, times in Counter(head).items() if times > 1 and name]
    if twice:
        raise ValueError(f"{path} has two columns {twice[0]!r}; expected only one")
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(head):
            raise ValueError(
                f"{path}, line {number} has {len(line)} cells; expected {len(head)}, as in line 1"
            )
    return head, [dict(zip(head, line, strict=True)) for line in lines[1:]]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", text.strip()) is not None
