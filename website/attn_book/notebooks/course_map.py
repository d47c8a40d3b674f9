"""The chapters on the front page: the button that begins, and the map of all of them.

    ```{begin} What is the question of the book?
    ```
    ```{course-map}
    ```

Both are made from what the notebooks say about themselves; see `course`. The map is a list with
lines beside it, which join each chapter to those that it builds on. Lines are drawn row by row and
stretch with their row, so the words may have any length and any size. ``book/map/`` may hold a
picture for a chapter, under its name: drawn in the classes ``attn-of-...``, it takes the colours of
the page.
"""

import posixpath
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from docutils import nodes
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from ..site import templates
from .course import Chapter, chapters, sources

PICTURES = "book/map"
TRACK, LANE = 40, 16  # how wide the space for the lines is, and what each lane adds to it
Link = tuple[int, int]  # the rows of a chapter that is needed and of one that needs it


def setup(app: Sphinx) -> None:
    app.add_directive("begin", Begin)
    app.add_directive("course-map", CourseMap)


class OfChapters(SphinxDirective):
    """Made from the chapters, and made again when one of them changes."""

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        for source in [*sources(root), *_pictures(root)]:
            self.env.note_dependency(str(source))
        folder = posixpath.dirname(self.env.docname)
        return [nodes.raw("", self.html(chapters(root), folder), format="html")]


class Begin(OfChapters):
    required_arguments = 1
    final_argument_whitespace = True

    def html(self, course: list[Chapter], folder: str) -> str:
        return begin(course, folder, self.arguments[0])


class CourseMap(OfChapters):
    def html(self, course: list[Chapter], folder: str) -> str:
        root = Path(self.env.srcdir)
        return course_map(course, folder, pictures_of(root))


def pictures_of(root: Path) -> dict[str, Markup]:
    """The drawings by the names of their chapters."""
    return {path.stem: Markup(path.read_text("utf-8")) for path in _pictures(root)}  # noqa: S704


def _pictures(root: Path) -> list[Path]:
    return sorted((root / PICTURES).glob("*.svg"))


def begin(course: Sequence[Chapter], folder: str, question: str) -> Markup:
    """The book's question, and the way into the first chapter with its minutes (see `minutes`).

    ``progress.js`` makes it the way on, for those who have been here before.
    """
    first = course[0]
    return Markup(
        '<div class="attn-go-on"><a class="attn-begin" href="{}">Begin '
        '<small data-minutes-of="{}"></small></a><p>{}</p></div>'
    ).format(address(first, folder), first.name, question)


def course_map(course: Sequence[Chapter], folder: str, pictures: dict[str, Markup]) -> Markup:
    """The chapters from first to last, each joined to those that it builds on."""
    by_name = {chapter.name: chapter for chapter in course}
    lanes = lanes_of(links(course))
    width = TRACK + LANE * max(lanes.values(), default=0)
    rows = []
    for row, chapter in enumerate(course):
        needs = [by_name[name] for name in chapter.needs if name in by_name]
        strokes = _strokes(row, lanes, width - TRACK // 2)
        picture = pictures.get(posixpath.basename(chapter.name), "")
        rows.append({"chapter": chapter, "strokes": strokes, "needs": needs, "picture": picture})
    here = partial(address, folder=folder)
    return templates.part("course-map.html", rows=rows, width=width, address=here)


# ---- lines


def links(course: Sequence[Chapter]) -> list[Link]:
    """Which chapter builds on which, without links that follow: 4 → 3 → 2 implies 4 → 2."""
    rows = {chapter.name: row for row, chapter in enumerate(course)}
    behind: list[set[int]] = []  # all that a chapter builds on, directly or not
    pairs = []
    for row, chapter in enumerate(course):
        needed = {rows[name] for name in chapter.needs if name in rows}
        far = set().union(*(behind[other] for other in needed))
        pairs += [(other, row) for other in sorted(needed - far)]
        behind.append(needed | far)
    return pairs


def lanes_of(drawn: Iterable[Link]) -> dict[Link, int]:
    """A lane for each line: 0 goes straight down to a neighbour, others go around those between."""
    lanes: dict[Link, int] = {}
    for start, to in sorted(drawn):
        beside = {lanes[other] for other in lanes if other[1] > start and other[0] < to}
        free = (lane for lane in range(1, len(lanes) + 2) if lane not in beside)
        lanes[start, to] = next(free) if to - start > 1 else 0
    return lanes


def _strokes(row: int, lanes: dict[Link, int], middle: int) -> list[str]:
    """The parts of all lines in a row; the chapter's number stands where they meet."""
    strokes = (_stroke(row, link, middle, middle - LANE * lane) for link, lane in lanes.items())
    return [stroke for stroke in strokes if stroke]


def _stroke(row: int, link: Link, middle: int, lane: int) -> str:
    """The part of a line in a row 100 high, where it begins, passes, ends or is absent."""
    start, to = link
    if row == start:
        return f"M{middle} 50C{lane} 50 {lane} 70 {lane} 100"
    if row == to:
        return f"M{lane} 0C{lane} 30 {lane} 50 {middle} 50"
    return f"M{lane} 0V100" if start < row < to else ""


def address(chapter: Chapter, folder: str) -> str:
    return posixpath.relpath(f"{chapter.name}.html", folder or ".")
