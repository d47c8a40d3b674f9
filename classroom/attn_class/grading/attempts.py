"""Several attempts: which of a student's counts, and a table of all of them.

Whatever was graded stays in the results, so it can count later, too. ``attempts.csv`` lists it with
the days that it was late: as they are known now of what is at hand, as they once were of the rest.
The "best" attempt is the one with most points after late days were paid for. The "last" one is the
last that was in time, or the last of all if none was.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from attn_class.grading.report import points_of, put
from attn_class.grading.roster import Late, Roster, counted, sheet, table_in, whose

NAME = "attempts.csv"
RULES = ("best", "last")
_COLUMNS = ("student", "attempt", "file", "points", "maximum", "late", "allowed", "record")
_IN_TIME = Late(0, 0)


def by_student(graded: Sequence[dict], students: Roster) -> dict[str, list[dict]]:
    """The attempts of each student, in the order of grading; what was only renamed is one."""
    found = defaultdict(list)
    for record in graded:
        for student in whose(record["student"], students):
            theirs = found[student.name]
            if theirs and _answers(theirs[-1]) == _answers(record):
                theirs.pop()
            theirs.append(record)
    return found


def _answers(record: dict) -> list[tuple]:
    return [(mark["source"], mark["points"], mark["note"]) for mark in record["marks"]]


def days_of(results: Path, found: Mapping[str, dict], late: Mapping[str, Late]) -> dict[str, Late]:
    """How late each record was, by its key: those found are as late as their students."""
    path = results / NAME
    rows = table_in(path).rows if path.exists() else []
    before = {key: Late(float(late), float(allowed)) for *_, late, allowed, key in rows}
    return before | {record["key"]: late.get(name, _IN_TIME) for name, record in found.items()}


def write(results: Path, attempts: Mapping[str, Sequence[dict]], days: Mapping[str, Late]) -> None:
    """The table of all attempts."""
    rows = [
        (name, number, one["student"], *points_of(one), *days.get(one["key"], _IN_TIME), one["key"])
        for name, theirs in sorted(attempts.items())
        for number, one in enumerate(theirs, start=1)
    ]
    put(results / NAME, sheet([_COLUMNS, *rows]))


def counting(
    rule: str,
    percent: float,
    attempts: Mapping[str, Sequence[dict]],
    found: Mapping[str, dict],
    days: Mapping[str, Late],
) -> dict[str, dict]:
    """The record that counts of each student, under the name of what is found of them."""
    chosen = {}
    for name, theirs in attempts.items():
        late = [days.get(one["key"], _IN_TIME) for one in theirs]
        points = [counted(one, each, percent) for one, each in zip(theirs, late, strict=True)]
        in_time = [each.late <= each.allowed for each in late]
        worth = points if rule == "best" else in_time
        at = max(range(len(theirs)), key=lambda number: (worth[number], number))
        told = f"Attempt {at + 1} of {len(theirs)} counts." if len(theirs) > 1 else ""
        note = " ".join(filter(None, (theirs[at]["note"], told)))
        now = found.get(name, theirs[at])
        chosen[name] = theirs[at] | {"note": note, "student": now["student"]}
    return chosen
