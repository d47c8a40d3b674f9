"""What a page loads: its letters, and one style sheet that looks as the separate ones do.

To compare the sheets, the computed styles of everything that is drawn are taken, without
interaction and on a screen.
"""

import posixpath
from urllib.parse import urlsplit

import pytest
from browsing import LAY_OUT, REST
from bs4 import BeautifulSoup
from matplotlib.font_manager import get_font
from sweeps import every

WIDE, NARROW = {"width": 1280, "scheme": "light"}, {"width": 360, "scheme": "dark"}
VIEWS = {
    "book/index.html": NARROW,
    "book/notation.html": WIDE,
    "chapters/05-reading-dates.html": WIDE,
    "search.html": NARROW,
}
# many of the same kind would only take time
THIN_OUT = """() => document
  .querySelectorAll(":is(svg, .katex, .highlight, tbody) :nth-child(n + 9)")
  .forEach((node) => node.remove())"""
STILL = "* { animation: none !important; transition: none !important }"
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
PROPERTIES = "[...getComputedStyle(document.body)].filter((name) => !name.startsWith('--'))"


def styles(view) -> list[tuple[str, ...]]:
    """The name of each box and all its properties, including those of text and of ::before."""
    view.evaluate("document.fonts.ready")
    view.add_style_tag(content=STILL)
    view.evaluate(THIN_OUT)
    properties = view.evaluate(PROPERTIES)
    options = {"computedStyles": properties}
    snapshot = view.context.new_cdp_session(view).send("DOMSnapshot.captureSnapshot", options)
    texts, document = snapshot["strings"], snapshot["documents"][0]
    names, boxes = document["nodes"]["nodeName"], document["layout"]
    # a sheet that is minified says 0 0 for 0% 0%
    texts = ["0% 0%" if text == "0px 0px" else text for text in texts]
    return [
        (texts[names[node]], *map("{}: {}".format, properties, (texts[number] for number in style)))
        for node, style in zip(boxes["nodeIndex"], boxes["styles"], strict=True)
    ]


def all_sheets(folder, name: str) -> str:
    """The style sheets from which the page's was made, in order."""
    raw = folder.parent / "raw"
    soup = BeautifulSoup((raw / name).read_text("utf-8"), "html.parser")
    links = [link["href"] for link in soup.find_all("link", rel="stylesheet")]
    sheets = [posixpath.normpath(posixpath.join(posixpath.dirname(name), link)) for link in links]
    return "\n".join(f'@import "/raw/{sheet}";' for sheet in sheets)


def all_there(view) -> None:
    """Lay out all parts, near or far, and wait until widgets stop adding elements."""
    view.evaluate(LAY_OUT)
    count, before = "document.querySelectorAll('*').length", 0
    while before != (now := view.evaluate(count)):
        before = now
        view.evaluate(REST)


@pytest.mark.parametrize("name", every(2, VIEWS))
def test_joined_sheet_draws_the_page_as_all_its_sources_do(page, site, folder, name):
    here = page(name, **VIEWS[name])
    there = page("about:blank", **VIEWS[name])
    requests = []

    def all_of_them(route):
        route.fulfill(body=all_sheets(folder, name), content_type="text/css")

    def raw(route):
        requests.append(route.request.url)
        path = urlsplit(route.request.url).path.removeprefix("/")
        route.fulfill(path=folder.parent / path)

    there.route("**/_static/styles/*.css", all_of_them)
    there.route("**/raw/**", raw)
    there.goto(f"{site}/{name}")
    for view in (here, there):
        view.wait_for_function("() => !document.querySelector('.attn-still')")
        all_there(view)
    ours, theirs = styles(here), styles(there)
    assert len(requests) > 5
    assert len(ours) > 100
    assert len(ours) == len(theirs)
    assert [(x[0], {*x} ^ {*y}) for x, y in zip(ours, theirs, strict=True) if x != y] == []


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
