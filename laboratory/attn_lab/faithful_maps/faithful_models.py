"""The date readers of the experiment `faithfulness`: an honest one, and some that need not be.

All have the sizes of chapter 05's reader. They differ in what the decoder gets besides the place
that its map shows.
"""

import datetime
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from attn_course.masks import padding
from attn_course.models.bahdanau import BahdanauDecoder
from attn_course.models.decoder import Memory, Step, expect_inputs
from attn_course.models.translator import Translator, bahdanau, luong
from attn_course.symbols import FIRST_SYMBOL
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.date_patterns import FIRST_DAY, LAST_DAY
from attn_course.tasks.dates import TARGET_LENGTH, TARGET_PLACES, DatePair, date_pairs, render
from attn_course.tasks.vocabulary import Vocabulary
from attn_course.training import History, Settings, loss_on, train
from attn_lab.experiment import RateSearch, results_of
from attn_lab.reading_dates import learnt_models
from attn_lab.reading_dates.year_digits import BlindStart, SymbolTranslator

MODELS = ("attending", "blind start", "single characters", "forbidden", "luong")
BATCH = 96
FIELDS = ("", "y", "m", "d")
MARK = "\x1f"  # stands between the marked characters of a text; no locale writes it
TRIES = 40  # draws of another day that is written in the same places


class Condition(NamedTuple):
    """A reader, its number of epochs, and its learning rate."""

    model: str
    epochs: int
    rate: float


class Numbered(NamedTuple):
    """A state, and how many symbols have been written."""

    state: Tensor
    number: Tensor


