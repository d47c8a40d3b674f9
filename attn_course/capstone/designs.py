"""The models to choose from, at one size."""

from __future__ import annotations

from typing import NamedTuple

from torch import nn

from attn_course._values import expect_choice, expect_count
from attn_course.models import translator

HEADS = 4  # of a transformer


class Usual(NamedTuple):
    """The defaults of a model."""

    size: int
    rate: float
    batch: int
    warm_up: int


MODELS = {
    "bahdanau": Usual(48, 6e-3, 64, 30),
    "luong": Usual(48, 6e-3, 64, 30),
    "transformer": Usual(64, 3e-3, 40, 150),
    "fixed_context": Usual(48, 6e-3, 64, 30),
}


def build(model: str, size: int, source_symbols: int, target_symbols: int) -> nn.Module:
    """An untrained model.

    model  a name in `MODELS`
    size   of embeddings and of each direction of the encoder; the decoder's state has twice as many
           entries, and so has the one vector of "fixed_context". In a transformer, that of all
           vectors, a multiple of 8
    """
    expect_choice("model", model, MODELS)
    expect_count("size", size)
    counts = (source_symbols, target_symbols)
    if model == "transformer":
        if size % (2 * HEADS):
            raise ValueError(f"size must be a multiple of {2 * HEADS} here; got {size}")
        return translator.transformer(*counts, size=size, heads=HEADS, hidden_size=2 * size)
    if model == "fixed_context":
        return translator.fixed_context(*counts, embedding_size=size, state_size=2 * size)
    make = getattr(translator, model)
    sizes = {"embedding_size": size, "encoder_size": size, "hidden_size": size}
    return make(*counts, **sizes, state_size=2 * size)
