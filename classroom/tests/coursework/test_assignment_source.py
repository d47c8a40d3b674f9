"""One source gives all that is handed out, and what graders need; what is malformed is refused."""

import contextlib
import json
import re
import subprocess
from pathlib import Path

import pytest
from courseworks import TWICE, made

from attn_class.assignments import source
from attn_class.assignments.__main__ import SOURCES, main, products
from attn_class.exercises.frame import NotAttempted
from attn_class.grading.lookup import exercise_of, expanded
from specimens.coursework.tried import findings, hidden_tests

ROOT = Path(__file__).resolve().parents[3]
PRIVATE = ("classroom/coursework", "classroom/specimens/coursework", "classroom/tests/coursework")
NAMES = sorted(path.parent.name for path in SOURCES.glob("*/assignment.py"))
QUESTION = TWICE[TWICE.index("# %% [markdown]\n# ## Question 1") :]
TESTS = TWICE[TWICE.index("# %%\n### BEGIN HIDDEN") : -len(QUESTION)]


def folder(tmp_path, text=TWICE, name="twice"):
    (tmp_path / "in" / name).mkdir(parents=True, exist_ok=True)
    (tmp_path / "in" / name / "assignment.py").write_text(text, encoding="utf-8")
    return ["--sources", str(tmp_path / "in"), "--to", str(tmp_path / "out")]


def cells(text, kind=""):
    listed = json.loads(text)["cells"]
    return ["".join(cell["source"]) for cell in listed if kind in cell["cell_type"]]


def test_what_is_made_of_a_source(tmp_path):
    folder(tmp_path)
    files = products(tmp_path / "in" / "twice" / "assignment.py", "twice")
    assert cells(files["twice.ipynb"])[:-2] == [  # before the look at what the grader reads
        "# Twice\n\n## Part 1: twice (3 points)",
        'def double(x):\n    """Twice x."""\n    raise NotImplementedError',
        "## Question 1: why (3 points)\nWhy?\n\n*Your answer*",
    ]
    _, solved, answered = cells(files["private/solved.ipynb"])
    assert (solved[-12:], answered[-18:]) == ("return 2 * x", "Because of SOLVED.")
    assert files["private/grader.py"].startswith("from attn_class.exercises.frame import Exercise")
    assert "2 * x" not in files["private/grader.py"]
    rubric = files["private/rubric.md"]
    assert rubric.startswith("# twice: 6 points\n\n## Part 1: twice: 3\n")
    assert "- 3 points: It is twice x.\n" in rubric
    assert "- 2 points: a reason\n- 1 point: a good one\n" in rubric


STUB = "    ### STUB\n    # raise NotImplementedError\n"


def test_without_a_stub_of_its_own_a_solution_has_the_usual_one(tmp_path):
    texts = {"own": TWICE, "usual": TWICE.replace(STUB, "")}
    for name, text in texts.items():
        folder(tmp_path, text + "\n\n# %%\n### BEGIN SOLUTION\nx = 2\n### END SOLUTION\n", name)
    own, usual = (products(tmp_path / "in" / name / "assignment.py", "twice") for name in texts)
    assert own == usual
    assert cells(usual["twice.ipynb"])[-3] == "# Your code"


def test_files_are_replaced_and_the_same_source_gives_the_same_files(tmp_path, capsys):
    arguments = folder(tmp_path)
    assert main(arguments) == 0
    assert "twice.ipynb is to be handed out" in capsys.readouterr().out
    out = tmp_path / "out" / "twice"
    first = (out / "twice.ipynb").read_bytes()
    (out / "old.txt").write_text("of another day")
    assert main(arguments) == 0
    assert (out / "twice.ipynb").read_bytes() == first
    assert not (out / "old.txt").exists()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["twice"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("    ### END SOLUTION\n", "", "line 10: SOLUTION has no end; expected ### END SOLUTION"),
        ("# ### END RUBRIC\n", "", "RUBRIC has no end; expected ### END RUBRIC in the same cell"),
        ("    # raise NotImplementedError\n", "", "expected ### STUB with lines"),
        ("    # raise Not", "    raise Not", "expected the lines of a stub after a #"),
        ("    # raise NotImplementedError", "    # raise (", "the student version is not Python"),
        ("return 2 * x", "return 2 *", "the solved version is not Python"),
        ("### BEGIN SOLUTION", "### BEGIN ANSWER", "line 10: got '### BEGIN ANSWER'; expected"),
        ("    ### BEGIN SOLUTION\n", "", "STUB once, within a SOLUTION"),
        ("### BEGIN HIDDEN TESTS\n", "", "the end of what is open, which is nothing"),
        ("    return 2 * x", "    ### BEGIN RUBRIC\n", "expected the end of SOLUTION"),
        ("### END SOLUTION", "### FINISH", "; expected BEGIN, STUB or END"),
        ("# Why?", "Why?", "got 'Why?'; expected text after a #"),
        ("# %% [markdown]\n# # Twice", "# # Twice", "expected a line '# %%'"),
        ("twice (3 points)", "twice (4 points)", "promises 4 points; its tests and"),
        ("- 2 points: a reason", "- a reason", "got '- a reason'; expected a line such as"),
        ("def double", "def twofold", "double is graded; expected its stub"),
        ("answer.gives(x", "answer.gives(x)", "the hidden tests do not run on their own"),
        (QUESTION, "", "has no rubric; expected ### BEGIN RUBRIC"),
        (TESTS, "", "has no hidden tests"),
    ],
)
def test_what_is_malformed_is_said_and_nothing_is_written(tmp_path, capsys, old, new, words):
    assert old in TWICE
    arguments = folder(tmp_path, TWICE.replace(old, new, 1))
    folder(tmp_path, name="another")  # which is well formed, and comes first
    assert main(arguments) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_lines_of_a_file_beside_the_source_can_be_inserted(tmp_path, capsys):
    arguments = folder(tmp_path, TWICE.replace("    return 2 * x", "    ### INSERT much.py"))
    assert main(arguments) == 2
    assert "cannot be read" in capsys.readouterr().err
    program = 'if __name__ == "__main__":\n    print("RUN")\n'  # stays behind
    (tmp_path / "in" / "twice" / "much.py").write_text(
        f"    much = 2\n    return much * x\n\n\n{program}"
    )
    assert main(arguments) == 0
    product = tmp_path / "out" / "twice"
    solved = (product / "private" / "solved.ipynb").read_text("utf-8")
    assert "much" in solved
    assert "RUN" not in solved
    assert "much" not in (product / "twice.ipynb").read_text("utf-8")


