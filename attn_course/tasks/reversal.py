"""Random letters to copy or to reverse: sequences that cannot be compressed.

The letters are drawn independently, so none can be guessed from the others. To write a sequence of
n letters, a model must carry n times log2(26) bits from the source to the target: 4.7 bits per
letter, and no rule of grammar reduces that.

>>> pair = render("attend", "reversal")
>>> pair.source, pair.target
('attend', 'dnetta')

It is known exactly which source letter made which target letter:

>>> [pair.source[j] for j in gold_alignment(pair).argmax(axis=1)]
['d', 'n', 'e', 't', 't', 'a']

Copying a source that is fed in backwards is the same as reversing it, and random letters reversed
are random letters. The two tasks therefore differ only in the distance between a letter and its
copy.
"""

import random
import string
import zlib
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from attn_course._signature import checked
from attn_course._values import Count, Some, Split, at_least, form
from attn_course.tasks.vocabulary import Vocabulary

LETTERS = string.ascii_lowercase
Task = Literal["copy", "reversal"]
TASKS: tuple[Task, ...] = ("copy", "reversal")
Length = Annotated[int, at_least(2)]
Letters = Annotated[str, form("letters from a to z, at least one", "[a-z]+")]


@dataclass(frozen=True)
class LetterPair:
    """Some letters, and the same letters in the order that the task asks for."""

    source: str
    target: str
    task: str


@checked
def render(source: Letters, task: Task) -> LetterPair:
    """The pair that a task of `TASKS` makes from a source.

    A source that is empty, or has characters other than the letters a to z, is a ValueError.
    """
    return LetterPair(source, source if task == "copy" else source[::-1], task)


@checked
def letter_pairs(
    count: Count, seed: int, lengths: Some[Length], task: Task, split: Split = "train"
) -> list[LetterPair]:
    """Draw pairs: the length uniformly from ``lengths``, each letter uniformly.

    ``split`` is "train" or "test", the two sides of `is_test_sequence`. The same arguments give
    the same pairs in every process. Both tasks get the same sources.
    """
    rng, pairs = random.Random(seed), list[LetterPair]()
    while len(pairs) < count:
        length, source = rng.choice(lengths), ""
        while not source or is_test_sequence(source) != (split == "test"):
            source = "".join(rng.choices(LETTERS, k=length))
        pairs.append(render(source, task))
    return pairs


@checked
def is_test_sequence(source: str) -> bool:
    """Whether a sequence is kept for testing; about one in eight is.

    A sequence and its mirror image are always on the same side, so that no sequence to be copied
    in a test was reversed in training.
    """
    return zlib.crc32(min(source, source[::-1]).encode()) % 8 == 0


@checked
def gold_alignment(pair: LetterPair) -> np.ndarray:
    """Which source letter each target letter copies: boolean, (target, source), a link per row."""
    gold = np.eye(len(pair.source), dtype=bool)
    return gold if pair.task == "copy" else gold[:, ::-1]


def letter_vocabulary() -> Vocabulary:
    """The letters from a to z, used for both source and target."""
    return Vocabulary(LETTERS)
