"""Links for pairs that nobody has aligned: IBM model 1, with a prior for the diagonal.

    p(a_i = j | x, y) = δ(i, j) t(y_i | x_j) / Σ_k δ(i, k) t(y_i | x_k)
    δ(i, j)           = exp(-λ |(i - 1/2) / m - (j - 1/2) / n|)         i = 1 .. m,  j = 1 .. n

                                                 Brown et al. 1993, section 4; δ: Dyer et al. 2013

The model supposes that each symbol of the target was written for the sake of one symbol of the
source, and knows of that symbol nothing but which it is and where it stands. Nobody says which one
it was, so it is estimated in turns with t (expectation maximisation): what p makes of the pairs is
counted, and the counts give the next t.

Attention that is trained towards such links is told where to look (`attn_course.training.
alignment_loss`). It needs fewer pairs then, but its map no longer says what it found by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attn_course.symbols import END, PADDING
from attn_course.tasks.corpus import Batch, ByLength
from attn_own.wording import Refusal

DIAGONAL = 4.0  # λ: how steeply the prior falls on both sides of the diagonal
ROUNDS = 8
MOST_ENTRIES = 50_000_000  # of the table t
_UNSEEN = 1e-3  # is added to each count, so that none is 0
_BATCH = 256


def posteriors(
    table: Float[Tensor, "source_symbol target_symbol"],
    sources: Int[Tensor, "batch source"],
    targets: Int[Tensor, "batch target"],
) -> Float[Tensor, "batch target source"]:
    """p(a_i = j | x, y); the rows of END and of padding are 0.

    table    t(y | x), at symbol numbers
    sources  without padding
    targets  each closed by END, then padded
    """
    real = (targets != PADDING) & (targets != END)
    sizes = real.sum(dim=1).clamp(min=1)[:, None, None]
    i = torch.arange(targets.shape[1], dtype=table.dtype)[:, None]
    j = torch.arange(sources.shape[1], dtype=table.dtype)
    prior = torch.exp(-DIAGONAL * ((i + 0.5) / sizes - (j + 0.5) / len(j)).abs())
    joint = prior * table[sources[:, None, :], targets[:, :, None]]
    return joint / joint.sum(dim=-1, keepdim=True) * real[..., None]


def translation_table(corpus: ByLength, source_symbols: int, target_symbols: int) -> Tensor:
    """t(y | x) after `ROUNDS` rounds of expectation maximisation, which begin with an even table.

    Its shape is (source_symbol target_symbol). The same corpus gives the same table. Too many
    symbols for a table are a `Refusal`.
    """
    shape = source_symbols, target_symbols
    if source_symbols * target_symbols > MOST_ENTRIES:
        raise Refusal(
            f"--guide keeps a table of all source and target symbols, and {source_symbols:,} × "
            f"{target_symbols:,} are too many: read characters on one side at least (--words)"
        )
    table = torch.full(shape, 1 / target_symbols, dtype=torch.float64)
    for _ in range(ROUNDS):
        counts = torch.full(shape, _UNSEEN, dtype=torch.float64)
        for batch in corpus.batches(_BATCH, np.random.default_rng(0)):
            shares = posteriors(table, batch.sources, batch.targets)
            cells = torch.broadcast_tensors(batch.sources[:, None, :], batch.targets[:, :, None])
            counts.index_put_(cells, shares, accumulate=True)
        table = counts / counts.sum(dim=1, keepdim=True)
    return table


def links(
    table: Float[Tensor, "source_symbol target_symbol"],
    sources: Int[Tensor, "batch source"],
    targets: Int[Tensor, "batch target"],
) -> Bool[Tensor, "batch target source"]:
    """Each symbol of a target with its likeliest place in the source; END has none."""
    shares = posteriors(table, sources, targets)
    likeliest = torch.zeros_like(shares, dtype=torch.bool)
    likeliest.scatter_(-1, shares.argmax(dim=-1, keepdim=True), True)
    return likeliest & (shares > 0)


class Linked:
    """A corpus whose batches have the `links` of IBM model 1, for a guided training."""

    def __init__(self, corpus: ByLength, source_symbols: int, target_symbols: int):
        self._corpus = corpus
        self.table = translation_table(corpus, source_symbols, target_symbols)

    def count_batches(self, size: int) -> int:
        """The number of batches, as in the corpus itself."""
        return self._corpus.count_batches(size)

    def batches(self, size: int, order: np.random.Generator) -> Iterator[Batch]:
        """The batches of the corpus, with links."""
        for batch in self._corpus.batches(size, order):
            yield batch._replace(links=links(self.table, batch.sources, batch.targets))
