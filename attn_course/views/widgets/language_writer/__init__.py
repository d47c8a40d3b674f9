"""Start a text: a language model that was trained in the notebook goes on with it on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import count

import numpy as np
import traitlets

from attn_course._values import expect_count, expect_several, expect_text
from attn_course.views.widgets import model_arrays
from attn_course.views.widgets.parts import TextReader, Widget, distinct_characters

TOPS = (0, 1, 5, 40)


class LanguageWriter(TextReader, Widget):
    """Go on with any text that the reader types, with a model of `attn_course.from_scratch.gpt`.

    The forward pass runs on the page, in plain JavaScript, with the arrays given here. A text is
    cut into characters, and then each pair is joined wherever it stands, in the order of
    ``merges``. The page says which characters no token has, and leaves them out.

    weights      the model's state_dict as NumPy arrays, with rotations of base 10,000
    tokens       the text of each token: single characters, and then one for each pair
    merges       the pairs of tokens that were joined, as numbers, in the order of their joining
    heads        of the attention, a number that no array shows
    groups       of keys and values, which the heads of a group share; None: as many as heads
    text         the text that is in the box at first
    temperature  from 0, which takes the likeliest token, to 2
    top          0: draw from all tokens; 1, 5 or 40: from the likeliest so many
    window       how many tokens the model reads, as in training: the last ones
    samples      texts to try
    seed         of the draws, which begin anew with the next one whenever the reader does
    bits         8: a quarter of the size, at hardly any loss; 32: float32

    Traits for ``observe``: ``text``, ``temperature``, ``top``, ``seed``; ``written``, the tokens
    that the model wrote or the reader took; ``result``, set by the page: {"text", "unknown",
    "next"}, or {} if there is nothing to go on from. "next" are the six likeliest tokens with the
    probabilities from which the next one is drawn.
    """

    alphabet = traitlets.Unicode().tag(sync=True)
    merges = traitlets.Bytes().tag(sync=True)
    heads = traitlets.Int().tag(sync=True)
    temperature = traitlets.Float(min=0, max=2).tag(sync=True)
    top = traitlets.Enum(TOPS).tag(sync=True)
    seed = traitlets.Int(min=0).tag(sync=True)
    written = traitlets.List(traitlets.Int(min=0)).tag(sync=True)

    def __init__(
        self,
        weights: Mapping[str, np.ndarray],
        tokens: Sequence[str],
        merges: Sequence[tuple[int, int]],
        *,
        heads: int,
        groups: int | None = None,
        text: str = "clock face one oclock\n",
        temperature: float = 0.8,
        top: int = 0,
        window: int = 32,
        samples: Sequence[str] = (),
        seed: int = 0,
        bits: int = 8,
    ):
        tokens = expect_several("tokens", tokens)
        alphabet, pairs = _alphabet(tokens, merges)
        expect_text("text", text)
        fitting = model_arrays.fitting(
            weights,
            _expected(weights, len(tokens), expect_count("heads", heads), groups),
            f"a LanguageModel of {len(tokens)} tokens",
        )
        super().__init__(
            fitting,
            bits,
            alphabet=alphabet,
            merges=np.array(pairs, "<u2").tobytes(),
            heads=heads,
            text=text,
            temperature=temperature,
            top=top,
            longest=expect_count("window", window),
            samples=samples,
            seed=seed,
            summary=(
                "A box to begin a text in. The trained model goes on with it on the page, with "
                f"{sum(array.size for array in fitting.values()):,} weights and {len(tokens):,} "
                "tokens, and shows the likeliest next tokens with their probabilities."
            ),
        )

    @traitlets.validate("written")
    def _expect_tokens(self, proposal: dict) -> list[int]:
        tokens = len(self.alphabet) + len(self.merges) // 4
        if any(token >= tokens for token in proposal["value"]):
            raise ValueError(f"written must be tokens below {tokens}; got {proposal['value']}")
        return proposal["value"]


def _alphabet(
    tokens: Sequence[str], merges: Sequence[tuple[int, int]]
) -> tuple[str, list[tuple[int, int]]]:
    """The characters that the tokens begin with, and the pairs, which must make the others."""
    pairs = [tuple(pair) for pair in expect_several("merges", merges, least=0)]
    first = len(tokens) - len(pairs)
    for number, pair in enumerate(pairs, max(first, 0)):
        known = len(pair) == 2 and all(0 <= part < number for part in pair)
        joined = "".join(tokens[part] for part in pair) if known else "no token"
        if tokens[number : number + 1] != [joined]:
            raise ValueError(
                f"merges must make the tokens behind the single characters, in their order; the "
                f"pair {pair} makes {joined!r}, and token {number} is {tokens[number:][:1]}"
            )
    return distinct_characters("the tokens that no pair makes", tokens[:first]), pairs


def _expected(
    weights: Mapping[str, np.ndarray], tokens: int, heads: int, groups: int | None
) -> dict[str, tuple[int, ...]]:
    axis = partial(model_arrays.side, weights)
    size, groups = axis("embedding.weight", 1), heads if groups is None else groups
    if size > 0 and (size % (2 * heads) or heads % expect_count("groups", groups)):
        raise ValueError(
            f"heads must divide the size of the vectors, {size}, into parts with an even number of "
            f"entries, and be a multiple of groups; got {heads} heads and {groups} groups"
        )
    shared, hidden = size // heads * groups, axis("blocks.0.up.weight", 0)
    block = {
        "norm1": (size,),
        **{f"attention.{name}": (size, size) for name in "qo"},
        **{f"attention.{name}": (shared, size) for name in "kv"},
        "norm2": (size,),
        "gate": (hidden, size),
        "up": (hidden, size),
        "down": (size, hidden),
    }
    blocks = next(b for b in count(1) if f"blocks.{b}.norm1.weight" not in weights)
    return {
        "embedding.weight": (tokens, size),
        **{
            f"blocks.{b}.{name}.weight": shape
            for b in range(blocks)
            for name, shape in block.items()
        },
        "norm.weight": (size,),
    }
