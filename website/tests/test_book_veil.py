"""Where veils are on a page: after a prediction, up to the end of the section that answers it."""

import pytest
from making import page_of
from sphinx.errors import ExtensionError

from attn_book.notebooks import veil
from attn_book.notebooks.minutes import SIDE
from attn_book.site.page import Page

ONE, TWO = "aaaaaa", "bbbbbb"


def cell(*, guess="") -> str:
    place = f'<div class="attn-widget" data-question="{guess}"></div>' if guess else "<p>out</p>"
    return f'<div class="cell"><div class="cell_output">{place}</div></div>'


def code(source: str, *tags: str) -> dict:
    return {"cell_type": "code", "source": source, "metadata": {"tags": [*tags]}}


def section(name: str, level: int, *parts: str, side: bool = False) -> str:
    kind = f' class="{SIDE}"' if side else ""
    return f'<section id="{name}"{kind}><h{level}>{name}</h{level}>{"".join(parts)}</section>'


def contents(*entries: str) -> str:
    """Each entry as ``h2`` or ``h2 > h3 h3``."""
    chapter = ""
    for entry in entries:
        first, _, rest = entry.partition(" > ")
        inner = "".join(f'<li><a href="#{one}">{one}</a></li>' for one in rest.split())
        chapter += f'<li><a href="#{first}">{first}</a>{f"<ul>{inner}</ul>" if inner else ""}</li>'
    return f'<nav id="pst-page-toc-nav"><ul>{chapter}</ul></nav>'


def page(*parts: str, toc: str = "") -> Page:
    body = f"<section id='top'><h1>top</h1>{''.join(parts)}</section>"
    return page_of(body, "chapters/01-small", frame=toc)


def covered(chapter: Page) -> list[tuple[str, str]]:
    """The keys of each veil, and the words behind it, up to those of a gate."""
    veils = chapter.soup.select("article [data-veil]")
    texts = ((part["data-veil"], part.get_text(" ", strip=True)) for part in veils)
    return [(keys, text.partition(" What follows")[0]) for keys, text in texts]


SHOWS, REVEALS = code("guess = Prediction()\nguess"), code("guess.reveal(1)")
OTHER = [code(one["source"].replace("guess", "other")) for one in (SHOWS, REVEALS)]
BESIDE = [cell(), "<p>one</p>", section("within", 4)]
# parts of a page, the cells of its notebook, the headings that are veiled, and what is behind
VEILED = {
    "up to the heading after the answer": (
        [
            section("ask", 2, "<p>before</p>", cell(guess=ONE), "<p>one</p>"),
            section("see", 2, cell(), "<p>two</p>", section("after", 3, "<p>open</p>")),
        ],
        [SHOWS, REVEALS],
        *({"see"}, [(ONE, "one"), (ONE, "see out two")]),
    ),
    "side roads that lead off there": (
        [
            section(
                *("ask", 2, cell(guess=ONE), cell(), section("beside", 3, *BESIDE, side=True)),
                section("again", 3, "<p>two</p>", side=True),
            ),
            section("after", 2, "<p>open</p>", section("later", 3, side=True)),
        ],
        [SHOWS, REVEALS, code("2")],
        *({"beside", "within", "again"}, [(ONE, "out beside out one within again two")]),
    ),
    "within a side road": (
        [
            section("ask", 2, section("beside", 3, cell(guess=ONE), cell(), side=True)),
            *(section("again", 3, "<p>two</p>", side=True), "<p>open</p>"),
        ],
        [SHOWS, REVEALS],
        *(set(), [(ONE, "out")]),
    ),
    "whole sections as one": (
        [
            section("ask", 2, cell(guess=ONE), *(section(one, 3, f"<p>{one}</p>") for one in "ab")),
            *(section("see", 2, cell()), section("open", 2, "<p>open</p>")),
        ],
        [SHOWS, REVEALS],
        *({"a", "b", "see"}, [(ONE, "a a b b"), (ONE, "see out")]),
    ),
    "one over another": (
        [
            section("ask", 2, cell(guess=ONE), "<p>1</p>", cell(guess=TWO), "<p>2</p>", cell()),
            *(section("then", 2, "<p>3</p>", cell()), section("open", 2, "<p>open</p>")),
        ],
        [SHOWS, OTHER[0], REVEALS, OTHER[1]],
        *(
            {"then"},
            [(ONE, "1 The answer follows."), (f"{ONE} {TWO}", "2 out"), (TWO, "then 3 out")],
        ),
    ),
    "cells that are not removed": (
        [section("ask", 2, cell(guess=ONE), cell())],
        [
            *(code("import this", "remove-cell"), code("1", "remove_input", "remove_output")),
            *(SHOWS, code(REVEALS["source"], "remove-input")),
        ],
        *(set(), [(ONE, "out")]),
    ),
    "the reveal of this variable": (
        [section("ask", 2, cell(guess=ONE), cell()), section("b", 2, cell(), "<p>x</p>")],
        [SHOWS, code("%matplotlib inline\nf.reveal(1)"), REVEALS],
        *({"b"}, [(ONE, "out"), (ONE, "b out x")]),
    ),
    "markup between": (
        [section("ask", 2, cell(guess=ONE), "\n<!-- a --><p>1</p>\n<p>2</p>", cell())],
        [SHOWS, REVEALS],
        *(set(), [(ONE, "1 2 out")]),
    ),
    "nothing that nothing reveals": (
        [section("ask", 2, cell(guess=ONE), "<p>open</p>", cell())],
        [SHOWS, OTHER[1]],
        *(set(), []),
    ),
}


