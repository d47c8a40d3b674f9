"""The date readers of the experiment `must_attention_be_learnt`, and what is asked of each.

They differ only in the score, and in what may be learnt through it.
"""

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch

from attn_course.measures import alignment_error_rate, exact_match
from attn_course.models.bahdanau import BahdanauDecoder
from attn_course.models.translator import Translator, bahdanau
from attn_course.search import Answer, answer
from attn_course.tasks import dates
from attn_course.tasks.corpus import Corpus
from attn_course.training import History, Settings, train
from attn_lab.context_vectors.context_models import uniform
from attn_lab.experiment import RateSearch, results_of

EXTRA = (2, 4, 8, 16)  # characters before the date, of a kind that no model was trained on
LETTERS = "abcdefghijklmnopqrstuvwxyz"
CHECK_EVERY = 60  # steps between two validations


class Condition(NamedTuple):
    """One way to train, the number of epochs, and the peak learning rate."""

    way: str
    epochs: int
    rate: float


class CutDecoder(BahdanauDecoder):
    """The weights are used, but no gradient flows back through them."""

    def look(self, previous_state, memory):
        """α_i as usual, but treated as given: no gradient passes."""
        return super().look(previous_state, memory).detach()


class UniformDecoder(BahdanauDecoder):
    """Every readable position weighs the same, whatever the state is."""

    def look(self, previous_state, memory):
        """α_ij = 1 / (number of readable positions)."""
        return uniform(memory)


class Variant(NamedTuple):
    """What may be learnt, where the score comes from, and what is done with it.

    learns      the score learns with the encoder and the decoder
    scale       what every entry of the score is multiplied by at the start
    ready_made  the score comes from a trained model, which had another start and other batches
    decoder     how it looks
    """

    learns: bool = False
    scale: float = 1.0
    ready_made: bool = False
    decoder: type[BahdanauDecoder] = BahdanauDecoder


WAYS = {
    "joint": Variant(learns=True),
    "ready-made": Variant(ready_made=True),
    "frozen": Variant(),
    "frozen, x 3": Variant(scale=3.0),
    "cut": Variant(decoder=CutDecoder),
    "cut, x 3": Variant(scale=3.0, decoder=CutDecoder),
    "uniform": Variant(decoder=UniformDecoder),
}


# ---- data and training: the seed redraws all of it


@lru_cache(maxsize=1)
def vocabularies():
    """Source and target vocabulary; they do not depend on a seed."""
    return dates.date_vocabularies()


@lru_cache(maxsize=8)
def corpus(seed: int) -> Corpus:
    """The dates to train on, written as people type them."""
    return Corpus(dates.date_pairs(20_000, seed=1_000 + seed, noise=1.0), *vocabularies())


@lru_cache(maxsize=8)
def unseen(seed: int, count: int = 2_000, noise: float = 0.0) -> list[dates.DatePair]:
    """Dates of days that no model was trained on."""
    return dates.date_pairs(count, seed=2_000 + seed, days="test", noise=noise)


def build(way: str, ready_made: dict | None = None) -> Translator:
    """The date reader of chapter 05, untrained, with its score prepared as the way says."""
    if way not in WAYS:
        raise ValueError(f"way must be one of {', '.join(WAYS)}; got {way!r}")
    if WAYS[way].ready_made != (ready_made is not None):
        raise ValueError(f"a ready-made score is for the way 'ready-made' alone; got {way!r}")
    model = bahdanau(*(len(vocabulary) for vocabulary in vocabularies()))
    model.decoder.__class__ = WAYS[way].decoder
    score = model.decoder.score
    if ready_made is not None:
        score.load_state_dict(ready_made)
    for matrix in score.parameters():
        matrix.data *= WAYS[way].scale
        matrix.requires_grad_(WAYS[way].learns)
    return model


@lru_cache(maxsize=4)
def trained(condition: Condition, seed: int, watched: bool) -> tuple[Translator, History]:
    """One model, trained as the condition says; if ``watched``, it reads unseen dates meanwhile."""
    ready_made = None
    if WAYS[condition.way].ready_made:
        other = condition._replace(way="joint")
        ready_made = trained(other, seed + 100, False)[0].decoder.score.state_dict()
    settings = Settings(
        epochs=condition.epochs,
        batch_size=96,
        learning_rate=condition.rate,
        check_every=CHECK_EVERY,
    )
    return train(
        lambda: build(condition.way, ready_made),
        corpus(seed),
        (lambda model: exact(model, unseen(seed)[:300])) if watched else None,
        seed=seed,
        settings=settings,
    )


# ---- what is measured on a model


def exact(model: Translator, pairs: Sequence[dates.DatePair], before: Sequence[str] = ()) -> float:
    """The share of dates written right, each with its text of ``before`` in front of it."""
    texts = [pair.source for pair in pairs]
    if before:
        texts = [extra + text for extra, text in zip(before, texts, strict=True)]
    answers = answer(model, texts, *vocabularies())
    return exact_match([written.text for written in answers], [pair.target for pair in pairs])


def spaces(count: int, pairs: Sequence[dates.DatePair]) -> list[str]:
    """``count`` spaces, for each date."""
    return [" " * count] * len(pairs)


def letters(count: int, pairs: Sequence[dates.DatePair]) -> list[str]:
    """A word of random letters and a space, ``count`` characters in all, for each date."""
    rng = random.Random(count)
    return ["".join(rng.choices(LETTERS, k=count - 1)) + " " for _ in pairs]


def alignment(pairs: Sequence[dates.DatePair], answers: Sequence[Answer]) -> dict[str, float]:
    """How well the weights point, over the answers that are as long as a date.

    ``field`` is the share of target characters whose largest weight lies in their field.
    """
    whole = [
        (written.weights, dates.gold_sure(pair), dates.gold_possible(pair))
        for pair, written in zip(pairs, answers, strict=True)
        if len(written.text) == dates.TARGET_LENGTH
    ]
    hits = [
        possible[row, weights[row].argmax()]
        for weights, _, possible in whole
        for row in np.flatnonzero(possible.any(axis=1))
    ]
    return {
        "field": float(np.mean(hits)),
        "alignment error": alignment_error_rate(*(list(part) for part in zip(*whole, strict=True))),
    }


@torch.no_grad()
def judge(model: Translator, seed: int) -> dict[str, object]:
    """Measure a trained model; extra characters are tried on 1,000 dates only."""
    test = unseen(seed)
    answers = answer(model, [pair.source for pair in test], *vocabularies())
    some = test[:1_000]
    return {
        "exact": exact_match([written.text for written in answers], [pair.target for pair in test]),
        "typed": exact(model, unseen(seed, noise=1.0)),
        "spaces": [exact(model, some, spaces(count, some)) for count in EXTRA],
        "letters": [exact(model, some, letters(count, some)) for count in EXTRA],
        **alignment(test, answers),
    }


# ---- rates


def read_at(condition: Condition, seed: int) -> dict[str, float]:
    """The share of unseen dates that are read after training, by which a rate is chosen."""
    return {"exact": exact(trained(condition, seed, False)[0], unseen(seed))}


RATES = RateSearch(
    Condition,
    read_at,
    results_of("learnt_rates"),
    judge="exact",
    smaller=False,
    first=(0.006, 0.012, 0.024, 0.048),
    seeds=(9,),
)
