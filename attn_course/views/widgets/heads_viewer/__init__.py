"""Type a date: a trained Transformer reads it on the page, and every head shows where it looks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import traitlets

from attn_course.symbols import FIRST_SYMBOL
from attn_course.views.widgets import model_arrays
from attn_course.views.widgets.parts import TextReader, Widget, distinct_characters

KINDS = ("encoder", "decoder", "cross")
SAMPLES = ("3. Mai 1998", "April the 3rd, 05", "15 août 1947", "2005年4月3日", "03/04/2005")


class HeadsViewer(TextReader, Widget):
    """Look into all heads of a trained Transformer while it reads a date, and silence some.

    The forward pass and greedy search, with a cache, run on the page in plain JavaScript with the
    arrays given here. Small pictures of all heads are there to choose from. Of the chosen one the
    page shows which character asks which, and, for one pair, the query, the key, their product,
    the value and what the head hands on. A head that is silenced still looks, but hands on zeros,
    and everything after it is computed again.

    arrays           the state_dict of a `transformer` as NumPy arrays, with its default ``norm``
                     and ``positions``
    source_symbols   the source vocabulary's symbols, in their order
    target_symbols   the target vocabulary's
    heads            number of heads in each attention
    text             the text in the box at first
    chosen           the head that is shown: its kind ("encoder", "decoder": on what has been
                     written, or "cross": on the source), its layer and its number, both from 0
    silenced         the heads that hand on nothing, each named in the same way
    selected         as in `AlignmentViewer`; the target side asks, and the source side is asked
    bits             8: a quarter of the size, and hardly any answer changes; 32: float32
    samples          dates to try
    longest          how many characters of a text are read
    label            what the box asks for

    Traits for ``observe``: ``text``, ``chosen``, ``silenced``, ``selected``; ``result``, set by the
    page: {"iso", "probability", "whole", "changed", "unknown"}, or {} if nothing was read. "whole"
    is the answer with all heads, and "changed" the places (from 0) where "iso" differs from it.
    """

    source_symbols = traitlets.Unicode().tag(sync=True)
    target_symbols = traitlets.Unicode().tag(sync=True)
    heads = traitlets.Int().tag(sync=True)
    layers = traitlets.Dict().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    chosen = traitlets.List().tag(sync=True)
    silenced = traitlets.List().tag(sync=True)
    selected = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        arrays: Mapping[str, np.ndarray],
        source_symbols: Sequence[str],
        target_symbols: Sequence[str],
        *,
        heads: int = 4,
        text: str = "3. Mai 1998",
        chosen: Sequence = ("cross", 0, 0),
        silenced: Iterable[Sequence] = (),
        selected: Mapping | None = None,
        bits: int = 8,
        samples: Sequence[str] = SAMPLES,
        longest: int = 60,
        label: str = "Date to read",
    ):
        source = distinct_characters("source_symbols", source_symbols)
        target = distinct_characters("target_symbols", target_symbols)
        fitting = model_arrays.of_transformer(
            arrays, FIRST_SYMBOL + len(source), FIRST_SYMBOL + len(target), heads
        )
        encoder, decoder = (
            model_arrays.layers_of(fitting, side) for side in ("encoder", "decoder")
        )
        layers = {"encoder": encoder, "decoder": decoder, "cross": decoder}
        super().__init__(
            fitting,
            bits,
            source_symbols=source,
            target_symbols=target,
            heads=heads,
            layers=layers,
            samples=samples,
            longest=longest,
            label=label,
            text=text,
            chosen=list(chosen),
            silenced=[list(head) for head in silenced],
            selected=dict(selected or {}),
            summary=(
                "A box to type a date in. A trained Transformer with "
                f"{sum(array.size for array in fitting.values()):,} weights reads it on the page, "
                f"and each of its {heads * sum(layers.values())} heads shows what it looks at. "
                "Any head can be silenced; the answers with and without it can be compared."
            ),
        )

    @traitlets.validate("chosen")
    def _chosen_is_a_head(self, proposal) -> list:
        return self._head("chosen", proposal["value"])

    @traitlets.validate("silenced")
    def _silenced_are_heads(self, proposal) -> list:
        silenced = [self._head("each of silenced", head) for head in proposal["value"]]
        if len(set(map(tuple, silenced))) < len(silenced):
            raise ValueError(f"silenced must name each head once; got {silenced}")
        return silenced

    @traitlets.validate("selected")
    def _selected_is_a_place(self, proposal) -> dict:
        selected = proposal["value"]
        numbers = [selected.get(name) for name in ("index", "other") if name in selected]
        whole = all(isinstance(number, int) and number >= 0 for number in numbers)
        sides = selected.get("side") in ("target", "source") and "index" in selected
        if selected and not (whole and sides and set(selected) <= {"side", "index", "other"}):
            raise ValueError(
                'selected must be {} or {"side": "target" or "source", "index": place}, with '
                f'"other" for a place on the other side; got {selected}'
            )
        return selected

    def _head(self, name: str, value: Sequence) -> list:
        """The head as a list of its kind, layer and number, if there is such a head."""
        listed = list(value) if isinstance(value, list | tuple) else []
        known = len(listed) == 3 and listed[0] in KINDS
        if not known or not all(type(number) is int for number in listed[1:]):
            raise ValueError(f"{name} must be a kind of {KINDS}, a layer and a head; got {value!r}")
        kind, layer, head = listed
        if not (0 <= layer < self.layers[kind] and 0 <= head < self.heads):
            raise ValueError(
                f"{name} must be one of {self.layers[kind]} layers and {self.heads} heads, counted "
                f"from 0; got {value!r}"
            )
        return listed
