"""Watch two trained models copy what the reader types, one move after another."""

from collections.abc import Mapping, Sequence

import numpy as np
import traitlets

from attn_course.packing import pack
from attn_course.symbols import SPECIAL
from attn_course.views.widgets import model_arrays
from attn_course.views.widgets.parts import TextReader, Widget, distinct_characters


class Player(TextReader, Widget):
    """Watch two models copy letters: for each they look, average, move on and write.

    one_vector  the state_dict, as NumPy arrays, of the model that is given its last annotation
    attention   that of the model that looks, with the dot product; both have the same sizes
    symbols     the letters, in the order of their numbers
    special     the numbers of the special symbols, and of the first letter
    bits        8: a quarter of the size, and hardly any answer changes; 32: float32
    traits      ``text``, the letters that are in the box at first, and ``samples`` to try

    Traits for ``observe``: ``text``; ``at``, the number of moves that have been made, four for each
    letter, or None for all; and ``result``, set by the page: {"one_vector", "attention"}.
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
        special: Mapping[str, int] = SPECIAL,
        bits: int = 8,
        **traits,
    ):
        known = distinct_characters("symbols", symbols)
        sizes = (special["first_symbol"] + len(known),) * 2
        looking = model_arrays.of_translator(attention, *sizes, score="dot", directions=1)
        shapes = {name: array.shape for name, array in looking.items()}
        beside = model_arrays.fitting(one_vector, shapes, "a model like the attending one")
        super().__init__(
            looking,
            bits,
            beside=pack(beside, bits)[0],
            symbols=known,
            special=dict(special),
            longest=12,
            **{"samples": (), **traits},
            summary="Two trained models copy letters, through one vector and with attention.",
        )
