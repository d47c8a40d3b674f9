"""A class list in, a table of marks out, in the form in which Canvas or Moodle takes it back.

Canvas: an export of the gradebook. It comes back with the columns that Canvas recognises a student
by and the column of one assignment. Moodle: an export of grades or participants with e-mail
addresses or id numbers, in any language, or the grading worksheet of an assignment, which comes
back whole. What cannot be such a list is a ValueError that says what was expected.
"""

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from attn_class.grading.headers import Columns, columns_of, participant
from attn_class.grading.names import (
    Downloaded,
    called,
    downloaded,
    plain,
    shown,
    splits,
    words,
)

CANVAS = ("ID", "SIS Login ID", "Section")
NAMES = (("Student",), ("LastName", "FirstName"))  # Canvas writes one column or two
TEST = "Student, Test"  # whom Canvas lists once a teacher has looked through a student's eyes
LATE = ("student", "late", "allowed")
_FORMULA = ("=", "+", "-", "@", "|", "%")


class Student(NamedTuple):
    """A line of the class list: how the student is called, and the texts that mean nobody else.

    ``listed`` is the name that a variant's code is drawn from. ``parts`` are the first and the last
    name, ``number`` is Moodle's for one assignment, and ``groups`` are teams.
    """

    name: str
    keys: frozenset[str]
    row: Mapping[str, str]
    shared: frozenset[str] = frozenset()  # what means others as well
    listed: str = ""
    parts: tuple[str, ...] = ()
    number: str = ""
    groups: frozenset[str] = frozenset()


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
    """Who handed in what: records by the student's name, and what is left over on both sides.

    ``partly`` are names that hold a student's, and more: the teacher should look at them.
    """

    found: Mapping[str, dict]
    unknown: Sequence[tuple[str, str]]
    missing: Sequence[str]
    partly: Sequence[tuple[str, str]] = ()


class _Table(NamedTuple):
    """A table: its headers, its lines by them, and the number of each line in the file."""

    path: Path
    head: Sequence[str]
    rows: Sequence[dict[str, str]]
    numbers: Sequence[int]
    lengths: Sequence[int]

    def once(self, *columns: str) -> None:
        """Stops if one of these columns occurs twice, so that it is not clear which is meant."""
        twice = [name for name in columns if self.head.count(name) > 1]
        if twice:
            raise ValueError(f"{self.path} has two columns {twice[0]!r}; expected only one")

    def expect(self, columns: Iterable[str]) -> None:
        """Stops unless these columns occur once, and every line reaches as far as they do."""
        columns = list(columns)
        self.once(*columns)
        # spreadsheets leave out empty cells at the end
        least = 1 + max(map(self.head.index, columns), default=0)
        for number, length in zip(self.numbers, self.lengths, strict=True):
            if length < least:
                raise ValueError(
                    f"{self.path}, line {number} has {length} cells; expected {len(self.head)}, "
                    "as in line 1"
                )


def read(path: Path, assignment: str) -> Roster:
    """The class list in this file."""
    table = _table(path)
    if is_canvas(table.head):
        return _canvas(table, assignment)
    columns = columns_of(table.head, table.rows)
    if columns.identifier or columns.email or columns.number:
        return _moodle(table, columns, assignment)
    raise ValueError(
        f"{path} is not a class list: its first line has the columns "
        f"{', '.join(table.head)[:200]!r}; expected Canvas's Student, {', '.join(CANVAS)} and "
        "assignments, or Moodle's Email address, ID number or Identifier"
    )


def listed(path: Path) -> list[str] | None:
    """The names that codes are drawn from, if this file is a class list and not a plain text."""
    try:
        table = _table(path)
    except ValueError:
        head = path.read_text(encoding="utf-8-sig").partition("\n")[0]
        names = [each.strip(' "') for each in head.split(separator(head))]
        if is_canvas(names) or columns_of(names, []).first:
            raise
        return None
    if is_canvas(table.head):
        table.expect(CANVAS)
        return [row["ID"].strip() for row in table.rows if row["ID"].strip()]
    columns = columns_of(table.head, table.rows)
    named = list(filter(None, columns[:4]))
    if not named or len(table.head) < 2:
        return None
    table.expect(named)
    return _moodle_names(table.rows, columns)


