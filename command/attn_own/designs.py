"""The models to choose from, at one size."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from torch import nn

from attn_course._signature import checked
from attn_course._values import Count, one_of
from attn_course.models import translator

HEADS = 4  # of a transformer
MANY = 4_000  # training pairs, from which on a larger recurrent model pays
FEW = 2_000  # training pairs, below which several models, a guide and a beam pay


class Usual(NamedTuple):
    """The defaults of a model."""

    size: int
    rate: float
    batch: int
    warm_up: int
    guide: float = 0.0
    ensemble: int = 1
    beams: int = 1


MODELS = {
    "bahdanau": Usual(64, 4e-3, 32, 50),
    "luong": Usual(64, 4e-3, 32, 50),
    "transformer": Usual(64, 3e-3, 40, 150),
    "fixed_context": Usual(64, 4e-3, 32, 50),
}


Model = Annotated[str, one_of(MODELS)]


@checked
def usual(model: Model, pairs: Count) -> Usual:
    """The defaults of a model for so many training pairs.

    With few of them a larger model is no better, and with many a small one cannot hold all there
    is to learn. Few are learnt better if several models answer together, and if attention is
    taught where to look (`apparatus/benchmarks/g2p.md`).
    """
    chosen = MODELS[model]
    if pairs < FEW:
        guide = 0.0 if model == "fixed_context" else 1.0
        chosen = chosen._replace(guide=guide, ensemble=5, beams=4)
    if model == "transformer" or pairs < MANY:
        return chosen
    return chosen._replace(size=128, rate=3e-3)


@checked
def build(model: Model, size: Count, source_symbols: int, target_symbols: int) -> nn.Module:
    """An untrained model.

    model  a name in `MODELS`
    size   of embeddings and of each direction of the encoder; the decoder's state has twice as many
           entries, and so has the one vector of "fixed_context". In a transformer, that of all
           vectors, a multiple of 8
    """
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
