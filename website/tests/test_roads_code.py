"""On a road, code uses what a reader has seen made or imported."""

import json

import pytest
from making import ROOT

from attn_book.commands.roads import lacking
from attn_book.notebooks import course

CHAPTERS = [chapter.name for chapter in course.chapters(ROOT)]


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_road_makes_or_imports_what_it_uses(name):
    assert not lacking(ROOT / f"{name}.ipynb")


def cell(source, *tags, kind="code"):
    return {"cell_type": kind, "source": source, "metadata": {"tags": list(tags)}}


def test_what_is_in_sight(tmp_path):
    imports = "import math\nfrom attn_course.views import plots\nfrom attn_lab import a"
    definitions = "def f(y):\n    return [z for z in y]\n\n\nclass A:\n    pass"
    cells = [
        cell(imports, "hide-input"),
        cell(f"x = math.pi\n\n\n{definitions}"),
        cell("plots.draw(f(x), a, hidden)"),
        *(cell("hidden = 1", "hide-input"), cell("claim(1)\nb = 1")),
        cell("## Aside", "side-road", kind="markdown"),
        *(cell("### More", kind="markdown"), cell("c")),
        *(cell("## Back", kind="markdown"), cell("d = A, b")),
        *(cell("## Aufgaben", "exercises", kind="markdown"), cell("e")),
    ]
    notebook = tmp_path / "x.ipynb"
    notebook.write_text(json.dumps({"cells": cells}))
    assert lacking(notebook) == {"a", "b", "hidden"}
