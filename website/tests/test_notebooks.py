"""Notebooks are committed without outputs, counts, or measured numbers in the prose."""

import ast
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from attn_book import address
from attn_book.commands import fold
from attn_book.notebooks import side_roads
from attn_lab import registry

CHAPTERS = sorted((Path(__file__).parents[2] / "chapters").glob("*.ipynb"))
LONGEST_CELL = 20  # lines; about 15 is the aim
CLOCK = re.compile(r"\b(perf_counter|process_time|monotonic|time\.time|%time)\b")


def cells(path, kind):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def text(cell):
    return "".join(cell["source"])


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_no_two_cells_share_an_id(path):
    ids = [cell["id"] for kind in ("code", "markdown") for cell in cells(path, kind)]
    assert len(set(ids)) == len(ids)


def test_there_are_chapters():
    assert {path.stem for path in CHAPTERS} >= {*registry.CHAPTERS.values()}


def test_the_readme_names_every_chapter_with_its_question():
    root = CHAPTERS[0].parent.parent
    readme = (root / "README.md").read_text(encoding="utf-8")
    readme = address._in_readme(readme, None, address.read(root))  # its links as files
    rows = re.findall(r"^\| (\d\d|[A-Z]) \| \[(.+)\]\((.+)\) \| (.+) \|$", readme, re.M)
    wanted = []
    for path in CHAPTERS:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        title = next(text(c) for c in cells(path, "markdown") if text(c).startswith("# "))
        name = title.splitlines()[0].removeprefix("# ")
        question = notebook["metadata"]["course"]["question"]
        wanted.append(
            (path.stem.partition("-")[0].upper(), name, f"chapters/{path.name}", question)
        )
    assert rows == wanted


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_code_cells_are_short_and_have_no_output_no_count_and_no_clock(path):
    """Seconds depend on the machine: count steps instead, or measure in benchmarks/."""
    assert any("claim(" in text(cell) for cell in cells(path, "code")), "results are claims"
    for cell in cells(path, "code"):
        assert (cell["outputs"], cell["execution_count"]) == ([], None)
        if not any(tag.startswith("so-far-") for tag in cell["metadata"].get("tags", ())):
            length = len(text(cell).splitlines())
            assert length <= LONGEST_CELL, f"split this cell of {length} lines:\n{text(cell)}"
        assert not CLOCK.search(text(cell))


@pytest.mark.slow
@pytest.mark.parametrize("file", [".pre-commit-config.yaml", "Makefile"])
def test_what_removes_outputs_leaves_all_else(tmp_path, file):
    rules = (CHAPTERS[0].parent.parent / file).read_text(encoding="utf-8")
    options = re.search(r"nbstripout((?: --[\w-]+)*)", rules)[1].split()
    original = CHAPTERS[0].read_text(encoding="utf-8")
    notebook, copy = json.loads(original), tmp_path / CHAPTERS[0].name
    cell = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    printed = {"name": "stdout", "output_type": "stream", "text": ["1\n"]}
    cell |= {"execution_count": 7, "outputs": [printed]}
    copy.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    subprocess.run([sys.executable, "-m", "nbstripout", *options, copy], check=True)
    assert copy.read_text(encoding="utf-8") == original


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_what_a_page_folds_is_folded_in_jupyterlab_and_colab_too(path):
    original = path.read_text("utf-8")
    assert fold.text_of(fold.folded(json.loads(original))) == original, "run `make format`"
    for cell in cells(path, "code"):
        hides = "hide-input" in cell["metadata"].get("tags", ())
        assert cell["metadata"].get("jupyter") == ({"source_hidden": True} if hides else None)
    colab = json.loads(original)["metadata"].get("colab", {}).get("collapsed_sections", [])
    for cell in cells(path, "markdown"):
        is_road = "side-road" in cell["metadata"].get("tags", ())
        closed = cell["metadata"].get("jp-MarkdownHeadingCollapsed", False)
        assert [closed, cell["metadata"].get("id") in colab] == [is_road, is_road], cell["id"]
        assert not is_road or side_roads.split(text(cell))[1], f"{cell['id']}: make book format"


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_heading_that_is_closed_hides_nothing_but_its_side_road(path):
    """JupyterLab and Colab close whole cells, up to one with a heading that is as high."""
    closed = 0  # the level of the side road that the cells belong to, if they belong to one
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        tags, levels = {*cell["metadata"].get("tags", ())}, []
        if cell["cell_type"] == "markdown":
            prose = re.sub(r"```.*?```", "", text(cell), flags=re.S)
            levels = [*map(len, re.findall(r"^(#+) ", prose, re.M))]
        assert levels[:1] == sorted(levels)[:1], f"in {cell['id']} a higher heading follows"
        if levels and (levels[0] <= closed or not closed):
            closed = levels[0] if "side-road" in tags else 0
            assert closed not in levels[1:], f"{cell['id']} ends the side road that it begins"
        elif closed:
            assert not tags & {"side-road", "exercises", "recall"}, f"{cell['id']} is hidden"
            assert ".check(" not in text(cell), f"{cell['id']} is hidden"


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_imports_modules_by_name(path):
    """Not as ``attn_course.weights``: the build must see which modules a chapter depends on."""
    plain = TransformerManager().transform_cell
    trees = [ast.parse(plain(text(cell))) for cell in cells(path, "code")]
    nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    used = {ast.unparse(node) for node in nodes if ast.unparse(node.value) == "attn_course"}
    assert used <= {"attn_course.check_shapes"}