def is_canvas(head: Iterable[str]) -> bool:
    """Whether these are the columns of an export of Canvas's gradebook."""
    return any({*CANVAS, *names} <= set(head) for names in NAMES)


def read_late(path: Path, roster: Roster) -> dict[str, Late]:
    """Late days and accommodations by the student's name: a table student, late, allowed."""
    table = _table(path)
    if tuple(table.head) != LATE:
        came = ", ".join(table.head)
        raise ValueError(f"{path} has the columns {came}; expected {', '.join(LATE)}")
    table.expect(LATE[:2])
    found = {}
    for number, row in zip(table.numbers, table.rows, strict=True):
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
    found = students_of(name, roster) or _partly(name, roster)
    return found[0] if len(found) == 1 else None


def students_of(name: str, roster: Roster) -> list[Student]:
    """All students whom a name may mean."""
    file = downloaded(name)
    if file and file.is_hidden:
        return [each for each in roster.students if file.number == each.number]
    if file and file.system == "Canvas":
        numbered = _numbered(name, roster)
        several = list({id(each): each for _, each in numbered}.values())
        fits = any(_is_called(each, split.name) for split, each in numbered)
        return several if len(several) > 1 or fits else []
    keys = {name, file.key, f"{file.name} {file.number}"} if file else {name}
    found = _having({words(each) for each in keys} - {""}, roster)
    if not found and file:
        found = [each for team, each in _behind_team(file, roster) if team in each.groups]
    numbered = [each for each in found if file and file.number and file.number == each.number]
    return numbered or found


def team_of(name: str, roster: Roster) -> list[Student]:
    """The members of the team that a file from Moodle is by."""
    file = downloaded(name)
    team = words(file.name if file else name)
    return [each for each in roster.students if team in each.groups]


def own_name(name: str, roster: Roster) -> str:
    """The name that a student is listed by, if a submission's name is not in the same words."""
    student = student_of(name, roster)
    if student is None or called(student.listed) == called(name):
        return ""
    return student.listed


def assigned(records: Sequence[dict], roster: Roster) -> Sorted:
    """Which record is whose. A student with two of them has none until the teacher chooses."""
    who = [(_whose(record["student"], roster), record) for record in records]
    times = Counter(student.name for students, _ in who for student in students)
    found, unknown, partly = {}, [], []
    for students, record in who:
        name = record["student"]
        double = [each.name for each in students if times[each.name] > 1]
        found |= {each.name: record for each in students if each.name not in double}
        unknown += [(name, f"one of {times[each]} by {each}") for each in double]
        if not students:
            unknown.append((name, _why(name, roster)))
        elif not (students_of(name, roster) or team_of(name, roster)):
            partly.append((name, students[0].name))
    unknown.sort(key=lambda each: each[1].startswith("one of "))
    missing = [each.name for each in roster.students if each.name not in {*times, TEST}]
    return Sorted(found, unknown, missing, partly)


def _whose(name: str, roster: Roster) -> list[Student]:
    """The student whose submission it is, or all the members of a team."""
    several = students_of(name, roster)
    if several:
        return several if len(several) == 1 else []
    partly = _partly(name, roster)
    return team_of(name, roster) or (partly if len(partly) == 1 else [])


def _numbered(name: str, roster: Roster) -> list[tuple[Downloaded, Student]]:
    """The students whose ID stands where Canvas may have put it."""
    found = [(split, _having({words(split.number)}, roster)) for split in splits(name)]
    return [(split, student) for split, students in found for student in students]


def _is_called(student: Student, name: str) -> bool:
    """Whether this is the student's name, of which Canvas leaves letters and digits."""
    return _letters(name) in map(_letters, student.keys | student.shared)


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, words(name)))


