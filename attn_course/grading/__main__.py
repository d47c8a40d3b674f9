"""Grade a folder of submissions.

python -m attn_course.grading SUBMISSIONS RESULTS --exercises weights.safe_softmax --seed-file SEED
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from attn_course.grading import classroom, report, roster, similar
from attn_course.grading.sandbox import NotStarted, isolation
from attn_course.grading.secret import read_seed


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m attn_course.grading", description=__doc__)
    parser.add_argument("submissions", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--exercises", nargs="+", required=True)
    parser.add_argument("--seed-file", type=Path, required=True)
    parser.add_argument("--roster", type=Path, help="an export of Canvas or Moodle, as CSV")
    parser.add_argument("--assignment", default="Grade", help="the column for the marks")
    parser.add_argument("--late", type=Path, help="a table: student, late, allowed (days)")
    parser.add_argument("--late-percent", default="0", help="what each late day costs")
    given = parser.parse_args(arguments)
    try:
        seed = read_seed(given.seed_file)
        students = given.roster and roster.read(given.roster, given.assignment)
        percent = _percent(given.late_percent)
        late = _late(given.late, percent, students)
        reason = isolation()
        if reason:
            print(f"Not isolated: {reason}. Every report will say so.")
        records = classroom.graded(
            given.submissions, given.results, given.exercises, seed, _Progress()
        )
    except ValueError as error:
        print(f"Nothing was graded: {error}.")
        return 2
    except NotStarted as error:
        print(f"Stopped: {error}. What was graded before is kept.")
        return 3
    found = roster.assigned(records, students) if students else None
    deducted = roster.deducted(found, late, percent) if found else {}
    report.write(records, given.results, found, deducted)
    similar.write(records, given.results)
    print(f"{given.results / 'report.html'} and {given.results / 'marks.csv'} are written.")
    if students:
        path = given.results / f"{students.kind.lower()}.csv"
        report.put(path, roster.table(records, students, late, percent))
        print(f"{path} is for {students.kind}.")
        unknown = [f"{name} ({why})" for name, why in found.unknown]
        print(f"Submissions without a student: {_listed(unknown)}")
        print(f"Students without a submission: {_listed(found.missing)}")
    return 0


def _percent(text: str) -> float:
    """A number, with or without its sign."""
    try:
        percent = float(text.removesuffix("%"))
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise ValueError(f"each late day costs 0 to 100 percent, not {text!r}")
    return percent


def _late(path: Path | None, percent: float, students: roster.Roster | None) -> dict:
    if path is None and percent:
        raise ValueError("LATE_PERCENT= is given without late days; expected LATE=file as well")
    if path is None:
        return {}
    if students is None:
        raise ValueError(f"{path} names students; expected the class list as well, ROSTER=file")
    if not percent:
        raise ValueError(
            f"{path} has no effect without a cost per day; expected LATE_PERCENT=10, say"
        )
    return roster.read_late(path, students)


def _listed(names: Sequence[str]) -> str:
    """How many, and who; with semicolons, since a name in Canvas has a comma."""
    return f"{len(names)}: {'; '.join(names)}" if names else "none"


class _Progress:
    """How many of how many, and the time that is left."""

    def __init__(self):
        self._start, self._before = time.monotonic(), None

    def __call__(self, done: int, total: int) -> None:
        if self._before is None:
            self._before = done
        left = ""
        if done > self._before:
            each = (time.monotonic() - self._start) / (done - self._before)
            left = f", {each * (total - done) / 60:.1f} minutes left"
        print(f"{done} of {total} graded{left}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
