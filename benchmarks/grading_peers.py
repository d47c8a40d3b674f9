"""How long does grading a class take, compared with nbgrader and Otter on the same notebooks?

    make try-grading                       # makes the environment with nbgrader and Otter
    python -m benchmarks.grading_peers [--students 50] [--rounds 1]

Each notebook has right and wrong answers to eleven exercises of `benchmarks.grading`. All ways try
the same properties of the same functions. nbgrader and Otter do so as installed: they execute the
notebook in a kernel, and then its tests in the same one, with nothing in between. The course takes
the functions out and calls them in a sandbox, two students at a time; nbgrader and Otter take one
after the other. The fourth way is nbgrader with the course's step instead of its own. In a round
all run one after the other; the output is the median and the range of the ratios to `make grade`.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import nbformat
from nbformat import v4

from attn_course.grading.classroom import graded
from benchmarks.grading import EXERCISES as ALL
from benchmarks.grading import SEED, alone, hand_in
from benchmarks.grading_fairness import exercise_of
from tools.trials.environment import PLACE, Environment

NAME = "eleven"
EXERCISES = [
    each for each in ALL if each != "search.greedy_search"
]  # its function has the same name as that of beam_search
HELPER = """from importlib import import_module
from attn_course.exercises.frame import _here

def points(name, function):
    exercise = import_module(f"attn_course.exercises.{name}").exercise
    try:
        findings = list(exercise.findings(_here(function, exercise.without), "seed"))
    except Exception:
        return 0
    return sum(each.property.points for each in findings if each.holds)
"""
CONFIG = """from pathlib import Path
from attn_course.grading.systems import nbgrader
nbgrader.configure(get_config(), Path(__file__).resolve().parent / "private")
"""
METADATA = {"schema_version": 3, "task": False, "grade": False, "solution": False, "locked": False}


def functions() -> dict[str, tuple[str, int]]:
    """The name of each function, with its exercise and its points."""
    found = {}
    for name in EXERCISES:
        exercise = exercise_of(name)
        found[exercise.function] = name, sum(each.points for each in exercise.properties)
    return found


def notebook(cells: list[str]) -> nbformat.NotebookNode:
    """The answers, each followed by the cell of its tests, marked for nbgrader."""
    made = [v4.new_code_cell(HELPER)]
    for text, (function, (name, most)) in zip(cells, functions().items(), strict=True):
        answer = v4.new_code_cell(text)
        own = {"grade_id": f"{function}-answer", "solution": True}
        answer.metadata["nbgrader"] = METADATA | own
        tests = v4.new_code_cell(f"points({name!r}, {function})")
        about = {"grade_id": function, "grade": True, "locked": True, "points": most}
        tests.metadata["nbgrader"] = METADATA | about
        made += [answer, tests]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return v4.new_notebook(cells=made, metadata={"kernelspec": kernel})


class Peers:
    """The same class as a folder for `make grade`, two courses of nbgrader and a zip of Otter."""

    def __init__(self, place: Path, students: int, environment: Environment):
        self.place, self.environment = place, environment
        self.plain = place / "plain"
        self.plain.mkdir()
        hand_in(self.plain, students, EXERCISES)
        self.grader = place / "grader.py"
        lines = [
            f"from attn_course.exercises.{each} import exercise as e{number}"
            for number, each in enumerate(EXERCISES)
        ]
        self.grader.write_text("\n".join(lines) + "\n")
        self._nbgrader("stock", "")
        self._nbgrader("ours", CONFIG)
        self._otter()

    def _answers(self) -> dict[str, list[str]]:
        found = {}
        for path in sorted(self.plain.iterdir()):
            cells = json.loads(path.read_text("utf-8"))["cells"]
            found[path.stem] = [each["source"] for each in cells]
        return found

    def _nbgrader(self, name: str, config: str) -> None:
        course = self.place / name
        source = course / "source" / NAME / f"{NAME}.ipynb"
        source.parent.mkdir(parents=True)
        nbformat.write(notebook([alone(each)[0] for each in EXERCISES]), source)
        (course / "nbgrader_config.py").write_text(config or "c = get_config()\n")
        (course / "private" / NAME).mkdir(parents=True)
        (course / "private" / "seed").write_text(SEED)
        shutil.copyfile(self.grader, course / "private" / NAME / "grader.py")
        for student, cells in self._answers().items():
            path = course / "submitted" / student / NAME / f"{NAME}.ipynb"
            path.parent.mkdir(parents=True)
            nbformat.write(notebook(cells), path)
        self._run(course, "nbgrader", "generate_assignment", NAME)

    def _otter(self) -> None:
        folder = self.place / "otter"
        (folder / "tests").mkdir(parents=True)
        for function, (name, most) in functions().items():
            code = f">>> points({name!r}, {function}) == {most}\nTrue"
            case = {"code": code, "hidden": False, "locked": False}
            suite = {
                "cases": [case],
                "scored": True,
                "setup": "",
                "teardown": "",
                "type": "doctest",
            }
            test = {"name": function, "points": most, "suites": [suite]}
            text = f"OK_FORMAT = True\ntest = {test!r}\n"
            (folder / "tests" / f"{function}.py").write_text(text)
        for student, cells in self._answers().items():
            nbformat.write(notebook(cells), folder / f"{student}.ipynb")
        self._run(folder, "otter", "generate", "-t", "tests", "-o", "autograder.zip")

    def _run(self, folder: Path, *words: str) -> None:
        command = [str(self.environment.bin / words[0]), *words[1:]]
        variables = self.environment.variables(OMP_NUM_THREADS="1")
        done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(words)}: {done.stderr[-2000:]}")

    def make_grade(self) -> None:
        with tempfile.TemporaryDirectory() as results:
            graded(self.plain, Path(results), [str(self.grader)], SEED)

    def nbgrader(self) -> None:
        self._run(self.place / "stock", "nbgrader", "autograde", NAME, "--force")

    def nbgrader_with_sandboxes(self) -> None:
        self._run(self.place / "ours", "nbgrader", "autograde", NAME, "--force")

    def otter(self) -> None:
        for path in sorted((self.place / "otter").glob("*.ipynb")):
            words = ("run", "-a", "autograder.zip", "-o", "results", path.name)
            (self.place / "otter" / "results").mkdir(exist_ok=True)
            self._run(self.place / "otter", "otter", *words)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--students", type=int, default=50)
    words.add_argument("--rounds", type=int, default=1)
    given = words.parse_args()
    environment = Environment(PLACE / "grading" / "env")
    with tempfile.TemporaryDirectory() as place:
        peers = Peers(Path(place), given.students, environment)
        ways = {
            "make grade": peers.make_grade,
            "nbgrader with the course's step": peers.nbgrader_with_sandboxes,
            "nbgrader": peers.nbgrader,
            "Otter": peers.otter,
        }
        found: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(given.rounds):
            for name, way in ways.items():
                start = time.monotonic()
                way()
                found[name].append(time.monotonic() - start)
                print(f"{name}: {found[name][-1]:.0f} s", flush=True)
    for name, several in found.items():
        ratios = [one / first for one, first in zip(several, found["make grade"], strict=True)]
        print(
            f"{name}: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) "
            f"times the time of make grade, {given.students} notebooks"
        )


if __name__ == "__main__":
    main()
