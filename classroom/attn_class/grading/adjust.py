"""What a teacher changes by hand: the table ``adjust.csv``, applied last in every run.

    student        exercise    property  points  comment         excused  file
    Ada Lovelace   my_softmax  2         3       a right idea
    Ada Lovelace                         +1.5    appeal granted
    Bob            in words              17/22   see my remarks
    Cy                                                           yes
    Dan                                                                   second.ipynb

Points replace those that the grader gave, of a property (by its number on the student's page or by
its words) or of a whole exercise; with a sign they are added. ``17/22`` is a part that the grader
does not mark: everybody has it, and 0 points in it until they are given some. Who is excused has no
mark. ``file`` is the one that counts of several. Two lines that set the same are refused, and a
line twice. Nothing else ever writes into the table.
"""

import copy
import csv
import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from attn_class.grading.names import called
from attn_class.grading.roster import table_in

NAME = "adjust.csv"
COLUMNS = ("student", "exercise", "property", "points", "comment", "excused", "file")
WHOLE = "changed by your teacher"
_POINTS = re.compile(
    r"(?P<sign>[+-]?)(?P<points>\d+(?:[.,]\d+)?)?(?: ?(?:/|of) ?(?P<of>\d+(?:[.,]\d+)?))?"
)
_YES, _NO = ("yes", "y", "x", "1", "true"), ("", "no", "n", "0", "false")


class Points(NamedTuple):
    """What stands in the column: a number or None, to be added or not, of how many or None."""

    number: float | None
    is_added: bool = False
    of: float | None = None


class Row(NamedTuple):
    """A line of the table; ``place`` says where it stands."""

    place: str
    student: str
    exercise: str
    property: str
    points: Points
    comment: str
    excused: bool
    file: str


def read(path: Path) -> list[Row]:
    """The lines of the table; a ValueError for what they cannot mean."""
    table = table_in(path, whole=True)
    if "student" not in table.head or not {*table.head} <= {*COLUMNS}:
        raise ValueError(
            f"{path} has the columns {', '.join(table.head)}; expected student, and of the others "
            f"those that are needed: {', '.join(COLUMNS[1:])}"
        )
    lines = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    for number, length in table.lengths.items():
        if length > len(table.head):
            raise ValueError(
                f"{path}, line {number} has {length} cells; expected {len(table.head)}, as in line "
                "1: a text with a comma, such as 1,5, needs quotation marks"
            )
    places = (f"{path}, line {number}" for number in table.lengths)
    rows = [_row(place, line) for place, line in zip(places, lines, strict=True)]
    first: dict[Row, Row] = {}
    for row in rows:
        if (before := first.setdefault(row._replace(place=""), row)) is not row:
            raise ValueError(f"{before.place} and {row.place} say the same; expected it once")
    return rows


def _row(place: str, line: dict[str, str]) -> Row:
    texts = {name: line.get(name, "") for name in COLUMNS}
    excused, written = texts.pop("excused").lower(), texts.pop("points")
    if excused not in (*_YES, *_NO):
        raise ValueError(f"{place}: excused is {excused!r}; expected yes or nothing")
    match = _POINTS.fullmatch(written)
    if match is None or (match["sign"] and match["points"] is None):
        raise ValueError(f"{place}: points are {written!r}; expected 3, +3, -1.5 or 17 of 22")
    number = _number(match["sign"] + match["points"]) if match["points"] else None
    of = _number(match["of"]) if match["of"] else None
    points = Points(number, bool(match["sign"]), of)
    row = Row(place, points=points, excused=excused in _YES, **texts)
    if not row.student:
        raise ValueError(f"{place} has no student")
    if of is not None and (points.is_added or row.property or not row.exercise):
        raise ValueError(f"{place}: {written} needs the name of a part, in the column exercise")
    if number is not None and not points.is_added and not row.exercise:
        raise ValueError(f"{place}: {written} points for what? Expected +{written}, or a part")
    if row.property and not row.exercise:
        raise ValueError(f"{place}: the property {row.property!r} needs its exercise")
    if row.excused and row.exercise:
        raise ValueError(
            f"{place}: {row.student!r} can only be excused from everything, not from "
            f"{row.exercise}; expected no exercise, or points in it"
        )
    return row


def template() -> str:
    """An empty table, for a teacher to fill in."""
    return ",".join(COLUMNS) + "\r\n"


def file_of(rows: Sequence[Row], name: str, known_as: Callable[[str], str]) -> str:
    """The file that counts of a submission with this name, if the table has one.

    ``known_as`` gives the name in the class list, if there is one.
    """
    student = called(known_as(name))
    same = [row for row in rows if row.file and called(known_as(row.student)) == student]
    if len(same) > 1:
        raise _twice(*same[:2], f"a file of {name!r}")
    return same[0].file if same else ""


