"""Many encoded pairs in a few bytes for each symbol, and batches made from them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from copy import copy
from typing import NamedTuple

import numpy as np
import torch

from attn_course.symbols import END, PADDING
from attn_course.tasks.corpus import Batch, ByLength
from attn_course.tasks.vocabulary import Vocabulary


class _Ragged(NamedTuple):
    """Rows of numbers that differ in length: all of them in a line, and where each begins."""

    flat: np.ndarray
    starts: np.ndarray  # one more than there are rows

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self.starts)

    def table(self, rows: np.ndarray, end: bool = False) -> torch.Tensor:
        """Some rows, padded to the longest of them; with ``end``, END closes each."""
        sizes = self.lengths[rows]
        places = np.arange(sizes.max() + end)
        at = np.minimum(self.starts[rows][:, None] + places, len(self.flat) - 1)
        table = np.where(places < sizes[:, None], self.flat[at].astype(np.int64), PADDING)
        if end:
            table[np.arange(len(rows)), sizes] = END
        return torch.from_numpy(table)


def _encoded(texts: Sequence[str], vocabulary: Vocabulary) -> _Ragged:
    """Texts in the numbers of a vocabulary, each number in as few bytes as it needs."""
    flat, ends = array(np.min_scalar_type(len(vocabulary)).char), array("q", [0])
    for text in texts:
        flat.extend(vocabulary.encode(text))
        ends.append(len(flat))
    return _Ragged(np.array(flat), np.array(ends))


class CompactCorpus(ByLength):
    """Encoded pairs, for `attn_course.training.train`.

    As in `attn_course.tasks.corpus.Corpus`, but here a batch is made only when it is needed.

    longest  the longest source and the longest target, in symbols
    """

    def __init__(self, sides: Sequence[Sequence[str]], vocabularies: Sequence[Vocabulary]):
        self._sources, self._targets = map(_encoded, sides, vocabularies)
        lengths = self._sources.lengths
        self.longest = int(lengths.max()), int(self._targets.lengths.max())
        order = np.argsort(lengths, kind="stable")
        self._groups = np.split(order, np.flatnonzero(np.diff(lengths[order])) + 1)

    def __len__(self) -> int:
        return sum(len(group) for group in self._groups)

    def part(self, share: float, seed: int) -> CompactCorpus:
        """So large a share of the pairs, drawn at random; a smaller one is part of a larger one."""
        drawn = np.random.default_rng(seed).permutation(len(self)) < share * len(self)
        part = copy(self)
        part._groups = [own for group in self._groups if len(own := group[drawn[group]])]
        return part

    def _batch(self, rows: np.ndarray) -> Batch:
        sources = self._sources.table(rows)
        lengths = torch.full((len(rows),), sources.shape[1])
        return Batch(sources, lengths, self._targets.table(rows, end=True))
