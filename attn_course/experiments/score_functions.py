"""Which score function? Every score of the course trained alike, on the same dates.

    python -m attn_course.experiments.score_rates       first: which learning rate suits which score
    python -m attn_course.experiments.score_functions   then: each score with its own, three seeds

The model is Luong's, the dates those of twelve locales, and the steps are equal. So are the
parameters of the whole model, within one percent: where the score has none of its own, the source
embedding is wider instead (`embedding_size`). Query and key are of one size for all. The scores:

additive .. location     as in `attn_course.alignment.SCORES`
cosine x 10              ten times the cosine: a fixed temperature of 0.1
cosine, learnt           the same with a factor that is learnt, and starts at 1
..., before              the score asks with the state before the step, s_{i-1}, not with s_i
"""

import time

import numpy as np
import torch

from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.experiments.score_models import (
    CONDITIONS,
    data,
    embedding_size,
    parameters,
    with_embedding,
)
from attn_course.experiments.score_rates import best_rate
from attn_course.measures import alignment_error_rate, exact_match
from attn_course.models.translator import Translator
from attn_course.search import answer
from attn_course.tasks.dates import TARGET_LENGTH, gold_possible, gold_sure
from attn_course.training import Settings, train
from attn_course.weights import entropy

SEEDS = (0, 1, 2)
RESULTS = results_of(__file__)


def measure(condition: str, seed: int) -> dict[str, float]:
    """Train one model; what it reads, where it looks, and what that took."""
    settings = Settings(epochs=1, learning_rate=best_rate(condition))
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