def _twice(first: Row, second: Row, what: str) -> ValueError:
    return ValueError(f"{first.place} and {second.place} both choose {what}; expected one line")


def adjusted(
    records: Sequence[dict], rows: Sequence[Row], whose: Callable[[str], dict]
) -> list[dict]:
    """The records with what the table changes.

    ``whose`` finds a student's record; its LookupError says why there is none.
    """
    fresh = {id(record): copy.deepcopy(record) for record in records}
    for part, maximum in _parts(rows).items():
        for record in fresh.values():
            record["marks"].append(_part(part, maximum))
    replaced: dict[int, Row] = {}
    for row in rows:
        try:
            record = whose(row.student)
        except LookupError as error:
            if row.excused:
                continue
            raise ValueError(f"{row.place}: {error}") from None
        _apply(row, fresh[id(record)], replaced)
        if sum(mark["points"] for mark in fresh[id(record)]["marks"]) < 0:
            raise ValueError(f"{row.place}: that makes less than 0 points in all")
    return [*fresh.values()]


def _parts(rows: Sequence[Row]) -> dict[str, float]:
    """The parts that only a teacher marks, with the points that there are for each."""
    parts: dict[str, float] = {}
    for row in rows:
        if row.points.of is not None:
            most = parts.setdefault(row.exercise, row.points.of)
            if row.points.of != most or (row.points.number or 0) > most:
                raise ValueError(f"{row.place}: expected 0/{most} to {most}/{most} points")
        elif row.points.number is not None and not row.exercise:
            parts[WHOLE] = 0
    return parts


def missing(part: str) -> str:
    """The warning of a part that the teacher has not marked."""
    return f"no points for {part} yet"


def _part(name: str, maximum: float) -> dict:
    texts = {"call": name, "note": "", "warning": missing(name) * bool(maximum), "source": ""}
    numbers = {"points": 0, "maximum": maximum, "isolated": True, "slow": False}
    return texts | numbers | {"properties": []}


def _apply(row: Row, record: dict, replaced: dict[int, Row]) -> None:
    """Change a record as the line says, and tell the student what was changed and why.

    ``replaced`` notes which line has set the points of which part.
    """
    record["excused"] = record.get("excused", False) or row.excused
    points = row.points
    if not row.exercise and points.number is None:
        record["note"] = _joined(record["note"], row.comment)
        return
    mark = _only(record["marks"], row, row.exercise or WHOLE, "call")
    target = _only(mark["properties"], row, row.property, "claim") if row.property else mark
    claim = target["claim"] if row.property else ""
    if points.number is None:
        mark["note"] = _joined(mark["note"], claim, row.comment)
        return
    if not points.is_added and (first := replaced.setdefault(id(target), row)) is not row:
        raise _twice(first, row, f"the points of {row.student!r} for {claim or mark['call']!r}")
    before = target["points"]
    after = before + points.number if points.is_added else points.number
    target["points"] = after
    instead = f"Your teacher gives {after:g} instead of {before:g} points."
    if row.property:
        mark["points"] += after - before
    for part in (target, mark) if row.exercise else ():
        if not 0 <= part["points"] <= part["maximum"]:
            makes = f"{part['points']:g} of {part['maximum']:g} points in {mark['call']}"
            raise ValueError(f"{row.place}: that makes {makes}")
    if points.of is not None:
        instead, mark["warning"] = "", ""
    mark["note"] = _joined(mark["note"], claim, instead, row.comment)


def _joined(*texts: str) -> str:
    return " ".join(text for text in texts if text)


def _only(parts: Sequence[dict], row: Row, name: str, key: str) -> dict:
    """The part of this name, of this number, or that begins like this."""
    if key == "claim" and name.isdecimal() and 0 < int(name) <= len(parts):
        return parts[int(name) - 1]
    matching = [part for part in parts if part[key].partition("(")[0] == name.partition("(")[0]]
    matching = matching or [part for part in parts if part[key].startswith(name)]
    if len(matching) != 1:
        names = "; ".join(part[key] for part in parts)
        raise ValueError(f"{row.place}: {name!r} is none, or several, of: {names}")
    return matching[0]


def changes(before: str, after: str) -> list[str]:
    """Whose points are others than in the last run's ``marks.csv``, and what they were and are."""
    old, new = (
        {row.get("name") or row["student"]: _mark_in(row) for row in rows}
        for rows in (csv.DictReader(io.StringIO(text)) for text in (before, after))
    )
    return [
        f"{student} {old[student]} to {points}"
        for student, points in new.items()
        if student in old and old[student] != points
    ]


def _mark_in(row: dict[str, str]) -> str:
    """What counts, or why there is no mark, such as "excused"."""
    return row.get("counts") or row["points"] or row["remark"].partition(";")[0]


def _number(text: str) -> float:
    number = float(text.replace(",", "."))
    return int(number) if number.is_integer() else number
