"""The files that grow on the roads are the modules of `attn_course.from_scratch`."""

import ast
import re

import pytest
from making import ROOT, make_chapter, make_page
from sphinx.errors import ExtensionError

from attn_book.notebooks import course, growing

CHAPTERS = [chapter.name for chapter in course.chapters(ROOT)]
FILES = ()  # whose cells all stand in the chapters
LONGEST = 15  # lines of a cell, without blank ones


def without_frame(code: str) -> str:
    """A module without its docstring and its command."""
    start = ast.parse(code).body[0].end_lineno
    code = "\n".join(code.splitlines()[start:]).strip() + "\n"
    return re.sub(r'\n\n\nif __name__ == "__main__":\n.*', "\n", code, flags=re.DOTALL)


@pytest.mark.parametrize("name", FILES)
def test_the_chapters_cells_make_the_file(name):
    module = (ROOT / f"attn_course/from_scratch/{name}.py").read_text("utf-8")
    assert growing.left_by(ROOT, CHAPTERS, name) == without_frame(module)


@pytest.mark.parametrize("name", FILES)
def test_a_chapter_begins_with_the_file_that_the_others_left(name):
    for number, chapter in enumerate(CHAPTERS):
        if so_far := growing.tagged(ROOT, chapter, growing.SO_FAR + name):
            left = growing.left_by(ROOT, CHAPTERS[:number], name)
            assert "\n\n\n".join(so_far) + "\n" == left, chapter
        for code in growing.tagged(ROOT, chapter, growing.TAG + name):
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
    for number, code in enumerate(["a = 1\n\n\ndef f():\n    return 1 < 2", "a = 2"], start=1):
        cell = '{"source": %s, "metadata": {"tags": ["file-own"]}}'
        text = '{"cells": [%s]}' % (cell % repr(code).replace("'", '"'))
        (tmp_path / f"chapters/{number:02}-x.ipynb").write_text(text)
    return tmp_path, [make_chapter(1), make_chapter(2)]


def test_a_page_shows_what_has_changed_and_the_file(two_chapters):
    root, chapters = two_chapters
    pages = {each.name: make_page('<div data-file="own"></div>', each.name) for each in chapters}
    growing.show(pages, chapters, root)
    first, second = (pages[each.name].soup.find(class_="attn-file") for each in chapters)
    assert first.summary.get_text() == "What own.py has gained: 5 lines new"
    assert first.ins.get_text().startswith("+a = 1\n")
    assert second.find("del").get_text() == "-a = 1\n"
    assert second.find("ins").get_text() == "+a = 2\n"
    assert second.a["download"] == "own.py"
    assert second.a["href"].endswith(
        "a%20%3D%202%0A%0A%0Adef%20f%28%29%3A%0A%20%20%20%20return%201%20%3C%202%0A"
    )


def test_a_page_that_adds_nothing_cannot_show_it(two_chapters):
    root, chapters = two_chapters
    page = make_page('<div data-file="other"></div>', chapters[0].name)
    with pytest.raises(ExtensionError, match="no cell that is tagged file-other"):
        growing.show({page.name: page}, chapters[:1], root)
