"""Several attempts: which of a student's counts, and a table of all of them.

Whatever was graded stays in the results, so it can count later, too; ``attempts.csv`` lists it with
the days that it was late for its own due time. The "best" attempt has most points after these days
were paid for. The "last" one is the last that was in time, or the last of all if none was.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from attn_class.grading.report import points_of, put
from attn_class.grading.roster import Late, Roster, counted, sheet, table_in, whose

NAME = "attempts.csv"
RULES = ("best", "last")
_COLUMNS = ("student", "attempt", "file", "points", "maximum", "late", "allowed", "due", "record")
IN_TIME = Late(0, 0)


def by_student(graded: Sequence[dict], students: Roster) -> dict[str, list[dict]]:
    """The attempts of each student, in the order of grading.

    What was only renamed is one, and so is what could not be graded until one of its files counted.
    """
    by_name = defaultdict(list)
    for record in graded:
        for student in whose(record["student"], students):
            theirs = by_name[student.name]
            if theirs and (theirs[-1].get("several") or _answers(theirs[-1]) == _answers(record)):
                theirs.pop()
            theirs.append(record)
    return by_name


def _answers(record: dict) -> list[tuple]:
    return [(mark["source"], mark["points"], mark["note"]) for mark in record["marks"]]


class Days(NamedTuple):
    """How late an attempt was, and the due time for which that was found out, if there was one."""

    late: Late
    due: str


def days_of(
    results: Path, assigned: Mapping[str, dict], late: Mapping[str, Late], due: str
) -> dict[str, Days]:
    """How late each attempt was, by the key of its record.

    What is at hand is as late as its student now is, unless it was handed in for another due time:
    if some of it is new, what is not stays as late as it was; if nothing is, ``due`` is corrected.
    """
    path = results / NAME
    rows = table_in(path).rows if path.exists() else []
    days = {key: Days(Late(float(lost), float(of)), due) for *_, lost, of, due, key in rows}
    is_new = {record["key"]: record["key"] not in days for record in assigned.values()}
    unknown = Days(IN_TIME, "")
    for name, record in assigned.items():
        before = days.get(record["key"], unknown)
        is_for_now = before in (unknown, Days(before.late, due)) or not any(is_new.values())
        if is_for_now and (name in late or is_new[record["key"]]):
            days[record["key"]] = Days(late.get(name, IN_TIME), due)
    return days


def write(results: Path, attempts: Mapping[str, Sequence[dict]], days: Mapping[str, Days]) -> None:
    """The table of all attempts."""
    rows = []
    for name, theirs in sorted(attempts.items()):
        for number, one in enumerate(theirs, start=1):
            late, due = days.get(one["key"], Days(IN_TIME, ""))
            rows.append((name, number, one["student"], *points_of(one), *late, due, one["key"]))
    put(results / NAME, sheet([_COLUMNS, *rows]))


def counting(
    rule: str,
    percent: float,
    attempts: Mapping[str, Sequence[dict]],
    assigned: Mapping[str, dict],
    days: Mapping[str, Days],
) -> dict[str, dict]:
    """The record that counts of each student, under the name of what is found of them."""
    chosen = {}
    for name, theirs in attempts.items():
        late = [days[one["key"]].late if one["key"] in days else IN_TIME for one in theirs]
        points = [
            counted(one, days_late, percent) for one, days_late in zip(theirs, late, strict=True)
        ]
        in_time = [days_late.late <= days_late.allowed for days_late in late]
        worth = points if rule == "best" else in_time
        at = max(range(len(theirs)), key=lambda number: (worth[number], number))
        sentence = f"Attempt {at + 1} of {len(theirs)} counts." if len(theirs) > 1 else ""
        note = " ".join(filter(None, (theirs[at]["note"], sentence)))
        now = assigned.get(name, theirs[at])
        chosen[name] = theirs[at] | {"note": note, "student": now["student"]}
    return chosen
