"""The date readers of the experiment `score_functions`, one for each score."""

import math
from functools import cache, lru_cache

import torch
from torch import nn

from attn_course.alignment import CosineScore
from attn_course.models.translator import Translator, luong
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.dates import LOCALES, DatePair, date_pairs, date_vocabularies, longest_source
from attn_course.tasks.vocabulary import Vocabulary
from attn_lab.measuring import parameters

TWELVE = LOCALES[:12]  # those in Latin letters
PLAIN = ("additive", "concat", "stacked", "general", "dot", "scaled_dot", "cosine", "location")
SCORES = (*PLAIN, "cosine x 10", "cosine, learnt")  # a later score joins once it has been trained
STATE = 64  # of a state and an annotation, and so of every query and every key
EMBEDDING = 32  # of a source character, where the score has the most parameters
HEAD = "Berlin, "  # as before the date of a letter; never seen in training


class SharpCosine(CosineScore):
    """The cosine, times a factor: 1 / temperature, which may be learnt.

        e_ij = β cos(s_i, h_j)                     Graves et al. 2014, equation 5

    The factor is kept as its logarithm, so that no step of training can make it negative.
    """

    def __init__(self, factor: float, learnt: bool):
        super().__init__()
        self.log_factor = nn.Parameter(torch.tensor(math.log(factor)), requires_grad=learnt)

    def compare(self, queries, prepared):
        """β cos(s_i, h_j) for every pair."""
        return self.log_factor.exp() * super().compare(queries, prepared)


@cache
def vocabularies() -> tuple[Vocabulary, Vocabulary]:
    """The vocabularies of source and target, which do not depend on a seed."""
    return date_vocabularies(TWELVE)


@lru_cache(maxsize=4)
def training_pairs(seed: int) -> list[DatePair]:
    """The 30,000 dates that a seed trains on."""
    return date_pairs(30_000, seed=seed, locales=TWELVE)


@lru_cache(maxsize=4)
def corpus(seed: int) -> Corpus:
    """The same dates as a corpus."""
    return Corpus(training_pairs(seed), *vocabularies())


@lru_cache(maxsize=4)
def test_pairs(seed: int) -> list[DatePair]:
    """2,000 dates of days that are never trained on, drawn anew for each seed."""
    return date_pairs(2_000, seed=1000 + seed, days="test", locales=TWELVE)


@lru_cache(maxsize=4)
def validation_pairs(seed: int) -> list[DatePair]:
    """About 2,000 dates that look like the training data but are not among them; no test days."""
    trained_on = {pair.source for pair in training_pairs(seed)}
    drawn = date_pairs(4_000, seed=1000 + seed, locales=TWELVE)
    return [pair for pair in drawn if pair.source not in trained_on][:2_000]


def with_embedding(score: str, embedding_size: int, asks_with: str = "after") -> Translator:
    """Luong's model with this score and this size of a source embedding."""
    if score not in SCORES:
        raise ValueError(f"score must be one of {SCORES}; got {score!r}")
    sharp = {"cosine x 10": (10, False), "cosine, learnt": (1, True)}
    return luong(
        *map(len, vocabularies()),
        score=SharpCosine(*sharp[score]) if score in sharp else score,
        embedding_size=embedding_size,
        encoder_size=STATE // 2,
        state_size=STATE,
        hidden_size=STATE // 2,
        max_source=longest_source(TWELVE) + len(HEAD),
        asks_with=asks_with,
    )


@cache
def embedding_size(score: str) -> int:
    """The size at which the model has nearly as many parameters as the one with additive."""
    with torch.random.fork_rng():  # leaves the caller's random numbers alone
        wanted = parameters(with_embedding("additive", EMBEDDING))
        return min(
            range(EMBEDDING, 2 * EMBEDDING),
            key=lambda size: abs(parameters(with_embedding(score, size)) - wanted),
        )


def build(score: str, asks_with: str = "after") -> Translator:
    """The model for a score, at its size."""
    return with_embedding(score, embedding_size(score), asks_with)
