"""Grade a folder of submissions.

python -m attn_class.grading HANDED_IN [RESULTS]
    --exercises weights.safe_softmax --seed-file SEED

Without RESULTS, they are written to a folder beside the submissions: handed-in-marks for handed-in.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
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
    try:
        run = Run(_parser().parse_args(arguments))
        if not run.may_start():
            return 2
        records = run.graded()
    except ValueError as error:
        _say(f"Nothing was graded: {error}.")
        return 2
    except PermissionError as error:
        _say(f"Stopped: {error.filename} cannot be opened: {error.strerror}.")
        return 3
    except KeyboardInterrupt:
        _say("Stopped. What was graded is kept: the same command goes on from there.")
        return 130
    except NotStarted as error:
        _say(f"Stopped: {error}. What was graded before is kept.")
        return 3
    for others in _made_elsewhere(records):
        _say(others)
    try:
        run.write(records)
    except ValueError as error:
        _say(f"All is graded, but no report is written: {error}.")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m attn_class.grading", description=__doc__)
    add, late = parser.add_argument, "a table: student, late, allowed (days); or an "
    add("submissions", type=Path)
    add("results", type=Path, nargs="?")
    add("--exercises", nargs="+", required=True)
    add("--seed-file", type=Path, required=True)
    add("--roster", type=Path, help="an export of Canvas or Moodle, as CSV")
    add("--roster-columns", default="", help=roster.NAMED)
    add("--assignment", default="Grade", help="the column for the marks")
    late += "export with the time when each was handed in, or how late"
    add("--late", type=Path, help=late)
    add("--due", help="when it was due, such as 2026-12-03 23:59")
    add("--allowed", type=Path, help="a table: student, allowed (days)")
    add("--late-percent", default="0", help="what each late day costs")
    add("--attempts", choices=attempts.RULES, help="which counts of all attempts")
    add("--at-once", type=int, help="submissions at once; otherwise one a core")
    add("--unisolated", action="store_true", help="go on where there is no sandbox")
    return parser


class Run:
    """What the teacher asks for, and what is made of it. What it cannot mean is a ValueError."""

    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.results = _results(options.submissions, options.results)
        self.seed = read_seed(options.seed_file)
        listed, assignment = options.roster, options.assignment
        self.students = listed and roster.read(listed, assignment, options.roster_columns)
        self.percent = _percent(options.late_percent)
        self.late = _late(options, self.results, self.percent, self.students)
        self.by_hand = self.results / adjust.NAME
        self.changes = adjust.read(self.by_hand) if self.by_hand.exists() else []
        self.excused = _excused(self.changes, self.students) if self.students else frozenset()

    def may_start(self) -> bool:
        """Whether there is a sandbox, or the teacher goes on without one."""
        reason = isolation()
        if reason and not self.options.unisolated:
            _say(f"Nothing was graded: there is no sandbox here, since {reason}.")
            _say(walls.remedy())
            _say("To run the answers without it, where they can read your files: UNISOLATED=1")
            return False
        if reason:
            _say(f"Not isolated: {reason}. Every report will say so.")
        for lack in walls.missing():
            _say(f"The sandbox is weaker here than elsewhere: {lack}.")
        return True

    def graded(self) -> list[dict]:
        """A record of each submission."""
        options, submissions = self.options, self.options.submissions
        about = {"own": self.own, "counts": self.chosen, "at_once": options.at_once}
        return classroom.graded(
            submissions, self.results, options.exercises, self.seed, _Progress(), **about
        )

    def own(self, name: str) -> str:
        """Who a submission is by, where its name does not say it in the words of the class list."""
        return roster.own_name(name, self.students) if self.students else ""

    def known_as(self, name: str) -> str:
        """The name in the class list, or this one."""
        student = self.students and roster.student_of(name, self.students)
        return student.name if student else name

    def chosen(self, name: str, own: str) -> str:
        """The file that the teacher has chosen of several."""
        return adjust.file_of(self.changes, name, self.known_as)

    def code(self, name: str) -> str:
        return words.code(self.seed, self.known_as(name))

    def codes(self, name: str) -> set[str]:
        """What stands for a student in words.html, with the class list and without it."""
        return {self.code(name), words.code(self.seed, name)}

    def write(self, records: Sequence[dict]) -> None:
        """All reports, with what the teacher changes by hand applied last."""
        students, late = self.students, self.late
        if students:
            records, late = self._counting(records, students)
        part = words.written_part(self.options.exercises)
        if part:
            words.check(part, self.changes)
        codes = {code: one for one in records for code in self.codes(one["student"])}
        whose = lambda name: self._record_of(name, records, codes)  # noqa: E731
        marked = adjust.adjusted(records, self.changes, whose)
        assigned = roster.assigned(marked, students) if students else None
        deducted = roster.deducted(assigned, late, self.percent) if assigned else {}
        former = self.results / "marks.csv"
        before = former.read_text("utf-8") if former.exists() else ""
        in_class = roster.in_class(assigned, late, self.percent) if assigned else None
        assignment = self.options.assignment if students else ""
        report.write(marked, self.results, assigned, deducted, assignment, in_class)
        similar.write(records, self.results)
        if part:
            self._write_words(part, codes)
        if not self.by_hand.exists():
            report.put(self.by_hand, adjust.template())
        _say(f"{self.results / 'report.html'} and {former} are written.")
        if before:
            others = adjust.changes(before, former.read_text("utf-8"))
            _say(f"Changed since the last run: {_listed(others)}")
        _say_what_is_by_hand(records, marked)
        if students:
            self._write_for_system(marked, assigned, students, late)

    def _counting(
        self, records: Sequence[dict], students: roster.Roster
    ) -> tuple[Sequence[dict], dict[str, roster.Late]]:
        """What counts of all attempts, if a rule was given; and all of them in a table."""
        assigned = roster.assigned(records, students).by_student
        graded = classroom.all_graded(self.results, self.options.exercises, self.seed)
        theirs = attempts.by_student([*graded.values()], students)
        days = attempts.days_of(self.results, assigned, self.late, self.options.due or "")
        attempts.write(self.results, theirs, days)
        former = [
            name
            for name, record in assigned.items()
            if days[record["key"]].late != self.late.get(name, attempts.IN_TIME)
        ]
        if former:
            _say(
                f"Late days stay as they are in {self.results / attempts.NAME} for those whom this "
                f"run does not name, or who handed in for another due time: {_listed(former)}"
            )
        if self.options.attempts is None:
            return records, {name: days[record["key"]].late for name, record in assigned.items()}
        chosen = attempts.counting(self.options.attempts, self.percent, theirs, assigned, days)
        of = {record["student"]: record for record in chosen.values()}
        fresh = [of.pop(record["student"], record) for record in records]
        lost = {name: days[one["key"]].late for name, one in chosen.items() if one["key"] in days}
        return [*fresh, *of.values()], lost

    def _record_of(self, name: str, records: Sequence[dict], codes: Mapping[str, dict]) -> dict:
        """The record of a student, by a code, a name in the class list or that of a submission.

        A LookupError says why there is none.
        """
        if name in codes:
            return codes[name]
        meant, how = roster.meant(name, self.students) if self.students else ([], "")
        if len(meant) == 1 and how != "team":
            record = roster.assigned(records, self.students).by_student.get(meant[0].name)
        else:
            same = (record for record in records if called(record["student"]) == called(name))
            record = next(same, None)
        if record is None and len(meant) > 1:
            expected = "expected the ID, login or address of one of them"
            raise LookupError(f"{name!r} may be {roster.names_of(meant)}; {expected}")
        if record is None:
            listed = ", who is in the class list," if meant else ""
            raise LookupError(f"nobody called {name!r}{listed} has handed in")
        return record

    def _write_words(self, part: words.WrittenPart, codes: Mapping[str, dict]) -> None:
        """The answers in words, and lines for the table of those that have no points yet."""
        code_of = lambda name: self.code(codes[name]["student"] if name in codes else name)  # noqa: E731
        cells = classroom.cells(self.options.submissions, self.own, self.chosen)
        answers = {code_of(name): words.answers_in(text, part) for name, text in cells}
        page = self.results / "words.html"
        report.put(page, words.page(part, answers))
        waiting = words.to_be_marked(part, answers, self.changes, code_of)
        report.put(self.results / "words.csv", waiting)
        _say(f"{page} has the answers in words, words.csv lines for {self.by_hand}.")
        store = self.results / "words.json"
        if others := words.changed(store, answers, self.changes, code_of):
            _say(f"Answers changed since they got their points: {_listed(others)}")
        if left := len(waiting.splitlines()) - 1:
            _say(
                f"{left} answers in words have no points yet. A question without points counts for "
                "nobody; one with points for some counts as 0 for the others."
            )

    def _write_for_system(
        self,
        marked: Sequence[dict],
        assigned: roster.Sorted,
        students: roster.Roster,
        late: Mapping[str, roster.Late],
    ) -> None:
        """What Canvas or Moodle takes, and what the teacher should look at."""
        path = self.results / f"{students.kind.lower()}.csv"
        report.put(path, roster.table(marked, students, late, self.percent, self.excused))
        packed = feedback.pack(self.results, assigned, students)
        _say(f"{path} is for {students.kind}, and {packed} has the students' pages for it.")
        late_ones = [name for name, days in late.items() if days.late > days.allowed]
        if late_ones and not self.percent:
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


def _say_what_is_by_hand(records: Sequence[dict], marked: Sequence[dict]) -> None:
    """Which parts the teacher marks, and who has less than the grader gave."""
    by_hand = Counter(
        f"{mark['call']} (of {mark['maximum']:g})"
        for one in marked
        for mark in one["marks"]
        if mark["warning"] == adjust.missing(mark["call"])
    )
    for part, times in by_hand.items():
        _say(f"{part}, which you mark, has no points yet for {times} of {len(marked)}.")
    pairs = zip(records, marked, strict=True)
    less = [
        f"{one['student']} {report.points_of(first)[0]:g} to {report.points_of(one)[0]:g}"
        for first, one in pairs
        if report.points_of(one)[0] < report.points_of(first)[0]
    ]
    if less:
        _say(f"Fewer points than the grader gave, by {adjust.NAME}: {_listed(less)}")


def _excused(rows: Sequence[adjust.Row], students: roster.Roster) -> frozenset[str]:
    """The names in the class list of those whom the teacher has excused."""
    names = set()
    for row in rows:
        if row.excused:
            student = roster.student_of(row.student, students)
            if student is None:
                raise ValueError(f"{row.place}: {row.student!r} is not in the class list")
            names.add(student.name)
    return frozenset(names)


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
