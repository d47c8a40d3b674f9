"""Many texts in two arrays, and batches made from them: a few bytes for each symbol."""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch

from attn_course._values import expect_kind
from attn_course.symbols import END, FIRST_SYMBOL, PADDING, UNKNOWN
from attn_course.tasks.corpus import Batch, ByLength
from attn_course.tasks.vocabulary import Vocabulary
from attn_own.limits import Lacking, named

_UTF_32 = f"utf-32-{sys.byteorder[0]}e"
_BLOCK = 1 << 20  # symbols that are looked up at a time


class Texts:
    """Texts as they come in: a number for each symbol, and where each text ends.

    A character's number is its code point, so nothing has to be known beforehand. Words are
    numbered in the order in which they first come.
    """

    def __init__(self, words: bool = False):
        expect_kind("words", words, bool)
        self._numbers: dict[str, int] | None = {} if words else None
        self._flat, self._ends = array("I"), array("Q", [0])

    def __len__(self) -> int:
        return len(self._ends) - 1

    def add(self, text: str) -> None:
        """One more text."""
        if self._numbers is None:
            self._flat.frombytes(text.encode(_UTF_32))
        else:
            known = self._numbers
            self._flat.extend(known.setdefault(word, len(known)) for word in text.split())
        self._ends.append(len(self._flat))

    def text(self, index: int) -> str:
        """A text as it was added."""
        numbers = self._flat[self._ends[index] : self._ends[index + 1]]
        if self._numbers is None:
            return "".join(map(chr, numbers))
        names = list(self._numbers)
        return " ".join(names[number] for number in numbers)

    def vocabulary(self, chosen: np.ndarray) -> Vocabulary:
        """All symbols of the chosen texts, a boolean for each, in sorted order."""
        flat, ends = np.frombuffer(self._flat, np.uint32), np.frombuffer(self._ends, np.uint64)
        seen = np.zeros(self._largest() + 1, dtype=bool)
        for first, last in _blocks(ends):
            within = np.repeat(chosen[first:last], np.diff(ends[first : last + 1]).astype(int))
            seen[flat[int(ends[first]) : int(ends[last])][within]] = True
        if self._numbers is None:
            return Vocabulary([chr(number) for number in np.flatnonzero(seen)])
        return Vocabulary(
            sorted(word for word, number in self._numbers.items() if seen[number]), separator=" "
        )

    def encoded(self, vocabulary: Vocabulary) -> Ragged:
        """The texts in the numbers of a vocabulary; a symbol that it lacks is UNKNOWN."""
        lookup = np.full(self._largest() + 1, UNKNOWN, np.min_scalar_type(len(vocabulary)))
        for number, symbol in enumerate(vocabulary.symbols, start=FIRST_SYMBOL):
            at = ord(symbol) if self._numbers is None else self._numbers.get(symbol)
            if at is not None and at < len(lookup):
                lookup[at] = number
        flat = lookup[np.frombuffer(self._flat, np.uint32)]
        return Ragged(flat, np.frombuffer(self._ends, np.uint64).astype(np.int64))

    def lacking(self, encoded: Ragged, rows: np.ndarray) -> Lacking:
        """The symbols of some texts that are UNKNOWN where all texts are encoded."""
        flat, found = np.frombuffer(self._flat, np.uint32), Counter()
        has, codes = np.zeros(len(rows), dtype=bool), np.zeros(len(rows), dtype=np.int64)
        for at, row in enumerate(rows):
            part = slice(encoded.starts[row], encoded.starts[row + 1])
            codes[at] = hash(encoded.flat[part].tobytes())
            unknown = encoded.flat[part] == UNKNOWN
            if unknown.any():
                has[at] = True
                found.update(set(flat[part][unknown].tolist()))
        names = None if self._numbers is None else list(self._numbers)
        symbols = Counter({names[n] if names else chr(n): count for n, count in found.items()})
        return Lacking(named(symbols), len(symbols), has, codes)

    def _largest(self) -> int:
        return max(int(np.frombuffer(self._flat, np.uint32).max(initial=0)), 0)


class Ragged(NamedTuple):
    """Rows of numbers that differ in length: all of them in a line, and where each begins."""

    flat: np.ndarray
    starts: np.ndarray  # one more than there are rows

    def __len__(self) -> int:
        return len(self.starts) - 1

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


class CompactCorpus(ByLength):
    """Some of the encoded pairs, for `attn_course.training.train`.

    As in `attn_course.tasks.corpus.Corpus`, but here a batch is made only when it is needed.
    """

    def __init__(self, sources: Ragged, targets: Ragged, chosen: np.ndarray):
        self._sources, self._targets = sources, targets
        lengths = sources.lengths[chosen]
        order = np.argsort(lengths, kind="stable")
        borders = np.flatnonzero(np.diff(lengths[order])) + 1
        self._groups = np.split(chosen[order], borders) if len(chosen) else []

    def __len__(self) -> int:
        return sum(len(group) for group in self._groups)

    def _batch(self, rows: np.ndarray) -> Batch:
        sources = self._sources.table(rows)
        lengths = torch.full((len(rows),), sources.shape[1])
        return Batch(sources, lengths, self._targets.table(rows, end=True))


def _blocks(ends: np.ndarray) -> Iterator[tuple[int, int]]:
    """Ranges of texts with about as many symbols each."""
    first, count = 0, len(ends) - 1
    while first < count:
        last = int(np.searchsorted(ends, ends[first] + np.uint64(_BLOCK), side="right")) - 1
        last = min(max(last, first + 1), count)
        yield first, last
        first = last
