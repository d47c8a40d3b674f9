"""Each recipe of CONTRIBUTING.md, followed in a scratch copy with a made-up example, and built.

``recipes`` has a folder for each recipe, with the files that its example adds. The contents of a
file that ends in ``.add`` are inserted into an existing file, before the line that it names.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from listing import ROOT

from attn_class.grading.classroom import graded

EXAMPLES = ROOT / "website" / "tests" / "recipes"
RECIPES = sorted(path.name for path in EXAMPLES.iterdir())
# what the front page takes from a chapter is left out, and so are the other chapters
FRONT = "# Front\n\nThe whole of the front page.\n"
CONTENTS = """
format: jb-book
root: book/index
parts:
  - chapters: [{file: book/glossary}, {file: book/claims}, {file: book/bibliography}]
  - caption: Afterwards
    chapters: [{file: book/notation}, {file: book/how-it-measures}]
"""
# the tests that find new files by themselves, limited to what was added
GENERAL = (
    *("tests/test_widgets", "tests/test_equations_oracle", "tests/test_odd_calls"),
    *("laboratory/tests/test_scores_experiments", "website/tests/test_notebooks"),
    *(
        f"website/tests/pages/test_widget{name}_browser"
        for name in ("_score_explorer", "s_contract")
    ),
    *(
        f"classroom/tests/{name}"
        for name in (
            *("test_exercises", "coursework/test_answers", "coursework/test_assignment_source"),
            "coursework/test_points",
        )
    ),
)
ADDED = (
    *("oracle", "distance", "formulas", "largest_weight", "made-up", "Tally"),
    *("every_public_function", "every_widget"),
)
ASSIGNMENT = "a-made-up-one"


def example(recipe: str) -> dict[str, Path]:
    """The files that an example adds to, by the path that they have in the repository."""
    folder = EXAMPLES / recipe
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix().removesuffix(".add"): path for path in files}


def follow(recipe: str, root: Path) -> None:
    for name, path in example(recipe).items():
        if path.suffix == ".add":
            add(root / name, path.read_text("utf-8"))
        else:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, root / name)


def add(path: Path, additions: str) -> None:
    """Insert each text before the first line that begins as its own first line says."""
    text = path.read_text("utf-8")
    for addition in re.split(r"^before: ?", additions, flags=re.M)[1:]:
        mark, _, new = addition.partition("\n")
        place = re.search(rf"^{re.escape(mark)}", text, re.M)
        assert place, f"{path.name} has no line that begins with {mark!r}"
        text = text[: place.start()] + new + text[place.start() :]
    path.write_text(text, "utf-8")


# ---- what CONTRIBUTING.md says


def recipes() -> dict[str, str]:
    """The sections of CONTRIBUTING.md, by what they explain how to add: ``score``, ``task``, ..."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    sections = re.split(r"^## ", text, flags=re.M)
    return {
        match[1].lower(): section
        for section in sections
        if (match := re.match(r"An? (\w+)\n", section))
    }


def paths(section: str) -> set[str]:
    """The files of a recipe: those at the start of its numbered items, or with a name in them."""
    files = set()
    for item in re.findall(r"^\d+\. .*(?:\n {3}.*)*", section, re.M):
        first, *others = re.findall(r"`([\w./-]+\.\w+)`", item)
        files |= {first, *(path for path in others if re.search(r"name(?![a-z])", path))}
    return files


def pattern(path: str) -> str:
    """A pattern for a path of a recipe, with anything for its ``name``, ``module`` and ``NN``."""
    path = re.sub(r"name(?![a-z])", "NAME", re.escape(path))
    return path.replace("NAME", r"\w[\w-]*").replace("module", r"\w+").replace("NN", r"\d\d")


def test_each_recipe_has_its_example():
    assert sorted(recipes()) == RECIPES


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_names_just_the_files_that_its_example_needs(recipe):
    named, needed = paths(recipes()[recipe]), set(example(recipe))
    for file in needed:
        assert any(re.fullmatch(pattern(path), file) for path in named), file
    for path in named:
        assert any(re.fullmatch(pattern(path), file) for file in needed), path


