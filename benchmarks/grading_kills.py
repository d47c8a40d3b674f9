"""Kill the grading of a class at random moments, restart it, and check the marks at the end.

    python -m benchmarks.grading_kills

A class is graded once without a kill, and then again and again with kills, until there have been
100 of them, each at a random time within the duration of the first run. Nothing may be lost or
graded twice, and the marks must be those of the first run. Otherwise the script ends with 1.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.grading_fairness import exercise_of, handed_in

EXERCISES = ("weights.safe_softmax", "measures.clipped_precision")
STUDENTS = 12
SEED = "a seed that only this script knows"


def hand_in(folder: Path, students: int) -> None:
    """Every student answers the first exercise differently, and the second correctly."""
    folder.mkdir()
    answers = [each.cells for each in handed_in(EXERCISES[0]).values()]
    right = next(iter(handed_in(EXERCISES[1]).values())).cells
    for number in range(students):
        cells = [*answers[number % len(answers)], *right]
        notebook = {"cells": [{"cell_type": "code", "source": cell} for cell in cells]}
        (folder / f"student{number:03}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def command(folder: Path, results: Path) -> list[str]:
    seed = folder.with_name("seed")
    seed.write_text(SEED, encoding="utf-8")
    names = ["--exercises", *EXERCISES, "--seed-file", str(seed)]
    return [sys.executable, "-m", "attn_course.grading", str(folder), str(results), *names]


def killed(folder: Path, results: Path, after: float) -> bool:
    """Start, and kill the whole group after so many seconds. False if it ended before that."""
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command(folder, results), start_new_session=True, **silent)
    try:
        process.wait(timeout=after)
        return False
    except subprocess.TimeoutExpired:
        # sometimes only the first process is killed, and those that it started must end themselves
        end = os.kill if random.random() < 0.5 else os.killpg
        end(process.pid, signal.SIGKILL)
        process.wait()
        return True


def marks(results: Path) -> dict[str, list]:
    """The marks by student; a ValueError if any mark occurs twice or is cut short."""
    lines = (results / "graded.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    found = {record["student"]: record["marks"] for record in records}
    if len(found) != len(records):
        raise ValueError(f"{len(records)} lines for {len(found)} students")
    return found


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--kills", type=int, default=100)
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--students", type=int, default=STUDENTS)
    given = words.parse_args()
    random.seed(given.seed)
    assert all(map(exercise_of, EXERCISES))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "submissions"
        hand_in(folder, given.students)
        start = time.monotonic()
        subprocess.run(command(folder, Path(place) / "whole"), check=True, capture_output=True)
        longest = time.monotonic() - start
        whole = marks(Path(place) / "whole")
        kills = runs = differing = 0
        while kills < given.kills:
            results = Path(place) / f"run{runs}"
            while killed(folder, results, random.uniform(0, longest)):
                kills += 1
            runs += 1
            differing += marks(results) != whole
            print(
                f"{kills} kills, {runs} classes graded to the end, {differing} differ", flush=True
            )
    minutes = (time.monotonic() - start) / 60
    print(f"{kills} kills in {minutes:.0f} minutes; marks of {len(whole)} students, each once")
    return 1 if differing or len(whole) != given.students else 0


if __name__ == "__main__":
    sys.exit(main())
