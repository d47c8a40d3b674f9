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

_SILENT = ("sphinx_thebe", "sphinx_togglebutton", "sphinx_comments")
_UNUSED_FILES = (
    "togglebutton",
    "sphinx-thebe",
    "design-tabs",
    "sphinx-design",
    "sphinx-book-theme.js",
)
_UNUSED_CODE = "DOCUMENTATION_OPTIONS."


def setup(app: Sphinx) -> None:
    for extension in _SILENT:
        silence(app, extension)
    app.connect("builder-inited", write_assets)
    app.connect("html-page-context", leave_out, priority=950)


def silence(app: Sphinx, extension: str) -> None:
    """Stop an extension that jupyter-book always loads from adding anything to a page."""
    app.setup_extension(extension)
    for listeners in list(app.events.listeners.values()):
        for listener in list(listeners):
            if listener.handler.__module__.partition(".")[0] == extension:
                app.disconnect(listener.id)


def write_assets(app: Sphinx) -> None:
    """Write what is made rather than kept: style sheets of the palette and KaTeX, and fonts."""
    made = Path(app.outdir).parent / "assets"
    (made / "katex").mkdir(parents=True, exist_ok=True)
    colours = palette.css() + palette.symbols_css()
    (made / "palette.css").write_text(colours, encoding="utf-8")
    copy_style(Path(app.srcdir), made / "katex")
    faces = fonts.make(Path(app.srcdir), made.parent)
    app.config.html_static_path += [str(made), str(faces / "static")]
    os.environ["ATTN_SANS"] = str(faces / f"{fonts.SANS}.ttf")  # attn_course.views.plots reads it


def leave_out(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Drop the scripts and styles that are not used."""
    for kind in ("script_files", "css_files"):
        context[kind] = [asset for asset in context.get(kind, []) if not _unused(asset)]


def _unused(asset) -> bool:
    name = str(getattr(asset, "filename", None) or "")
    code = getattr(asset, "attributes", {}).get("body", "")
    return any(word in name for word in _UNUSED_FILES) or code.startswith(_UNUSED_CODE)
