"""The letters that a page loads: few, and those that have measured the labels of plots."""

from urllib.parse import urlsplit

import pytest
from browsing import LAY_OUT, REST
from matplotlib.font_manager import get_font

# the faces of what is read, and of what is pressed
DRAWN = {
    "article section > p": "Source Serif 4",
    "article section > p em": "Source Serif 4",
    "article h1": "Source Serif 4",
    ".attn-figure svg text": "Source Sans 3",
    ".attn-frame button": "Source Sans 3",
    ".bd-links a": "Source Sans 3",
}
LETTERS = 96_000  # bytes of the files that every page loads


def all_there(view) -> None:
    """Lay out all parts, near or far, and wait until widgets stop adding elements."""
    view.evaluate(LAY_OUT)
    count, before = "document.querySelectorAll('*').length", 0
    while before != (now := view.evaluate(count)):
        before = now
        view.evaluate(REST)


def test_letters_come_with_the_book_and_are_few(page, folder):
    view = page("chapters/05-reading-dates.html")
    all_there(view)
    view.evaluate("document.fonts.ready.then(() => true)")
    session = view.context.new_cdp_session(view)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    for selector, family in DRAWN.items():
        query = {"nodeId": root, "selector": selector}
        node = session.send("DOM.querySelector", query)["nodeId"]
        fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        most = max(fonts, key=lambda font: font["glyphCount"])
        assert most["isCustomFont"], selector
        assert most["familyName"].startswith(family), selector
    faces = [urlsplit(url).path for url in view.requests if "/source-" in url]
    assert len(faces) == len({*faces})
    usual = [face for face in faces if "-cyrillic" not in face and "-extended" not in face]
    assert len(usual) == 4
    assert sum((folder / face.removeprefix("/")).stat().st_size for face in usual) <= LETTERS
    ahead = view.locator("link[rel=preload]").evaluate_all("all => all.map(({ href }) => href)")
    assert [urlsplit(url).path for url in ahead] == faces[:2]


def test_labels_of_plots_are_measured_with_the_letters_that_draw_them(page, folder):
    (face,) = folder.parent.glob("fonts/*/*.ttf")
    words = "Weight of the last position"
    font = get_font(face)
    font.set_size(100, 72)
    font.set_text(words)
    drawn = page("chapters/05-reading-dates.html").evaluate(
        """async (words) => {
          const pen = document.createElement("canvas").getContext("2d");
          pen.font = "100px 'Book Sans'";
          await document.fonts.load(pen.font);
          return pen.measureText(words).width;
        }""",
        words,
    )
    assert font.get_width_height()[0] / 64 == pytest.approx(drawn, rel=0.02)