def _having(wanted: set[str], roster: Roster) -> list[Student]:
    found = [each for each in roster.students if wanted & each.keys]
    return found or [each for each in roster.students if wanted & each.shared]


def _behind_team(file: Downloaded, roster: Roster) -> Iterator[tuple[str, Student]]:
    """Teams and students: Moodle may put a team and a hyphen before a name.

    Both may contain hyphens, and a student who is not in the list may have a name of that form.
    """
    parts = file.name.split("-") if file.system == "Moodle" else []
    for at in range(1, len(parts)):
        for student in _having({words("-".join(parts[at:]))} - {""}, roster):
            yield words("-".join(parts[:at])), student


def _partly(name: str, roster: Roster) -> list[Student]:
    """Whose first and last name both occur in a name that has more, such as a middle name."""
    file = downloaded(name)
    if not file or file.system != "Moodle" or file.is_hidden:
        return []
    given = f" {words(file.name)} "
    behind = [student for _, student in _behind_team(file, roster)]
    fitting = [each for each in roster.students if len(each.parts) == 2]
    within = [each for each in fitting if all(f" {part} " in given for part in each.parts)]
    return behind or within


def _why(name: str, roster: Roster) -> str:
    file, several = downloaded(name), students_of(name, roster) or _partly(name, roster)
    if several:
        whose = _listed(several)
        return (
            f"may be by {whose}: rename it to the ID, login or address of one of them, and grade "
            "again"
        )
    if file and file.system == "Canvas" and (numbered := _numbered(name, roster)):
        split, student = numbered[0]
        return (
            f"{split.number} is the ID of {student.name}, but {split.name} is not: rename it to "
            "the ID of whoever handed it in, and grade again"
        )
    if file and file.is_hidden and file.system == "Moodle":
        return (
            f"Moodle hides whose it is, and the class list has no participant {file.number}: use "
            "the grading worksheet of this assignment as ROSTER, or rename it to the student's "
            "address"
        )
    if file and file.is_hidden:
        return (
            "Canvas hides whose it is, and its export does not say: end anonymous grading there "
            "and download again, or rename it to the student's ID"
        )
    if file and file.system == "Moodle" and not any(each.groups for each in roster.students):
        return "not in the class list, which has no column of groups either"
    return "not in the class list"


def _listed(students: Sequence[Student]) -> str:
    return " or ".join(each.name for each in students)


def counted(record: dict, late: Late, percent: float) -> float:
    """The points of a record, less what the days cost that were not allowed."""
    points = sum(mark["points"] for mark in record["marks"])
    days = max(0.0, late.late - late.allowed)
    return points * max(0.0, 1 - days * percent / 100)


def deducted(found: Sorted, late: Mapping[str, Late], percent: float) -> dict[str, str]:
    """What each late student is told, by the name under which they handed in."""
    members = Counter(id(record) for record in found.found.values())
    sentences: dict[str, str] = {}
    for name, record in found.found.items():
        days = late.get(name, Late(0, 0))
        points = sum(mark["points"] for mark in record["marks"])
        left = counted(record, days, percent)
        if left < points:
            who = f"{name}: handed in" if members[id(record)] > 1 else "Handed in"
            said = (
                f"{who} {days.late:g} days late, with {days.allowed:g} allowed: "
                f"{points - left:g} of {points:g} points are deducted, and {left:g} count."
            )
            sentences[record["student"]] = f"{sentences.get(record['student'], '')} {said}".strip()
    return sentences


def table(records: Sequence[dict], roster: Roster, late: Mapping[str, Late], percent: float) -> str:
    """The class list with the marks. A student who handed in nothing gets no zero.

    Canvas has "EX" for students who are excused, and "N/A"; both stay as they are.
    """
    found = assigned(records, roster).found
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerow([cell(name) for name in roster.head])
    for row in roster.above:
        lines.writerow([cell(row[name]) for name in roster.head])
    for student in roster.students:
        has_marks = roster.kind == "Canvas" or student.number  # and keeps them
        mark = student.row.get(roster.column, "") if has_marks else ""
        if student.name in found:
            record = found[student.name]
            points = counted(record, late.get(student.name, Late(0, 0)), percent)
            mark = f"{round(points * _scale(record, roster), 2):g}"
        row = {**student.row, roster.column: mark}
        lines.writerow([cell(row[name]) for name in roster.head])
    return text.getvalue()


