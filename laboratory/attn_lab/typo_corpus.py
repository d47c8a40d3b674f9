"""Misspelt words in batches, each with one question: where is the mistake, and what is it?

The second answer is a single letter: the one that belongs there, or the initial of the kind.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from attn_course._signature import checked
from attn_course._values import describe, expect_several
from attn_course.tasks.corpus import Batch, Corpus
from attn_course.tasks.typos import TypoPair, typo_vocabulary


class Query(NamedTuple):
    """A wrong word, the letter that is the answer, and the position of the mistake."""

    source: str
    target: str
    place: int


class TypoCorpus(Corpus):
    """Encoded pairs, for training: the target is the one letter, and its link is the position.

    So the setting ``guidance`` of `attn_course.training.Settings` adds a loss on the position.
    ``ask`` is `ask_letter`, for which all pairs must be substitutions, or `ask_kind`.
    """

    def __init__(self, pairs: Iterable[TypoPair], ask: Callable[[TypoPair], Query] | None = None):
        vocabulary = typo_vocabulary()
        questions = [(ask or ask_letter)(pair) for pair in expect_several("pairs", pairs)]
        super().__init__(questions, vocabulary, vocabulary, gold=_place)

    def batches(self, size: int, order: np.random.Generator) -> Iterator[Batch]:
        """As in `Corpus`, but without END, since there is only one step."""
        for batch in super().batches(size, order):
            links = None if batch.links is None else batch.links[:, :1]
            yield batch._replace(targets=batch.targets[:, :1], links=links)


def ask_letter(pair: TypoPair) -> Query:
    """Where is the letter that was replaced, and which letter belongs there?"""
    if not isinstance(pair, TypoPair) or pair.kind != "substitution":
        raise ValueError(
            f"each pair must be a substitution; got {getattr(pair, 'kind', None) or describe(pair)}"
        )
    return Query(pair.source, pair.target[pair.place], pair.place)


@checked
def ask_kind(pair: TypoPair) -> Query:
    """Where is the mistake, and of which kind? The answer is the first letter of the kind."""
    return Query(pair.source, pair.kind[0], pair.place)


def _place(question: Query) -> np.ndarray:
    return np.arange(len(question.source))[None] == question.place
