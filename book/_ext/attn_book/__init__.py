"""What the book needs beyond jupyter-book: live widgets without a kernel, one host only.

build         an interrupted build is finished by the next one; chapters run again when needed
katex         mathematics as HTML, at build time
theme         leaves out what the stock theme loads and this book does not use
directives    ``chapter-widget``: a widget of a chapter on a prose page
course        the chapters in their order, and what their notebooks say of themselves
concept_map   ``concept-map`` and ``way``: the chapters on the front page
claims        ``claims``: every claim of every chapter on one page, and as JSON
citations     the links by which chapters cite, as Sphinx's citations
glossary      bold terms in the chapters lead to the glossary, and back
place         the chapters' numbers in menus and on their pages
progress      what a reader can have done in each chapter, for ``book/assets/progress.js``
widgets       the widgets' state: which may be shown, and their code as files of the site
room          the room that a prediction will take
still         a widget as a sentence and a table, for readers without JavaScript
page          one raw page to a published page
policy        what a page may load and run, with the reasons
loading       in which order a page loads it; its style sheets in one, without what no page uses
address       where the repository and the site stand, and what holds it literally
launch        where else a page can be run, read or answered
edition       what all pages of one build have in common
introduction  how the pages introduce themselves, by the next five
history       when a page was last changed
head          what a page says of itself: canonical address, Open Graph, Twitter
cards         the picture of a page beside a link to it
linked_data   the book and its chapters for search engines: JSON-LD
sitemap       ``sitemap.xml`` and ``robots.txt``
missing       the page for an address that leads to none
publish       the raw pages to the site in ``_build/html``
"""

from sphinx.application import Sphinx

from . import (
    build,
    citations,
    claims,
    concept_map,
    directives,
    katex,
    launch,
    progress,
    publish,
    theme,
)


def setup(app: Sphinx) -> dict[str, bool]:
    parts = (build, citations, katex, theme, directives, concept_map, claims)
    parts += (launch, progress, publish)
    for part in parts:
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