@pytest.mark.parametrize("what", VEILED)
def test_it_veils(what):
    parts, cells, headings, expected = VEILED[what]
    chapter = page(*parts)
    before = str(chapter.soup)
    assert veil.veil(chapter, cells) == headings
    assert covered(chapter) == expected
    assert (str(chapter.soup) == before) == (not expected)
    for part in chapter.soup.select("[data-veil], [data-gate]"):
        assert part.find(True).name == "attn-veiled"
    for gate in chapter.soup.select(".attn-gate"):
        before = gate.find_previous_sibling().select_one(".attn-widget")
        assert before["data-question"] == gate["data-gate"]
    assert ("veil.js" in " ".join(chapter.head.scripts)) == bool(expected)


def test_a_veiled_side_road_has_its_own_veil_within():
    beside = section("beside", 3, "<p>one</p>", cell(guess=TWO), cell(), side=True)
    chapter = page(section("ask", 2, cell(guess=ONE), cell(), beside))
    veil.veil(chapter, [SHOWS, REVEALS, *OTHER])
    outer, inner = chapter.soup.select(".attn-veil")
    assert (outer["data-veil"], inner["data-veil"]) == (ONE, TWO)
    assert chapter.soup.find(id="beside").parent is outer
    assert inner.find_parent(id="beside")
    assert chapter.soup.find(attrs={"data-gate": TWO}).find_parent(class_="attn-veil") is outer


def test_a_page_with_another_number_of_cells_is_refused():
    chapter = page(section("ask", 2, cell(guess=ONE), cell()))
    with pytest.raises(ExtensionError, match=r"01-small shows 2 code cells.* has 1"):
        veil.veil(chapter, [code("g")])


def test_contents_name_no_veiled_heading():
    chapter = page(
        section("ask", 2, cell(guess=ONE)),
        section("see", 2, section("deep", 3, cell()), section("later", 3, "<p>open</p>")),
        section("whole", 2, "<p>open</p>"),
        toc=contents("ask", "see > deep later", "whole"),
    )
    veil.veil(chapter, [code("g"), code("g.reveal(1)")])
    marked = chapter.soup.select("nav [data-veil]")
    # "see" is veiled, and its entry stays for the sake of the open one below it
    assert [(part.name, part.get_text()) for part in marked] == [("a", "see"), ("li", "deep")]
    assert all(part.find(True).name == "attn-veiled" for part in marked)
