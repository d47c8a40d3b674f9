"""A book of two pages, with the extension, templates and settings of the real one."""

import subprocess
import sys
from pathlib import Path

import nbformat
import yaml

from attn_book import address

ROOT = Path(__file__).resolve().parents[3]

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


SITE = ("website/attn_book", "website/templates", "website/assets")


class Book:
    """``repository`` is its address on GitHub; by default it has none."""

    def __init__(self, root: Path, repository: str = "none", title: str = "A small book"):
        self.root = root
        (root / "book").mkdir()
        (root / "chapters").mkdir()
        (root / "website").mkdir()
        for name in (*SITE, "book/references.bib"):
            (root / name).symlink_to(ROOT / name)
        for name in ("node_modules", "package.json", "package-lock.json", "LICENSE"):
            (root / name).symlink_to(ROOT / name)
        settings = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
        (root / "_config.yml").write_text(yaml.safe_dump(settings | {"title": title}), "utf-8")
        (root / "_toc.yml").write_text(CONTENTS)
        (root / "book" / "index.md").write_text(FRONT)
        self.write_chapter(WIDGET)
        self.write_address(repository)

    def write_address(self, repository: str) -> None:
        for name in ("pyproject.toml", "CITATION.cff", "README.md"):
            (self.root / name).write_text((ROOT / name).read_text("utf-8"), "utf-8")
        address.main([repository, "--root", str(self.root)])

    def write_chapter(self, code: str, words: str = "A chapter.") -> None:
        notebook = nbformat.v4.new_notebook()
        notebook.cells = [
            nbformat.v4.new_markdown_cell(f"# Small\n\n{words}"),
            nbformat.v4.new_code_cell(code.strip()),
        ]
        nbformat.write(notebook, self.root / "chapters" / "01-small.ipynb")

    def start(self) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-m", "attn_book.commands.build", str(self.root)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            start_new_session=True,
        )

    def build(self) -> tuple[int, str]:
        process = self.start()
        output, _ = process.communicate(timeout=600)
        return process.returncode, output

    def site(self) -> dict[str, bytes]:
        html = self.root / "_build" / "html"
        return {
            path.relative_to(html).as_posix(): path.read_bytes() for path in html.rglob("*.html")
        }
