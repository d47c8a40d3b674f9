"""Which score function? Every score of the course trained alike, on the same dates.

    python -m experiments.score_rates       first: which learning rate suits which score
    python -m experiments.score_functions   then: each score with its own, three seeds

The model is Luong's, the dates those of twelve locales, and the steps are equal. So are the
parameters of the whole model, within one percent: where the score has none of its own, the source
embedding is wider instead (`embedding_size`). Query and key are of one size for all. The scores:

additive .. location     as in `attn_course.alignment.SCORES`
cosine x 10              ten times the cosine: a fixed temperature of 0.1
cosine, learnt           the same with a factor that is learnt, and starts at 1
..., before              the score asks with the state before the step, s_{i-1}, not with s_i
"""

import math
import time
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import torch
from torch import nn

from attn_course.alignment import SCORES, CosineScore
from attn_course.measures import alignment_error_rate, exact_match
from attn_course.models.translator import Translator, luong
from attn_course.search import answer
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.dates import (
    LOCALES,
    TARGET_LENGTH,
    date_pairs,
    date_vocabularies,
    gold_possible,
    gold_sure,
    longest_source,
)
from attn_course.training import Settings, train
from attn_course.weights import entropy
from experiments.grid import read_grid, run_grid

TWELVE = LOCALES[:12]  # those in Latin letters
CONDITIONS = (
    *SCORES,
    "cosine x 10",
    "cosine, learnt",
    "additive, before",
    "general, before",
    "scaled_dot, before",
)
SEEDS = (0, 1, 2)
RESULTS = Path(__file__).with_suffix(".json")
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
    wanted = parameters(with_embedding("additive", EMBEDDING))
    return min(
        range(EMBEDDING, 2 * EMBEDDING),
        key=lambda size: abs(parameters(with_embedding(condition, size)) - wanted),
    )


def build(condition: str) -> Translator:
    """The model of a condition, at its size."""
    return with_embedding(condition, embedding_size(condition))


def learning_rate(condition: str) -> float:
    """The best of the few that `experiments.score_rates` tried."""
    from experiments.score_rates import best_rate

    return best_rate(condition)


def measure(condition: str, seed: int) -> dict[str, float]:
    """Train one model; what it reads, where it looks, and what that took."""
    settings = Settings(epochs=1, learning_rate=learning_rate(condition))
    size, corpus = embedding_size(condition), data()[1]
    begun = time.process_time()
    model, _ = train(lambda: with_embedding(condition, size), corpus, seed=seed, settings=settings)
    seconds = time.process_time() - begun
    return judge(model) | {
        "parameters": parameters(model),
        "of the score": parameters(model.decoder.score),
        "seconds": seconds,
        "learning rate": settings.learning_rate,
    }


def judge(model: Translator) -> dict[str, float]:
    """Exact match; alignment error, right field and entropy (nats) where there is a gold link."""
    vocabularies, _, test = data()
    answers = answer(model, [pair.source for pair in test], *vocabularies)
    whole = [
        (pair, given)
        for pair, given in zip(test, answers, strict=True)
        if len(given.text) == TARGET_LENGTH
    ]
    tables = [given.weights for _, given in whole]
    possible = [gold_possible(pair) for pair, _ in whole]
    rows = [gold.any(axis=1) for gold in possible]
    hits, spread = [], []
    for table, gold, counted in zip(tables, possible, rows, strict=True):
        places = np.flatnonzero(counted)
        hits += gold[places, table[places].argmax(axis=1)].tolist()
        spread += entropy(torch.tensor(table[places])).tolist()
    return {
        "exact": exact_match([given.text for given in answers], [pair.target for pair in test]),
        "error": alignment_error_rate(tables, [gold_sure(pair) for pair, _ in whole], possible),
        "field": float(np.mean(hits)),
        "entropy": float(np.mean(spread)),
    }


def results(number: str) -> dict[str, list[float]]:
    """One number of the result file, by condition, a value for each seed."""
    return read_grid(RESULTS, number)


if __name__ == "__main__":
    run_grid(RESULTS, CONDITIONS, SEEDS, measure)
