"""Pairs as symbol numbers, in batches of one source length."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from attn_course._check import is_whole
from attn_course._signature import checked
from attn_course._values import Count, describe, expect_several
from attn_course.symbols import PADDING
from attn_course.tasks.vocabulary import Vocabulary


class Batch(NamedTuple):
    """Some pairs, in the form that the models read.

    sources  (batch source)   symbol numbers, padded
    lengths  (batch)          how many symbols of each source are real
    targets  (batch target)   symbol numbers; END closes each target, padding follows
    links    (batch target source) or None   gold links, boolean; none in the rows of END
    """

    sources: Tensor
    lengths: Tensor
    targets: Tensor
    links: Tensor | None = None

    def to(self, device: torch.device) -> "Batch":
        """The same batch on another device."""
        links = None if self.links is None else self.links.to(device)
        return Batch(
            self.sources.to(device), self.lengths.to(device), self.targets.to(device), links
        )


def pad(sequences: Sequence[Sequence[int]]) -> Tensor:
    """Sequences of symbol numbers as one table, padded to the longest."""
    try:
        rows = [torch.as_tensor(sequence) for sequence in expect_several("sequences", sequences)]
    except RuntimeError as error:  # such as one with None in it
        raise TypeError(f"sequences must be lists of whole numbers: {error}") from None
    for row in rows:
        if row.dim() != 1 or (len(row) and not is_whole(row)):
            raise TypeError(f"sequences must be lists of whole numbers; got {describe(row)}")
    return pad_sequence([row.long() for row in rows], batch_first=True, padding_value=PADDING)


class Pair(NamedTuple):
    """A source and its target, in the plainest form."""

    source: str
    target: str


class ByLength:
    """Encoded pairs, drawn in batches whose sources all have the *same* length.

    No source is padded, so no computation is wasted on padding and no encoder has to be protected
    from it. The price is a little less randomness, and a few smaller batches.

    _groups  the numbers of the pairs, one array for each length of a source
    _batch   makes a batch of the pairs with some numbers
    """

    _groups: list[np.ndarray]
    _batch: Callable[[np.ndarray], Batch]

    @checked
    def count_batches(self, size: Count) -> int:
        """The number of batches that ``batches`` yields, each of at most ``size`` pairs."""
        return sum(-(-len(group) // size) for group in self._groups)

    @checked
    def batches(self, size: Count, order: np.random.Generator) -> Iterator[Batch]:
        """Each pair once, in batches of equal source length and in random order."""
        parts: list[np.ndarray] = []
        for group in self._groups:
            shuffled = order.permutation(group)
            parts += [shuffled[start : start + size] for start in range(0, len(group), size)]
        return (self._batch(parts[part]) for part in order.permutation(len(parts)))


class Corpus(ByLength):
    """Encoded pairs, for training.

    pairs  tuples of two texts, or anything with ``source`` and ``target``
    gold   a function of a pair, such as `attn_course.tasks.names.gold_sure`, that returns its
           links, boolean (target, source); batches then have links

    A pair without source or target is a TypeError; an empty source, or links of another shape or
    dtype, are a ValueError.
    """

    @checked
    def __init__(
        self,
        pairs: Iterable[Any],
        source_vocabulary: Vocabulary,
        target_vocabulary: Vocabulary,
        gold: Callable[..., np.ndarray] | None = None,
    ):
        pairs = expect_several("pairs", pairs)
        for index, pair in enumerate(pairs):
            if type(pair) is tuple and len(pair) == 2:
                pairs[index] = Pair(*pair)
            elif not hasattr(pair, "source") or not hasattr(pair, "target"):
                raise TypeError(
                    f"pairs must have a source and a target; pair {index} is {describe(pair)}"
                )
        sources = [source_vocabulary.encode(pair.source) for pair in pairs]
        targets = [target_vocabulary.encode(pair.target, end=True) for pair in pairs]
        if not all(sources):
            raise ValueError(f"pair {sources.index([])} has an empty source")
        self._sources, self._targets = pad(sources), pad(targets)
        self._source_lengths, self._target_lengths = (
            np.array([len(sequence) for sequence in part]) for part in (sources, targets)
        )
        self._groups = [
            np.flatnonzero(self._source_lengths == length)
            for length in np.unique(self._source_lengths)
        ]
        self._links = None if gold is None else self._links_of(pairs, gold)

    def __len__(self) -> int:
        return len(self._sources)

    def _batch(self, chosen: np.ndarray) -> Batch:
        source = int(self._source_lengths[chosen[0]])
        target = int(self._target_lengths[chosen].max())
        links = None
        if self._links is not None:
            links = torch.zeros(len(chosen), target, source, dtype=torch.bool)
            for row, pair in zip(links, chosen, strict=True):
                row[: len(self._links[pair])] = self._links[pair]
        return Batch(
            self._sources[chosen, :source],
            torch.full((len(chosen),), source),
            self._targets[chosen, :target],
            links,
        )

    def _links_of(self, pairs: list[Any], gold: Callable[..., np.ndarray]) -> list[Tensor]:
        """The links of each pair, checked against its symbols; the target's END has none."""
        links: list[Tensor] = []
        for index, pair in enumerate(pairs):
            table = np.asarray(gold(pair))
            expected = (self._target_lengths[index] - 1, self._source_lengths[index])
            if table.shape != expected or table.dtype != bool:
                raise ValueError(
                    f"gold must give booleans {tuple(map(int, expected))} (target, source) for "
                    f"pair {index}; got {describe(table)}"
                )
            links.append(torch.from_numpy(table.copy()))
        return links
