"""Gradescope's autograder: /autograder/submission in, /autograder/results/results.json out.

    python -m attn_class.grading.systems.gradescope [/autograder]

The zip's content lies in source/: the hidden tests and the seed. Results of hidden tests are shown
after the marks are published, since a student may hand in again and again; what is shown at once is
whether each function was found. Answers run as a user that may neither read source/ nor write
results/, with or without walls, because Gradescope runs everything as root.
"""

import contextlib
import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from attn_class.grading import classroom
from attn_class.grading.report import put
from attn_class.grading.secret import read_seed
from attn_class.grading.systems import handed


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    root = Path(arguments[0] if arguments else "/autograder")
    source, results, start = root / "source", root / "results", time.monotonic()
    results.mkdir(exist_ok=True)
    for folder in (source, results):
        close(folder)
    student = handed.student_of(
        handed.metadata_in(root / "submission_metadata.json"), "somebody without an address"
    )
    record = classroom.record_of(
        student, root / "submission", [str(source / handed.GRADER)], read_seed(source / handed.SEED)
    )
    put(results / "results.json", json.dumps(shown(record, time.monotonic() - start), indent=1))
    return 0


def close(folder: Path) -> None:
    """Nobody but the grader's user may read or write in here."""
    with contextlib.suppress(OSError):
        os.chmod(folder, 0o700)


def shown(record: Mapping, seconds: float) -> dict:
    """A record as Gradescope reads it."""
    return {
        "execution_time": round(seconds),
        "output": "\n".join(handed.remarks(record)),
        "stdout_visibility": "hidden",
        "tests": [_test(one) for one in handed.results(record)],
        "extra_data": {"isolated": handed.is_isolated(record), "remark": record["warning"]},
    }


def _test(one: handed.Result) -> dict:
    return {
        "name": one.name,
        "score": one.points,
        "max_score": one.maximum,
        "status": "passed" if one.holds else "failed",
        "output": one.text,
        "visibility": "after_published",
    }


if __name__ == "__main__":
    sys.exit(main())
