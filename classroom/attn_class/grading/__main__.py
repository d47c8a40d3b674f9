"""Grade a folder of submissions.

python -m attn_class.grading HANDED_IN [RESULTS]
    --exercises weights.safe_softmax --seed-file SEED

Without RESULTS, they are written to a folder beside the submissions: handed-in-marks for handed-in.
"""

import argparse
import functools
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from attn_class.grading import (
    adjust,
    attempts,
    classroom,
    feedback,
    report,
    roster,
    similar,
    walls,
    words,
)
from attn_class.grading.late import time_of
from attn_class.grading.names import called, shown
from attn_class.grading.sandbox import NotStarted, isolation
from attn_class.grading.secret import read_seed


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m attn_class.grading", description=__doc__)
    parser.add_argument("submissions", type=Path)
    parser.add_argument("results", type=Path, nargs="?")
    parser.add_argument("--exercises", nargs="+", required=True)
    parser.add_argument("--seed-file", type=Path, required=True)
    parser.add_argument("--roster", type=Path, help="an export of Canvas or Moodle, as CSV")
    parser.add_argument("--roster-columns", default="", help=roster.NAMED)
    parser.add_argument("--assignment", default="Grade", help="the column for the marks")
    parser.add_argument(
        "--late",
        type=Path,
        help="a table: student, late, allowed (days); or an "
        "export with the time when each was handed in, or how late",
    )
    parser.add_argument("--due", help="when it was due, such as 2026-12-03 23:59")
    parser.add_argument("--allowed", type=Path, help="a table: student, allowed (days)")
    parser.add_argument("--late-percent", default="0", help="what each late day costs")
    parser.add_argument("--attempts", choices=attempts.RULES, help="which counts of all attempts")
    parser.add_argument("--at-once", type=int, help="submissions at once; otherwise one a core")
    parser.add_argument("--unisolated", action="store_true", help="go on where there is no sandbox")
    options = parser.parse_args(arguments)
    try:
        results = _results(options.submissions, options.results)
        seed = read_seed(options.seed_file)
        columns = options.roster_columns
        students = options.roster and roster.read(options.roster, options.assignment, columns)
        percent = _percent(options.late_percent)
        late = _late(options, results, percent, students)
        by_hand = results / adjust.NAME
        changed = adjust.read(by_hand) if by_hand.exists() else []
        excused = _excused(changed, students) if students else frozenset()
        reason = isolation()
        if reason and not options.unisolated:
            _say(f"Nothing was graded: there is no sandbox here, since {reason}.")
            _say(walls.remedy())
            _say("To run the answers without it, where they can read your files: UNISOLATED=1")
            return 2
        if reason:
            _say(f"Not isolated: {reason}. Every report will say so.")
        for lack in walls.missing():
            _say(f"The sandbox is weaker here than elsewhere: {lack}.")
        own = functools.partial(roster.own_name, roster=students) if students else _as_named

        def known_as(name: str) -> str:
            """The name in the class list, or the one that is given."""
            student = students and roster.student_of(name, students)
            return student.name if student else name

        def chosen(name: str, own: str) -> str:
            return adjust.file_of(changed, name, known_as)

        records = classroom.graded(
            options.submissions,
            results,
            options.exercises,
            seed,
            _Progress(),
            own=own,
            at_once=options.at_once,
            counts=chosen,
        )
    except ValueError as error:
        _say(f"Nothing was graded: {error}.")
        return 2
    except PermissionError as error:
        _say(f"Stopped: {error.filename} cannot be opened: {error.strerror}.")
        return 3
    except NotStarted as error:
        _say(f"Stopped: {error}. What was graded before is kept.")
        return 3
    for others in _made_elsewhere(records):
        _say(others)
    if students:
        records, late = _counting(results, records, students, late, percent, options)
    codes = {words.code(seed, known_as(record["student"])): record for record in records}

    def code_of(name: str) -> str:
        return name if name in codes else words.code(seed, known_as(name))

    def whose(name: str) -> dict | None:
        return codes.get(name) or _whose(records, students, name)

    try:
        marked = adjust.adjusted(records, changed, whose)
    except ValueError as error:
        _say(f"All is graded, but no report is written: {error}.")
        return 2
    assigned = roster.assigned(marked, students) if students else None
    deducted = roster.deducted(assigned, late, percent) if assigned else {}
    former = results / "marks.csv"
    before = former.read_text("utf-8") if former.exists() else ""
    in_class = roster.in_class(assigned, late, percent) if assigned else None
    assignment = options.assignment if students else ""
    report.write(marked, results, assigned, deducted, assignment, in_class)
    similar.write(records, results)
    if part := words.written_part(options.exercises):
        cells = classroom.cells(options.submissions, own, chosen)
        answers = {code_of(name): words.answers_in(text, part) for name, text in cells}
        report.put(results / "words.html", words.page(part, answers))
        report.put(results / "words.csv", words.to_be_marked(part, answers, changed, code_of))
        _say(f"{results / 'words.html'} has the answers in words, words.csv lines for {by_hand}.")
    if not by_hand.exists():
        report.put(by_hand, adjust.template())
    _say(f"{results / 'report.html'} and {results / 'marks.csv'} are written.")
    if before:
        others = adjust.changes(before, former.read_text("utf-8"))
        _say(f"Changed since the last run: {_listed(others)}")
    if students:
        path = results / f"{students.kind.lower()}.csv"
        report.put(path, roster.table(marked, students, late, percent, excused))
        packed = feedback.pack(results, assigned, students)
        _say(f"{path} is for {students.kind}, and {packed} has the students' pages for it.")
        late_ones = [name for name, days in late.items() if days.late > days.allowed]
        if late_ones and not percent:
            _say(f"Without LATE_PERCENT= late days cost nothing, as those of {_listed(late_ones)}")
        ungraded = [name for name, one in assigned.by_student.items() if not roster.is_graded(one)]
        if ungraded:
            _say(f"Not graded, and without a mark until you give one: {_listed(ungraded)}")
        unknown = [f"{name} ({why})" for name, why in assigned.unknown]
        _say(f"Submissions without a student: {_listed(unknown)}")
        _say(f"Students without a submission: {_listed(assigned.missing)}")
        if assigned.partly:
            partly = [f"{name} ({student})" for name, student in assigned.partly]
            _say(f"Recognised by a part of the name, please check: {_listed(partly)}")
    return 0