def cell(text: str) -> str:
    """Text in a table that is opened in a spreadsheet: no formula, one line, nothing hidden."""
    text = " ".join(shown(" ".join(text.split())).split())
    begins = unicodedata.normalize("NFKC", text[:1]).startswith(_FORMULA)
    return "'" + text if begins and text != "-" else text


def _scale(record: dict, roster: Roster) -> float:
    maximum = sum(mark["maximum"] for mark in record["marks"])
    return 1.0 if roster.possible is None or not maximum else roster.possible / maximum


def _canvas(table: _Table, assignment: str) -> Roster:
    path, head = table.path, table.head
    others = [name for name in dict.fromkeys(head) if re.fullmatch(r".* \(\d+\)", name)]
    fitting = [each for each in others if assignment in (each, each.rsplit(" (", 1)[0])]
    if len(fitting) != 1:
        expected = f"ASSIGNMENT= one of {', '.join(others)}" if others else "one, created in Canvas"
        raise ValueError(
            f"{path} has {len(fitting)} columns for the assignment {assignment!r}; "
            f"expected {expected}"
        )
    names = next(each for each in NAMES if set(each) <= set(head))
    kept = [name for name in head if name in (*names, *CANVAS, "SIS User ID")]
    table.expect(kept)
    table.once(fitting[0])
    above = [row for row in table.rows if not row["ID"].strip()]
    students = [_of_canvas(row, names) for row in table.rows if row["ID"].strip()]
    found = Roster("Canvas", fitting[0], [*kept, fitting[0]], _alone(path, students, "ID"), above)
    if found.possible == 0:
        raise ValueError(
            f"{path} says that {fitting[0]!r} has 0 points in Canvas, so every mark would be 0; "
            "expected the points of the assignment: set them in Canvas, and export again"
        )
    return found


def _of_canvas(row: dict[str, str], names: Sequence[str]) -> Student:
    name = ", ".join(filter(None, (row[each].strip() for each in names)))
    last, _, first = name.partition(",")
    keys = [row.get(each, "") for each in (*CANVAS[:2], "SIS User ID")]
    return _student(name, row, first, last, keys)._replace(listed=row["ID"].strip())


def _moodle(table: _Table, columns: Columns, assignment: str) -> Roster:
    ids = [each for each in (columns.identifier, columns.email, columns.number) if each]
    by = [name for name in ids if all(row[name].strip() for row in table.rows)]
    if not by:
        raise ValueError(
            f"{table.path} has lines without {' or '.join(ids)}; expected one of them in every line"
        )
    named = [columns.first, columns.last, columns.full]
    table.expect([name for name in table.head if name in (*by, *filter(None, named))])
    column, head = assignment, [*by, assignment]
    if columns.identifier:
        column = assignment if assignment in table.head else columns.grade or assignment
        head = list(dict.fromkeys([*table.head, column]))
    listed = _moodle_names(table.rows, columns)
    students = [
        _of_moodle(row, columns, by)._replace(listed=name)
        for row, name in zip(table.rows, listed, strict=True)
    ]
    return Roster("Moodle", column, head, _alone(table.path, students, by[0]))


def _of_moodle(row: dict[str, str], columns: Columns, by: Sequence[str]) -> Student:
    first, last, full = (row.get(name, "") for name in (columns.first, columns.last, columns.full))
    name = f"{first} {last}".strip() or full.strip() or row[by[0]]
    ids = (columns.identifier, columns.email, columns.number)
    keys = [full, *(row.get(each, "") for each in ids)]
    word, number = participant(row.get(columns.identifier, ""))
    groups = frozenset(map(words, row.get(columns.groups, "").split(","))) - {""}
    student = _student(name, row, first, last, [*keys, f"{word} {number}"])
    return student._replace(number=number, groups=groups)


