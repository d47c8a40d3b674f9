"""Classroom 50's autograder: the checkout of a student's repository is graded, result.json written.

    python -m attn_class.grading.systems.classroom50 BUNDLE

BUNDLE is the folder of the autograder, with the hidden tests. Classroom 50 publishes it and grades
in the student's own repository, so neither tests nor seed are secret there: what comes out tells
students where they stand, and the mark that counts is that of `make grade`.
"""

import json
import os
import sys
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path

from attn_class.grading import classroom
from attn_class.grading.report import put
from attn_class.grading.secret import read_seed
from attn_class.grading.systems import handed

SCHEMA = "classroom50/result/v1"


def main(arguments: list[str] | None = None) -> int:
    (bundle,) = map(Path, sys.argv[1:] if arguments is None else arguments)
    student = os.environ.get("OWNER") or os.environ.get("USERNAME") or "somebody"
    notebook = Path(f"{(bundle / 'name').read_text('utf-8').strip()}.ipynb")
    record = classroom.record_of(
        student,
        notebook if notebook.exists() else Path.cwd(),
        [str(bundle / handed.GRADER)],
        read_seed(bundle / handed.SEED),
    )
    put(Path("result.json"), json.dumps(result(record, os.environ), indent=2) + "\n")
    put(Path("release-body.md"), body(record))
    return 0


def result(record: Mapping, environment: Mapping[str, str]) -> dict:
    """A record as Classroom 50 collects it. Who owns the repository is added by its runner."""
    named = lambda name: environment.get(name, "")  # noqa: E731
    tests = [
        {
            "test-name": one.name,
            "passed": one.holds,
            "score": one.points,
            "max-score": one.maximum,
            "output": one.text,
        }
        for one in handed.results(record)
    ]
    return {
        "schema": SCHEMA,
        "classroom": named("CLASSROOM"),
        "assignment": named("ASSIGNMENT"),
        "assignment_type": named("ASSIGNMENT_TYPE") or "individual",
        "owner": named("OWNER") or named("USERNAME"),
        "submission": named("SUBMISSION_TAG"),
        "commit": named("COMMIT_URL"),
        "release": named("RELEASE_URL"),
        "review": named("REVIEW_URL") or named("COMMIT_URL"),
        "datetime": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }


def body(record: Mapping) -> str:
    """The feedback for the page of the release, as text that is no markup."""
    lines = [*handed.remarks(record), "", *map(handed.feedback, record["marks"])]
    return "\n".join("    " + line for part in lines for line in part.split("\n")) + "\n"


if __name__ == "__main__":
    sys.exit(main())
