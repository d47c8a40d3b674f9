"""One self-contained module and style sheet out of the files of a widget.

A page with no kernel cannot fetch a second file, and Jupyter hands a widget's module over as one
text. So what the widgets share is written once and put in front of each.
"""

from pathlib import Path

import anywidget
import traitlets

from attn_course import palette

_HERE = Path(__file__).parent


def module(*names: str) -> str:
    """The JavaScript files of these names, one after the other, as one ES module."""
    return "\n".join(_text(f"{name}.js") for name in names)


def style(*names: str) -> str:
    """The colours of the palette, then the style sheets of these names."""
    return "\n".join([palette.css(), *(_text(f"{name}.css") for name in names)])


class Widget(anywidget.AnyWidget):
    """What every widget of the book has: a sentence that says in words what it shows.

    ``summary`` is the text alternative, for readers without JavaScript and for paper. The widget's
    module also exports ``table({ model })``: rows of texts, the first the header, of the same
    content. The book's build calls it, and leaves both where the widget cannot run. What a reader
    should think about first may be a function of its own, ``answer({ model })``: it is folded.
    """

    summary = traitlets.Unicode().tag(sync=True)

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.summary}"


def _text(name: str) -> str:
    """A file of the widget's own room, or else of what several of them share."""
    own = _HERE / Path(name).stem / name
    return (own if own.exists() else _HERE / "shared" / name).read_text(encoding="utf-8")
