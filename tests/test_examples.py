"""Every example with ``>>>``, in a docstring or on a page, is run and prints what it says."""

import doctest
import importlib
import json
import re
from pathlib import Path

import pytest

import attn_course

PACKAGE, ROOT = Path(attn_course.__path__[0]), Path(__file__).resolve().parents[1]
PAGES = ("book/**/*.md", "chapters/*.ipynb", "*.md")
MODULES = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(PACKAGE.rglob("*.py"))
    if re.search(r"^\s*>>> ", path.read_text("utf-8"), re.M)
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


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_a_modules_docstrings_hold(name):
    if name.endswith(".digits"):
        pytest.importorskip("sklearn")
    tests = Finder().find(importlib.import_module(name))
    assert any(test.examples for test in tests), "the example stands outside of a docstring"
    wrong = "".join(map(faults, tests))
    assert not wrong, wrong


def test_the_examples_on_the_pages_hold():
    parser = doctest.DocTestParser()
    pages = [path for pattern in PAGES for path in ROOT.glob(pattern)]
    tests = [parser.get_doctest(prose(page), {}, page.name, page.name, 0) for page in pages]
    assert any(test.examples for test in tests)
    wrong = "".join(map(faults, tests))
    assert not wrong, wrong
