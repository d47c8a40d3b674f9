"""Pairs as symbol numbers, in batches of one source length."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from attn_course._check import is_whole
from attn_course._values import describe, expect_count, expect_kind, expect_several
from attn_course.symbols import PADDING
from attn_course.tasks.vocabulary import Vocabulary


class Batch(NamedTuple):
    """Some pairs, in the form that the models read.

    sources  (batch source)   symbol numbers, padded
    lengths  (batch)          how many symbols of each source are real
    targets  (batch target)   symbol numbers; END closes each target, padding follows
    """

    sources: Tensor
    lengths: Tensor
    targets: Tensor

    def to(self, device: torch.device) -> "Batch":
        """The same batch on another device."""
        return Batch(*(part.to(device) for part in self))


def pad(sequences: Sequence[Sequence[int]]) -> Tensor:
    """Sequences of symbol numbers as one table, padded to the longest."""
    try:
        rows = [torch.as_tensor(sequence) for sequence in expect_several("sequences", sequences)]
    except RuntimeError as error:  # for example, of None
        raise TypeError(f"sequences must be lists of whole numbers: {error}") from None
    for row in rows:
        if row.dim() != 1 or (len(row) and not is_whole(row)):
            raise TypeError(f"sequences must be lists of whole numbers; got {describe(row)}")
    return pad_sequence([row.long() for row in rows], batch_first=True, padding_value=PADDING)


class Corpus:
    """Encoded pairs, for training.

    All sources of a batch have the *same* length. Nothing is padded, so no computation is wasted
    and no encoder has to be protected from padding. The price is a little less randomness, and a
    few smaller batches.

    pairs  anything with ``source`` and ``target`` texts
    """

    def __init__(
        self, pairs: Iterable, source_vocabulary: Vocabulary, target_vocabulary: Vocabulary
    ):
        expect_kind("source_vocabulary", source_vocabulary, Vocabulary)
        expect_kind("target_vocabulary", target_vocabulary, Vocabulary)
        pairs = expect_several("pairs", pairs)
        for number, pair in enumerate(pairs):
            if not hasattr(pair, "source") or not hasattr(pair, "target"):
                raise TypeError(
                    f"pairs must have a source and a target; pair {number} is {describe(pair)}"
                )
        sources = [source_vocabulary.encode(pair.source) for pair in pairs]
        targets = [target_vocabulary.encode(pair.target, end=True) for pair in pairs]
        if not all(sources):
            raise ValueError(f"pair {sources.index([])} has an empty source")
        self._sources, self._targets = pad(sources), pad(targets)
        self._source_lengths, self._target_lengths = (
            np.array([len(each) for each in part]) for part in (sources, targets)
        )
        self._groups = [
            np.flatnonzero(self._source_lengths == length)
            for length in np.unique(self._source_lengths)
        ]

    def __len__(self) -> int:
        return len(self._sources)

    def count_batches(self, size: int) -> int:
        """The number of batches that ``batches`` yields, each of at most ``size`` pairs."""
        expect_count("size", size, what="number of pairs")
        return sum(-(-len(group) // size) for group in self._groups)

    def batches(self, size: int, order: np.random.Generator) -> Iterator[Batch]:
        """Each pair once, in batches of equal source length and in random order."""
        expect_count("size", size, what="number of pairs")
        expect_kind("order", order, np.random.Generator)
        parts = []
        for group in self._groups:
            shuffled = order.permutation(group)
            parts += [shuffled[start : start + size] for start in range(0, len(group), size)]
        return (self._batch(parts[part]) for part in order.permutation(len(parts)))

    def _batch(self, chosen: np.ndarray) -> Batch:
        source, target = self._source_lengths[chosen[0]], self._target_lengths[chosen].max()
        return Batch(
            self._sources[chosen, :source],
            torch.full((len(chosen),), source),
            self._targets[chosen, :target],
        )