ONE = r"(?:\d\d?|[A-Z])"
CHAPTER = re.compile(rf"\b(?:[Cc]hapters?|[Ss]tud(?:y|ies)) ({ONE}(?:(?:, | and | to ){ONE})*)\b")


PROSE = sorted(CHAPTERS[0].parents[1].glob("book/*.md"))


@pytest.mark.parametrize("path", [*CHAPTERS, *PROSE], ids=lambda path: path.stem)
def test_a_chapter_that_is_named_is_there(path):
    there = {chapter.stem.partition("-")[0].lstrip("0").upper() for chapter in CHAPTERS}
    texts = [path.read_text("utf-8")] if path in PROSE else map(text, cells(path, "markdown"))
    named = CHAPTER.findall(" ".join(texts))
    assert {*re.findall(r"[1-9]\d?|[A-Z]", " ".join(named))} <= there


# 99.3 %, 0.87, 12 seconds, 3 times: measured numbers. Dates, sections and sizes are not.
# What was tried once, or in trials, nobody can measure again: it is a claim, or no result.
MEASURED = re.compile(
    r"(?<![\d.])\d+\.\d+(?![\d.]*\d)"
    r"|\d\s*(%|per ?cent\b|percentage points?\b|seconds?\b|times\b)"
    r"|\b([Ii]n (our )?trials|[Tt]ried once)\b"
)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_no_measured_number_stands_in_the_prose(path):
    for cell in cells(path, "markdown"):
        match = MEASURED.search(re.sub(r"\$[^$]*\$|`[^`]*`|https?://\S+|<[^>]*>", "", text(cell)))
        assert not match, f"{match.group()!r} in: {text(cell)[:200]}"


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_the_experiments_of_a_chapter_are_those_that_it_shows(path):
    code, listed = (
        "\n".join(map(text, cells(path, "code"))),
        registry.by_chapter().get(path.stem, ()),
    )
    assert all(re.search(rf"\b{name}\b", code) for name in listed)
    match = re.search(r"\bexpected\((.*?)\)", code, re.DOTALL)
    assert {*re.findall(r"\w+", match[1] if match else "")} <= {*listed}


def checked(tree):
    """The exercises that a cell checks, and the functions that it passes to them."""
    for node in ast.walk(tree):
        called = getattr(node, "func", None)
        if isinstance(called, ast.Attribute) and called.attr == "check":
            yield called.value.id, node.args[0].id


def imported(tree):
    """The names that a cell imports, each with the module it means."""
    return {
        alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_stub_is_called_as_its_exercise_says(path):
    exercises = []
    for cell in cells(path, "code"):
        tree = ast.parse(TransformerManager().transform_cell(text(cell)))  # magics
        stubs = {
            node.name: f"{node.name}({', '.join(argument.arg for argument in node.args.args)})"
            for node in tree.body
            if isinstance(node, ast.FunctionDef)
        }
        for name, stub in checked(tree):
            exercise = import_module(imported(tree)[name]).exercise
            assert stubs[stub] == exercise.call
            exercises.append(exercise)
    assert len(exercises) >= 4, "a chapter has at least four exercises"
    assert sum(exercise.difficulty == "warm-up" for exercise in exercises) <= 2
    *others, last = (exercise.minutes >= 20 for exercise in exercises)
    assert (last, any(others)) == (True, False), (
        "the last exercise, and no other, takes 20 minutes or more and builds on the others"
    )
