"""What the book adds to jupyter-book: widgets that work without a kernel, and pages from one host.

notebooks/  chapters, from their files to what the pages say of them
reference/  the package's own pages
widgets/    widgets, alive on pages that have no kernel
head/       the contents of a page's head
site/       from Sphinx's raw pages to the site in ``_build/html``
slides/     a deck of slides for each chapter
commands/   what `make` calls

``publish`` puts all of this together, and ``address`` knows where the repository and the site are.
Folders import one another in one direction only; `make lint` says where one does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, bool]:
    # not before Sphinx asks: the commands do without most of it
    from . import publish
    from .notebooks import build, citations, claims, course_map, progress, recall, side_roads
    from .reference import pages as reference
    from .site import katex, listings, search, theme
    from .widgets import directives

    parts = (build, citations, katex, theme, directives, course_map, claims)
    parts += (listings, progress, publish, recall, reference, search, side_roads)
    for part in parts:
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
