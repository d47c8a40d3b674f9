"""What every widget of the book has: its sentence, its script and its style."""

import sys
from pathlib import Path

import anywidget
import traitlets

from attn_course import palette
from attn_course.widgets.joining import join, modules


class Widget(anywidget.AnyWidget):
    """A widget whose script and style sheet lie beside its class, under the name of the folder.

    Both reach a page as one text each: the script with the modules that it imports, the style
    sheet after those that lie beside these modules, and after the colours of the palette.

    ``summary`` is the text alternative, for readers without JavaScript and for paper. The widget's
    module also exports ``table({ model })``: rows of texts, the first the header, of the same
    content. The book's build calls it, and leaves both where the widget cannot run. What a reader
    should think about first may be a function of its own, ``answer({ model })``: it is folded.
    """

    summary = traitlets.Unicode().tag(sync=True)

    def __init_subclass__(cls, **kwargs):
        module = sys.modules.get(cls.__module__)
        folder = Path(getattr(module, "__file__", None) or "").parent
        script = folder / f"{folder.name}.js"
        # a class without one inherits both; anywidget derives from a class what has traits instead
        if script.exists() and "_esm" not in vars(cls):
            cls._esm, cls._css = join(script), style(script)
        super().__init_subclass__(**kwargs)

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.summary}"


def style(script: Path) -> str:
    """The colours of the palette, then the style sheets of a script and of what it imports."""
    sheets = [path.with_suffix(".css") for path in modules(script)]
    own = [sheet.read_text(encoding="utf-8") for sheet in sheets if sheet.exists()]
    return "\n".join([palette.css(), *own])
