"""Leave out what jupyter-book and its theme load but this book does not use.

The book has its own script for menus, colours and search (``website/assets/book.js``). The stock
scripts are four times as large and write to the console, and one of them contacts another host.
"""

import os
from pathlib import Path

from sphinx.application import Sphinx

from attn_course.views import palette

from . import fonts
from .katex import copy_style


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", write_assets)
    app.connect("html-page-context", leave_out, priority=950)


def write_assets(app: Sphinx) -> None:
    """Write what is made rather than kept: style sheets of the palette and KaTeX, and fonts."""
    folder = Path(app.outdir).parent / "assets"
    (folder / "katex").mkdir(parents=True, exist_ok=True)
    colours = palette.css() + palette.symbols_css()
    (folder / "palette.css").write_text(colours, encoding="utf-8")
    copy_style(Path(app.srcdir), folder / "katex")
    faces = fonts.make(Path(app.srcdir), folder.parent)
    app.config.html_static_path += [str(folder), str(faces / "static")]
    os.environ["ATTN_SANS"] = str(faces / f"{fonts.SANS}.ttf")  # attn_course.views.plots reads it


def leave_out(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Drop the theme's script, and those that a page would contain; the widgets' state is data."""
    context["script_files"] = [script for script in context["script_files"] if not _unused(script)]


def _unused(script) -> bool:
    runs = "body" in script.attributes and "type" not in script.attributes
    return runs or "sphinx-book-theme.js" in str(script.filename)
