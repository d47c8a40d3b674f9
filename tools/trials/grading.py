"""``make try-grading``: an assignment in the real nbgrader and the real Otter, from empty folders.

An environment of its own gets the wheel, nbgrader and Otter. `make coursework` makes an assignment
for every system; ten submissions, among them hostile ones, are graded by each, and every mark must
be that of `make grade`:

- nbgrader: generate_assignment, autograde, generate_feedback, export;
- Otter: assign, which grades the solved version too, and run for each submission;
- Gradescope: the zip is unpacked below /autograder of an otherwise read-only root, with an /opt of
  its own in which setup.sh installs, and run_autograder is started for each submission;
- Classroom 50 and GitHub: the program and the script that their runners would start, in a checkout.

This cannot show the services themselves: Gradescope's image and its ten minutes, Otter's container,
Classroom 50's runner and collection, GitHub's machines.
"""

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import v4

from attn_course.grading.classroom import graded
from tools.coursework import __main__ as coursework
from tools.trials.autograder import inside, unpack
from tools.trials.environment import (
    PLACE,
    ROOT,
    Environment,
    install_cpu_torch,
    install_torch,
    new_environment,
)

NAME = "find-the-bug"
PEERS = ("nbgrader==0.9.6", "otter-grader==7.0.0")
SEED = "the seed of a trial, which is no secret"
OPEN = f"{NAME}: this seed is no secret, so marks drawn from it do not count"
HOSTILE = "import torch\ntorch.allclose = lambda *a, **k: True\ntorch.equal = torch.allclose\n"
PATCH = """    import torch
    torch.allclose = torch.equal = lambda *a, **k: True
"""
ALWAYS = "def {name}(model):\n    return True\n"


def submissions(made: Path) -> dict[str, list[str]]:
    """By student, the cells that are added to the notebook as it was handed out."""
    cells = nbformat.read(made / NAME / "private" / "solved.ipynb", 4).cells
    (tests,) = (each.source for each in cells if "def test_a(" in each.source)
    rest = tests[tests.index("def test_d(") :]
    always = "\n".join(ALWAYS.format(name=f"test_{each}") for each in "abcdef")
    noise = 'import sys\nprint("a warning", file=sys.stderr)\n'
    return {
        "full": [tests],
        "partial": [rest],
        "untouched": [],
        "broken": [tests, "def test_a(model)\n    return True"],
        "always-true": [always],
        "hostile-patch": [HOSTILE, always],
        "hostile-in-a-function": [always.replace("    return", PATCH + "    return")],
        "hostile-exit": [tests, "def test_b(model):\n    import os\n    os._exit(0)\n"],
        "endless": [tests, "def test_c(model):\n    while True:\n        pass\n"],
        "noisy": [noise, tests.replace('"""', '"""', 1), noise, "raise SystemExit"],
    }


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="make try-grading", description=__doc__.split("\n\n")[0])
    parser.add_argument("--keep", action="store_true", help="use the environment of the last trial")
    parser.add_argument("--only", nargs="+", choices=sorted(WAYS), default=sorted(WAYS))
    wanted = parser.parse_args(arguments)
    place = PLACE / "grading"
    made = place / "made"
    _make(made)
    environment = Environment(place / "env")
    if not (wanted.keep and (environment.bin / "nbgrader").exists()):
        environment = installed(place)
    (wheel,) = (made / "nbgrader").glob("*.whl")
    environment.install("--force-reinstall", "--no-deps", str(wheel))
    answers = submissions(made)
    expected = {seed: by_make_grade(place, made, answers, seed) for seed in (SEED, OPEN)}
    print(f"make grade: {expected[SEED]}", flush=True)
    wrong = []
    for name in wanted.only:
        way, seed = WAYS[name]
        folder = place / name
        shutil.rmtree(folder, ignore_errors=True)
        start = time.monotonic()
        found = way(folder, made, answers, environment)
        ran = f"{time.monotonic() - start:.0f} s for {len(answers)} submissions"
        others = {
            each: found.get(each) for each in answers if found.get(each) != expected[seed][each]
        }
        print(f"{name}: {'OTHER MARKS ' + str(others) if others else 'the same marks'}; {ran}")
        wrong += [name] if others else []
    if wrong:
        sys.exit(f"not the marks of make grade: {', '.join(wrong)}")


def _make(made: Path) -> None:
    """`make coursework`, once alone and once for each system."""
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    (made / "seed").write_text(SEED, encoding="utf-8")
    given = [NAME, "--to", str(made)]
    assert coursework.main(given) == 0
    for target in WAYS:
        seed = ["--seed-file", str(made / "seed")]
        assert coursework.main([*given, "--target", target, *seed]) == 0


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
    nb.cells += [v4.new_code_cell(each) for each in cells]
    return nb


def by_make_grade(place: Path, made: Path, answers: dict, seed: str) -> dict[str, int]:
    folder, results = place / "handed-in", place / f"marks-{len(seed)}"
    for each in (folder, results):
        shutil.rmtree(each, ignore_errors=True)
    folder.mkdir()
    for student, cells in answers.items():
        nbformat.write(notebook(made / NAME / f"{NAME}.ipynb", cells), folder / f"{student}.ipynb")
    grader = str(made / NAME / "private" / "grader.py")
    return {each["student"]: _points(each) for each in graded(folder, results, [grader], seed)}


def _points(record: dict) -> int:
    return sum(mark["points"] for mark in record["marks"])


