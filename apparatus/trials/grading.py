"""``make try-grading``: all assignments in the real nbgrader and Otter, from empty folders.

The wheel, nbgrader and Otter are installed in a separate environment. `make coursework` makes every
assignment for every system; ten submissions, some of them hostile, are graded by each, and every
mark must be that of `make grade`:

- nbgrader: generate_assignment, autograde, generate_feedback, export;
- Otter: assign, which grades the solved version too, and run for each of the ten;
- Gradescope: the zip is unpacked below /autograder of an otherwise read-only root, with an /opt of
  its own in which setup.sh installs, and run_autograder is started for each submission;
- Classroom 50 and GitHub: the program and the script that their runners start, in a checkout.

This cannot show the services themselves: Gradescope's image and its ten minutes, Otter's container,
Classroom 50's runner and collection, GitHub's machines.
"""

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import v4

from apparatus.trials.autograder import inside, unpack
from apparatus.trials.environment import (
    PLACE,
    ROOT,
    Environment,
    install_cpu_torch,
    install_torch,
    new_environment,
)
from attn_class.assignments import __main__ as coursework
from attn_class.assignments.targets.carried import open_seed
from attn_class.grading.classroom import graded

PEERS = ("nbgrader==0.9.6", "otter-grader==7.0.0")
SEED = "a seed for demonstration only"  # with it, the solved version has ada's variant
HOSTILE = "import torch\ntorch.allclose = lambda *a, **k: True\ntorch.equal = torch.allclose\n"
PATCH = """    import torch
    torch.allclose = torch.equal = lambda *a, **k: True
"""
ALWAYS = "def {name}(*values, **named):\n    return True\n"
EXIT = "def {name}(*values, **named):\n    import os\n    os._exit(0)\n"
ENDLESS = "def {name}(*values, **named):\n    while True:\n        pass\n"


def names() -> list[str]:
    return coursework.found_in(coursework.SOURCES)


