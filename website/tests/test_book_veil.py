"""Where veils are on a page: after a prediction, up to the end of the section that answers it."""

import pytest
from bs4 import BeautifulSoup
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


def covered(chapter: Page) -> dict[str, str]:
    """The words of everything behind veils, by the keys of the veils."""
    return {
        part["data-veil"]: part.get_text(" ", strip=True)
        for part in chapter.soup.select("article [data-veil]")
    }


def test_a_veil_goes_from_the_prediction_to_the_next_heading_after_the_answer():
    chapter = page(
        section("ask", 2, "<p>before</p>", cell(guess=ONE), "<p>one</p>"),
        section("see", 2, cell(), "<p>two</p>", section("after", 3, "<p>open</p>")),
    )
    cells = [code("guess = Prediction()\nguess"), code("a = 1\nguess.reveal(a)")]
    assert veil.veil(chapter, cells) == {"see"}
    pieces = [part.get_text(" ", strip=True) for part in chapter.soup.select("[data-veil]")]
    assert pieces == ["one", "see out two"]
    assert chapter.soup.find(id="after").find_parent(attrs={"data-veil": True}) is None
    assert chapter.soup.select_one(".attn-widget").find_parent(attrs={"data-veil": True}) is None
    gate = chapter.soup.select_one(".attn-gate")
    assert gate["data-gate"] == ONE
    assert gate.find_previous_sibling().select_one(".attn-widget")["data-question"] == ONE
    for part in chapter.soup.select("[data-veil], [data-gate]"):
        assert part.find(True).name == "attn-veiled"
    assert "veil.js" in " ".join(chapter.head.scripts)


def test_side_roads_that_lead_off_from_an_answer_are_veiled_with_it():
    chapter = page(
        section(
            "ask",
            2,
            cell(guess=ONE),
            cell(),
            section("beside", 3, cell(), "<p>one</p>", section("within", 4), side=True),
            section("again", 3, "<p>two</p>", side=True),
        ),
        section("after", 2, "<p>open</p>", section("later", 3, side=True)),
    )
    cells = [code("guess = Prediction()\nguess"), code("guess.reveal(1)"), code("2")]
    assert veil.veil(chapter, cells) == {"beside", "within", "again"}
    pieces = [part.get_text(" ", strip=True) for part in chapter.soup.select("[data-veil]")]
    assert " ".join(pieces) == "out beside out one within again two"


def test_a_veiled_side_road_has_its_own_veil_within():
    beside = section("beside", 3, "<p>one</p>", cell(guess=TWO), cell(), side=True)
    chapter = page(section("ask", 2, cell(guess=ONE), cell(), beside))
    cells = [code("guess = Prediction()\nguess"), code("guess.reveal(1)")]
    veil.veil(chapter, [*cells, *(code(one["source"].replace("guess", "other")) for one in cells)])
    outer, inner = chapter.soup.select(".attn-veil")
    assert (outer["data-veil"], inner["data-veil"]) == (ONE, TWO)
    assert chapter.soup.find(id="beside").parent is outer
    assert inner.find_parent(id="beside")
    assert chapter.soup.find(attrs={"data-gate": TWO}).find_parent(class_="attn-veil") is outer


def test_a_veil_within_a_side_road_ends_with_it():
    chapter = page(
        section("ask", 2, section("beside", 3, cell(guess=ONE), cell(), side=True)),
        section("again", 3, "<p>two</p>", side=True),
        "<p>open</p>",
    )
    cells = [code("guess = Prediction()\nguess"), code("guess.reveal(1)")]
    assert veil.veil(chapter, cells) == set()
    assert covered(chapter) == {ONE: "out"}


def test_whole_sections_are_veiled_as_one():
    chapter = page(
        section(
            "ask", 2, cell(guess=ONE), section("a", 3, "<p>1</p>"), section("b", 3, "<p>2</p>")
        ),
        section("see", 2, cell()),
        section("open", 2, "<p>open</p>"),
    )
    veil.veil(chapter, [code("g"), code("g.reveal(1)")])
    outer = [part.get_text(" ", strip=True) for part in chapter.soup.select("[data-veil]")]
    assert outer == ["a 1 b 2", "see out"]


def test_veils_overlap_and_a_gate_lies_behind_the_other_veil():
    chapter = page(
        section("ask", 2, cell(guess=ONE), "<p>1</p>", cell(guess=TWO), "<p>2</p>", cell()),
        section("then", 2, "<p>3</p>", cell()),
        section("open", 2, "<p>open</p>"),
    )
    cells = [code("one"), code("two"), code("one.reveal(1)"), code("two.reveal(2)")]
    assert veil.veil(chapter, cells) == {"then"}
    veils = covered(chapter)
    assert set(veils) == {ONE, f"{ONE} {TWO}", TWO}
    assert veils[TWO] == "then 3 out"
    assert veils[f"{ONE} {TWO}"] == "2 out"
    second = chapter.soup.find(attrs={"data-gate": TWO})
    assert second.find_parent(attrs={"data-veil": ONE}) is not None


def test_what_nothing_reveals_veils_nothing():
    chapter = page(section("ask", 2, cell(guess=ONE), "<p>open</p>", cell()))
    before = str(chapter.soup)
    assert veil.veil(chapter, [code("guess = 1\nguess"), code("other.reveal(1)")]) == set()
    assert str(chapter.soup) == before


def test_the_reveal_of_another_variable_does_not_count():
    chapter = page(section("ask", 2, cell(guess=ONE), cell()), section("b", 2, cell(), "<p>x</p>"))
    veil.veil(chapter, [code("g"), code("%matplotlib inline\nf.reveal(1)"), code("g.reveal(1)")])
    assert "b out x" in " ".join(
        part.get_text(" ", strip=True) for part in chapter.soup.select("[data-veil]")
    )


def test_removed_cells_are_not_on_the_page():
    chapter = page(section("ask", 2, cell(guess=ONE), cell()))
    gone = code("import this", "remove-cell"), code("1", "remove_input", "remove_output")
    veil.veil(chapter, [*gone, code("g"), code("g.reveal(1)", "remove-input")])
    assert list(covered(chapter)) == [ONE]


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


def test_markup_between_veiled_parts_goes_with_them():
    chapter = page(section("ask", 2, cell(guess=ONE), "\n<!-- a --><p>1</p>\n<p>2</p>", cell()))
    veil.veil(chapter, [code("g"), code("g.reveal(1)")])
    (part,) = chapter.soup.select("[data-veil]")
    assert BeautifulSoup(str(part), "html.parser").get_text(" ", strip=True) == "1 2 out"