# ---- all of them, followed


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """A copy of the course with every example, and without the chapters."""
    if not (ROOT / "node_modules").exists():
        pytest.skip("needs `npm ci`, which `make book` runs")
    if not (ROOT / "classroom" / "coursework").exists():  # which one of the recipes adds to
        pytest.skip("the assignments are kept elsewhere")
    root = tmp_path_factory.mktemp("scratch") / "a course"
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in tracked.stdout.decode().split("\0")[:-1]:
        if (ROOT / name).is_file() and not name.endswith(".ipynb"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
    (root / "node_modules").symlink_to(ROOT / "node_modules")
    (root / "book" / "index.md").write_text(FRONT, "utf-8")
    (root / "_toc.yml").write_text(CONTENTS.lstrip(), "utf-8")
    for recipe in RECIPES:
        follow(recipe, root)
    code = "from {0}.__main__ import main; assert not main(['{1}'])"
    both = {"attn_lab": "untrained_sharpness", "attn_class.assignments": ASSIGNMENT}
    run(root, "-c", "\n".join(code.format(*pair) for pair in both.items()))
    return root


def path_of(root: Path) -> str:
    """Where Python finds the copy's own packages, before those that are installed."""
    rooms = (root / room for room in ("", "laboratory", "classroom", "command", "website"))
    return os.pathsep.join(map(str, rooms))


def run(root: Path, *command: str) -> None:
    """Run Python in the copy, where its own package comes first."""
    process = subprocess.run(
        [sys.executable, *command],
        cwd=root,
        env={**os.environ, "PYTHONPATH": path_of(root), "SAMPLE": ""},
        capture_output=True,
        encoding="utf-8",
        timeout=1800,
    )
    assert process.returncode == 0, process.stdout[-3000:] + process.stderr[-3000:]


def test_the_experiment_writes_its_results(course):
    assert (course / "laboratory/attn_lab/results/untrained_sharpness.json").exists()


def test_the_tests_find_what_was_added_and_pass(course):
    added = {file: path for recipe in RECIPES for file, path in example(recipe).items()}
    new = sorted(file for file, path in added.items() if path.suffix != ".add")
    own = [file for file in new if re.search(r"/test_\w+\.py$", file)]
    general = [f"{name}.py" for name in GENERAL]
    wanted = " or ".join([*ADDED, *(Path(name).name for name in own)])
    options = ("-q", "-n", "0", "-p", "no:cacheprovider", "-k", wanted)
    run(course, "-m", "pytest", *options, *own, *general)


def test_a_right_answer_to_the_assignment_gets_all_points_and_a_wrong_one_fewer(course, tmp_path):
    assignment, handed_in = course / "_build" / "coursework" / ASSIGNMENT, tmp_path / "in"
    solved = (assignment / "private/solved.ipynb").read_text("utf-8")
    wrong = solved.replace("return left / left.sum(dim=-1, keepdim=True)", "return left")
    stub = (assignment / f"{ASSIGNMENT}.ipynb").read_text("utf-8")
    handed_in.mkdir()
    for name, text in {"right": solved, "wrong": wrong, "untouched": stub}.items():
        (handed_in / f"{name}.ipynb").write_text(text, "utf-8")
    records = graded(handed_in, tmp_path / "out", [str(assignment / "private/grader.py")], "a seed")
    points = {record["student"]: record["marks"][0]["points"] for record in records}
    assert points == {"right": 3, "wrong": 0, "untouched": 0}


def test_the_book_is_built_with_all_of_it(course):
    run(course, "-m", "attn_book.commands.build", "--quiet")
    html = (course / "_build/html/chapters/90-made-up.html").read_text("utf-8")
    page = BeautifulSoup(html, "html.parser")
    kinds = {place["data-widget"] for place in page.select("[data-widget]")}
    assert {"Prediction", "Tally"} <= kinds
    assert page.select_one(".attn-claim")
    assert page.find("a", class_="attn-term")["href"].endswith("glossary.html#term-made-up-term")
