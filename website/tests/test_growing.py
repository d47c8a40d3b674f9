"""The files that grow on the roads are the modules of `attn_course.from_scratch`."""

import ast
import json
import re
from urllib.parse import unquote

import pytest
from making import ROOT, make_page
from sphinx.errors import ExtensionError

from attn_book.notebooks import course, growing

CHAPTERS = [chapter.name for chapter in course.chapters(ROOT)]
FILES = ("seq2seq", "gpt")  # whose cells all stand in the chapters
LONGEST = 15  # lines of a cell, without blank ones


def without_frame(code: str) -> str:
    """A module without its docstring and its command."""
    start = ast.parse(code).body[0].end_lineno
    code = "\n".join(code.splitlines()[start:]).strip() + "\n"
    return re.sub(r'\n\n\nif __name__ == "__main__":\n.*', "\n", code, flags=re.DOTALL)


@pytest.mark.parametrize("name", FILES)
def test_the_chapters_cells_make_the_file(name):
    module = (ROOT / f"attn_course/from_scratch/{name}.py").read_text("utf-8")
    *_, (_, text) = (
        files[name] for files in growing.grown(ROOT, CHAPTERS).values() if name in files
    )
    assert text == without_frame(module)


def test_a_chapter_begins_with_the_file_that_the_others_left():
    left = {}
    for chapter, files in growing.grown(ROOT, CHAPTERS).items():
        for name, (so_far,) in growing.tagged(ROOT, chapter, growing.SO_FAR).items():
            assert f"{so_far}\n" == left[name], chapter
        left |= {name: text for name, (_, text) in files.items()}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_cell_of_a_file_is_short(chapter):
    for cells in growing.tagged(ROOT, chapter).values():
        for code in cells:
            assert sum(bool(line.strip()) for line in code.splitlines()) <= LONGEST, code


def test_what_is_defined_again_takes_the_old_one_s_place():
    cells = [
        "import torch\n\nEND = 2\n\n\ndef f(x):\n    return x",
        "from torch import nn\n\n\nclass A(nn.Module):\n    size = 3",
        "import math\nfrom torch import Tensor\n\n\n@torch.no_grad()\ndef f(x):\n    return math.e",
    ]
    assert growing.assembled(cells) == (
        "import math\n\nimport torch\nfrom torch import nn, Tensor\n\nEND = 2\n\n\n"
        "@torch.no_grad()\ndef f(x):\n    return math.e\n\n\n"
        "class A(nn.Module):\n    size = 3\n"
    )


def test_what_a_file_cannot_hold_is_refused():
    with pytest.raises(ExtensionError, match=r"got 'print\(1\)'"):
        growing.assembled(["x = 1\nprint(1)"])


@pytest.fixture
def two_chapters(tmp_path):
    (tmp_path / "chapters").mkdir()
    names = ["chapters/01-x", "chapters/02-x"]
    for name, code in zip(names, ["a = 1\n\n\ndef f():\n    return 1 < 2", "a = 2"], strict=True):
        cell = {"source": code, "metadata": {"tags": ["file-own"]}}
        (tmp_path / f"{name}.ipynb").write_text(json.dumps({"cells": [cell]}))
    return growing.grown(tmp_path, names)


def test_a_page_shows_what_has_changed_and_the_file(two_chapters):
    pages = [make_page('<div data-grown="own"></div>', name) for name in two_chapters]
    for page in pages:
        growing.show(page, two_chapters[page.name])
    first, second = (page.soup.find(class_="attn-file") for page in pages)
    assert first.summary.get_text() == "What own.py has gained: 5 lines new"
    assert first.ins.get_text().startswith("+a = 1\n")
    assert second.find("del").get_text() == "-a = 1\n"
    assert second.find("ins").get_text() == "+a = 2\n"
    assert second.a["download"] == "own.py"
    code = unquote(second.a["href"]).removeprefix("data:text/x-python;charset=utf-8,")
    assert code == "a = 2\n\n\ndef f():\n    return 1 < 2\n"


def test_a_page_that_adds_nothing_cannot_show_it(two_chapters):
    with pytest.raises(ExtensionError, match="no cell that is tagged file-other"):
        growing.show(make_page('<div data-grown="other"></div>'), two_chapters["chapters/01-x"])
