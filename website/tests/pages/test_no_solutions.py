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


def test_what_is_not_for_readers_is_seen(folder, tmp_path):
    for name in (search.TEXTS, "book/how-to-study.html", "_sources/chapters/02-softmax.ipynb"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / name, tmp_path / name)
    assert leaks(tmp_path) == []
    solved = (ROOT / "classroom/specimens/exercises/weights/safe_softmax.py").read_text("utf-8")
    lines = str(escape(solved)).replace(" ", "<span>\n </span>")
    (tmp_path / "book" / "planted.html").write_text(f"<pre>{lines}</pre>", "utf-8")
    cells = [nbformat.v4.new_code_cell(f"{solved}\n### BEGIN SOLUTION")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "_sources" / "planted.ipynb")
    (tmp_path / "coursework").mkdir()
    (tmp_path / "coursework" / "01.html").write_text("Prove it.")
    index = tmp_path / search.TEXTS
    index.write_text(index.read_text("utf-8").replace('"book/claims"', '"coursework/01"', 1))
    assert {*leaks(tmp_path)} >= {
        "_sources/planted.ipynb holds BEGIN SOLUTION",
        "_sources/planted.ipynb holds safe_softmax.by_loop",
        "book/planted.html holds safe_softmax.by_loop",
        "coursework/01.html is there",
        "the search knows coursework/01",
    }
