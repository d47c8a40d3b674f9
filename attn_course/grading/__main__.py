"""Grade a folder of submissions.

python -m attn_course.grading SUBMISSIONS RESULTS --exercises weights.safe_softmax --seed-file SEED
"""

import argparse
import sys
import time
from pathlib import Path

from attn_course.grading import classroom, report
from attn_course.grading.sandbox import NotStarted, isolation

SHORTEST = 16  # characters of a seed


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m attn_course.grading", description=__doc__)
    parser.add_argument("submissions", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--exercises", nargs="+", required=True)
    parser.add_argument("--seed-file", type=Path, required=True)
    given = parser.parse_args(arguments)
    try:
        seed = _seed(given.seed_file)
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
    report.write(records, given.results)
    print(f"{given.results / 'report.html'} and {given.results / 'marks.csv'} are written.")
    return 0


def _seed(path: Path) -> str:
    """The secret that all inputs are drawn from."""
    try:
        seed = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        seed = ""
    if len(seed) < SHORTEST:
        raise ValueError(
            f"{path} holds no seed; expected a text of at least {SHORTEST} characters that only "
            "you know"
        )
    return seed


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
