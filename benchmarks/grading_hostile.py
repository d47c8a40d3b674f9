"""What does each hostile submission get? ``python -m benchmarks.grading_hostile``

The submissions are those of `tests/grading/test_hostile.py`, whose exercise has 3 points; the tests
assert that none gains one. grading_hostile.md lists each with its points and what its author is
told. It needs bubblewrap.
"""

import os
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests" / "grading"
TABLE = Path(__file__).with_suffix(".md")


def main() -> None:
    sys.path.insert(0, str(TESTS))
    os.environ.setdefault("GRADING_SEED", "secret")
    import test_hostile as hostile

    place = hostile.machine.__wrapped__()
    machine = next(place)
    rows = []
    with hostile.Sandbox(hostile.LIMITS) as box:
        for name, source in hostile.HOSTILE.items():
            given = hostile.submitted(source, machine)
            mark = hostile.grade(hostile.exercise, given, "seed", box)
            rows.append((name, mark.points, told(mark, machine[0])))
            print(*rows[-1], sep="; ", flush=True)
    next(place, None)
    TABLE.write_text(table(rows), encoding="utf-8")


def told(mark, folder: Path) -> str:
    """What the student reads first, without what differs from run to run."""
    failed = next((each for each in mark.findings if not each.holds), None)
    said = [mark.note]
    if failed and failed.failed == "runs":  # the last line says why it does not run
        said.append(failed.example.rsplit("\n", 1)[-1])
    elif failed and not mark.note:
        said.append(f"Does not hold: {failed.claim}")
    line = " ".join(" ".join(said).split()).replace("|", "\\|")
    for place, name in ((folder, "FOLDER"), (sys.prefix, "PYTHON"), (TESTS.parents[1], "COURSE")):
        line = line.replace(str(place), name)
    return line if len(line) <= 160 else line[:159] + "…"


def table(rows: list[tuple[str, int, str]]) -> str:
    head = (
        "# Hostile submissions: what each got\n\n"
        "Written by `python -m benchmarks.grading_hostile`; the exercise has 3 points.\n\n"
        "| submission | points | its author is told |\n|---|---|---|\n"
    )
    return head + "".join(f"| {name} | {points} | {words} |\n" for name, points, words in rows)


if __name__ == "__main__":
    main()