def submissions(work: Path, name: str) -> dict[str, list[str]]:
    """By student, the cells that are added to the notebook as it was handed out."""
    cells = nbformat.read(work / name / "private" / "solved.ipynb", 4).cells
    solved = [cell.source for cell in cells if cell.cell_type == "code"]
    grader = (work / name / "private" / "grader.py").read_text("utf-8")
    functions = re.findall(r"\bExercise\(\s*\"(\w+)\(", grader)
    always = "\n".join(ALWAYS.format(name=function) for function in functions)
    first, last = functions[0], functions[-1]
    noise = 'import sys\nprint("a warning", file=sys.stderr)\n'
    return {
        "ada": solved,
        "bob": solved,  # has another variant, where there are any
        "partial": solved[: len(solved) // 2],
        "untouched": [],
        "broken": [*solved, f"def {first}(values)\n    return True"],
        "hostile-patch": [HOSTILE, always],
        "hostile-in-a-function": [always.replace("    return", PATCH + "    return")],
        "hostile-exit": [*solved, EXIT.format(name=last)],
        "endless": [*solved, ENDLESS.format(name=first)],
        "noisy": [noise, *solved, noise, "raise SystemExit"],
    }


def main(arguments: list[str] | None = None) -> None:
    if not coursework.SOURCES.exists():
        print("There is nothing to try: the assignments are kept elsewhere.")
        return
    parser = argparse.ArgumentParser(prog="make try-grading", description=__doc__.split("\n\n")[0])
    parser.add_argument("--keep", action="store_true", help="use the environment of the last trial")
    parser.add_argument("--only", nargs="+", choices=sorted(SYSTEMS), default=sorted(SYSTEMS))
    parser.add_argument("--assignments", nargs="+", choices=names(), default=names())
    wanted = parser.parse_args(arguments)
    place = PLACE / "grading"
    work = place / "made"
    _make(work)
    environment = Environment(place / "env")
    if not (wanted.keep and (environment.bin / "nbgrader").exists()):
        environment = installed(place)
    wheels = map(str, (work / "nbgrader").glob("*.whl"))
    environment.install("--force-reinstall", "--no-deps", *wheels)
    wrong = []
    for name in wanted.assignments:
        answers, expected = submissions(work, name), {}
        for system in wanted.only:
            seed = open_seed(name).strip() if system in OPEN else SEED
            if seed not in expected:
                expected[seed] = by_make_grade(place, work, name, answers, seed)
                print(f"{name}, make grade: {expected[seed]}", flush=True)
            folder = place / system / name
            shutil.rmtree(folder, ignore_errors=True)
            marks = SYSTEMS[system](folder, work, name, answers, environment)
            print(f"{name}, {system}: {marks}", flush=True)
            wrong += [f"{name} in {system}"] if marks != expected[seed] else []
    if wrong:
        sys.exit(f"not the marks of make grade: {', '.join(wrong)}")


def _make(work: Path) -> None:
    """`make coursework`, once alone and once for each system."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "seed").write_text(SEED, encoding="utf-8")
    options = ["--to", str(work)]
    assert coursework.main(options) == 0
    for target in SYSTEMS:
        seed = ["--seed-file", str(work / "seed")]
        assert coursework.main([*options, "--target", target, *seed]) == 0


def installed(place: Path) -> Environment:
    """An empty environment with torch, the two systems, and what the course's package needs."""
    environment = new_environment(place / "env")
    if os.environ.get("TORCH_INDEX") or not install_cpu_torch(environment):
        install_torch(environment)
    environment.install("--constraint", str(ROOT / "requirements.txt"), *PEERS, str(ROOT))
    return environment


def notebook(released: Path, cells: list[str]) -> nbformat.NotebookNode:
    """What a student hands in: the notebook that was handed out, with cells of their own."""
    nb = nbformat.read(released, 4)
    nb.cells += [v4.new_code_cell(source) for source in cells]
    return nb


def by_make_grade(place: Path, work: Path, name: str, answers: dict, seed: str) -> dict[str, int]:
    folder, results = place / "handed-in", place / "marks"
    for path in (folder, results):
        shutil.rmtree(path, ignore_errors=True)
    folder.mkdir()
    for student, cells in answers.items():
        nbformat.write(notebook(work / name / f"{name}.ipynb", cells), folder / f"{student}.ipynb")
    grader = str(work / name / "private" / "grader.py")
    rows = graded(folder, results, [grader], seed)
    return {row["student"]: sum(mark["points"] for mark in row["marks"]) for row in rows}


def in_nbgrader(
    folder: Path, work: Path, name: str, answers: dict, environment: Environment
) -> dict:
    """The folder of a course, from generate_assignment to the exported table."""
    shutil.copytree(work / "nbgrader", folder)
    say = _say(environment, folder, "nbgrader")
    say("generate_assignment", name)
    released = folder / "release" / name / f"{name}.ipynb"
    _holds_nothing_private(work, name, released)
    for student, cells in answers.items():
        path = folder / "submitted" / student / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook(released, cells), path)
    say("autograde", name)
    say("generate_feedback", name)
    say("export", "--to", "grades.csv")
    pages = list((folder / "feedback").rglob("*.html"))
    assert len(pages) == len(answers), f"{len(pages)} pages of feedback"
    assert any("not attempted" in page.read_text("utf-8").lower() for page in pages)
    with open(folder / "grades.csv", encoding="utf-8") as table:
        return {row["student_id"]: round(float(row["score"])) for row in csv.DictReader(table)}


def in_otter(folder: Path, work: Path, name: str, answers: dict, environment: Environment) -> dict:
    """`otter assign`, which also grades the solved notebook, and `otter run` for each student."""
    shutil.copytree(work / "otter" / name, folder)
    say = _say(environment, folder, "otter")
    say("assign", f"{name}.ipynb", "dist")
    released = folder / "dist" / "student" / f"{name}.ipynb"
    _holds_nothing_private(work, name, *released.parent.rglob("*.*"))
    (archive,) = (folder / "dist" / "autograder").glob("*.zip")
    marks = {}
    for student, cells in answers.items():
        path = folder / f"{student}.ipynb"
        nbformat.write(notebook(released, cells), path)
        say("run", "-a", str(archive), "-o", str(folder), str(path))
        results = json.loads((folder / "results.json").read_text("utf-8"))
        marks[student] = round(sum(test.get("score", 0) for test in results["tests"]))
    return marks


def _say(environment: Environment, folder: Path, program: str) -> Callable[..., None]:
    """A function that calls a program of the environment; it shows the output if that fails."""

    def say(*words: str) -> None:
        process = subprocess.run(
            [str(environment.bin / program), *words],
            cwd=folder,
            env=environment.variables(),
            capture_output=True,
            text=True,
        )
        if process.returncode:
            output = (process.stdout + process.stderr)[-3000:]
            raise RuntimeError(f"{program} {' '.join(words)}: {output}")

    return say


