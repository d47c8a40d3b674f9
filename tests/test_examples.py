"""Every example with ``>>>``, in a docstring or on a page, is run and prints what it says."""

import doctest
import importlib
import json
import re
from pathlib import Path

import pytest

import attn_course

TESTS = Path(__file__).parent
# beside the tests of a release there is only the first
PACKAGES = (
    Path(attn_course.__path__[0]),
    TESTS.with_name("tools"),
    *TESTS.with_name("book").glob("_ext/*"),
)
PAGES = ("book/**/*.md", "chapters/*.ipynb", "*.md")
EXAMPLE = re.compile(r"^\s*>>> ", re.M)


def modules() -> list[str]:
    """The modules whose text has an example; no other is imported."""
    paths = [(folder, path) for folder in PACKAGES for path in sorted(folder.rglob("*.py"))]
    return [
        ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")
        for folder, path in paths
        if EXAMPLE.search(path.read_text("utf-8"))
    ]


def prose(path: Path) -> str:
    """The text of a page, without the fences, which would count as what an example prints."""
    text = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        texts = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        text = "\n\n".join(texts)
    return re.sub(r"^\s*(```|~~~|:::).*$", "", text, flags=re.M)


class Finder(doctest.DocTestFinder):
    """Sees a function that is wrapped, too: what wraps it has the name of its module."""

    def _from_module(self, module, thing):
        return getattr(thing, "__module__", None) == module.__name__


def faults(example: doctest.DocTest) -> str:
    """What an example prints that it does not say; empty if it holds."""
    lines = []
    doctest.DocTestRunner(verbose=False).run(example, out=lines.append)
    return "".join(lines)


def of_page(text: str, name: str) -> doctest.DocTest:
    return doctest.DocTestParser().get_doctest(text, {}, name, name, 0)


@pytest.mark.parametrize("name", modules())
def test_the_examples_in_a_modules_docstrings_hold(name):
    if name.endswith(".digits"):
        pytest.importorskip("sklearn")
    tests = Finder().find(importlib.import_module(name))
    assert any(test.examples for test in tests), "the example stands outside of a docstring"
    wrong = "".join(map(faults, tests))
    assert not wrong, wrong


def test_the_examples_on_the_pages_hold():
    pages = [path for pattern in PAGES for path in TESTS.parent.glob(pattern)]
    wrong = "".join(faults(of_page(prose(path), path.name)) for path in pages)
    assert not wrong, wrong


def test_a_false_example_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("Count:\n\n```python\n>>> 1 + 1\n3\n```\n\n- Again:\n\n  >>> 1 + 1\n  2\n")
    assert "Expected:\n    3\nGot:\n    2\n" in faults(of_page(prose(page), "page"))
    assert faults(of_page(prose(page).replace("3", "2"), "page")) == ""
    cell = {"cell_type": "markdown", "source": [">>> 1 + 1\n", "3"]}
    chapter = tmp_path / "chapter.ipynb"
    chapter.write_text(json.dumps({"cells": [cell, {**cell, "cell_type": "code"}]}))
    assert faults(of_page(prose(chapter), "chapter")).count("Got:") == 1
