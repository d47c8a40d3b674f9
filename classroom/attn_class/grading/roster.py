"""A class list in, the same list with marks out, in the form in which Canvas or Moodle takes it.

Canvas's export of the gradebook is known by its headers, which are English whatever its language.
It comes back with the columns that say who a student is and the one of the assignment: an import
would set all other marks back as well. Of any other list, such as what Moodle exports, columns are
known by what is in them, or the teacher names them, and all of them come back. What cannot be a
class list is a ValueError that says what was expected.
"""

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from attn_class.grading.late import COLUMNS, HANDED_IN, LATENESS, Late, days_late
from attn_class.grading.names import Downloaded, called, downloaded, plain, shown, splits, words

CANVAS = ("ID", "SIS Login ID", "Section")
NAMES = (("Student",), ("LastName", "FirstName"))  # Canvas writes one column or two
UNGRADED = "could not be graded"  # so begins the warning of what has no mark
TEST = "Student, Test"  # whom Canvas lists once a teacher has looked through a student's eyes
NAMED = 'ROSTER_COLUMNS="name=First name,Last name; id=Email address; groups=Groups"'
EXPECTED = "a table as CSV, which spreadsheets save as CSV UTF-8"
_ASSIGNMENT = re.compile(r".* \(\d+\)")
_FORMULA = ("=", "+", "-", "@", "|", "%")
_NUMBER = re.compile(r"\d+([.,]\d+)?")

# what is in a column by which students are told apart: scores are shorter or have a decimal point
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
_ID = re.compile(r"(?=.{4})[^\s@.,]*\d[^\s@.,]*")
_PARTICIPANT = re.compile(r"([^\d@]*[^\W\d_]{3}[^\d@]*?)\s*(\d+)")


class Student(NamedTuple):
    """A student in the class list.

    ``name`` is what reports call them, ``listed`` what a variant's code is drawn from, ``keys`` are
    all texts that mean them, ``parts`` the first and the last name. ``number`` is Moodle's for one
    assignment, ``groups`` are teams, and ``line`` is the place in the list.
    """

    name: str
    listed: str
    ids: Sequence[str]
    keys: frozenset[str]
    parts: Sequence[str]
    number: str
    groups: frozenset[str]
    line: int


class Roster(NamedTuple):
    """A class list. ``kind`` is "Canvas" or "Moodle", ``column`` takes the marks.

    ``written`` are the columns that are written back, ``shared`` the keys of more than one student,
    ``possible`` are the points that Canvas has for the assignment, if it says so.
    """

    kind: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    column: int
    written: Sequence[int]
    students: Sequence[Student]
    shared: frozenset[str]
    possible: float | None


class Sorted(NamedTuple):
    """Who handed in what: records by the student's name, and what is left over on both sides.

    ``partly`` are names that hold a student's, and more: the teacher should look at them. Of those
    who are ``missing``, one of the ``unknown`` files may be by a ``doubtful`` one.
    """

    by_student: Mapping[str, dict]
    unknown: Sequence[tuple[str, str]]
    missing: Sequence[str]
    partly: Sequence[tuple[str, str]] = ()
    doubtful: Collection[str] = ()


class _Table(NamedTuple):
    """A table: its first line, the others cut or filled to the same length, and how long each was.

    ``lengths`` are by the number of the line in the file.
    """

    path: Path
    head: list[str]
    rows: list[list[str]]
    lengths: Mapping[int, int]

    @property
    def is_canvas(self) -> bool:
        return any({*CANVAS, *names} <= {*self.head} for names in NAMES)

    def column(self, at: int) -> list[str]:
        return [row[at] for row in self.rows]

    def place(self, name: str) -> int:
        """Where the only column with this header is, or with this number, counted from one."""
        times = self.head.count(name)
        if not times and name.isdecimal() and 0 < int(name) <= len(self.head):
            return int(name) - 1
        if times != 1:
            raise ValueError(
                f"{self.path} has {times or 'no'} columns {name!r}; expected one, or a number from "
                f"1 to {len(self.head)}, of {_quoted(self.head)}"
            )
        return self.head.index(name)

    def check(self, columns: Iterable[int]) -> None:
        """Stops at a line that is longer than the first, or does not reach these columns."""
        # spreadsheets leave out empty cells at the end
        least = 1 + max(columns, default=0)
        for number, length in self.lengths.items():
            if not least <= length <= len(self.head):
                raise ValueError(
                    f"{self.path}, line {number} has {length} cells; expected {len(self.head)}, "
                    "as in line 1"
                )


