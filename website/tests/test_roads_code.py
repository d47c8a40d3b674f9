"""On a road, code uses what a reader has seen made or imported."""

import json

import pytest
from making import ROOT

from attn_book.commands.roads import road
from attn_book.notebooks import course

CHAPTERS = [chapter.name for chapter in course.chapters(ROOT)]


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_road_makes_or_imports_what_it_uses(name):
    assert not road(ROOT / f"{name}.ipynb").lacking


def cell(source, *tags, kind="code"):
    return {"cell_type": kind, "source": source, "metadata": {"tags": list(tags)}}


def test_what_is_in_sight(tmp_path):
    cells = [
        cell(
            "import math\nfrom attn_course.views import plots\nfrom attn_lab import a", "hide-input"
        ),
        cell("x = math.pi\n\n\ndef f(y):\n    return [z for z in y]\n\n\nclass A:\n    pass"),
        cell("plots.draw(f(x), a, hidden)"),
        cell("hidden = 1", "hide-input"),
        cell("claim(1)\nb"),
        cell("## Aside", "side-road", kind="markdown"),
        cell("### More", kind="markdown"),
        cell("c"),
        cell("## Back", kind="markdown"),
        cell("d = A"),
        cell("## Aufgaben", "exercises", kind="markdown"),
        cell("e"),
    ]
    notebook = tmp_path / "x.ipynb"
    notebook.write_text(json.dumps({"cells": cells}))
    counts = road(notebook)
    assert (counts.lines, counts.classes, counts.claims) == (7, 1, 1)
    assert counts.lacking == {"a", "hidden"}
