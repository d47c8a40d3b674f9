"""The card of a page: which figure it shows, in which colours, and that it is drawn once."""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from making import ROOT
from matplotlib import image
from sphinx.errors import ExtensionError

from attn_book.head import cards
from attn_book.site import folder as site
from attn_course.views import palette, plots

pytestmark = pytest.mark.slow


def picture(title="Two < three & “so on”", alt='An "alt" text') -> plots.Picture:
    return plots.heatmap([[0, 1]], "ab", "c", title, alt=alt)


def chart(title: str) -> plots.Picture:
    """What is drawn twice, for a wide page and for a phone."""
    return plots.curves([1, 2, 3], {"line": [1, 2, 3]}, title, alt="A line rises.")


def cell(*outputs: str, tags=()) -> dict:
    data = [{"output_type": "display_data", "data": {"text/html": output}} for output in outputs]
    return {"cell_type": "code", "metadata": {"tags": [*tags]}, "outputs": data}


def notebook(*cells: dict) -> dict:
    text = {"cell_type": "markdown", "metadata": {}, "source": "# Title"}
    stream = {"cell_type": "code", "metadata": {}, "outputs": [{"output_type": "stream"}]}
    return {"cells": [text, stream, *cells]}


# ---- which figure


def test_a_chapter_shows_its_first_figure_with_its_title_as_text():
    first, second = picture(), picture("Another")
    figures = [cell(one._repr_html_()) for one in (first, second)]
    chapter = notebook(cell("<p>A claim</p>"), *figures)
    drawing = cards.of_chapter("chapters/01-x", "Chapter 1", chapter)
    assert drawing == cards.Drawing("Chapter 1", first.title, first.svg, first.alt)


def test_of_a_chart_it_shows_the_one_with_larger_letters():
    chapter = notebook(cell(chart("It rises")._repr_html_()))
    svg = cards.of_chapter("chapters/01-x", "Chapter 1", chapter).svg
    assert svg.count("<svg ") == 1
    assert 'viewBox="0 0 360 ' in svg
    assert "display:none" not in svg


def test_a_cell_with_the_tag_comes_before_the_first():
    chapter = notebook(
        cell(picture()._repr_html_()),
        cell("<p>words</p>", picture("Marked")._repr_html_(), tags=["hide-input", "card"]),
    )
    assert cards.of_chapter("chapters/01-x", "", chapter).title == "Marked"


def test_a_tag_on_a_cell_without_a_figure_is_a_fault():
    chapter = notebook(cell(picture()._repr_html_()), cell("<p>words</p>", tags=["card"]))
    with pytest.raises(ExtensionError, match="chapters/01-x: the cell with the tag 'card'"):
        cards.of_chapter("chapters/01-x", "", chapter)


def test_a_chapter_without_a_figure_has_none():
    assert cards.of_chapter("chapters/01-x", "", notebook(cell("<p>words</p>"))) is None


# ---- how it is drawn


def compose(title="A title", **changes) -> str:
    first = picture()
    drawing = {"above": "The book", "title": title, "svg": first.svg, "alt": first.alt, **changes}
    return cards.compose(cards.Drawing(**drawing))


def test_a_card_is_one_drawing_in_light_colours_only():
    text = compose("Less < more & so on, for as long as it takes to fill four lines")
    read = ElementTree.fromstring(text)
    assert (read.get("width"), read.get("height")) == ("1200", "630")
    assert "var(" not in text
    allowed = {*palette.LIGHT.values(), *palette.ramp()}
    assert set(re.findall(r"#[0-9a-f]{6}\b", text)) <= allowed
    words = [node.text for node in read.findall("{http://www.w3.org/2000/svg}text")]
    assert " ".join(words) == (
        "The book Less < more & so on, for as long as it takes to fill four lines"
    )


def test_a_colour_that_no_palette_knows_is_a_fault():
    with pytest.raises(ExtensionError, match="'moss'"):
        compose(svg='<svg style="fill:var(--attn-moss, #00ff00)"></svg>')


@pytest.fixture
def target(tmp_path) -> site.Site:
    (tmp_path / "html").mkdir()
    return site.Site(ROOT, tmp_path / "raw", tmp_path / "html")


def pixels(file: Path) -> np.ndarray:
    return (image.imread(file)[:, :, :3] * 255).round().astype(int)


def colour(role: str) -> list[int]:
    return [int(palette.LIGHT[role][place : place + 2], 16) for place in (1, 3, 5)]


def test_a_card_is_drawn_once_and_again_when_it_changes(target, tmp_path):
    folder = tmp_path / "cards"
    drawing = cards.Drawing("Above", "A title", picture().svg, "An alt")
    (card,) = cards.draw({"chapters/01-x": drawing}, target, folder).values()
    assert card.alt == "An alt"
    drawn = pixels(target.folder / card.file)
    assert drawn.shape == (630, 1200, 3)
    assert (drawn[[0, -1]] == colour("paper")).all()
    (first,) = folder.iterdir()
    first.write_bytes(b"not drawn again")
    (card,) = cards.draw({"chapters/01-x": drawing}, target, folder).values()
    assert (target.folder / card.file).read_bytes() == b"not drawn again"

    other = cards.Drawing("Above", "Another title", picture().svg, "An alt")
    (card,) = cards.draw({"chapters/01-x": other}, target, folder).values()
    (second,) = folder.iterdir()
    assert second != first
    assert (target.folder / card.file).read_bytes() == second.read_bytes()


def test_words_are_drawn_in_the_fonts_that_come_along(tmp_path, monkeypatch):
    monkeypatch.setenv("FONTCONFIG_FILE", "/nowhere")
    empty = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"></svg>'
    texts = {
        tmp_path / f"{name}.png": compose(title, above="", svg=svg)
        for name, title, svg in (
            ("words", "percentages " * 6, empty),
            ("nothing", "", empty),
            ("figure", "", picture().svg),
        )
    }
    cards.rasterise(texts, ROOT)
    words, nothing, figure = (pixels(file) for file in texts)
    assert (nothing == colour("paper")).all()
    dark = np.argwhere((words == colour("ink")).all(axis=2))
    assert len(dark) > 5000
    assert dark[:, 1].max() < 450, "the title runs into the figure"
    assert dark[:, 0].max() < 600
    assert (figure[:, 470:] == colour("paper")).all(axis=2).mean() < 0.99


def test_the_book_s_picture_is_drawn_too(tmp_path):
    drawing = cards.of_book(ROOT, "Attention, measured", "How to study")
    file = tmp_path / "a.png"
    cards.rasterise({file: cards.compose(drawing)}, ROOT)
    right = pixels(file)[50:580, 500:1100]
    assert len(np.unique(right.reshape(-1, 3), axis=0)) > 50
    assert len(drawing.alt) > 40


def test_a_drawing_that_is_none_is_a_fault(tmp_path):
    with pytest.raises(ExtensionError, match="cannot be drawn"):
        cards.rasterise({tmp_path / "a.png": "<svg"}, ROOT)
    assert [*tmp_path.iterdir()] == []
