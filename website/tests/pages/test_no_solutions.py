"""The site contains no solutions except those that a chapter folds under its exercises.

Other right answers are in the classroom: ``specimens``, and those of assignments in ``coursework``.
Neither may reach the pages, the notebooks beside them, the search index or the archive.
"""

import ast
import re
import shutil
from functools import cache
from html import unescape
from pathlib import Path

import nbformat
import pytest
from listing import ROOT, searched
from markupsafe import escape

from attn_book.notebooks.course import documents
from attn_book.site import search

TEXTS = {".html", ".ipynb", ".json", ".js", ".txt", ".xml", ".md", ".py"}
LONG = 55  # characters: shorter answers, such as `return weights @ values`, occur anywhere
# what marks solutions for nbgrader and otter, and folders that readers do not get
GIVEN_AWAY = re.compile(r"(BEGIN|END) (SOLUTION|HIDDEN TESTS)|# SOLUTION\b")
NOT_FOR_READERS = re.compile(r"\b(coursework|assignments?|specimens|tests|solutions?)/")


@cache
def answers() -> dict[str, str]:
    """The right answers in the tests, by name, each as one line without the signature."""
    bodies = {}
    for path in sorted((ROOT / "classroom" / "specimens" / "exercises").rglob("*.py")):
        source = path.read_text("utf-8")
        tree = ast.parse(source)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                body = [ast.get_source_segment(source, line) for line in node.body]
                text = one_line(" ".join(body))
                if len(text) >= LONG:
                    bodies[f"{path.stem}.{node.name}"] = text
    return bodies


def one_line(text: str) -> str:
    return " ".join(text.split())


def words(path: Path) -> str:
    """The text of a file as one line: a page without its elements, the cells of a notebook."""
    text = path.read_text("utf-8")
    if path.suffix == ".html":
        text = unescape(re.sub(r"<[^>]+>", "", text))
    elif path.suffix == ".ipynb":
        text = "\n".join(cell.source for cell in nbformat.reads(text, as_version=4).cells)
    return one_line(text)


def leaks(site: Path) -> list[str]:
    """What the site contains that is not for readers."""
    faults = []
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site).as_posix()
        if NOT_FOR_READERS.search(name):
            faults.append(f"{name} is there")
        if path.suffix not in TEXTS:
            continue
        text = words(path)
        faults += [f"{name} holds {answer}" for answer, body in answers().items() if body in text]
        faults += [f"{name} holds {sign[0]}" for sign in GIVEN_AWAY.finditer(text)]
    faults += [f"the search knows {name}" for name in indexed(site) if NOT_FOR_READERS.search(name)]
    return faults


def indexed(site: Path) -> list[str]:
    """The documents that the search knows."""
    return [name for name, *_ in searched(site)]


def test_the_site_gives_no_solution_away(folder):
    assert len(answers()) > 50
    assert leaks(folder) == []


def test_the_search_knows_the_pages_and_no_more(folder):
    assert sorted({*indexed(folder)} - {"search", "404"}) == sorted(documents(ROOT))


def test_beside_the_pages_lie_the_notebooks_of_the_chapters_as_they_are_committed(folder):
    beside = {path.relative_to(folder / "_sources") for path in folder.glob("_sources/**/*.*")}
    assert beside == {path.relative_to(ROOT) for path in ROOT.glob("chapters/*.ipynb")}
    for name in beside:
        notebook = nbformat.read(folder / "_sources" / name, as_version=4)
        assert notebook == nbformat.read(ROOT / name, as_version=4)
        assert [cell.outputs for cell in notebook.cells if cell.cell_type == "code"].count([]) > 5


# ---- it is seen


@pytest.fixture
def site(folder, tmp_path):
    """A site of one page, with its search index."""
    (tmp_path / "book").mkdir()
    (tmp_path / "_sources").mkdir()
    (tmp_path / "_static").mkdir()
    for name in (search.TEXTS, "book/how-to-study.html"):
        shutil.copy(folder / name, tmp_path / name)
    assert leaks(tmp_path) == []
    return tmp_path


def in_a_page(site: Path, code: str) -> None:
    lines = str(escape(code)).replace(" ", "<span>\n </span>")
    (site / "book" / "planted.html").write_text(f"<pre>{lines}</pre>", "utf-8")


def in_a_notebook(site: Path, code: str) -> None:
    cells = [nbformat.v4.new_code_cell(code)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), site / "_sources" / "planted.ipynb")


def in_a_file(site: Path, code: str) -> None:
    (site / "planted.py").write_text(code, "utf-8")


SOLVED = ROOT / "classroom" / "specimens" / "exercises" / "weights" / "safe_softmax.py"


@pytest.mark.parametrize("plant", [in_a_page, in_a_notebook, in_a_file])
def test_a_right_answer_and_a_marked_solution_are_seen(site, plant):
    plant(site, SOLVED.read_text("utf-8"))
    assert any(line.endswith("holds safe_softmax.by_loop") for line in leaks(site))
    plant(site, "### BEGIN SOLUTION\nreturn 3\n### END SOLUTION")
    assert len(leaks(site)) == 2


def test_an_assignment_is_seen_in_the_site_and_in_its_search(site):
    (site / "coursework").mkdir()
    (site / "coursework" / "01.html").write_text("Prove it.")
    index = site / search.TEXTS
    index.write_text(index.read_text("utf-8").replace('"book/claims"', '"coursework/01"', 1))
    wanted = ["coursework/01.html is there", "the search knows coursework/01"]
    assert leaks(site) == wanted
