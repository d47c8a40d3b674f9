"""Watch a beam search: which beginnings live on, which die, and what wins in the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import traitlets

from attn_course.symbols import FIRST_SYMBOL
from attn_course.views.widgets import model_arrays
from attn_course.views.widgets.parts import TextReader, Widget

WIDEST = 6  # beams: more would not be legible
STRONGEST = 2.0  # length normalisation


class BeamTree(TextReader, Widget):
    """Translate a phrase that the reader types, by beam search, and draw the tree that it grows.

    The forward pass of Bahdanau et al. 2015 and the search of `attn_course.search.beam` run on the
    page, in plain JavaScript, with the arrays given here. Each column is a step: the beginnings
    that are kept stand on top, the best of those cut off below them.

    arrays           the model's state_dict as NumPy arrays (``decoder.score`` is additive)
    source_symbols   the source vocabulary's pieces, in their order
    target_symbols   those of the target vocabulary
    text             the phrase in the box at first, its pieces separated by spaces
    samples          phrases to try
    width            how many beginnings are kept, 1 (greedy) to 6
    alpha            length normalisation, 0 to 2 (Wu et al. 2016)
    longest          the longest phrase that is read, in pieces
    bits             8: a quarter of the size, and hardly any answer changes; 32: float32

    Traits for ``observe``: ``text``, ``width``, ``alpha``; ``shown``, how many steps are drawn (0:
    all); ``result``, set by the page: {"best", "log_probability", "score", "greedy", "unknown"}, or
    {} if nothing was read.
    """

    source_symbols = traitlets.List(traitlets.Unicode()).tag(sync=True)
    target_symbols = traitlets.List(traitlets.Unicode()).tag(sync=True)
    width = traitlets.Int(3).tag(sync=True)
    alpha = traitlets.Float(0.0).tag(sync=True)
    shown = traitlets.Int(0).tag(sync=True)

    def __init__(
        self,
        arrays: Mapping[str, np.ndarray],
        source_symbols: Sequence[str],
        target_symbols: Sequence[str],
        *,
        text: str,
        samples: Sequence[str] = (),
        width: int = 3,
        alpha: float = 0.0,
        longest: int = 16,
        bits: int = 8,
    ):
        source = _symbols("source_symbols", source_symbols)
        target = _symbols("target_symbols", target_symbols)
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
            text=text,
            width=width,
            alpha=alpha,
            summary=(
                "A box to type a phrase in. The trained model translates it on the page by beam "
                "search, and the beginnings that it keeps at each step are drawn as a tree."
            ),
        )

    @traitlets.validate("width")
    def _width_is_legible(self, proposal) -> int:
        if not 1 <= proposal["value"] <= WIDEST:
            raise ValueError(f"width must lie from 1 to {WIDEST}; got {proposal['value']}")
        return proposal["value"]

    @traitlets.validate("alpha")
    def _alpha_on_the_slider(self, proposal) -> float:
        if not 0 <= proposal["value"] <= STRONGEST:
            raise ValueError(f"alpha must lie from 0 to {STRONGEST:g}; got {proposal['value']}")
        return proposal["value"]

    @traitlets.validate("shown")
    def _shown_is_a_number_of_steps(self, proposal) -> int:
        if proposal["value"] < 0:
            raise ValueError(f"shown must be 0 or more; got {proposal['value']}")
        return proposal["value"]


def _symbols(name: str, symbols: Sequence[str]) -> list[str]:
    """The pieces of a vocabulary, checked."""
    listed = list(symbols)
    if not all(isinstance(one, str) and one and " " not in one for one in listed):
        raise ValueError(f"{name} must be pieces without spaces; got {listed}")
    if len(set(listed)) < len(listed):
        raise ValueError(f"{name} must be distinct; got {listed}")
    return listed
