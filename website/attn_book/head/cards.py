"""The picture of each page, which other sites show beside a link to it.

A chapter's picture is its first figure, or the first figure of the cell tagged ``card``; a page
without figures gets the book's own picture. It is drawn in the light theme, with its title as text,
and kept in ``_build/cards`` under a digest, so that it is drawn again only when it changes.
"""

import base64
import hashlib
import json
import os
import re
import textwrap
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from sphinx.errors import ExtensionError

from attn_course.views import palette

from ..site import templates
from ..site.folder import Site
from ..site.node import package, run

WIDTH, HEIGHT = 1200, 630  # what Facebook, LinkedIn and others ask for
TAG = "card"
BOOK_PICTURE = "website/assets/date-reader.png"
BOOK_ALT = (
    "The date reader: a date as it was typed, the date that the network read, and the characters "
    "that it looked at for each digit"
)
_FIGURE = re.compile(
    r'<figure class="attn-figure".*?>(?:<figcaption.*?>(?P<title>.*?)</figcaption>)?'
    r"(?:<svg .*?</svg>)*(?P<svg><svg .*?</svg>)</figure>",  # of two, the phone's: larger letters
    re.DOTALL,
)
_VARIABLE = re.compile(r"var\(--attn-([\w-]+)(?:, *#\w+)?\)")
_FACE = re.compile(r"var\(--attn-(?:sans|serif), ([^)]*)\)")
_LIGHT = dict(re.findall(r"--attn-([\w-]+): (.+?);", palette.css().partition("@media")[0]))


@dataclass(frozen=True)
class Card:
    """A picture of the site: ``file`` is its name there, ``alt`` says what it shows."""

    file: str
    alt: str


@dataclass(frozen=True)
class Drawing:
    """The parts of a card: words on the left, an ``svg`` element on the right."""

    above: str
    title: str
    svg: str
    alt: str


def of_chapter(name: str, above: str, notebook: dict) -> Drawing | None:
    """The chapter's main figure, from its executed notebook."""
    marked = [cell for cell in notebook["cells"] if TAG in cell["metadata"].get("tags", ())]
    for cell in marked or notebook["cells"]:
        for output in cell.get("outputs", ()):
            if match := _FIGURE.search(output.get("data", {}).get("text/html", "")):
                alt = re.search(r'aria-label="(.*?)"', match["svg"])
                title = unescape(match["title"] or "")
                svg = match["svg"].replace("display:none", "display:block", 1)
                return Drawing(above, title, svg, unescape(alt[1]) if alt else title)
    if marked:
        raise ExtensionError(f"{name}: the cell with the tag {TAG!r} shows no figure")
    return None


def of_book(root: Path, above: str, title: str) -> Drawing:
    """The book's own picture, with the title of a page."""
    picture = root / BOOK_PICTURE
    encoded = base64.b64encode(picture.read_bytes()).decode()
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 630 600">'
        f'<image width="630" height="600" href="data:image/png;base64,{encoded}"/></svg>'
    )
    return Drawing(above, title, svg, BOOK_ALT)


def draw(drawings: dict[str, Drawing], site: Site, folder: Path) -> dict[str, Card]:
    """Put the cards of all pages into the site, and draw those that ``kept`` does not have."""
    folder.mkdir(exist_ok=True)
    texts = {name: compose(drawing) for name, drawing in drawings.items()}
    files = {
        name: folder / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.png"
        for name, text in texts.items()
    }
    rasterise({file: texts[name] for name, file in files.items() if not file.exists()}, site.root)
    for old in {*folder.iterdir()} - {*files.values()}:
        old.unlink()
    cards = {}
    for name, file in files.items():
        cards[name] = Card(f"_static/cards/{file.name}", drawings[name].alt)
        site.copy(file, cards[name].file)
    return cards


def rasterise(texts: dict[Path, str], root: Path) -> None:
    """Write each SVG as a PNG of that name."""
    if not texts:
        return
    import matplotlib  # takes a third of a second, which most builds save

    fonts = Path(matplotlib.get_data_path(), "fonts", "ttf")
    program = Path(__file__).with_name("cards.cjs")
    options = [str(package(root, "@resvg/resvg-wasm")), str(fonts), os.environ.get("ATTN_SANS", "")]
    request = json.dumps({str(file): text for file, text in texts.items()})
    run(program, options, request, "the pictures of the pages cannot be drawn")


def compose(drawing: Drawing) -> str:
    """The whole card as SVG, in the light palette's colours."""
    # the figure fills a box instead of a column
    place = 'x="460" y="50" width="690" height="530" preserveAspectRatio="xMidYMid"'
    figure = drawing.svg.replace("<svg ", f"<svg {place} ", 1)
    values = {"figure": figure.replace("width:100%;height:auto;", "", 1), "above": drawing.above}
    values |= {"lines": textwrap.wrap(drawing.title, 17), "width": WIDTH, "height": HEIGHT}
    svg = templates.part("card.svg", **values)
    # the letters that have measured the figure's labels, by the name that their file gives them
    return _VARIABLE.sub(_light, _FACE.sub(r"'Source Sans 3 ExtraLight', \1", svg))


def _light(variable: re.Match) -> str:
    try:
        return _LIGHT[variable[1]]
    except KeyError:
        raise ExtensionError(f"a figure asks for a colour {variable[1]!r}: no such role") from None
