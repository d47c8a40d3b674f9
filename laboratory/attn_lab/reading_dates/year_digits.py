"""Why is the first digit of a year read from the second?

The question. A trained date reader writes the first digit of a year while its largest weight lies
one place to the right of that digit. (Koehn and Knowles 2017 saw the attention of a translator off
by one place, too.) Three explanations are on offer, and each is tested by taking away what it
rests on:

neighbours     an annotation carries its neighbours, so the place beside a digit serves as well.
               Taken away by ``values`` = "symbols": scores as ever, but what is averaged is made
               of the embedding of each character alone.
known bit      from 1950 to 2049 the second digit, 9 or 0, gives the first away. Taken away by
               ``years`` = "1000 to 9999". (From 1600 to 2399 it would still be given away.)
first state    s_0 is made of the backward reader's last state, which has seen the whole source.
               Taken away by ``start`` = "blind": s_0 is learnt, and the same for every source.

All is as in chapter 05 (steps, learning rate, sizes), but for the ways to write: only those with a
year of four digits, as CLDR writes them. To put another year into a date, its digits are exchanged
in source and target; so a weekday says nothing.

Written down before the run: an explanation is *supported* if taking it away raises the share of
first digits whose largest weight lies on the digit itself by more than 20 points in every seed, and
*refuted* if it does so by less than 5 points in every seed; anything else is undecided.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from attn_course.measures import exact_match
from attn_course.models.bahdanau import BahdanauDecoder
from attn_course.models.decoder import Memory
from attn_course.models.translator import Translator, bahdanau
from attn_course.search import Answer, answer
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.dates import KINDS, DatePair, date_pairs, date_vocabularies
from attn_course.training import Settings, train
from attn_lab.experiment import SEEDS, declared

FOUR_DIGITS = tuple(kind for kind in KINDS if kind != "short")
WIDE = range(1000, 10_000)
OFFSETS = range(-3, 4)  # anything farther counts as elsewhere
RATE = 0.024  # as chapter 05: the one that `learnt_models.RATES` selects for joint


class Condition(NamedTuple):
    """Which years, what s_0 is made of, and what is averaged."""

    years: str = "1950 to 2049"
    start: str = "reads"
    values: str = "annotations"


AS_IT_IS = Condition()
CONDITIONS = (
    AS_IT_IS,
    AS_IT_IS._replace(years="1000 to 9999"),
    AS_IT_IS._replace(start="blind"),
    AS_IT_IS._replace(values="symbols"),
    Condition("1000 to 9999", "blind", "symbols"),
)


# ---- what is taken away


def with_year(pair: DatePair, year: int) -> DatePair:
    """The same date with another year of four digits, in the same script of digits."""
    places = [index for index, field in enumerate(pair.fields) if field == "y"]
    if len(places) != 4 or not 1000 <= year <= 9999:
        raise ValueError(f"both years must have four digits; got {pair.source!r} and {year}")
    source = list(pair.source)
    for position, digit in zip(places, str(year), strict=True):
        zero = ord(source[position]) - int(source[position])
        source[position] = chr(zero + int(digit))
    target = f"{year}{pair.target[4:]}"
    return DatePair("".join(source), target, pair.locale, pair.kind, pair.day, pair.fields)


class BlindStart(BahdanauDecoder):
    """The first state knows nothing of the source."""

    def first_state(self, memory):
        """s_0 = tanh(b), the same for every source."""
        return torch.tanh(self.start.bias).expand(len(memory.annotations), -1)


@dataclass(frozen=True)
class SymbolMemory(Memory[Tensor]):
    """A memory in which what is averaged is made of single characters.

    The first state is still made of the annotations, which ``read_all`` keeps.
    """

    read_all: Memory


class SymbolTranslator(Translator):
    """Scores compare annotations; what is averaged knows one character each."""

    def __init__(self, encoder: nn.Module, decoder: nn.Module):
        super().__init__(encoder, decoder)
        self.values = nn.Linear(encoder.embedding.embedding_dim, encoder.annotation_size)

    def read(self, sources, lengths):
        """Replace the annotations once the score has prepared its keys."""
        read_all = super().read(sources, lengths)
        values = self.values(self.encoder.embedding(self._here(sources)))
        return SymbolMemory(values, read_all.keys, read_all.readable, read_all)


class SymbolDecoder(BahdanauDecoder):
    """Its first state comes from the annotations, wherever the contexts come from."""

    def first_state(self, memory):
        """s_0 = tanh(W_s h←_1), as usual."""
        return super().first_state(memory.read_all)


# ---- training and measuring


@lru_cache(maxsize=1)
def vocabularies():
    """Source and target vocabulary; every digit of every script is in them."""
    return date_vocabularies()


def pairs(count: int, seed: int, days: str, years: str) -> list[DatePair]:
    """Dates with a year of four digits, from the years wanted."""
    drawn = date_pairs(count, seed=seed, days=days, kinds=FOUR_DIGITS)
    if years == AS_IT_IS.years:
        return drawn
    rng = random.Random(seed)
    return [with_year(pair, rng.choice(WIDE)) for pair in drawn]


def build(condition: Condition) -> Translator:
    """The date reader of chapter 05, without what the condition takes away."""
    if condition not in CONDITIONS:
        raise ValueError(f"condition must be one of {CONDITIONS}; got {condition!r}")
    model = bahdanau(*(len(vocabulary) for vocabulary in vocabularies()))
    if condition.values == "symbols":
        model = SymbolTranslator(model.encoder, model.decoder)
        model.decoder.__class__ = SymbolDecoder
    if condition.start == "blind":
        model.decoder.__class__ = BlindStart
    return model


def measure(condition: Condition, seed: int) -> dict[str, object]:
    """Train one reader; measure what it reads, and how far from each digit of the year it looks."""
    corpus = Corpus(pairs(20_000, 1_000 + seed, "train", condition.years), *vocabularies())
    settings = Settings(batch_size=96, learning_rate=RATE)
    model, history = train(lambda: build(condition), corpus, seed=seed, settings=settings)
    test = pairs(2_000, 2_000 + seed, "test", condition.years)
    answers = answer(model, [pair.source for pair in test], *vocabularies())
    targets = [pair.target for pair in test]
    return {
        "exact": exact_match([written.text for written in answers], targets),
        "offsets": offsets(test, answers).tolist(),
        "steps": len(history.losses),
    }


def offsets(test: Sequence[DatePair], answers: Sequence[Answer]) -> np.ndarray:
    """(4 digits, offset): how far to the right of each digit of the year the largest weight lies.

    Shares of the dates, for each of `OFFSETS`; the rest, up to 1, is read elsewhere.
    """
    distances = []
    for pair, written in zip(test, answers, strict=True):
        if pair.fields.count("y") == 4 and len(written.text) >= 4:
            own = pair.fields.index("y") + np.arange(4)
            distances.append(written.weights[:4].argmax(axis=1) - own)
    return np.mean(np.array(distances)[:, :, None] == np.array(OFFSETS), axis=0)


EXPERIMENT = declared(__name__, measure, [(CONDITIONS, SEEDS)], Condition)
results = EXPERIMENT.results