def test_a_table_beside_the_source_becomes_a_text_with_a_name(tmp_path, capsys):
    inserted = "### BEGIN SOLUTION\n### INSERT RATES = rates.csv\n### STUB\n# RATES = ''\n"
    inserted += "### END SOLUTION\n\n# %%\ndef double"
    arguments = folder(tmp_path, TWICE.replace("def double", inserted))
    table = tmp_path / "in" / "twice" / "rates.csv"
    table.write_text("rate,share\n0.1,0.5\n")
    solved = products(table.with_name("assignment.py"), "twice")["private/solved.ipynb"]
    assert cells(solved)[1] == 'RATES = """rate,share\n0.1,0.5\n"""'
    for text in ('a"""b\n', "a\\nb\n"):
        table.write_text(text)
        assert main(arguments) == 2
        assert "rates.csv holds a backslash or three" in capsys.readouterr().err


def test_an_assignment_that_is_not_there_is_said(tmp_path, capsys):
    assert main([*folder(tmp_path), "thrice"]) == 2
    assert "no assignment is called 'thrice'; expected twice" in capsys.readouterr().err
    assert main(["--sources", str(tmp_path / "nowhere")]) == 2
    assert "holds no assignment; expected NAME/assignment.py" in capsys.readouterr().err


# ---- the assignments of the course


@pytest.mark.parametrize("name", NAMES)
def test_the_solved_version_runs_from_top_to_bottom(name, monkeypatch):
    names = {"__name__": "solved"}
    monkeypatch.setattr("builtins.print", lambda *_: None)
    for cell in cells(made(name)["private/solved.ipynb"], "code"):
        exec(cell, names)


@pytest.fixture(scope="module")
def published():
    """All that stands in the package, the chapters and the book, without spaces at the margin."""
    texts = []
    for place in ("attn_course", "book", "chapters"):
        for path in sorted((ROOT / place).rglob("*")):
            if path.suffix in (".py", ".md"):
                texts.append(path.read_text("utf-8"))
            elif path.suffix == ".ipynb":
                texts += cells(path.read_text("utf-8"))
    return bare("\n".join(texts))


def bare(text):
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


@pytest.mark.parametrize("name", NAMES)
def test_no_solution_is_in_what_others_see(published, name):
    student = made(name)[f"{name}.ipynb"]
    assert not re.search(r"BEGIN|STUB|RUBRIC|HIDDEN|attn_course.(exercises|grading)", student)
    visible = "\n".join(
        [*map(bare, cells(student)), bare(made(name)["private/grader.py"]), published]
    )
    path = SOURCES / name / "assignment.py"
    solutions = [
        bare("\n".join(part.lines))
        for cell in source.read(path)
        for part in cell.parts
        if isinstance(part, source.Region) and part.kind == source.SOLUTION
    ]
    assert len(solutions) == path.read_text("utf-8").count("### BEGIN SOLUTION") > 0
    assert [solution for solution in solutions if solution in visible] == []


@pytest.mark.parametrize("name", NAMES)
def test_in_the_student_version_nothing_is_attempted(name):
    names = {"__name__": "student"}
    for cell in cells(made(name)[f"{name}.ipynb"], "code"):
        with contextlib.suppress(NotImplementedError, NameError, ValueError):
            exec(cell, names)
    for function, exercise in hidden_tests(name).items():
        with pytest.raises(NotAttempted):
            findings(exercise, names[function])


def test_what_keeps_solutions_back_is_in_place():
    assert "classroom" in (ROOT / "_config.yml").read_text("utf-8").split("exclude_patterns")[1]
    assert "coursework" not in (ROOT / "_toc.yml").read_text("utf-8")
    removed = re.search(
        r"^rm -rf (classroom/coursework .+)$",
        (ROOT / ".binder" / "postBuild").read_text("utf-8"),
        re.M,
    )
    assert {*PRIVATE, ".git"} <= set(removed[1].split())
    command = ["git", "check-attr", "export-ignore", *PRIVATE]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if process.returncode == 0:  # else this is no clone
        assert process.stdout.count("export-ignore: set") == len(PRIVATE)


# ---- the names by which make grade knows them


def test_a_grader_is_found_by_its_path(tmp_path):
    assert main(folder(tmp_path)) == 0
    file = str(tmp_path / "out" / "twice" / "private" / "grader.py")
    assert expanded(["weights.safe_softmax", file]) == ["weights.safe_softmax", f"{file}:double"]
    assert exercise_of(f"{file}:double").call == "double(x)"
    (tmp_path / "empty.py").write_text("")
    for name, words in (
        (f"{file}:triple", "no exercise 'triple'; expected one of double"),
        (str(tmp_path / "nothing.py"), "made by make coursework"),
        (str(tmp_path / "empty.py"), "holds no exercise"),
    ):
        with pytest.raises(ValueError, match=words):
            exercise_of(*expanded([name]))
