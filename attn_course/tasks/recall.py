"""Pairs that arrive one by one and are asked for later: how many can a memory hold?

    k7 v3 k2 v9 k5 v1 ? k2 k5 k7        the source: three keys, each with its value, and the queries
    v9 v1 v3                            the target

Keys and values are drawn at random, so nothing can be guessed: a value that comes out right must
have been kept. If each key is written twice, the value written last is right, and a memory that
forgets the order is wrong half of the time.

The position of every answer in the source is known exactly, since the generator wrote it there.

>>> lists = draw(5, seed=0, pairs=3)
>>> pair = render(lists, 0)
>>> pieces = pair.source.split()
>>> pair.target.split() == [pieces[j] for j in gold_alignment(pair).argmax(axis=1)]
True

The task is that of fast weights (Schlag et al. 2021) and, laid out as one sequence,
the associative recall of Arora et al. (2023).
"""

import zlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from attn_course._signature import checked
from attn_course._values import Count, CountOrZero, Split, describe
from attn_course.tasks.vocabulary import Vocabulary

KEYS, VALUES = 256, 64
QUERY = "?"


class Lists(NamedTuple):
    """Some lists of pairs, all of the same length, as numbers.

    keys, values      (list write)  what was written, in this order
    queries, answers  (list query)  each key of the list once, in random order, and its last value
    places            (list query)  the number of the write that holds the answer
    """

    keys: Tensor
    values: Tensor
    queries: Tensor
    answers: Tensor
    places: Tensor


@dataclass(frozen=True)
class RecallPair:
    """One list as text: the pairs, a question mark and the queries; and the answers."""

    source: str
    target: str


@checked
def draw(
    count: Count,
    seed: int,
    pairs: Count,
    times: Count = 1,
    split: Split = "train",
    keys: Count = KEYS,
    values: Count = VALUES,
) -> Lists:
    """Draw lists of ``pairs`` different keys, each written ``times`` times, all in random order.

    A key never has the same value twice. ``split`` is "train" or "test", the two sides of
    `is_test_list`. The same arguments give the same lists in every process. More pairs than there
    are keys, or more times than there are values, are a ValueError.
    """
    if pairs > keys or times > values:
        raise ValueError(
            f"{keys} keys and {values} values make no list of {pairs} different keys with {times} "
            f"different values each"
        )
    rng = np.random.default_rng([seed % 2**64, pairs, times])
    lists: list[np.ndarray] = []
    while len(lists) < count:
        some = _lists(_more(count, split), rng, pairs, times, keys, values)
        lists += [row for row in some if is_test_list(row) == (split == "test")]
    rows = np.stack(lists[:count])
    parts = (rows[..., 0], rows[..., 1], *_queries(rows, pairs, rng))
    return Lists(*(torch.from_numpy(part) for part in parts))


def _more(count: int, split: str) -> int:
    """How many lists to draw at a time, so that enough are on the wanted side of the split."""
    return 8 + count * 5 // 4 if split == "train" else 8 + count * 9


def is_test_list(written: np.ndarray) -> bool:
    """Whether a list of (key, value) is reserved for testing, as about one in eight is."""
    row = written.detach().numpy() if isinstance(written, Tensor) else np.asarray(written)
    if row.ndim != 2 or row.shape[1] != 2 or row.dtype.kind not in "iu":
        raise ValueError(f"written must be whole numbers (write, 2); got {describe(row)}")
    return zlib.crc32(np.ascontiguousarray(row, dtype="<i8").tobytes()) % 8 == 0


@checked
def render(lists: Lists, number: CountOrZero) -> RecallPair:
    """One of the lists as text."""
    if number >= len(lists.keys):
        raise ValueError(f"number must be below {len(lists.keys)}, of the lists; got {number}")
    keys, values, queries, answers, _ = (part[number].tolist() for part in lists)
    written = [f"k{key} v{value}" for key, value in zip(keys, values, strict=True)]
    questions = [f"k{key}" for key in queries]
    return RecallPair(" ".join([*written, QUERY, *questions]), " ".join(f"v{v}" for v in answers))


@checked
def gold_alignment(pair: RecallPair) -> np.ndarray:
    """Which value of the source each answer is: boolean, (target, source), one link in a row."""
    source = pair.source.split()
    end = source.index(QUERY)
    last = {key: 2 * index + 1 for index, key in enumerate(source[:end:2])}
    gold = np.zeros((len(source) - end - 1, len(source)), dtype=bool)
    for row, key in zip(gold, source[end + 1 :], strict=True):
        row[last[key]] = True
    return gold


@checked
def recall_vocabulary(keys: Count = KEYS, values: Count = VALUES) -> Vocabulary:
    """All the symbols that a text can contain, for both source and target."""
    pieces = [f"k{key}" for key in range(keys)] + [f"v{value}" for value in range(values)]
    return Vocabulary([QUERY, *pieces], separator=" ")


def _lists(
    count: int, rng: np.random.Generator, pairs: int, times: int, keys: int, values: int
) -> np.ndarray:
    """Lists of (key, value), (count, pairs x times, 2)."""
    chosen = rng.random((count, keys)).argsort(axis=1)[:, :pairs]
    written = rng.integers(values, size=(count, pairs, times))
    while (again := _repeats(written)).any():
        written[again] = rng.integers(values, size=int(again.sum()))
    flat = np.stack([chosen.repeat(times, axis=1), written.reshape(count, -1)], axis=-1)
    order = rng.random(flat.shape[:2]).argsort(axis=1)
    return np.take_along_axis(flat, order[..., None], axis=1)


def _repeats(written: np.ndarray) -> np.ndarray:
    """Whether a key has had this value before."""
    same = written[..., :, None] == written[..., None, :]
    return np.tril(same, k=-1).any(axis=-1)


def _queries(
    rows: np.ndarray, pairs: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each key once, in random order: the keys, their answers, and the positions of the answers."""
    same = rows[:, :, None, 0] == rows[:, None, :, 0]
    later = np.triu(same, k=1).any(axis=2)  # the key is written again after this
    places = np.flatnonzero(~later).reshape(len(rows), pairs) % rows.shape[1]
    places = np.take_along_axis(places, rng.random(places.shape).argsort(axis=1), axis=1)
    chosen = np.take_along_axis(rows, places[..., None], axis=1)
    return chosen[..., 0], chosen[..., 1], places