def _counting(
    results: Path,
    records: Sequence[dict],
    students: roster.Roster,
    late: dict[str, roster.Late],
    percent: float,
    options: argparse.Namespace,
) -> tuple[Sequence[dict], dict[str, roster.Late]]:
    """What counts of all attempts, if a rule was given; and all of them in a table."""
    assigned = roster.assigned(records, students).by_student
    graded = classroom.all_graded(results, options.exercises, read_seed(options.seed_file))
    theirs = attempts.by_student([*graded.values()], students)
    days = attempts.days_of(results, assigned, late, options.due or "")
    attempts.write(results, theirs, days)
    if options.attempts is None:
        return records, {name: days[record["key"]].late for name, record in assigned.items()}
    chosen = attempts.counting(options.attempts, percent, theirs, assigned, days)
    of = {record["student"]: record for record in chosen.values()}
    fresh = [of.pop(record["student"], record) for record in records]
    records = [*fresh, *of.values()]
    lost = {name: days[one["key"]].late for name, one in chosen.items() if one["key"] in days}
    return records, lost


def _whose(records: Sequence[dict], students: roster.Roster | None, name: str) -> dict | None:
    """The record of a student, by a name in the class list or that of a submission."""
    if students and (student := roster.student_of(name, students)):
        return roster.assigned(records, students).by_student.get(student.name)
    return next((record for record in records if called(record["student"]) == called(name)), None)


