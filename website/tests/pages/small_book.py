"""A book of a few pages: the package, the extension and the settings of the real one, copied."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml
from listing import ROOT

from apparatus.trials.builds import site
from attn_book import address

COPIED = (
    *("attn_course", "website/attn_book", "website/assets", "website/templates", "_config.yml"),
    *(f"book/{name}" for name in ("references.bib", "bibliography.md", "claims.md")),
    *("book/how-it-measures.md", "package.json", "package-lock.json", "pyproject.toml"),
    *("CITATION.cff", "README.md", "LICENSE"),
)
AFTERWARDS = ("book/claims", "book/how-it-measures", "book/bibliography")
FRONT = "# Front\n\nPage {number}: [small](../chapters/01-small.ipynb).\n\n$$ c_i = h_j $$\n"
GUESS = """
from attn_course.views.widgets.prediction import Prediction

guess = Prediction("How many is {number}?", ["one", "two"])
guess.reveal("two", "It was {number}.")
guess
"""


class Book:
    """``repository`` is its address on GitHub; by default it has none."""

    def __init__(self, root: Path, title: str = "A book", repository: str = "none"):
        if not (ROOT / "node_modules").exists():
            pytest.skip("needs `npm ci`, which `make book` runs")
        self.root = root
        for name in ("book", "chapters", "website"):
            (root / name).mkdir(parents=True)
        for name in COPIED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
            copy(ROOT / name, root / name)
        (root / "node_modules").symlink_to(ROOT / "node_modules")
        self.chapters, self.titles = {"01-small": GUESS}, {"01-small": "Small"}
        self.set_title(title)
        self.sentence(0)
        self.contents(0)
        self.chapter("01-small", 0)
        address.main([repository, "--root", str(root)])

    def set_title(self, title: str) -> None:
        path = self.root / "_config.yml"
        settings = yaml.safe_load(path.read_text("utf-8")) | {"title": title}
        path.write_text(yaml.safe_dump(settings), "utf-8")

    def sentence(self, number: int) -> None:
        (self.root / "book" / "index.md").write_text(FRONT.format(number=number))

    def contents(self, number: int) -> None:
        """The chapters in their order, or in the reverse."""
        names = sorted(self.chapters, reverse=bool(number % 2))
        files = [*(f"chapters/{name}" for name in names), *AFTERWARDS]
        lines = "".join(f"      - file: {file}\n" for file in files)
        text = f"format: jb-book\nroot: book/index\nparts:\n  - chapters:\n{lines}"
        (self.root / "_toc.yml").write_text(text)

    def chapter(self, name: str, number: int, prose: str = "A chapter.") -> None:
        self.write(name, self.chapters[name].replace("{number}", str(number)), prose)

    def write(self, name: str, code: str, prose: str = "A chapter.") -> None:
        notebook = nbformat.v4.new_notebook()
        notebook.cells = [
            nbformat.v4.new_markdown_cell(f"# {self.titles[name]}\n\n{prose}", id="prose"),
            nbformat.v4.new_code_cell(code.strip(), id="code"),
        ]
        nbformat.write(notebook, self.root / "chapters" / f"{name}.ipynb")

    def start(self) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-m", "attn_book.commands.build", str(self.root)],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": f"{self.root}{os.pathsep}{self.root / 'website'}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            start_new_session=True,
        )

    def build(self) -> tuple[int, str]:
        process = self.start()
        output, _ = process.communicate(timeout=600)
        return process.returncode, output

    def built(self) -> str:
        """What is said by a build, which succeeds."""
        code, output = self.build()
        assert code == 0, output
        return output

    def site(self) -> dict[str, bytes]:
        return site(self.root)
