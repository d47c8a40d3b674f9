"""What the book needs beyond jupyter-book: live widgets without a kernel, one host only.

build         an interrupted build is finished by the next one; chapters run again when needed
katex         mathematics as HTML, at build time
theme         leaves out what the stock theme loads and this book does not use
directives    ``chapter-widget``: a widget of a chapter on a prose page
widgets       the widgets' state: which may be shown, and their code as files of the site
page          one raw page to a published page
publish       the raw pages to the site in ``_build/html``
"""

from sphinx.application import Sphinx

from . import build, directives, katex, publish, theme


def setup(app: Sphinx) -> dict[str, bool]:
    for part in (build, katex, theme, directives, publish):
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