class _Columns(NamedTuple):
    """Where the names, the IDs and the teams of students are; ``word`` is before their numbers."""

    names: Sequence[int]
    ids: Sequence[int]
    groups: Sequence[int] = ()
    word: str = ""


def read(path: Path, assignment: str, named: str = "") -> Roster:
    """The class list in this file. ``named`` says which columns are which, as `NAMED` does."""
    table = table_in(path)
    columns = _columns(table, named)
    if not columns.ids:
        raise ValueError(
            f"{path} is not a class list: it has the columns {_quoted(table.head)}, and in none of "
            f"them each student has another address or ID; expected Canvas's Student, "
            f"{', '.join(CANVAS)}, an export of Moodle, or columns named by {NAMED}"
        )
    students, shared = _students(table, columns)
    column = _mark_column(table, columns, assignment)
    head, rows, kind, possible = table.head, table.rows, "Moodle", None
    if column == len(head):
        head, rows = [*head, assignment], [[*row, ""] for row in rows]
    written = range(len(head))
    if table.is_canvas:
        kind, written = (
            "Canvas",
            sorted({*columns.names, *columns.ids, head.index("Section"), column}),
        )
        # above the points Canvas writes "Manual Posting", where marks are not shown at once
        above = [row[column] for row in rows if not row[columns.ids[0]]]
        possible = next((_number(text) for text in above if _is_number(text)), None)
    elif columns.word and column + 1 < len(head):  # behind the marks of a worksheet
        most = {*table.column(column + 1)}
        possible = _number(most.pop()) if len(most) == 1 and all(map(_is_number, most)) else None
    if possible == 0:
        raise ValueError(
            f"{path} says that {head[column]!r} has 0 points in Canvas, so every mark would be 0; "
            "expected the points of the assignment: set them in Canvas, and export again"
        )
    return Roster(kind, head, rows, column, written, students, shared, possible)


def listed(path: Path, named: str = "") -> list[str] | None:
    """The names that codes are drawn from, if this file is a class list and not a plain text."""
    table = table_in(path)
    if len(table.head) < 2:
        return None
    columns = _columns(table, named)
    is_list = columns.ids or columns.names
    return [student.listed for student in _students(table, columns)[0]] if is_list else None


def read_late(path: Path, roster: Roster, due: datetime | None = None) -> dict[str, Late]:
    """Late and allowed days by the student's name, from a table or an export: see `days_late`."""
    table = table_in(path)
    known = {*COLUMNS, *HANDED_IN, LATENESS} & {*table.head}
    if not known or (known <= {*COLUMNS} and "student" not in table.head):
        raise ValueError(
            f"{path} has the columns {', '.join(table.head)}; expected student, late, allowed, or "
            f"an export with {' or '.join((*HANDED_IN, LATENESS))}"
        )
    table.check((1,))
    days_of = {}
    for number, row in zip(table.lengths, table.rows, strict=True):
        line, place = dict(zip(table.head, row, strict=True)), f"{path}, line {number}"
        name = line.get("student") or next((cell for cell in row if _is_one(cell, roster)), row[0])
        several = _by_name(name, roster) or _by_letters(name, roster)
        try:
            days = days_late(line, due)
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from None
        if days is None:
            continue
        if len(several) != 1:
            matches = f"{len(several)} students" if several else "nobody"
            also = f"; expected one of {names_of(several)}" if several else ""
            raise ValueError(f"{place}: {name!r} matches {matches} in the class list{also}")
        if several[0].name in days_of:
            raise ValueError(f"{place}: {name!r} occurs twice")
        days_of[several[0].name] = days
    return days_of


def _is_one(text: str, roster: Roster) -> bool:
    """Whether a cell means one student."""
    return len(_by_name(text, roster)) == 1


# ---- which column is which


def _columns(table: _Table, named: str) -> _Columns:
    places = _named(table, named)
    if table.is_canvas:
        names = next(names for names in NAMES if {*names} <= {*table.head})
        ids = [name for name in (*CANVAS[:2], "SIS User ID") if name in table.head]
        return _Columns([*map(table.place, names)], [*map(table.place, ids)])
    word = "" if "id" in places else _word(table)
    ids = places.get("id") or _ids(table, word)
    names = places.get("name") or _names(table, ids, word)
    return _Columns(names, ids, places.get("groups", ()), word)