def in_nbgrader(folder: Path, made: Path, answers: dict, environment: Environment) -> dict:
    """The folder of a course, from generate_assignment to the exported table."""
    shutil.copytree(made / "nbgrader", folder)

    def say(*words: str) -> None:
        subprocess.run(
            [str(environment.bin / "nbgrader"), *words],
            cwd=folder,
            env=environment.variables(),
            check=True,
            capture_output=True,
            text=True,
        )

    say("generate_assignment", NAME)
    released = folder / "release" / NAME / f"{NAME}.ipynb"
    _holds_nothing_private(released)
    for student, cells in answers.items():
        path = folder / "submitted" / student / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook(released, cells), path)
    say("autograde", NAME)
    say("generate_feedback", NAME)
    say("export", "--to", "grades.csv")
    pages = list((folder / "feedback").rglob("*.html"))
    assert len(pages) == len(answers), f"{len(pages)} pages of feedback"
    assert any("not attempted" in each.read_text("utf-8").lower() for each in pages)
    with open(folder / "grades.csv", encoding="utf-8") as table:
        return {row["student_id"]: round(float(row["score"])) for row in csv.DictReader(table)}


def in_otter(folder: Path, made: Path, answers: dict, environment: Environment) -> dict:
    """`otter assign`, which also grades the solved notebook, and `otter run` for each student."""
    shutil.copytree(made / "otter" / NAME, folder)
    say = [str(environment.bin / "otter")]
    options = {"cwd": folder, "env": environment.variables(), "check": True, "capture_output": True}
    subprocess.run([*say, "assign", f"{NAME}.ipynb", "dist"], **options)
    released = folder / "dist" / "student" / f"{NAME}.ipynb"
    _holds_nothing_private(*(path for path in released.parent.rglob("*") if path.is_file()))
    (archive,) = (folder / "dist" / "autograder").glob("*.zip")
    found = {}
    for student, cells in answers.items():
        path = folder / f"{student}.ipynb"
        nbformat.write(notebook(released, cells), path)
        subprocess.run([*say, "run", "-a", str(archive), "-o", str(folder), str(path)], **options)
        results = json.loads((folder / "results.json").read_text("utf-8"))
        found[student] = round(sum(each.get("score", 0) for each in results["tests"]))
    return found


def in_gradescope(folder: Path, made: Path, answers: dict, environment: Environment) -> dict:
    """A root with /autograder and /opt to be written in, and nothing else."""
    root, opt = folder / "autograder", folder / "opt"
    opt.mkdir(parents=True)
    unpack((made / "gradescope" / f"{NAME}.zip").read_bytes(), root)
    inside(root, opt, "/autograder/source/setup.sh", bind=_everything())
    found = {}
    for student, cells in answers.items():
        shutil.rmtree(root / "submission", ignore_errors=True)
        shutil.rmtree(root / "results", ignore_errors=True)
        (root / "results").mkdir()
        (root / "submission").mkdir()
        nb = notebook(made / NAME / f"{NAME}.ipynb", cells)
        nbformat.write(nb, root / "submission" / "my answers.ipynb")
        users = {"users": [{"email": student, "id": 1, "name": "A. Student"}]}
        (root / "submission_metadata.json").write_text(json.dumps(users))
        inside(root, opt, "/autograder/run_autograder", bind=_everything())
        results = json.loads((root / "results" / "results.json").read_text("utf-8"))
        found[student] = sum(each["score"] for each in results["tests"])
    return found


def _everything() -> list[Path]:
    """All folders of this machine; /opt, where pip's own settings may be, by its parts."""
    apart = ("dev", "proc", "tmp", "opt", "autograder", "attention")
    found = sorted([*Path("/").iterdir(), *Path("/opt").iterdir()])
    return [each for each in found if each.name not in apart]


def in_classroom50(folder: Path, made: Path, answers: dict, environment: Environment) -> dict:
    """What the runner starts in a checkout. Torch is installed once, not for each student."""
    bundle = made / "classroom50" / "autograders" / NAME
    found = {}
    for student, cells in answers.items():
        checkout = folder / student
        checkout.mkdir(parents=True)
        nbformat.write(notebook(made / NAME / f"{NAME}.ipynb", cells), checkout / f"{NAME}.ipynb")
        environment.python(
            *("-I", "-m", "attn_course.grading.systems.classroom50", str(bundle)),
            cwd=checkout,
            env=environment.variables(OWNER=student),
        )
        found[student] = json.loads((checkout / "result.json").read_text("utf-8"))["score"]
    return found


def in_github(folder: Path, made: Path, answers: dict, environment: Environment) -> dict:
    """The script of the workflow, in a copy of the template with a student's answers."""
    found = {}
    for student, cells in answers.items():
        shutil.copytree(made / "github" / NAME, folder / student)
        path = folder / student / f"{NAME}.ipynb"
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
        found[student] = int(row["points"])
    return found


def _holds_nothing_private(*paths: Path) -> None:
    for path in paths:
        text = path.read_text("utf-8", errors="replace")
        assert SEED not in text, f"{path} holds the seed"
        assert "def _must_find" not in text, f"{path} holds the hidden tests"
        assert "The annotations of a recurrent encoder" not in text, f"{path} holds a solution"
        assert "annotations[1, 2:] = torch" not in text, f"{path} holds a solution"


WAYS: dict[str, tuple[Callable[[Path, Path, dict, Environment], dict], str]] = {
    "classroom50": (in_classroom50, OPEN),
    "github": (in_github, OPEN),
    "gradescope": (in_gradescope, SEED),
    "nbgrader": (in_nbgrader, SEED),
    "otter": (in_otter, SEED),
}


if __name__ == "__main__":
    main()