def _excused(rows: Sequence[adjust.Row], students: roster.Roster) -> frozenset[str]:
    """The names in the class list of those whom the teacher has excused."""
    students_of = {row: roster.student_of(row.student, students) for row in rows if row.excused}
    for row, student in students_of.items():
        if student is None:
            raise ValueError(f"{row.place}: {row.student!r} is not in the class list")
    return frozenset(student.name for student in students_of.values() if student)


def _made_elsewhere(records: Sequence[dict]) -> list[str]:
    """What to say of records that other versions have made, on another machine or long ago."""
    here = classroom.versions()
    others = Counter(
        ", ".join(f"{name} {record.get(name)}" for name in here)
        for record in records
        if any(record.get(name) != version for name, version in here.items())
    )
    now = ", ".join(f"{name} {version}" for name, version in here.items())
    return [
        f"{times} of {len(records)} records were made with {those}; here it is {now}. To grade all "
        "with one version, remove graded.jsonl from the results, and grade again"
        for those, times in others.items()
    ]


def _as_named(name: str) -> str:
    """Without a class list, a submission is by whomever its name says."""
    return ""


def _results(submissions: Path, results: Path | None) -> Path:
    """The folder for the results: never among the submissions, where it would be one of them."""
    if results is None:
        place = submissions if submissions.name.strip(".") else submissions.resolve()
        results = place.with_name(f"{place.name}-marks")
    if results.resolve().is_relative_to(submissions.resolve()):
        raise ValueError(
            f"{results} lies in {submissions}, where it would count as a submission; expected "
            "RESULTS= a folder elsewhere"
        )
    return results


def _say(text: str) -> None:
    """A line on the terminal, which no name of a student's can turn, colour or overwrite."""
    print(" ".join(shown(text).split()), flush=True)


def _percent(text: str) -> float:
    """A number, with or without its sign."""
    try:
        percent = float(text.removesuffix("%"))
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise ValueError(f"each late day costs 0 to 100 percent, not {text!r}")
    return percent


def _late(
    options: argparse.Namespace, results: Path, percent: float, students: roster.Roster | None
) -> dict:
    """The late and allowed days of each student."""
    path = options.late
    if options.attempts and students is None:
        raise ValueError("ATTEMPTS= counts the attempts of students; expected ROSTER=file as well")
    if path is None and (options.due or options.allowed):
        raise ValueError("DUE= or ALLOWED= is given without times; expected LATE=file as well")
    if path is None and percent and not (results / attempts.NAME).exists():
        raise ValueError("LATE_PERCENT= is given without late days; expected LATE=file as well")
    if path is None:
        return {}
    if students is None:
        raise ValueError(f"{path} names students; expected the class list as well, ROSTER=file")
    if not percent:
        raise ValueError(
            f"{path} has no effect without a cost per day; expected LATE_PERCENT=10, say"
        )
    late = roster.read_late(path, students, time_of(options.due) if options.due else None)
    allowed = roster.read_late(options.allowed, students) if options.allowed else {}
    return late | {
        name: late.get(name, roster.Late(0, 0))._replace(allowed=days.allowed)
        for name, days in allowed.items()
    }


def _listed(names: Sequence[str]) -> str:
    """How many, and who; with semicolons, since a name in Canvas has a comma."""
    return f"{len(names)}: {'; '.join(names)}" if names else "none"


class _Progress:
    """How many of how many, and the time that is left."""

    def __init__(self):
        self._start, self._before = time.monotonic(), None

    def __call__(self, finished: int, total: int) -> None:
        if self._before is None:
            self._before = finished
        left = ""
        if finished > self._before:
            seconds = (time.monotonic() - self._start) / (finished - self._before)
            left = f", {seconds * (total - finished) / 60:.1f} minutes left"
        _say(f"{finished} of {total} graded{left}")


if __name__ == "__main__":
    sys.exit(main())