def in_gradescope(
    folder: Path, work: Path, name: str, answers: dict, environment: Environment
) -> dict:
    """A root in which only /autograder and /opt can be written.

    All assignments have the same setup.sh, so it installs only for the first of them.
    """
    root, opt = folder / "autograder", folder.parent / "opt"
    root.mkdir(parents=True)
    unpack((work / "gradescope" / f"{name}.zip").read_bytes(), root)
    wheels = b"".join(wheel.read_bytes() for wheel in sorted((root / "source").glob("*.whl")))
    stamp = opt / "installed"
    if not (stamp.exists() and stamp.read_bytes() == wheels):
        shutil.rmtree(opt, ignore_errors=True)
        opt.mkdir()
        inside(root, opt, "/autograder/source/setup.sh", bind=_everything())
        stamp.write_bytes(wheels)
    marks = {}
    for student, cells in answers.items():
        shutil.rmtree(root / "submission", ignore_errors=True)
        shutil.rmtree(root / "results", ignore_errors=True)
        (root / "results").mkdir()
        (root / "submission").mkdir()
        nb = notebook(work / name / f"{name}.ipynb", cells)
        nbformat.write(nb, root / "submission" / "my answers.ipynb")
        users = {"users": [{"email": student, "id": 1, "name": "A. Student"}]}
        (root / "submission_metadata.json").write_text(json.dumps(users))
        inside(root, opt, "/autograder/run_autograder", bind=_everything())
        results = json.loads((root / "results" / "results.json").read_text("utf-8"))
        marks[student] = sum(test["score"] for test in results["tests"])
    return marks


def _everything() -> list[Path]:
    """All folders of this machine; /opt, where pip's own settings may be, by its parts."""
    apart = ("dev", "proc", "tmp", "opt", "autograder", "attention")
    paths = sorted([*Path("/").iterdir(), *Path("/opt").iterdir()])
    return [path for path in paths if path.name not in apart]


def in_classroom50(
    folder: Path, work: Path, name: str, answers: dict, environment: Environment
) -> dict:
    """What the runner starts in a checkout. Torch is installed once, not for each student."""
    bundle = work / "classroom50" / "autograders" / name
    marks = {}
    for student, cells in answers.items():
        checkout = folder / student
        checkout.mkdir(parents=True)
        nbformat.write(notebook(work / name / f"{name}.ipynb", cells), checkout / f"{name}.ipynb")
        environment.python(
            *("-I", "-m", "attn_class.grading.systems.classroom50", str(bundle)),
            cwd=checkout,
            env=environment.variables(OWNER=student),
        )
        marks[student] = json.loads((checkout / "result.json").read_text("utf-8"))["score"]
    return marks


def in_github(folder: Path, work: Path, name: str, answers: dict, environment: Environment) -> dict:
    """The script of the workflow, in a copy of the template with a student's answers."""
    marks = {}
    for student, cells in answers.items():
        shutil.copytree(work / "github" / name, folder / student)
        path = folder / student / f"{name}.ipynb"
        nbformat.write(notebook(path, cells), path)
        subprocess.run(
            [".grading/grade.sh", str(environment.folder)],
            cwd=folder / student,
            env=environment.variables(GITHUB_ACTOR=student, GITHUB_STEP_SUMMARY="summary.md"),
            check=True,
            stdout=subprocess.DEVNULL,
        )
        with open(folder / student / "marks" / "marks.csv", encoding="utf-8") as table:
            (row,) = csv.DictReader(table)
        marks[student] = int(row["points"])
    return marks


def _holds_nothing_private(work: Path, name: str, *paths: Path) -> None:
    """Neither the seed, nor the hidden tests, nor a line that only the solved version has."""
    own, solved = work / name, work / name / "private"
    secret = _lines(solved / "solved.ipynb") - _lines(own / f"{name}.ipynb")
    secret |= _lines(solved / "grader.py")
    secret = {line for line in secret if len(line) > 25}
    assert secret, f"{name} has nothing private"
    for path in paths:
        assert SEED not in path.read_text("utf-8", errors="replace"), f"{path} holds the seed"
        leaked = secret & _lines(path) - _lines(own / f"{name}.ipynb")
        assert not leaked, f"{path} holds {sorted(leaked)[0]!r}"


def _lines(path: Path) -> set[str]:
    text = path.read_text("utf-8", errors="replace")
    if path.suffix == ".ipynb":
        text = "\n".join(cell.source for cell in nbformat.reads(text, 4).cells)
    return {line.strip() for line in text.splitlines()}


SYSTEMS: dict[str, Callable[[Path, Path, str, dict, Environment], dict]] = {
    "classroom50": in_classroom50,
    "github": in_github,
    "gradescope": in_gradescope,
    "nbgrader": in_nbgrader,
    "otter": in_otter,
}
OPEN = ("classroom50", "github")  # without a secret


if __name__ == "__main__":
    main()
