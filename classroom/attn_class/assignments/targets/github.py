"""GitHub alone: a template of a student's repository, with a workflow that grades each push."""

import re
from collections.abc import Sequence

from attn_class.assignments.notebooks import notebook
from attn_class.assignments.source import Assignment
from attn_class.assignments.targets.carried import ROOT, course, inside, open_seed

WORKFLOW = """# Says after each push where you stand; the inputs are no secret, so it is no mark.
name: grade

on:
  push:
  workflow_dispatch:

permissions: {{}}

concurrency:
  group: grade-${{{{ github.ref }}}}
  cancel-in-progress: true

jobs:
  grade:
    name: Grade the notebook
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    permissions:
      contents: read
    steps:
      - uses: {checkout}
        with:
          persist-credentials: false
      - uses: {python}
        with:
          python-version: "3.13"
      # Ubuntu lets only root make sandboxes, unless it is told otherwise
      - run: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0
      - run: .grading/setup.sh "$RUNNER_TEMP/attention"
      - run: .grading/grade.sh "$RUNNER_TEMP/attention"
      - uses: {upload}
        with:
          name: marks
          path: marks
          retention-days: 14
"""
GRADE = """#!/usr/bin/env bash
# Grade the notebook as make grade does, and put the marks into the summary of the run.
set -euo pipefail
mkdir -p handed-in
cp {name}.ipynb "handed-in/${{GITHUB_ACTOR:-me}}.ipynb"
"$1/bin/python" -I -m attn_class.grading handed-in marks \\
	--seed-file .grading/seed --exercises .grading/grader.py
{{
	echo '```'
	cat marks/marks.csv
	echo '```'
}} >> "${{GITHUB_STEP_SUMMARY:-/dev/stdout}}"
"""
_USED = re.compile(r"uses: (actions/([\w-]+)@[0-9a-f]{40} # v[\d.]+)")


def files(assignments: Sequence[Assignment], seed: str | None) -> dict[str, str | bytes]:
    """The secret seed is left out, since students own these repositories."""
    used = pinned()
    workflow = WORKFLOW.format(
        checkout=used["checkout"], python=used["setup-python"], upload=used["upload-artifact"]
    )
    tree = {}
    for task in assignments:
        private = {
            **course(),
            "grade.sh": GRADE.format(name=task.name),
            "grader.py": task.grader,
            "seed": open_seed(task.name),
        }
        own = {
            f"{task.name}.ipynb": notebook([(cell, cell.student()) for cell in task.cells]),
            ".github/workflows/grade.yml": workflow,
            ".gitignore": "handed-in/\nmarks/\n",
        }
        tree |= inside(task.name, {**own, **inside(".grading", private)})
    return tree


def pinned() -> dict[str, str]:
    """The actions that the course's own workflows use, with their commits."""
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8")
    return {name: whole for whole, name in _USED.findall(text)}
