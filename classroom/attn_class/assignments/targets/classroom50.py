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
    made = {}
    for each in assignments:
        own = {"grader.py": each.grader, "seed": open_seed(each.name), "name": each.name + "\n"}
        made |= inside(f"autograders/{each.name}", {**common, **own})
    return made
