"""Wrong words in batches, each with one question: where is the mistake, and what belongs there?

Only substitutions are asked for: then the right word is the wrong one with one letter replaced.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from attn_course._values import describe, expect_several
from attn_course.tasks.corpus import Batch, Corpus
from attn_course.tasks.typos import TypoPair, typo_vocabulary


class Asked(NamedTuple):
    """A wrong word, the letter that belongs there, and where."""

    source: str
    target: str
    place: int


class TypoCorpus(Corpus):
    """Encoded pairs, for training: the target is the one letter, and its link is the place.

    So a guidance in `attn_course.training.Settings` is a loss on the place.
    """

    def __init__(self, pairs: Iterable[TypoPair]):
        vocabulary = typo_vocabulary()
        asked = [_asked(pair) for pair in expect_several("pairs", pairs)]
        super().__init__(asked, vocabulary, vocabulary, gold=_place)

    def batches(self, size: int, order: np.random.Generator) -> Iterator[Batch]:
        """As in `Corpus`; END is left out, for there is only one step."""
        for batch in super().batches(size, order):
            yield batch._replace(targets=batch.targets[:, :1], links=batch.links[:, :1])


def _asked(pair: TypoPair) -> Asked:
    if not isinstance(pair, TypoPair) or pair.kind != "substitution":
        raise ValueError(
            f"each pair must be a substitution; got {getattr(pair, 'kind', None) or describe(pair)}"
        )
    return Asked(pair.source, pair.target[pair.place], pair.place)


def _place(asked: Asked) -> np.ndarray:
    return np.arange(len(asked.source))[None] == asked.place
