"""The date readers of the experiments `score_rates` and `score_functions`, one for each score."""

import math
from functools import cache, lru_cache

import torch
from torch import nn

from attn_course.alignment import CosineScore
from attn_course.models.translator import Translator, luong
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.dates import LOCALES, date_pairs, date_vocabularies, longest_source

TWELVE = LOCALES[:12]  # those in Latin letters
PLAIN = ("additive", "concat", "stacked", "general", "dot", "scaled_dot", "cosine", "location")
CONDITIONS = (
    *PLAIN,  # a score that joins `SCORES` later joins them once it has been trained
    "cosine x 10",
    "cosine, learnt",
    "additive, before",
    "general, before",
    "scaled_dot, before",
)
STATE = 64  # and an annotation, and so every query and every key
EMBEDDING = 32  # of a source character, where the score has the most parameters


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


@lru_cache
def data():
    """The vocabularies, the corpus to train on, and dates of unseen days to test on."""
    vocabularies = date_vocabularies(TWELVE)
    corpus = Corpus(date_pairs(30_000, seed=0, locales=TWELVE), *vocabularies)
    return vocabularies, corpus, date_pairs(2_000, seed=1, days="test", locales=TWELVE)


def with_embedding(condition: str, embedding_size: int) -> Translator:
    """Luong's model with the condition's score, for a given size of a source embedding."""
    if condition not in CONDITIONS:
        raise ValueError(f"condition must be one of {CONDITIONS}; got {condition!r}")
    name, before, _ = condition.partition(", before")
    sharp = {"cosine x 10": (10, False), "cosine, learnt": (1, True)}
    return luong(
        *(len(vocabulary) for vocabulary in data()[0]),
        score=SharpCosine(*sharp[name]) if name in sharp else name,
        embedding_size=embedding_size,
        encoder_size=STATE // 2,
        state_size=STATE,
        hidden_size=STATE // 2,
        max_source=longest_source(TWELVE),
        asks_with="before" if before else "after",
    )


def parameters(model: nn.Module) -> int:
    """How many numbers are learnt."""
    return sum(part.numel() for part in model.parameters() if part.requires_grad)


@cache
def embedding_size(condition: str) -> int:
    """The size at which the whole model has as many parameters as the additive one, nearly."""
    with torch.random.fork_rng():  # whoever asks first, no training starts from other numbers
        wanted = parameters(with_embedding("additive", EMBEDDING))
        return min(
            range(EMBEDDING, 2 * EMBEDDING),
            key=lambda size: abs(parameters(with_embedding(condition, size)) - wanted),
        )


def build(condition: str) -> Translator:
    """The model of a condition, at its size."""
    return with_embedding(condition, embedding_size(condition))
