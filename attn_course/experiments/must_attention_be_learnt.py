"""Must attention be learnt first, and then be used? Eight ways to train one model.

    python -m attn_course.experiments.must_attention_be_learnt

Course notes are found to say that the attention layer is trained first and then tells another
network where to look. Here the same date reader is trained in eight ways that differ only in
the score and in what may be learnt through it, all with equal steps:

joint           score, encoder and decoder learn together, as in Bahdanau et al. 2015
frozen          the score stays as it was drawn at random
frozen, x 3     the same, with every entry three times as large
ready-made      the score comes out of a trained model and stays as it is
shuffled        that score with the entries of each matrix shuffled: its scale, not its knowledge
cut             the frozen score, and no gradient flows back through the weights
cut, x 3        the same with the larger score
uniform         no attention at all: every readable position weighs the same
"""

from functools import lru_cache

import numpy as np
import torch

from attn_course.experiments.context_models import uniform
from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.measures import exact_match
from attn_course.models.bahdanau import BahdanauDecoder
from attn_course.models.translator import Translator, bahdanau
from attn_course.search import answer
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.dates import date_pairs, date_vocabularies, gold_possible
from attn_course.training import Settings, train

CONDITIONS = (
    "joint",
    "frozen",
    "frozen, x 3",
    "ready-made",
    "shuffled",
    "cut",
    "cut, x 3",
    "uniform",
)
SEEDS = (0, 1, 2)
SETTINGS = Settings(batch_size=96)  # as chapter 05 trains
RESULTS = results_of(__file__)


class CutDecoder(BahdanauDecoder):
    """The weights are used, but no gradient flows back through them."""

    def look(self, previous_state, memory):
        """α_i as always, as if it were given from outside."""
        return super().look(previous_state, memory).detach()


class UniformDecoder(BahdanauDecoder):
    """Every readable position weighs the same, whatever the state wants."""

    def look(self, previous_state, memory):
        """α_ij = 1 / (number of readable positions)."""
        return uniform(memory)


@lru_cache
def data():
    """The vocabularies, the corpus to train on, and dates of unseen days to test on."""
    vocabularies = date_vocabularies()
    corpus = Corpus(date_pairs(20_000, seed=0, noise=1.0), *vocabularies)
    return vocabularies, corpus, date_pairs(2_000, seed=1, days="test")


def build(condition: str, ready_made: dict | None = None) -> Translator:
    """The date reader, with its score prepared as the condition says."""
    if condition not in CONDITIONS:
        raise ValueError(f"condition must be one of {CONDITIONS}; got {condition!r}")
    model = bahdanau(*(len(vocabulary) for vocabulary in data()[0]))
    looks = {"cut": CutDecoder, "cut, x 3": CutDecoder, "uniform": UniformDecoder}
    model.decoder.__class__ = looks.get(condition, BahdanauDecoder)
    score = model.decoder.score
    if ready_made is not None:
        score.load_state_dict(ready_made)
    for matrix in score.parameters():
        if condition.endswith("x 3"):
            matrix.data *= 3
        if condition == "shuffled":
            matrix.data = matrix.flatten()[torch.randperm(matrix.numel())].view_as(matrix).data
        matrix.requires_grad_(condition == "joint")
    return model


def measure(condition: str, seed: int) -> dict[str, float]:
    """Train one model; how many unseen dates it reads, and how often it looks into the field."""
    ready_made = None
    if condition in ("ready-made", "shuffled"):
        # the score of a model with another start and other batches
        ready_made = trained("joint", seed + 100).decoder.score.state_dict()
    return judge(trained(condition, seed, ready_made))


@lru_cache(maxsize=8)
def _joint(seed: int) -> Translator:
    return train(lambda: build("joint"), data()[1], seed=seed, settings=SETTINGS)[0]


def trained(condition: str, seed: int, ready_made: dict | None = None) -> Translator:
    """One model, trained in the way of the condition."""
    if condition == "joint":
        return _joint(seed)
    model, _ = train(lambda: build(condition, ready_made), data()[1], seed=seed, settings=SETTINGS)
    return model


def judge(model: Translator) -> dict[str, float]:
    """Exact match, and the share of target characters whose largest weight is in their field."""
    vocabularies, _, test = data()
    answers = answer(model, [pair.source for pair in test], *vocabularies)
    hits = []
    for pair, given in zip(test, answers, strict=True):
        gold = gold_possible(pair)[: len(given.weights)]
        rows = np.flatnonzero(gold.any(axis=1))
        hits += gold[rows, given.weights[rows].argmax(axis=1)].tolist()
    exact = exact_match([given.text for given in answers], [pair.target for pair in test])
    return {"exact": exact, "field": float(np.mean(hits))}


def results(number: str) -> dict[str, list[float]]:
    """What was measured: ``"exact"`` or ``"field"``, by condition, a value for each seed."""
    return read_grid(RESULTS, number)


if __name__ == "__main__":
    run_grid(RESULTS, CONDITIONS, SEEDS, measure)