def _moodle_names(rows: Sequence[Mapping[str, str]], columns: Columns) -> list[str]:
    """The names that codes are drawn from.

    Those with the same one have the number or address to which their files must be renamed.
    """
    named = (columns.first, columns.last) if columns.first or columns.last else (columns.full,)
    found = [" ".join(row.get(name, "") for name in named).strip() for row in rows]
    others = [
        row.get(columns.email, "").strip()
        or row.get(columns.number, "").strip()
        or " ".join(participant(row.get(columns.identifier, ""))).strip()
        for row in rows
    ]
    times = Counter(map(called, found))
    return [
        other or name if not name or times[called(name)] > 1 else name
        for name, other in zip(found, others, strict=True)
    ]


def _student(name: str, row: dict, first: str, last: str, keys: Iterable[str]) -> Student:
    """A student by all the orders in which a system may write the name."""
    parts = tuple(filter(None, map(words, (first, last))))
    orders = [f"{last} {first}", f"{first} {last}"] if len(parts) == 2 else _turned(name)
    found = frozenset(map(words, [name, *orders, *keys])) - {""}
    return Student(" ".join(shown(name).split()), found, row, parts=parts)


def _turned(name: str) -> list[str]:
    """A full name with its first words last, wherever the last name begins."""
    found = name.split()
    return [" ".join(found[at:] + found[:at]) for at in range(len(found))]


def _alone(path: Path, students: list[Student], column: str) -> list[Student]:
    """The students, each told from the others; who has another's name is named by this column."""
    if not students:
        raise ValueError(f"{path} lists no student")
    ids = Counter(plain(each.row[column]) for each in students)
    twice = [each for each, times in ids.items() if times > 1]
    if twice:
        raise ValueError(f"{path} has two lines with the {column} {twice[0]!r}; expected one")
    keys = Counter(key for each in students for key in each.keys)
    shared = {key for key, times in keys.items() if times > 1}
    return [
        _told_apart(each, shared, column)
        if words(each.name) in shared
        else each._replace(keys=each.keys - shared, shared=each.keys & shared)
        for each in students
    ]


def _told_apart(student: Student, shared: set[str], column: str) -> Student:
    """One of those with the same name: the name that reports give them is theirs alone."""
    name = f"{student.name} ({student.row[column].strip()})"
    return student._replace(
        name=name, keys=(student.keys - shared) | {words(name)}, shared=student.keys & shared
    )


def separator(text: str) -> str:
    """What stands between the cells of a table: the most frequent of three in its first line."""
    return max(",;\t", key=text.split("\n", 1)[0].count)


def _table(path: Path) -> _Table:
    """The first line, and the others by its names; of columns with the same name, the first."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        reader = csv.reader(io.StringIO(text), delimiter=separator(text))
        lines = [(reader.line_num, line) for line in reader if any(line)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or "it is not text in UTF-8"
        reason = str(error) if isinstance(error, csv.Error) else reason
        raise ValueError(
            f"{path} cannot be read: {reason}; expected a table as CSV, which spreadsheets save as "
            "CSV UTF-8"
        ) from None
    if not lines:
        raise ValueError(f"{path} is empty; expected a table as CSV")
    head = [name.strip() for name in lines[0][1]]
    rows = []
    for number, line in lines[1:]:
        if any(each.strip() for each in line[len(head) :]):
            raise ValueError(
                f"{path}, line {number} has {len(line)} cells; expected {len(head)}, as in line 1"
            )
        cells = line[: len(head)] + [""] * (len(head) - len(line))
        rows.append(dict(reversed(list(zip(head, cells, strict=True)))))
    numbers, lengths = [each for each, _ in lines[1:]], [len(line) for _, line in lines[1:]]
    return _Table(path, head, rows, numbers, lengths)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", text.strip()) is not None
