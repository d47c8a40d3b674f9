"""Watch two trained models copy what the reader types, one move after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import traitlets

from attn_course.packing import pack
from attn_course.symbols import SPECIAL
from attn_course.views.widgets import model_arrays
from attn_course.views.widgets.parts import TextReader, Widget, distinct_characters


class Player(TextReader, Widget):
    """Watch two models copy letters, through one vector and with attention.

    For each letter the models look, average, move on and write. They are played, or moved by hand.

    one_vector  the state_dict, as NumPy arrays, of the model that is given its last annotation
    attention   that of the model that looks, with the dot product; both encoders read one way
    symbols     the letters, in the order of their numbers
    text        the letters that are in the box at first
    special     the numbers of `attn_course.symbols`; without "unknown" other letters are refused
    bits        8: a quarter of the size, and hardly any answer changes; 32: float32
    samples     letters to try
    longest     the most letters that are read

    Traits for ``observe``: ``text``; ``at``, how many moves have been made, four for each letter
    (5.5: half of the second look is done), or None once all is written; and ``result``, what the
    page computes: {"one_vector", "attention"}, the letters that each has written.
    """

    beside = traitlets.Bytes().tag(sync=True)
    symbols = traitlets.Unicode().tag(sync=True)
    at = traitlets.Float(None, min=0, allow_none=True).tag(sync=True)

    def __init__(
        self,
        one_vector: Mapping[str, np.ndarray],
        attention: Mapping[str, np.ndarray],
        symbols: Sequence[str],
        *,
        text: str,
        special: Mapping[str, int] = SPECIAL,
        bits: int = 8,
        samples: Sequence[str] = (),
        longest: int = 12,
    ):
        known = distinct_characters("symbols", symbols)
        sizes = (special["first_symbol"] + len(known),) * 2
        models = [
            model_arrays.of_translator(arrays, *sizes, score="dot", directions=1)
            for arrays in (attention, one_vector)
        ]
        looking, given = ({name: array.shape for name, array in made.items()} for made in models)
        if looking != given:
            raise ValueError(f"both models must have the same sizes; got {looking} and {given}")
        super().__init__(
            models[0],
            bits,
            beside=pack(models[1], bits)[0],
            symbols=known,
            special=dict(special),
            samples=samples,
            longest=longest,
            text=text,
            summary=(
                "A box to type letters in. Two trained models copy them on the page, one through "
                "one vector and one with attention, and every move can be played."
            ),
        )
