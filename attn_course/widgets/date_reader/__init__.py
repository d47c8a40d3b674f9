"""Type a date: the trained model reads it in the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import traitlets

from attn_course.packing import pack
from attn_course.symbols import FIRST_SYMBOL, SPECIAL
from attn_course.widgets.parts import Widget

SAMPLES = (
    "3. Mai 1998",
    "April the 3rd, 05",
    "15 août 1947",
    "3 июня 2011 г.",
    "2005年4月3日",
    "٣ مايو ١٩٩٨",
    "03/04/2005",
)


class DateReader(Widget):
    """Read any date the reader types, with the model that was trained on this very machine.

    The forward pass of Bahdanau et al. 2015 runs in the page, in plain JavaScript, from the arrays
    given here; so the page answers with no kernel, and answers what Python would. Characters that
    the model never saw are all the same to it, and the page says so.

    arrays           the model's state_dict as NumPy arrays (``decoder.score`` is additive)
    source_symbols   the source vocabulary's symbols, in their order
    target_symbols   the target vocabulary's
    text             what stands in the box at first
    bits             8: a quarter of the size, hardly an answer changes; 32: float32
    samples          dates to try
    longest          the longest text that is read, in characters
    sure_above       the probability below which an answer is marked as unsure
    years            the first and the last year of the training: another one is pointed out

    Traits for ``observe``: ``text``; ``hidden``, the positions of the text (from 0) that the
    decoder may not read, none of them in another text; ``result``, set by the page: {"iso",
    "probability", "probabilities", "unsure", "unknown", "runner_up"}, or {} where nothing was
    read; ``selected`` as in `AlignmentViewer`. The result needs a view: until the widget is shown
    it is empty.
    """

    weights = traitlets.Bytes().tag(sync=True)
    layout_of_weights = traitlets.List(traitlets.Dict()).tag(sync=True)
    special = traitlets.Dict(SPECIAL).tag(sync=True)
    source_symbols = traitlets.Unicode().tag(sync=True)
    target_symbols = traitlets.Unicode().tag(sync=True)
    samples = traitlets.List(traitlets.Unicode()).tag(sync=True)
    longest = traitlets.Int().tag(sync=True)
    sure_above = traitlets.Float().tag(sync=True)
    years = traitlets.Tuple(traitlets.Int(), traitlets.Int()).tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)
    hidden = traitlets.List(traitlets.Int(min=0)).tag(sync=True)
    result = traitlets.Dict().tag(sync=True)
    selected = traitlets.Dict().tag(sync=True)

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
    ):
        if longest < 1:
            raise ValueError(f"longest must be at least 1 character; got {longest}")
        if not 0 <= sure_above <= 1:
            raise ValueError(f"sure_above must be a probability; got {sure_above}")
        if years[0] > years[1]:
            raise ValueError(f"years must be the first and the last; got {years}")
        source = _symbols("source_symbols", source_symbols)
        target = _symbols("target_symbols", target_symbols)
        fitting = _fitting(arrays, FIRST_SYMBOL + len(source), FIRST_SYMBOL + len(target))
        packed, layout = pack(fitting, bits)
        super().__init__(
            weights=packed,
            layout_of_weights=layout,
            source_symbols=source,
            target_symbols=target,
            samples=list(samples),
            longest=longest,
            sure_above=sure_above,
            years=years,
            text=text,
            summary=(
                "A box to type a date in. The trained model reads it in the page, with "
                f"{sum(array.size for array in fitting.values()):,} weights and "
                f"{len(source)} known characters, and writes it as year, month and day."
            ),
        )


def _symbols(name: str, symbols: Sequence[str]) -> str:
    """The symbols in one string, once it is sure that its characters give them back."""
    listed = list(symbols)
    if not all(isinstance(symbol, str) and len(symbol) == 1 for symbol in listed):
        raise ValueError(f"{name} must be single characters; got {listed}")
    if len(set(listed)) < len(listed):
        raise ValueError(f"{name} must be distinct; got {listed}")
    return "".join(listed)


def _fitting(
    arrays: Mapping[str, np.ndarray], source_symbols: int, target_symbols: int
) -> dict[str, np.ndarray]:
    """The model's arrays in a fixed order, once their names and shapes fit together."""
    found = {name: np.asarray(array) for name, array in arrays.items()}
    sizes = {
        "encoder": _axis(found, "encoder.rnn.weight_hh_l0", 1),
        "embedding": _axis(found, "encoder.embedding.weight", 1),
        "hidden": _axis(found, "decoder.score.query_projection.weight", 0),
        "state": _axis(found, "decoder.score.query_projection.weight", 1),
        "target_embedding": _axis(found, "decoder.embedding.weight", 1),
    }
    expected = _expected(source_symbols, target_symbols, **sizes)
    optional = {"decoder.score.key_projection.bias"} - set(found)
    missing, extra = set(expected) - optional - set(found), set(found) - set(expected)
    if missing or extra:
        raise ValueError(
            f"arrays must be those of a Bahdanau model with GRU cells and the additive score; "
            f"missing: {sorted(missing) or 'none'}; unknown: {sorted(extra) or 'none'}"
        )
    for name, shape in expected.items():
        if name in found and found[name].shape != shape:
            raise ValueError(
                f"{name} must have the shape {shape} beside the other arrays and the "
                f"vocabularies; got {found[name].shape}"
            )
    return {name: found[name] for name in expected if name in found}


def _axis(arrays: Mapping[str, np.ndarray], name: str, axis: int) -> int:
    """A size that the other arrays must fit; -1 for an array that is missing: reported later."""
    array = arrays.get(name)
    return -1 if array is None or array.ndim != 2 else array.shape[axis]


def _expected(
    source_symbols: int,
    target_symbols: int,
    *,
    encoder: int,
    embedding: int,
    hidden: int,
    state: int,
    target_embedding: int,
) -> dict[str, tuple[int, ...]]:
    annotation = 2 * encoder
    directions = {
        f"encoder.rnn.{name}_l0{direction}": shape
        for direction in ("", "_reverse")
        for name, shape in _gru(embedding, encoder).items()
    }
    cell = {
        f"decoder.cell.{name}": shape
        for name, shape in _gru(target_embedding + annotation, state).items()
    }
    return {
        "encoder.embedding.weight": (source_symbols, embedding),
        **directions,
        "decoder.embedding.weight": (target_symbols, target_embedding),
        "decoder.score.query_projection.weight": (hidden, state),
        "decoder.score.key_projection.weight": (hidden, annotation),
        "decoder.score.key_projection.bias": (hidden,),
        "decoder.score.energy.weight": (1, hidden),
        "decoder.start.weight": (state, encoder),
        "decoder.start.bias": (state,),
        **cell,
        "decoder.readout.weight": (target_symbols, state + annotation),
        "decoder.readout.bias": (target_symbols,),
    }


def _gru(inputs: int, state: int) -> dict[str, tuple[int, ...]]:
    return {
        "weight_ih": (3 * state, inputs),
        "weight_hh": (3 * state, state),
        "bias_ih": (3 * state,),
        "bias_hh": (3 * state,),
    }
