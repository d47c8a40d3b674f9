"""Change where one step of the trained reader looks, and see what it writes instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import traitlets

from attn_course._values import expect_choice, expect_count, expect_several
from attn_course.symbols import FIRST_SYMBOL
from attn_course.views.widgets import model_arrays
from attn_course.views.widgets.parts import TextReader, Widget, distinct_characters

CHANGES = ("none", "all", "hidden", "even", "shuffled", "empty", "swapped")
SAMPLES = ("July 18, 1976", "3. Mai 1998", "15 août 1947", "2005年4月3日", "03/04/2005")


class WeightScrubber(TextReader, Widget):
    """Change the weights of one output step of the trained reader by hand.

    The page reads a date with the model that was trained in the notebook. You choose a character of
    the answer and change what its step is given: all weight on one place, some places hidden, the
    weights evened out, shuffled or taken away, or the annotations of some places taken from another
    date. At once the page shows the probability of every symbol before and after, and what the
    model writes if it runs on, with the change at that step only.

        arrays = {name: part.cpu().numpy() for name, part in model.state_dict().items()}
        WeightScrubber(
            arrays,
            source_vocabulary.symbols,
            target_vocabulary.symbols,
            text="July 18, 1976",
            step=6,
        )

    where ``model`` is a trained `bahdanau` of chapter 05. ``change="swapped", places=[2, 3],
    other="June 18, 1976"`` begins with the annotations of two places taken from the other date.

    arrays           the model's state_dict as NumPy arrays (``decoder.score`` is additive)
    source_symbols   the source vocabulary's symbols, in their order
    target_symbols   the target vocabulary's
    text             the text in the box at first
    step             the character of the answer whose step is changed, from 0
    change           "none"; "all": all weight on the places; "hidden": none on them; "even",
                     "shuffled" and "empty": the same weight everywhere, in another order, or none
                     at all; "swapped": annotations and keys of the places from the other date
    places           positions in the text, from 0, for "all", "hidden" and "swapped"
    other            the date to take annotations from; "" for one that the page suggests
    shuffle          the number of the order that "shuffled" draws
    bits             8: a quarter of the size, and hardly any answer changes; 32: float32
    samples          dates to try
    longest          the longest text that is read, in characters
    label            the label of the box

    Traits for ``observe``: ``text``, ``step``, ``change``, ``places``, ``other``, ``shuffle``; and
    ``result``, set by the page: {"step", "iso", "whole", "symbol", "was", "probability", "before",
    "weights", "unknown"}, or {} if nothing was read. "whole" is the answer without the change and
    "iso" the answer with it; "was" is the symbol that the step wrote, "before" and "probability"
    are its probabilities without and with the change, and "symbol" is what is written now ("" for
    the end).
    """

    source_symbols = traitlets.Unicode().tag(sync=True)
    target_symbols = traitlets.Unicode().tag(sync=True)
    label = traitlets.Unicode().tag(sync=True)
    step = traitlets.Int().tag(sync=True)
    change = traitlets.Unicode("none").tag(sync=True)
    places = traitlets.List().tag(sync=True)
    other = traitlets.Unicode().tag(sync=True)
    shuffle = traitlets.Int(1).tag(sync=True)

    def __init__(
        self,
        arrays: Mapping[str, np.ndarray],
        source_symbols: Sequence[str],
        target_symbols: Sequence[str],
        *,
        text: str = "July 18, 1976",
        step: int = 6,
        change: str = "none",
        places: Iterable[int] = (),
        other: str = "",
        shuffle: int = 1,
        bits: int = 8,
        samples: Sequence[str] = SAMPLES,
        longest: int = 60,
        label: str = "Date to read",
    ):
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
            label=label,
            text=text,
            step=step,
            change=change,
            places=expect_several("places", places, least=0),
            other=other,
            shuffle=shuffle,
            summary=(
                "A box to type a date in, which the trained model reads on the page, with "
                f"{sum(array.size for array in fitting.values()):,} weights. For one character of "
                "its answer, the weights over what was typed can be moved, hidden, evened out, "
                "shuffled or taken away, and annotations can be taken from another date; the "
                "probability of every symbol is shown before and after."
            ),
        )

    @traitlets.validate("step", "shuffle")
    def _counted_from_0(self, proposal) -> int:
        return expect_count(proposal["trait"].name, proposal["value"], least=0)

    @traitlets.validate("change")
    def _change_is_known(self, proposal) -> str:
        expect_choice("change", proposal["value"], CHANGES)
        return proposal["value"]

    @traitlets.validate("places")
    def _places_are_distinct(self, proposal) -> list[int]:
        places = [expect_count("each of places", place, least=0) for place in proposal["value"]]
        if len(set(places)) < len(places):
            raise ValueError(f"places must name each position once; got {places}")
        return sorted(places)