def _named(table: _Table, named: str) -> dict[str, list[int]]:
    """The columns that the teacher names."""
    places = {}
    for part in filter(str.strip, named.split(";")):
        role, _, names = part.partition("=")
        if role.strip() not in ("name", "id", "groups") or not names.strip():
            raise ValueError(f"{part.strip()!r} names no columns; expected {NAMED}, for example")
        places[role.strip()] = [table.place(name.strip()) for name in names.split(",")]
    return places


def _word(table: _Table) -> str:
    """What Moodle calls students in a grading worksheet: its first column has "Participant 17"."""
    matches = map(_PARTICIPANT.fullmatch, table.column(0))
    called_so = {match[1] if match else "" for match in matches}
    return called_so.pop() if len(called_so) == 1 and _is_of(_PARTICIPANT, table, 0) else ""


def _ids(table: _Table, word: str) -> list[int]:
    """Addresses; before them, other texts without spaces that have digits; Moodle's numbers."""
    places = range(bool(word), len(table.head))
    addresses = [at for at in places if _is_of(_ADDRESS, table, at)]
    before = range(bool(word), min(addresses, default=len(table.head)))
    return [*addresses, *(at for at in before if _is_of(_ID, table, at)), *([0] if word else [])]


def _is_of(pattern: re.Pattern, table: _Table, at: int) -> bool:
    """Whether all cells of a column, but not its header, are such texts, and no two are equal."""
    cells = [plain(cell) for cell in table.column(at) if cell]
    fits = bool(cells) and all(map(pattern.fullmatch, cells))
    return fits and len({*cells}) == len(cells) and not pattern.fullmatch(table.head[at])


def _names(table: _Table, ids: Sequence[int], word: str) -> list[int]:
    """The texts before the IDs; or all, but in a worksheet, which may hide the names."""
    texts = [at for at in range(len(table.head)) if at not in ids and _is_text(table.column(at))]
    before = [at for at in texts if at < min(filter(None, ids), default=0)]
    chosen = before or ([] if word or not ids else texts)
    if len(chosen) > 2:
        columns = _quoted([table.head[at] for at in chosen])
        raise ValueError(
            f"{table.path} has the columns {columns}, of which any may have names; expected one or "
            f"two, or columns named by {NAMED}"
        )
    return chosen


def _is_text(cells: Sequence[str]) -> bool:
    cells = [cell for cell in cells if cell]
    has_letters = all(any(map(str.isalpha, cell)) and "@" not in cell for cell in cells)
    return has_letters and not all(any(map(str.isdigit, cell)) for cell in cells)


def _mark_column(table: _Table, columns: _Columns, assignment: str) -> int:
    """The column that takes the marks: one after the last, if the list has none yet."""
    head = table.head
    if table.is_canvas:
        others = {at: name for at, name in enumerate(head) if _ASSIGNMENT.fullmatch(name)}
        fitting = [at for at in others if assignment in (head[at], head[at].rpartition(" (")[0])]
        if len(fitting) != 1:
            expected = f"ASSIGNMENT= one of {', '.join(others.values())}"
            raise ValueError(
                f"{table.path} has {len(fitting)} columns for the assignment {assignment!r}; "
                f"expected {expected if others else 'one, created in Canvas'}"
            )
        return fitting[0]
    if assignment in head:
        return table.place(assignment)
    if not columns.word:
        return len(head)
    for at in range(2, len(head)):  # in a worksheet, the most that is possible stands behind it
        most, marks = {*table.column(at)}, {*table.column(at - 1)} - {"", "-"}
        if len(most) == 1 and all(map(_is_number, most | marks)):
            return at - 1
    raise ValueError(
        f"{table.path} has no column {assignment!r} for the marks; expected ASSIGNMENT= one of "
        f"{', '.join(head)}"
    )


def _students(table: _Table, columns: _Columns) -> tuple[list[Student], frozenset[str]]:
    """The students, each with a name of their own, and the keys that mean more than one."""
    path, head, ids = table.path, table.head, columns.ids
    table.check((*columns.names, *ids))
    lines = [at for at, row in enumerate(table.rows) if not table.is_canvas or row[ids[0]]]
    if not lines:
        raise ValueError(f"{path} lists no student")
    own = next((at for at in ids if all(table.rows[line][at] for line in lines)), None)
    if ids and own is None:
        raise ValueError(
            f"{path} has lines without {' or '.join(head[at] for at in ids)}; expected one of them "
            "in every line"
        )
    students = [_student(table, columns, line) for line in lines]
    if own is not None:
        times = Counter(plain(table.rows[line][own]) for line in lines)
        twice, count = times.most_common(1)[0]
        if count > 1:
            raise ValueError(
                f"{path} has {count} lines with the {head[own]} {twice!r}; expected one"
            )
    keys = Counter(key for student in students for key in student.keys)
    shared = frozenset(key for key, times in keys.items() if times > 1)
    times = Counter(called(student.listed) for student in students)
    for at, student in enumerate(students):
        if student.ids and (not student.listed or times[called(student.listed)] > 1):
            student = student._replace(listed=student.ids[0])
        if own is not None and words(student.name) in shared:
            name = f"{student.name} ({table.rows[student.line][own]})"
            student = student._replace(name=name, keys=student.keys | {words(name)})
        students[at] = student
    return students, shared


