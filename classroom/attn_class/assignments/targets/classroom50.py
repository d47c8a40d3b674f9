"""Classroom 50: a folder autograders/NAME per assignment, for the classroom's repository."""

from collections.abc import Sequence

from attn_class.assignments.source import Assignment
from attn_class.assignments.targets.carried import course, inside, open_seed

AUTOGRADER = '''"""Classroom 50 runs this in the checkout of a student's repository."""

import os
import subprocess
import tempfile
from pathlib import Path

bundle = Path(__file__).resolve().parent
place = Path(os.environ.get("RUNNER_TEMP") or tempfile.mkdtemp()) / "attention"
subprocess.run(["bash", bundle / "setup.sh", place], check=True)
module = "attn_class.grading.systems.classroom50"
subprocess.run([place / "bin" / "python", "-I", "-m", module, bundle], check=True)
'''


def files(assignments: Sequence[Assignment], seed: str | None) -> dict[str, str | bytes]:
    """The secret seed is left out, since Classroom 50 publishes these files."""
    common = {**course(), "autograder.py": AUTOGRADER}
    tree = {}
    for task in assignments:
        own = {"grader.py": task.grader, "seed": open_seed(task.name), "name": task.name + "\n"}
        tree |= inside(f"autograders/{task.name}", {**common, **own})
    return tree
