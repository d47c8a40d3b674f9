"""Type a text: a model that was trained on the reader's own pairs reads it on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import traitlets

from attn_course._values import expect_choice, expect_count, expect_several, expect_text
from attn_course.symbols import FIRST_SYMBOL
from attn_course.views.widgets import model_arrays
from attn_course.views.widgets.parts import TextReader, Widget

MODELS = ("bahdanau", "luong", "transformer", "fixed_context")


class OwnReader(TextReader, Widget):
    """Read any text that the reader types, with a model of one of four kinds.

    The forward pass and greedy search run on the page, in plain JavaScript, with the arrays given
    here. Symbols are characters, or words with a separator between them; those that the model never
    saw all look the same to it, and the page says so.

    model           "bahdanau" (additive score), "luong" (general score), "transformer" or
                    "fixed_context", whose map only says that every step is given the last state
    arrays          its state_dict as NumPy arrays
    source_symbols  the source vocabulary's symbols, in their order
    target_symbols  the target vocabulary's
    heads           of a transformer's attention; the map is their mean, in the last layer
    separator       "" for characters, " " for words
    target_separator
                    the same for the answer; None: as for the source
    form            "NFC", "NFKC", "NFD" or "none": the normal form that a text is brought into
    text            the text that is in the box at first
    samples         texts to try
    longest         the longest text that is read, in symbols
    longest_answer  the most symbols that are written
    sure_above      the probability below which an answer is marked as unsure
    label           what the box asks for
    bits            8: a quarter of the size, and hardly any answer changes; 32: float32

    Traits for ``observe``: ``text``; ``selected``, as in `AlignmentViewer`; ``result``, set by the
    page: {"answer", "probability", "probabilities", "end", "unsure", "unknown"}, or {} if nothing
    was read. "end" is the probability of the answer's end, None if it was cut off.
    """

    model = traitlets.Enum(MODELS).tag(sync=True)
    source_symbols = traitlets.List(traitlets.Unicode()).tag(sync=True)
    target_symbols = traitlets.List(traitlets.Unicode()).tag(sync=True)
    heads = traitlets.Int().tag(sync=True)
    separator = traitlets.Enum(("", " ")).tag(sync=True)
    target_separator = traitlets.Enum(("", " ")).tag(sync=True)
    form = traitlets.Enum(("NFC", "NFKC", "NFD", "none")).tag(sync=True)
    longest_answer = traitlets.Int().tag(sync=True)
    sure_above = traitlets.Float().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    selected = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        model: str,
        arrays: Mapping[str, np.ndarray],
        source_symbols: Sequence[str],
        target_symbols: Sequence[str],
        *,
        heads: int = 4,
        separator: str = "",
        target_separator: str | None = None,
        form: str = "NFC",
        text: str = "",
        samples: Sequence[str] = (),
        longest: int = 100,
        longest_answer: int = 100,
        sure_above: float = 0.9,
        label: str = "Text to read",
        bits: int = 8,
    ):
        expect_choice("model", model, MODELS)
        if not 0 <= sure_above <= 1:
            raise ValueError(f"sure_above must be a probability; got {sure_above}")
        if target_separator is None:
            target_separator = separator
        source = _distinct("source_symbols", source_symbols, separator)
        target = _distinct("target_symbols", target_symbols, target_separator)
        fitting = _fitting(model, arrays, len(source), len(target), heads)
        super().__init__(
            fitting,
            bits,
            model=model,
            source_symbols=source,
            target_symbols=target,
            heads=heads,
            separator=separator,
            target_separator=target_separator,
            form=form,
            text=text,
            samples=samples,
            longest=longest,
            longest_answer=expect_count("longest_answer", longest_answer),
            sure_above=sure_above,
            label=label,
            summary=(
                "A box for typing a text. The trained model reads it on the page, with "
                f"{sum(array.size for array in fitting.values()):,} weights and {len(source)} "
                f"known {'words' if separator else 'characters'}, and shows where it looked for "
                "each part of its answer."
            ),
        )


def _distinct(name: str, symbols: Sequence[str], separator: str) -> list[str]:
    """The symbols as a list: characters, or words that do not hold the separator."""
    listed = list(symbols) if isinstance(symbols, str) else expect_several(name, symbols)
    for symbol in listed:
        expect_text(f"each of {name}", symbol)
        whole = separator not in symbol if separator else len(symbol) == 1
        if not symbol or not whole:
            what = "words without spaces" if separator else "single characters"
            raise ValueError(f"{name} must be {what}; got {symbol!r}")
    if len(set(listed)) < len(listed):
        raise ValueError(f"{name} must be distinct; got {listed}")
    return listed


def _fitting(
    model: str, arrays: Mapping[str, np.ndarray], source: int, target: int, heads: int
) -> dict[str, np.ndarray]:
    counts = (FIRST_SYMBOL + source, FIRST_SYMBOL + target)
    if model == "transformer":
        return model_arrays.of_transformer(arrays, *counts, heads)
    if model == "luong":
        return model_arrays.of_luong(arrays, *counts)
    if model == "fixed_context":
        return model_arrays.of_translator(arrays, *counts, score="dot", directions=1)
    return model_arrays.of_translator(arrays, *counts)
