"""Pairs as symbol numbers, in batches of one source length."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from attn_course.tasks.vocabulary import PADDING, Vocabulary


class Batch(NamedTuple):
    """Some pairs, as the models take them.

    sources  (batch source)   symbol numbers, padded
    lengths  (batch)          how many symbols of each source are real
    targets  (batch target)   symbol numbers, each target closed by END, then padded
    """

    sources: Tensor
    lengths: Tensor
    targets: Tensor

    def to(self, device: torch.device) -> "Batch":
        """The same batch on another device."""
        return Batch(*(part.to(device) for part in self))


def pad(sequences: Sequence[Sequence[int]]) -> Tensor:
    """Symbol numbers of unequal length as one table, filled up with padding."""
    width = max(len(sequence) for sequence in sequences)
    table = torch.full((len(sequences), width), PADDING)
    for row, sequence in zip(table, sequences, strict=True):
        row[: len(sequence)] = torch.tensor(sequence)
    return table


class Corpus:
    """Encoded pairs, for training.

    A batch holds sources of *one* length: nothing is padded, so nothing is computed for nothing
    and no encoder has to be protected from padding. What this costs is a little randomness, and
    a few smaller batches.

    pairs  anything with ``source`` and ``target`` texts
    """

    def __init__(
        self, pairs: Iterable, source_vocabulary: Vocabulary, target_vocabulary: Vocabulary
    ):
        self.sources, self.targets = [], []
        for pair in pairs:
            self.sources.append(source_vocabulary.encode(pair.source))
            self.targets.append(target_vocabulary.encode(pair.target, end=True))
        if not self.sources:
            raise ValueError("a corpus needs at least one pair; got none")
        if not all(self.sources):
            raise ValueError(f"pair {self.sources.index([])} has an empty source")
        lengths = np.array([len(source) for source in self.sources])
        self._groups = [np.flatnonzero(lengths == length) for length in np.unique(lengths)]

    def __len__(self) -> int:
        return len(self.sources)

    def count_batches(self, size: int) -> int:
        """How many batches of at most ``size`` pairs ``batches`` gives."""
        return sum(-(-len(group) // size) for group in self._groups)

    def batches(self, size: int, order: np.random.Generator) -> Iterator[Batch]:
        """Each pair once, in batches of equal source length and in random order."""
        parts = []
        for group in self._groups:
            shuffled = order.permutation(group)
            parts += [shuffled[start : start + size] for start in range(0, len(group), size)]
        for part in order.permutation(len(parts)):
            yield self._batch(parts[part])

    def _batch(self, chosen: np.ndarray) -> Batch:
        sources = pad([self.sources[index] for index in chosen])
        targets = pad([self.targets[index] for index in chosen])
        return Batch(sources, torch.full((len(chosen),), sources.shape[1]), targets)
