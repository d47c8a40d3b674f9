"""The chapters on the front page: a map of which needs which, and the way through them.

    ```{concept-map}
    ```
    ```{way}
    ```

Both are made from what the notebooks say about themselves; see `course`. The map is a drawing with
links. The way is a list with the same content, and with what readers can do after each chapter.
"""

import posixpath
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from textwrap import wrap

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from .course import Chapter, chapters, sources

# in pixels of a phone 360 wide, where nothing has to shrink
WIDTH, ROW, RADIUS = 320, 56, 15
BEND = 28  # how far to the left a line runs to pass one chapter
LETTERS = 25  # in a line of a title


def setup(app: Sphinx) -> None:
    app.add_directive("concept-map", ConceptMap)
    app.add_directive("way", Way)


class OfChapters(SphinxDirective):
    """A directive made from the chapters, and remade when one of them changes."""

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        for source in sources(root):
            self.env.note_dependency(str(source))
        folder = posixpath.dirname(self.env.docname)
        return [nodes.raw("", self.html(chapters(root), folder), format="html")]


class ConceptMap(OfChapters):
    def html(self, course: list[Chapter], folder: str) -> str:
        return concept_map(course, folder)


class Way(OfChapters):
    def html(self, course: list[Chapter], folder: str) -> str:
        return way(course, folder)


def concept_map(course: Sequence[Chapter], folder: str) -> str:
    """The chapters from top to bottom, each joined to those that it needs."""
    rows = {chapter.name: row for row, chapter in enumerate(course)}
    needs = {
        chapter.name: [rows[name] for name in chapter.needs if name in rows] for chapter in course
    }
    farthest = max((row - min(needs[name], default=row) for name, row in rows.items()), default=1)
    column = RADIUS + 2 + bend(farthest)  # the circles are to the right of all lines
    faint = implied(course)
    stops = []
    for row, chapter in enumerate(course):
        lines = [
            _line(column, needed, row, (course[needed].name, chapter.name) in faint)
            for needed in needs[chapter.name]
        ]
        stops.append(_stop(column, row, chapter, "".join(lines), folder))
    label = "Which chapter builds on which. The list below says the same in words."
    return (
        '<figure class="attn-map">'
        f'<svg viewBox="0 0 {WIDTH} {ROW * len(course)}" role="group" aria-label="{label}">'
        f"{''.join(stops)}</svg></figure>"
    )


def implied(course: Sequence[Chapter]) -> set[tuple[str, str]]:
    """Needs implied by others: whoever needs 3, which needs 2, needs 2. They are drawn faint."""
    behind: dict[str, set[str]] = {}  # all chapters that a chapter needs, directly or not
    found = set()
    for chapter in course:
        far = set().union(*(behind.get(needed, ()) for needed in chapter.needs))
        found |= {(needed, chapter.name) for needed in chapter.needs if needed in far}
        behind[chapter.name] = far | set(chapter.needs)
    return found


def _line(column: int, start: int, to: int, faint: bool) -> str:
    """A line from the rim of the chapter above, so that it may be drawn after that chapter."""
    top, bottom = (round(ROW * (row + 0.5)) for row in (start, to))
    left = column - round(4 / 3 * bend(to - start))  # how near a curve comes to its control points
    if to - start == 1:
        way = f"M{column} {top + RADIUS}V{bottom}"
    else:
        rim = round(RADIUS * 0.7)
        way = (
            f"M{column - rim} {top + rim}C{left} {top + 30} {left} {bottom - 30} {column} {bottom}"
        )
    look = ' class="attn-map-implied"' if faint else ""
    return f'<path{look} d="{way}"/>'


def bend(rows: int) -> int:
    """How far to the left a line runs: straight to a neighbour, or around the chapters between."""
    return round(BEND * max(0, rows - 1) ** 0.5)


def _stop(column: int, row: int, chapter: Chapter, lines: str, folder: str) -> str:
    """One chapter: its lines to what it needs, its number and its title, all one link."""
    middle, text = round(ROW * (row + 0.5)), column + RADIUS + 12
    title = wrap(chapter.title, LETTERS)
    first = middle + 5 - 10 * (len(title) - 1)
    words = " ".join(
        f'<tspan x="{text}" y="{first + 20 * n}">{escape(line)}</tspan>'
        for n, line in enumerate(title)
    )
    return (
        f'<a href="{address(chapter, folder)}">'
        f'<rect x="{column - RADIUS}" y="{middle - 24}" rx="4" height="48" '
        f'width="{WIDTH - column + RADIUS}"/>'
        f'{lines}<circle cx="{column}" cy="{middle}" r="{RADIUS}"/>'
        f'<text class="attn-map-number" x="{column}" y="{middle + 5}">{chapter.number}</text> '
        f"<text>{words}</text></a>"
    )


def way(course: Sequence[Chapter], folder: str) -> str:
    """The chapters as a list: question, what readers can do afterwards, what each builds on."""
    numbers = {chapter.name: chapter for chapter in course}
    items = []
    for chapter in course:
        needed = [numbers[name] for name in chapter.needs if name in numbers]
        items.append(
            f'<li value="{chapter.number}"><p>{_link(chapter, folder, chapter.title)}'
            f"{_question(chapter)}</p>{_afterwards(chapter)}{_needs(needed, folder)}</li>"
        )
    return f'<ol class="attn-way">{"".join(items)}</ol>'


def _question(chapter: Chapter) -> str:
    if chapter.question in ("", chapter.title):
        return ""
    return f" <em>{escape(chapter.question)}</em>"


def _afterwards(chapter: Chapter) -> str:
    if not chapter.afterwards:
        return ""
    return f"<p>Afterwards you can {escape(chapter.afterwards)}.</p>"


def _needs(needed: Iterable[Chapter], folder: str) -> str:
    links = [_link(chapter, folder, str(chapter.number), _named(chapter)) for chapter in needed]
    if not links:
        return ""
    *others, last = links
    listed = f"{', '.join(others)} and {last}" if others else last
    return f'<p class="attn-way-needs">Builds on {listed}.</p>'


def _named(chapter: Chapter) -> str:
    return f"{chapter.number}. {chapter.title}"


def _link(chapter: Chapter, folder: str, text: str, label: str = "") -> str:
    named = f' aria-label="{escape(label)}"' if label else ""
    return f'<a href="{address(chapter, folder)}"{named}>{escape(text)}</a>'


def address(chapter: Chapter, folder: str) -> str:
    return posixpath.relpath(f"{chapter.name}.html", folder or ".")