def _student(table: _Table, columns: _Columns, line: int) -> Student:
    """A student by all the orders in which a system may write the name."""
    row = table.rows[line]
    cells, ids, number = [row[at] for at in columns.names], [row[at] for at in columns.ids], ""
    if columns.word:
        word, number = _PARTICIPANT.fullmatch(ids.pop()).groups()
        ids.append(f"{word} {number}")
    ids = [text for text in ids if text]
    name = (", " if table.is_canvas else " ").join(filter(None, cells))
    parts = [part for part in map(words, cells) if part]
    turned = cells if len(parts) == 2 else name.split()  # a last name begins anywhere in a full one
    orders = [" ".join(turned[at:] + turned[:at]) for at in range(len(turned))]
    groups = frozenset(words(team) for at in columns.groups for team in row[at].split(",")) - {""}
    behind = [f"{group}-{text}" for group in groups for text in (name, *orders)]
    keys = frozenset(map(words, [name, *orders, *ids, *behind])) - {""}
    called_so = " ".join(shown(name or (ids or [""])[0]).split())
    listed = ids[0] if table.is_canvas else name
    return Student(called_so, listed, ids, keys, parts, number, groups, line)


# ---- whose a file is


def student_of(name: str, roster: Roster) -> Student | None:
    """Whom a name means: a student's name, id, login or address, or a downloaded file's name."""
    students, how = meant(name, roster)
    return students[0] if len(students) == 1 and how != "team" else None


def own_name(name: str, roster: Roster) -> str:
    """The name that a student is listed by, if a submission's name is not in the same words."""
    student = student_of(name, roster)
    if student is None or called(student.listed) == called(name):
        return ""
    return student.listed


def assigned(records: Sequence[dict], roster: Roster) -> Sorted:
    """Which record is whose. A student with two of them has none until the teacher chooses."""
    who = [(*_owners(record["student"], roster), record) for record in records]
    times = Counter(student.name for students, _, _ in who for student in students)
    by_name, unknown, twice, partly, doubtful = {}, [], [], [], set()
    for students, how, record in who:
        name = record["student"]
        double = [student.name for student in students if times[student.name] > 1]
        by_name |= {student.name: record for student in students if student.name not in double}
        twice += [(name, f"one of {times[student]} by {student}") for student in double]
        if not students:
            unknown.append((name, _why(name, roster)))
            doubtful |= {student.name for student in meant(name, roster)[0]}
        elif how == "part":
            partly.append((name, students[0].name))
    missing = [student.name for student in roster.students if student.name not in {*times, TEST}]
    return Sorted(by_name, unknown + twice, missing, partly, doubtful)


def whose(name: str, roster: Roster) -> list[Student]:
    """The student whom a submission is by, or the members of the team."""
    return _owners(name, roster)[0]


def _owners(name: str, roster: Roster) -> tuple[list[Student], str]:
    students, how = meant(name, roster)
    return students if len(students) == 1 or how == "team" else [], how


def meant(name: str, roster: Roster) -> tuple[list[Student], str]:
    """All whom a name may mean, by the whole "name", as a "team" or by a "part" of the name."""
    finders = (("name", _by_name), ("team", _by_team), ("part", _by_part), ("part", _by_letters))
    for how, find in finders:
        if students := find(name, roster):
            return students, how
    return [], ""


def _by_name(name: str, roster: Roster) -> list[Student]:
    file = downloaded(name)
    if file and file.system == "Canvas":
        numbered = _numbered(name, roster)
        several = list({student.line: student for _, student in numbered}.values())
        fits = any(_is_called(student, split.name) for split, student in numbered)
        return several if len(several) > 1 or fits else []
    if file is None:
        return _having([name], roster)
    if file.system != "Moodle":
        return []  # Canvas hides whose it is
    person = file.name.rpartition("-")[2]  # behind a team
    students = _having(
        [name, file.name, f"{file.name} {file.number}", f"{person} {file.number}"], roster
    )
    return [
        student for student in students if file.number and file.number == student.number
    ] or students


