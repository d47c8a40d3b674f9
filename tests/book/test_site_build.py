"""Builds of a book of two pages: interrupted, finished by the next one, and refused."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
CONTENTS = """
format: jb-book
root: book/index
parts:
  - chapters:
      - file: chapters/01-small
"""
FRONT = "# Front\n\nThe whole of the front page, and more of it.\n\n$$ c_i = h_j $$\n"
WIDGET = """
import anywidget, traitlets

class Echo(anywidget.AnyWidget):
    _esm = "export default { render({ model, el }) { el.textContent = model.get('text'); } };"
    text = traitlets.Unicode('hello').tag(sync=True)

Echo()
"""


class Book:
    """A small book with the extension, templates and settings of the real one."""

    def __init__(self, root: Path):
        self.root = root
        (root / "book").mkdir()
        (root / "chapters").mkdir()
        for name in ("_ext", "_templates", "assets", "references.bib"):
            (root / "book" / name).symlink_to(ROOT / "book" / name)
        for name in ("_config.yml", "node_modules", "package-lock.json"):
            (root / name).symlink_to(ROOT / name)
        (root / "_toc.yml").write_text(CONTENTS)
        (root / "book" / "index.md").write_text(FRONT)
        self.write_chapter(WIDGET)

    def write_chapter(self, code: str) -> None:
        notebook = nbformat.v4.new_notebook()
        notebook.cells = [
            nbformat.v4.new_markdown_cell("# Small\n\nA chapter."),
            nbformat.v4.new_code_cell(code.strip()),
        ]
        nbformat.write(notebook, self.root / "chapters" / "01-small.ipynb")

    def start(self) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-m", "book.build", str(self.root)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            start_new_session=True,
        )

    def build(self) -> tuple[int, str]:
        process = self.start()
        said, _ = process.communicate(timeout=120)
        return process.returncode, said

    def site(self) -> dict[str, bytes]:
        html = self.root / "_build" / "html"
        return {path.name: path.read_bytes() for path in html.rglob("*.html")}


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    if not (ROOT / "node_modules").exists():
        pytest.skip("needs `npm ci`, which `make book` runs")
    book = Book(tmp_path_factory.mktemp("a book"))
    code, said = book.build()
    assert code == 0, said
    return book


def test_a_killed_build_is_finished_by_the_next_one(book):
    whole = book.site()
    (book.root / "book" / "index.md").write_text(FRONT.replace("more", "much more"))
    marker = book.root / "_build" / ".unfinished"
    process = book.start()
    while not marker.exists():
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert book.site() == whole

    raw = book.root / "_build" / "raw" / "chapters" / "01-small.html"
    raw.write_text(raw.read_text("utf-8")[:500], "utf-8")
    code, said = book.build()
    assert code == 0, said
    mended = book.site()
    assert b"much more" in mended["index.html"]
    assert mended["01-small.html"] == whole["01-small.html"]
    assert not marker.exists()


def test_a_change_of_style_alone_reaches_every_page(book, tmp_path):
    assets = book.root / "book" / "assets"
    assets.unlink()
    assets.mkdir()
    for path in (ROOT / "book" / "assets").iterdir():
        (assets / path.name).write_bytes(path.read_bytes())
    (assets / "book.css").write_text("body { color: teal }")
    code, said = book.build()
    assert code == 0, said
    assert "teal" in (book.root / "_build" / "html" / "_static" / "book.css").read_text()


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import ipywidgets\n\nipywidgets.IntSlider()", "IntSliderModel"),
        ("import ipywidgets\n\nipywidgets.interact(lambda x: x, x=3)", "`interact`"),
        ("raise ValueError('no result')", "no result"),
    ],
)
def test_a_chapter_that_cannot_live_in_the_book_fails_the_build(book, code, message):
    whole = book.site()
    book.write_chapter(code)
    result, said = book.build()
    assert result != 0
    assert message in said
    assert book.site() == whole
    book.write_chapter(WIDGET)
