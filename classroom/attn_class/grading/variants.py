"""The code of each student, which says what their own variant of an assignment is.

    python -m attn_class.grading.variants STUDENTS --seed-file SEED [--to variants.csv]

STUDENTS is a text with a name in each line, or an export of Canvas or Moodle. The name is the one
under which a submission arrives: Canvas puts the student's ID into the names of the files that are
downloaded from it, and Moodle the first and the last name. A code belongs to the student, however
a system spells the name.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from attn_class.grading import report, roster
from attn_class.grading.names import called, shown
from attn_class.grading.secret import digest, read_seed

CODE = 8  # digits


def own(student: str, seed: object) -> str:
    """What a student's variant is drawn from: the same whatever is handed in, and however often."""
    return digest("variant", seed, called(student))


def code(student: str, seed: object) -> str:
    """The digits that the student is told; the others stay secret."""
    return own(student, seed)[:CODE]


def names(path: Path, columns: str = "") -> list[str]:
    """The students in a text or in a class list, as their submissions will be called."""
    text = roster.read_text(path, "a list of names")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    students = (roster.listed(path, columns) if lines else None) or lines
    times = Counter(map(called, students))
    twice = sorted({repr(student) for student in students if times[called(student)] > 1})
    if not students or twice:
        fault = f"{' and '.join(twice[:3])}{' twice' * (len(twice) == 1)}" if twice else "no name"
        raise ValueError(f"{path} has {fault}; expected each student once")
    return students


def table(students: Sequence[str], seed: str) -> str:
    """A table with a line for each student."""
    # with a letter in front, no spreadsheet takes 12345e67 for a number
    rows = [(student, f"code {code(student, seed)}") for student in students]
    return roster.sheet([("student", "code"), *rows])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make variants", description=__doc__.split("\n\n")[0])
    parser.add_argument("students", type=Path)
    parser.add_argument("--seed-file", type=Path, required=True)
    parser.add_argument("--roster-columns", default="", help=roster.NAMED)
    parser.add_argument("--to", type=Path, default=Path("variants.csv"))
    options = parser.parse_args(arguments)
    try:
        text = table(names(options.students, options.roster_columns), read_seed(options.seed_file))
    except ValueError as error:
        print(shown(f"Nothing was written: {error}."))
        return 2
    report.put(options.to, text)
    print(
        f"{shown(str(options.to))} has the code of each student. The seed must stay the same until "
        "everything is graded."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
