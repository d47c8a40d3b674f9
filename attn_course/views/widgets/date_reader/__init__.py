"""Type a date, and the trained model reads it on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import traitlets

from attn_course.symbols import FIRST_SYMBOL
from attn_course.views.widgets import model_arrays
from attn_course.views.widgets.parts import TextReader, Widget, distinct_characters

SAMPLES = (
    "3. Mai 1998",
    "April the 3rd, 05",
    "15 août 1947",
    "3 июня 2011 г.",
    "2005年4月3日",
    "٣ مايو ١٩٩٨",
    "03/04/2005",
    "06-17-2014",
    "02/2013",
)


class DateReader(TextReader, Widget):
    """Read any date that the reader types, with the model that was trained in this notebook.

    The forward pass of Bahdanau et al. 2015 runs on the page, in plain JavaScript, with the arrays
    given here. The page therefore needs no kernel, and gives the same answers as Python. All
    characters that the model never saw look the same to it, and the page says so.

    arrays           the model's state_dict as NumPy arrays (``decoder.score`` is additive)
    source_symbols   the source vocabulary's symbols, in their order
    target_symbols   the target vocabulary's
    text             the text that is in the box at first
    bits             8: a quarter of the size, and hardly any answer changes; 32: float32
    samples          dates to try
    longest          the longest text that is read, in characters
    sure_above       the probability below which an answer is marked as unsure
    years            the first and the last year in training; the page points out any other
    view             "matrix", or "arcs" from what was typed to the answer, which are drawn once
    label            what the box asks for

    Traits for ``observe``: ``text``; ``hidden``, the positions of the text (from 0) that the
    decoder may not read, cleared when the text changes; ``result``, set by the page: {"iso",
    "probability", "probabilities", "end", "unsure", "unknown", "runner_up", "against"}, or {} if
    nothing was read; "against" is what in the text speaks against the answer, "" if nothing does;
    ``selected``, as in `AlignmentViewer`; and ``at``, as in `Player`. The page computes the result,
    so it is empty until the widget is shown.
    """

    source_symbols = traitlets.Unicode().tag(sync=True)
    target_symbols = traitlets.Unicode().tag(sync=True)
    sure_above = traitlets.Float().tag(sync=True)
    years = traitlets.Tuple(traitlets.Int(), traitlets.Int()).tag(sync=True)
    view = traitlets.Enum(("matrix", "arcs")).tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    hidden = traitlets.List(traitlets.Int(min=0)).tag(sync=True)
    selected = traitlets.Dict().tag(sync=True)
    at = traitlets.Float(None, min=0, allow_none=True).tag(sync=True)

    def __init__(
        self,
        arrays: Mapping[str, np.ndarray],
        source_symbols: Sequence[str],
        target_symbols: Sequence[str],
        *,
        text: str = "3. Mai 1998",
        bits: int = 8,
        samples: Sequence[str] = SAMPLES,
        longest: int = 60,
        sure_above: float = 0.9,
        years: tuple[int, int] = (1950, 2049),
        view: str = "matrix",
        label: str = "Date to read",
    ):
        if not 0 <= sure_above <= 1:
            raise ValueError(f"sure_above must be a probability; got {sure_above}")
        if years[0] > years[1]:
            raise ValueError(f"years must be the first and the last; got {years}")
        source = distinct_characters("source_symbols", source_symbols)
        target = distinct_characters("target_symbols", target_symbols)
        fitting = model_arrays.of_translator(
            arrays, FIRST_SYMBOL + len(source), FIRST_SYMBOL + len(target)
        )
        super().__init__(
            fitting,
            bits,
            source_symbols=source,
            target_symbols=target,
            samples=samples,
            longest=longest,
            sure_above=sure_above,
            years=years,
            view=view,
            label=label,
            text=text,
            summary=(
                "A box to type a date in. The trained model reads it on the page, with "
                f"{sum(array.size for array in fitting.values()):,} weights and "
                f"{len(source)} known characters, and writes it as year, month and day."
            ),
        )
