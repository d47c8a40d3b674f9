"""Gradescope: one zip per assignment, to be uploaded as its autograder."""

from collections.abc import Sequence

from attn_class.assignments.source import Assignment
from attn_class.assignments.targets.carried import archive, course, secret

RUN = """#!/usr/bin/env bash
# Gradescope runs this for every submission, and then shows what is in results/results.json.
set -euo pipefail
exec /opt/attention/bin/python -I -m attn_class.grading.systems.gradescope
"""


def files(assignments: Sequence[Assignment], seed: str | None) -> dict[str, str | bytes]:
    common = {**course(), "run_autograder": RUN, "seed": secret(seed)}
    return {
        f"{task.name}.zip": archive({**common, "grader.py": task.grader}) for task in assignments
    }