def _by_team(name: str, roster: Roster) -> list[Student]:
    """The members of the team that a file from Moodle is by."""
    file = downloaded(name)
    team = words(file.name if file else name)
    return [student for student in roster.students if team in student.groups]


def _by_part(name: str, roster: Roster) -> list[Student]:
    """Whose first and last name both occur in a name that has more, such as a middle name."""
    file = downloaded(name)
    if not file or file.system != "Moodle":
        return []
    text = words(file.name)  # Moodle may put a team and a hyphen before it
    everyone = roster.students
    behind = [one for one in everyone if any(text.endswith(f"-{key}") for key in one.keys)]
    fitting = [one for one in everyone if len(one.parts) == 2]
    within = [one for one in fitting if all(f" {part} " in f" {text} " for part in one.parts)]
    return behind or within


def _by_letters(name: str, roster: Roster) -> list[Student]:
    """Whose name differs in spaces or signs alone: "O Neil" for O'Neil, whose file is "ONeil"."""
    file = downloaded(name)
    letters = _letters(file.name if file else name)
    if (file and file.system != "Moodle") or not letters.isalpha():  # an ID says what it means
        return []
    return [one for one in roster.students if letters in map(_letters, one.keys)]


def _numbered(name: str, roster: Roster) -> list[tuple[Downloaded, Student]]:
    """The students whose ID stands where Canvas may have put it."""
    return [(split, who) for split in splits(name) for who in _having([split.number], roster)]


def _is_called(student: Student, name: str) -> bool:
    """Whether this is the student's name, of which Canvas leaves letters and digits."""
    return _letters(name) in map(_letters, student.keys)


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, words(name)))


def _having(texts: Iterable[str], roster: Roster) -> list[Student]:
    """Whom one of these texts means: one student, if one of the texts means nobody else."""
    wanted = {*map(words, texts)} - {""}
    students = [student for student in roster.students if wanted & student.keys]
    return [student for student in students if wanted & student.keys - roster.shared] or students


def _why(name: str, roster: Roster) -> str:
    """Why nobody gets the marks of this file, and what the teacher can do."""
    file, several = downloaded(name), meant(name, roster)[0]
    if several:
        return (
            f"may be by {names_of(several)}: rename it to the ID, login or address of one of them, "
            "and grade again"
        )
    if file and file.system == "Canvas" and (numbered := _numbered(name, roster)):
        split, student = numbered[0]
        return (
            f"{split.number} is the ID of {student.name}, but {split.name} is not: rename it to "
            "the ID of whoever handed it in, and grade again"
        )
    if file and file.system == "Canvas, anonymous":
        return (
            "Canvas hides whose it is, and its export does not say: end anonymous grading there "
            "and download again, or rename it to the student's ID"
        )
    if file and file.system == "Moodle":
        return f"not in the class list{_hint(file, roster)}"
    return "not in the class list"


def _hint(file: Downloaded, roster: Roster) -> str:
    """What else a file from Moodle may be: a team's, or one whose name Moodle hides."""
    team = words(file.name)
    for at, header in enumerate(roster.head):
        if any(team == words(cell) for row in roster.rows for cell in row[at].split(",")):
            return (
                f", but in its column {header!r}: if it is by a team, name that column by "
                f'ROSTER_COLUMNS="groups={header}"'
            )
    if " " in file.name.strip().rpartition("-")[2]:
        return ""
    return (
        ": if Moodle hides the names, use the grading worksheet of this assignment as ROSTER, or "
        "rename it to the student's address"
    )


def names_of(students: Sequence[Student]) -> str:
    return " or ".join(student.name for student in students)


# ---- marks


def is_graded(record: dict) -> bool:
    """Whether there is a mark: the grader's own, or one that the teacher gave in its place."""
    marks = record["marks"]
    return not record["warning"].startswith(UNGRADED) or any(mark["points"] for mark in marks)


def counted(record: dict, late: Late, percent: float) -> float:
    """The points of a record, less what the days cost that were not allowed."""
    points = sum(mark["points"] for mark in record["marks"])
    days = max(0.0, late.late - late.allowed)
    return points * max(0.0, 1 - days * percent / 100)


