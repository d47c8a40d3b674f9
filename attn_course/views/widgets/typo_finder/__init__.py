"""Type a word with a mistake, and the trained model says where it is and what was meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import traitlets

from attn_course._values import expect_several, expect_text
from attn_course.symbols import FIRST_SYMBOL
from attn_course.views.widgets import model_arrays
from attn_course.views.widgets.parts import TextReader, Widget

SAMPLES = ("germzny", "exceptiom", "fumction", "wotds", "pake", "zzzzzz")


class TypoFinder(TextReader, Widget):
    """Find the mistake in any word that the reader types, with a trained `PointerReader`.

    The forward pass runs on the page, in plain JavaScript, with the arrays given here. Below the
    word that the model would write, the page lists all words that differ in one letter from what
    was typed. Pressing a letter makes the model look there and nowhere else.

    arrays   the model's state_dict as NumPy arrays: one layer, two directions, no window
    symbols  the vocabulary's symbols, in their order
    words    the list: lower-case words of these symbols
    text     the word that is in the box at first
    bits     8: a quarter of the size, and hardly any answer changes; 32: float32
    samples  words to try
    longest  the longest word that is read, in letters
    trained  the shortest and the longest word in training; the page points out any other

    Traits for ``observe``: ``text``; ``looked``, the position at which the model has to look (from
    0), or -1; ``result``, set by the page: {"text", "place", "sure", "letter", "letter_sure",
    "candidates"}, or {} if nothing was read.
    """

    symbols = traitlets.Unicode().tag(sync=True)
    words = traitlets.Unicode().tag(sync=True)
    trained = traitlets.Tuple(traitlets.Int(), traitlets.Int()).tag(sync=True)
    looked = traitlets.Int(-1, min=-1).tag(sync=True)

    def __init__(
        self,
        arrays: Mapping[str, np.ndarray],
        symbols: Sequence[str],
        words: Sequence[str],
        *,
        text: str = "germzny",
        bits: int = 8,
        samples: Sequence[str] = SAMPLES,
        longest: int = 24,
        trained: tuple[int, int] = (3, 12),
    ):
        symbols = "".join(symbols)
        listed = expect_several("words", words)
        for word in listed:
            expect_text("each of the words", word)
            if not word or not set(word) <= set(symbols):
                raise ValueError(f"words must be written with the symbols; got {word!r}")
        if not 1 <= trained[0] <= trained[1] <= longest:
            raise ValueError(f"trained must be two lengths up to longest; got {trained}, {longest}")
        fitting = model_arrays.fitting(
            arrays,
            _expected(arrays, FIRST_SYMBOL + len(symbols)),
            "a PointerReader with one layer and two directions",
        )
        super().__init__(
            fitting,
            bits,
            symbols=symbols,
            words=" ".join(listed),
            samples=samples,
            longest=longest,
            trained=trained,
            text=text,
            summary=(
                "A box in which to type a word with one wrong letter. The trained model, with "
                f"{sum(array.size for array in fitting.values()):,} weights, says on the page "
                f"where the mistake is and which of {len(listed):,} words may have been meant."
            ),
        )


def _expected(arrays: Mapping[str, np.ndarray], symbols: int) -> dict[str, tuple[int, ...]]:
    axis = partial(model_arrays.side, arrays)
    embedding, hidden = axis("embedding.weight", 1), axis("rnn.weight_hh_l0", 1)
    query, score = axis("ask.weight", 0), axis("score.energy.weight", 1)
    lstm = {
        "weight_ih": (4 * hidden, embedding),
        "weight_hh": (4 * hidden, hidden),
        "bias_ih": (4 * hidden,),
        "bias_hh": (4 * hidden,),
    }
    return {
        "embedding.weight": (symbols, embedding),
        **{f"rnn.{name}_l0": shape for name, shape in lstm.items()},
        **{f"rnn.{name}_l0_reverse": shape for name, shape in lstm.items()},
        "ask.weight": (query, 2 * hidden),
        "ask.bias": (query,),
        "score.query_projection.weight": (score, query),
        "score.key_projection.weight": (score, 2 * hidden),
        "score.energy.weight": (1, score),
        "readout.weight": (symbols, 2 * hidden + query),
        "readout.bias": (symbols,),
    }
