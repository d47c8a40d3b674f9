"""What every widget of the book has: its sentence, its script and its style."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import anywidget
import numpy as np
import traitlets

from attn_course._values import expect_count, expect_several, expect_text
from attn_course.packing import pack
from attn_course.symbols import SPECIAL
from attn_course.views import palette
from attn_course.views.widgets.joining import join, modules


class Widget(anywidget.AnyWidget):
    """A widget whose script and style sheet lie beside its class and are named after the folder.

    Each reaches a page as a single text: the script with the modules that it imports, and the style
    sheet after the palette's colours and the style sheets of these modules.

    ``summary`` is the text alternative, for readers without JavaScript and for print. The module
    also exports ``table({ model })``, which returns the same content as rows of texts, the first
    being the header. The build calls it and shows both where the widget cannot run. An answer that
    readers should guess first can be returned by ``answer({ model })``; the page folds it.

    A trait may be Bytes, or a list or a dictionary that contains bytes. Pages of the book load an
    array of the first kind along with the widget, and one of the second kind when the widget first
    reads it. So a script reads the latter with ``await``, which works in Jupyter as well.
    """

    summary = traitlets.Unicode().tag(sync=True)

    def __init_subclass__(cls, **kwargs):
        module = sys.modules.get(cls.__module__)
        folder = Path(getattr(module, "__file__", None) or "").parent
        script = folder / f"{folder.name}.js"
        # a class without a script inherits both; anywidget itself subclasses classes with traits
        if script.exists() and "_esm" not in vars(cls):
            cls._esm, cls._css = join(script), style(script)
        super().__init_subclass__(**kwargs)

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.summary}"


class TextReader(traitlets.HasTraits):
    """What all widgets share that run a trained model on a text that the reader types.

    arrays   the model's arrays by name, in a fixed order
    bits     8: a quarter of the size, and hardly any answer changes; 32: float32
    text     the text that is in the box at first
    samples  texts to try
    longest  the longest text that is read

    The page computes ``result``: {} if nothing was read.
    """

    weights = traitlets.Bytes().tag(sync=True)
    layout_of_weights = traitlets.List(traitlets.Dict()).tag(sync=True)
    special = traitlets.Dict(SPECIAL).tag(sync=True)
    samples = traitlets.List(traitlets.Unicode()).tag(sync=True)
    longest = traitlets.Int().tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)
    result = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        arrays: Mapping[str, np.ndarray],
        bits: int,
        *,
        samples: Sequence[str],
        longest: int,
        **traits,
    ):
        listed = expect_several("samples", samples, least=0)
        for sample in listed:
            expect_text("each of the samples", sample)
        packed, layout = pack(arrays, bits)
        super().__init__(
            weights=packed,
            layout_of_weights=layout,
            samples=listed,
            longest=expect_count("longest", longest),
            **traits,
        )


def distinct_characters(name: str, symbols: Sequence[str]) -> str:
    """The symbols as one string; each must be a single character that occurs only once."""
    listed = list(symbols)
    if not all(isinstance(symbol, str) and len(symbol) == 1 for symbol in listed):
        raise ValueError(f"{name} must be single characters; got {listed}")
    if len(set(listed)) < len(listed):
        raise ValueError(f"{name} must be distinct; got {listed}")
    return "".join(listed)


def style(script: Path) -> str:
    """The colours of the palette, then the style sheets of a script and of what it imports."""
    sheets = [path.with_suffix(".css") for path in modules(script)]
    own = [sheet.read_text(encoding="utf-8") for sheet in sheets if sheet.exists()]
    return "\n".join([palette.css(), *own])