def deducted(assigned: Sorted, late: Mapping[str, Late], percent: float) -> dict[str, str]:
    """What each late student is told, by the name under which they handed in."""
    members = Counter(id(record) for record in assigned.by_student.values())
    sentences: dict[str, str] = {}
    for name, record in assigned.by_student.items():
        days = late.get(name, Late(0, 0))
        points = sum(mark["points"] for mark in record["marks"])
        left = counted(record, days, percent)
        if left < points:
            who = f"{name}: handed in" if members[id(record)] > 1 else "Handed in"
            unit = "day" if days.late == 1 else "days"
            sentence = (
                f"{who} {days.late:g} {unit} late, with {days.allowed:g} allowed: "
                f"{points - left:g} of {points:g} points are deducted, and {left:g} count."
            )
            sentences[record["student"]] = (
                f"{sentences.get(record['student'], '')} {sentence}".strip()
            )
    return sentences


def in_class(
    assigned: Sorted, late: Mapping[str, Late], percent: float
) -> dict[str, tuple[str, str]]:
    """By the name of a submission: who it is by in the class list, and how many points count."""
    of: dict[str, tuple[str, str]] = {}
    for name, record in assigned.by_student.items():
        points = f"{counted(record, late.get(name, Late(0, 0)), percent):g}"
        others = of.get(record["student"], ("",))[0]
        names = "; ".join(filter(None, (others, name)))
        of[record["student"]] = names, points if is_graded(record) else ""
    return of


def table(
    records: Sequence[dict],
    roster: Roster,
    late: Mapping[str, Late],
    percent: float,
    excused: Collection[str] = (),
) -> str:
    """The class list with the marks. Who handed in nothing keeps what it has, and gets no zero.

    Canvas has "EX" for students who are ``excused``, and "N/A"; Moodle keeps what it has of them.
    """
    records_of, rows = assigned(records, roster).by_student, [[*row] for row in roster.rows]
    for student in roster.students:
        if student.name in excused:
            if roster.kind == "Canvas":
                rows[student.line][roster.column] = "EX"
        elif (record := records_of.get(student.name)) and is_graded(record):
            points = counted(record, late.get(student.name, Late(0, 0)), percent)
            maximum = sum(mark["maximum"] for mark in record["marks"])
            is_scaled = roster.possible is not None and maximum
            scale = roster.possible / maximum if is_scaled else 1.0
            rows[student.line][roster.column] = f"{round(points * scale, 2):g}"
    return sheet([row[at] for at in roster.written] for row in (roster.head, *rows))


def sheet(rows: Iterable[Iterable[object]]) -> str:
    """A table as CSV."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerows([_cell(part) for part in row] for row in rows)
    return text.getvalue()


def _cell(part: object) -> str:
    """Text in a table that is opened in a spreadsheet: no formula, one line, nothing hidden."""
    if isinstance(part, int | float):
        return str(part)
    text = " ".join(shown(" ".join(str(part).split())).split())
    begins = unicodedata.normalize("NFKC", text[:1]).startswith(_FORMULA)
    return "'" + text if begins and text != "-" else text


def read_text(path: Path, expected: str) -> str:
    """The text of a file; what cannot be read is a ValueError."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise ValueError(f"{path} cannot be read: {reason}; expected {expected}") from None


def table_in(path: Path, whole: bool = False) -> _Table:
    """A file in CSV as a table, whichever separator it has.

    Empty cells beyond the first line's do not make a line longer, unless ``whole`` lines count.
    """
    try:
        text = read_text(path, EXPECTED)
        separator = max(",;\t", key=text.split("\n", 1)[0].count)
        reader = csv.reader(io.StringIO(text), delimiter=separator)
        numbered = ((reader.line_num, [*map(str.strip, line)]) for line in reader if any(line))
        lines = dict(numbered)
    except csv.Error as error:
        raise ValueError(f"{path} cannot be read: {error}; expected {EXPECTED}") from None
    if not lines:
        raise ValueError(f"{path} is empty; expected a table as CSV")
    head = lines.pop(min(lines))
    rows = [(line + [""] * len(head))[: len(head)] for line in lines.values()]
    lengths = {
        number: len(line) if whole or any(line[len(head) :]) else min(len(line), len(head))
        for number, line in lines.items()
    }
    return _Table(path, head, rows, lengths)


def _quoted(names: Iterable[str]) -> str:
    return repr(", ".join(names)[:200])


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def _number(text: str) -> float:
    return float(text.replace(",", "."))
