"""What the book adds to jupyter-book: widgets that work without a kernel, and pages from one host.

notebooks/  chapters, from their files to what the pages say of them
    build         an interrupted build is finished by the next one; chapters run again when needed
    grounds       what a chapter's result depends on: what it imports, data, versions
    execution     chapters run side by side, and their results kept
    citations     the links by which chapters cite, as Sphinx's citations
    course        the chapters in their order, and what their notebooks say of themselves
    course_map    ``begin`` and ``course-map``: the chapters on the front page
    claims        ``claims``: every claim of every chapter on one page, and as JSON
    code          which code of a chapter stands open, and which is folded
    exercises     the line that stands for a stub and its check where no code runs
    minutes       how long a chapter takes to read
    glossary      bold terms in the chapters lead to the glossary, and back
    mentions      which other chapters mention a term of the glossary often
    place         the chapters' numbers in menus and on their pages
    progress      what a reader can do in each chapter, for ``website/assets/progress.js``
    side_roads    sections that are closed until a reader opens them
    recall        the questions of all chapters once more, for those that are due
    veil          what follows a prediction is veiled until the reader has guessed
reference/  the package's own pages
    pages         these pages, and what autodoc asks while it makes them
    docstrings    docstrings as they stand in the code, put into Sphinx's markup
    links         names on all pages lead there
widgets/    widgets, alive on pages that have no kernel
    install       which widgets may be shown, and their code as files of the site
    directives    ``chapter-widget``: a widget of a chapter on a prose page
    links         words in the text that set a widget of the page to a state
    shown         what a widget's own module draws and says at build time
    first         a widget's first state, which stands in its place until it runs
    still         a widget as a sentence and a table, for readers without JavaScript
head/       the contents of a page's head
    policy        what a page may load and run, with the reasons
    loading       scripts that wait, and the style sheets of all pages as one
    history       when a page was last changed
    sharing       what a page says about itself: address, Open Graph; ``sitemap.xml``
    cards         the picture that other sites show beside a link to a page
site/       from Sphinx's raw pages to the site in ``_build/html``
    theme         leaves out what the stock theme loads and this book does not use
    answers       results that one build keeps for the next
    node          the programs that come from npm
    listings      the colours of code
    katex         mathematics as HTML, at build time
    fonts         the faces of the text, cut to what the book writes
    launch        where else a page can be run, read or answered
    folder        the folder that becomes the site
    find          elements of a page by class or attribute
    edition       what all pages of one build have in common
    elements      the only module that writes a page's head, from what all others add
    contents      which modules have a page, in the order in which the package says to read them
    page          from one raw page to a published page
    parts         parts of a page that a browser lays out only when they come near
    typography    apostrophes, minus and per cent signs
    search        Greek letters in the index, and the texts of the lines below results
    missing       the page for addresses that do not exist, and pages without other files

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
