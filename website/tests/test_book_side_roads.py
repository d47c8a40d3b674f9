"""Side roads: marked in the notebook by a tag, closed on the page, without what others need."""

import json
import re
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from making import page_of
from sphinx.errors import ExtensionError

from attn_book.commands import fold
from attn_book.notebooks import side_roads

CONTENTS = (
    '<nav id="pst-page-toc-nav"><ul><li><a href="#kept">Kept</a></li>'
    '<li><a href="#aside">Aside</a><ul><li><a href="#below">Below</a></li></ul></li></ul></nav>'
)
SIDE = (
    '<section class="attn-side" id="aside"><h2>Aside<a class="headerlink">#</a></h2>'
    '<p>Words.</p><div class="attn-claim"></div>'
    '<section id="below"><h3>Below</h3><p>More.</p></section></section>'
)


def marked(*cells: dict, name: str = "chapters/01-x") -> list[str]:
    notebook = {"cells": [{"id": "a-cell", **cell} for cell in cells]}
    content = [json.dumps(notebook)]
    side_roads.mark(SimpleNamespace(), name, content)
    return ["".join(cell["source"]) for cell in json.loads(content[0])["cells"]]


def cell(source: str, kind: str = "markdown", tag: str = "side-road") -> dict:
    return {"cell_type": kind, "metadata": {"tags": [tag]}, "source": source.splitlines(True)}


def closed(body: str) -> BeautifulSoup:
    before = "<section id='kept'><h2>Kept</h2></section>"
    page = page_of(f"<section id='x'><h1>X</h1>{before}{body}</section>", frame=CONTENTS)
    side_roads.close(page)
    return page.soup


def test_a_tagged_cell_gives_its_section_a_class():
    assert marked(cell("## Aside\nWords."), cell("## Kept", tag="other")) == [
        "{.attn-side}\n## Aside\nWords.",
        "## Kept",
    ]


@pytest.mark.parametrize("line", ["*A side road, 3 min.*", "*Ein Seitenweg von 12 Minuten*"])
def test_the_line_that_says_the_minutes_is_not_shown_and_is_kept_true(line):
    for rest in ("", "\n\n*Words*, 7 of them.", "\n### Below\n\n*Why*?"):
        source = f"## Aside\n\n{line}{rest}"
        assert marked(cell(source)) == [f"{{.attn-side}}\n## Aside{rest}"]
        for before in (source, f"## Aside{rest}"):
            road = {"id": "a", **cell(before)}
            (road,) = fold.folded({"metadata": {}, "cells": [road]}, ["45"])["cells"]
            now = re.sub(r"\d+", "45", line if before == source else "*A side road, 3 min.*")
            assert "".join(road["source"]) == f"## Aside\n\n{now}{rest}"


@pytest.mark.parametrize(
    "wrong", [cell("Words.\n## Aside"), cell("# Title"), cell("## x", "code"), cell("")]
)
def test_a_tag_elsewhere_than_on_a_heading_fails_the_build(wrong):
    with pytest.raises(ExtensionError, match="a-cell begins with"):
        marked(wrong)


def test_a_side_road_is_closed_and_its_line_says_what_it_costs():
    soup = closed(SIDE)
    fold = soup.select_one("#aside > details")
    assert not fold.has_attr("open")
    assert soup.select_one("#aside").find_all(True, recursive=False) == [fold]
    assert fold.summary.h2.get_text() == "Aside#"
    assert fold.summary.select_one(".attn-side-cost").get_text() == "1 min · 1 claim"
    names = [part.name for part in fold.find_all(True, recursive=False)]
    assert names == ["summary", "p", "div", "section"]


def test_the_contents_name_the_road_only():
    assert [a["href"] for a in closed(SIDE).select("#pst-page-toc-nav a")] == ["#kept"]


def test_a_side_road_without_a_claim_says_its_minutes():
    soup = closed('<section class="attn-side" id="aside"><h3>Why?</h3><p>So.</p></section>')
    assert soup.select_one(".attn-side-cost").get_text() == "1 min"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (SIDE.replace("<section id=", '<section class="attn-side" id='), "below is in another"),
        (SIDE.replace("<h2>", "<div><h2>").replace("</h2>", "</h2></div>"), "ends within it"),
    ],
)
def test_what_cannot_be_closed_fails_the_build(body, message):
    with pytest.raises(ExtensionError, match=message):
        closed(body)