class ForbiddenDecoder(BahdanauDecoder):
    """A decoder that may read every position but those of the field that it is writing.

    ``memory.readable`` has a row for each step of a date, and one for all steps after it.
    """

    def first_state(self, memory: Memory) -> Numbered:
        """s_0 as usual, with a count of written symbols that starts at 0."""
        state = super().first_state(memory)
        return Numbered(state, torch.zeros(len(state), dtype=torch.long, device=state.device))

    def step(self, previous_state: Numbered, previous: Tensor, memory: Memory) -> Step:
        """One step as usual, with the row of ``readable`` that is meant for it."""
        rows = previous_state.number.clamp(max=TARGET_LENGTH)
        own = memory.readable[torch.arange(len(rows), device=rows.device), rows].unsqueeze(1)
        step = super().step(previous_state.state, previous, replace(memory, readable=own))
        return replace(step, state=Numbered(step.state, previous_state.number + 1))

    def logits(self, states: Numbered | Tensor, contexts: Tensor) -> Tensor:
        """W_o [s_i ; c_i]; the number of symbols written is not used."""
        return super().logits(getattr(states, "state", states), contexts)

    def forward(self, memory: Memory, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """All steps, each given the right previous symbol: logits and weights."""
        expect_inputs(memory, inputs, self.embedding)
        state, logits, weights = self.first_state(memory), [], []
        for previous in self.embedding(inputs.long()).unbind(dim=1):
            state, context, looked = self.step(state, previous, memory)
            logits.append(self.logits(state, context))
            weights.append(looked)
        return torch.stack(logits, dim=1), torch.stack(weights, dim=1)


class ForbiddenTranslator(Translator):
    """Reads marked dates. The marks say where each step must not look, and nothing else.

    The encoder gets the characters alone.
    """

    def read(self, sources: Tensor, lengths: Tensor) -> Memory:
        """Annotate the characters; each step may read all positions but those of its own field."""
        sources, lengths = self._here(sources), self._here(lengths)
        characters, fields = unmarked(sources)
        annotations = self.encoder(characters, lengths)
        allowed = padding(lengths, sources.shape[1]).repeat(1, TARGET_LENGTH + 1, 1)
        for field, places in TARGET_PLACES.items():
            allowed[:, list(places)] &= (fields != FIELDS.index(field)).unsqueeze(1)
        return self.decoder.read(annotations, allowed)


def build(name: str) -> Translator:
    """A fresh reader of `MODELS`."""
    if name not in MODELS:
        raise ValueError(f"name must be one of {', '.join(MODELS)}; got {name!r}")
    sizes = [len(vocabulary) for vocabulary in learnt_models.vocabularies()]
    model = luong(*sizes) if name == "luong" else bahdanau(*sizes)
    if name == "single characters":
        model = SymbolTranslator(model.encoder, model.decoder)
    if name in ("blind start", "single characters"):
        model.decoder.__class__ = BlindStart
    if name == "forbidden":
        model = ForbiddenTranslator(model.encoder, model.decoder)
        model.decoder.__class__ = ForbiddenDecoder
    return model


# ---- dates whose characters are marked with their field


@lru_cache(maxsize=1)
def marked_vocabulary() -> Vocabulary:
    """Every character with every field: as many blocks as `FIELDS`, each in the same order."""
    characters = learnt_models.vocabularies()[0].symbols
    return Vocabulary([character + field for field in FIELDS for character in characters], MARK)


def vocabularies(name: str) -> tuple[Vocabulary, Vocabulary]:
    """The vocabularies of a model: of the source and of the target."""
    source, target = learnt_models.vocabularies()
    return (marked_vocabulary() if name == "forbidden" else source), target


def text(pair: DatePair, name: str) -> str:
    """A date as a model reads it."""
    if name != "forbidden":
        return pair.source
    return MARK.join(map("".join, zip(pair.source, pair.fields, strict=True)))


class _Read(NamedTuple):
    source: str
    target: str


def corpus(pairs: Sequence[DatePair], name: str) -> Corpus:
    """Dates to train a model on."""
    return Corpus([_Read(text(pair, name), pair.target) for pair in pairs], *vocabularies(name))


def unmarked(sources: Tensor) -> tuple[Tensor, Tensor]:
    """The characters of marked sources, as a plain vocabulary numbers them, and their fields."""
    block = len(learnt_models.vocabularies()[0]) - FIRST_SYMBOL
    own = (sources - FIRST_SYMBOL).clamp(min=0)
    special = sources < FIRST_SYMBOL
    characters = torch.where(special, sources, own % block + FIRST_SYMBOL)
    return characters, torch.where(special, 0, own // block)


# ---- training


def train_reader(condition: Condition, seed: int) -> tuple[Translator, History]:
    """A reader trained on 20,000 dates, written as people type them, and its history."""
    pairs = date_pairs(20_000, seed=1_000 + seed, noise=1.0)
    settings = Settings(epochs=condition.epochs, batch_size=BATCH, learning_rate=condition.rate)
    dates = corpus(pairs, condition.model)
    return train(lambda: build(condition.model), dates, seed=seed, settings=settings)


def validation_pairs(seed: int) -> list[DatePair]:
    """Dates to choose a rate by: of the days of training, but not among the training dates."""
    return date_pairs(1_000, seed=3_000 + seed, noise=1.0)


def loss(condition: Condition, seed: int) -> dict[str, float]:
    """The loss on the validation dates after training, by which a rate is chosen."""
    model, _ = train_reader(condition, seed)
    return {"loss": loss_on(model, corpus(validation_pairs(seed), condition.model))}


RATES = RateSearch(Condition, loss, results_of("faithfulness_rates"))


# ---- two dates that differ in one field


class Twins(NamedTuple):
    """Two dates, written alike, that differ in only one field."""

    one: DatePair
    other: DatePair
    field: str


def twins(pairs: Sequence[DatePair], seed: int) -> list[Twins]:
    """For each date and each of its fields another date that differs there and nowhere else.

    Everywhere else both have the same characters at the same positions, so a weekday, if there is
    one, is the same for both. If no such day turns up in `TRIES` draws, there is no twin.
    """
    rng, result = random.Random(seed), []
    for pair in pairs:
        for field in TARGET_PLACES:
            others = (_other(pair, field, rng) for _ in range(TRIES))
            fitting = (other for other in others if other and _differ_only(pair, other, field))
            if other := next(fitting, None):
                result.append(Twins(pair, other, field))
    return result


def _other(pair: DatePair, field: str, rng: random.Random) -> DatePair | None:
    """The date with a random value of one field, or None if there is no such day."""
    names = {"y": "year", "m": "month", "d": "day"}
    spans = {"y": (FIRST_DAY.year, LAST_DAY.year), "m": (1, 12), "d": (1, 31)}
    try:
        day = pair.day.replace(**{names[field]: rng.randint(*spans[field])})
    except ValueError:  # 30 February
        return None
    return _written_alike(pair, day)


def _written_alike(pair: DatePair, day: datetime.date) -> DatePair | None:
    """Another day in the pattern and the case of a pair, if that is how it can be written."""
    cases = ("cldr", "lower", "upper")
    same = (case for case in cases if render(pair.day, pair.locale, pair.kind, case) == pair)
    case = next(same, None)
    return None if case is None else render(day, pair.locale, pair.kind, case)


def _differ_only(one: DatePair, other: DatePair, field: str) -> bool:
    if one.day == other.day or one.fields != other.fields:
        return False
    places = zip(one.source, other.source, one.fields, strict=True)
    return all(own == field for here, there, own in places if here != there)
