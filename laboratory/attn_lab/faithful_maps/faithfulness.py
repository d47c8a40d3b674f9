"""Does a reader's map show where its answer was read?

The question. Chapter 05's reader looks at the year while it writes the year, and writes it. Was the
year read *there*? Models that must, may or cannot have read it there are asked the same:

attending          chapter 05's reader
blind start        its first state knows nothing of the source, so every bit has come through a look
single characters  blind start, and what is averaged knows one character each: scores still compare
                   annotations
forbidden          the weights on the field that is being written are exactly 0, in training too:
                   whatever its map shows, it is not where the field stands
luong              chapter 10's decoder, which looks after its step

Three interventions, on dates that were not trained on:

swap     Two dates that differ in one field alone (`faithful_models.twins`). The annotations of that
         field are taken from the other date, or those of all other places are; the first state
         stays. Whose field is written? Counted are the pairs of which the model reads both dates.
hide     The place with the largest weight gets none, or another place, drawn at random, gets none;
         the rest is scaled up. How likely is the right symbol still, at each of the ten steps, with
         the right symbols before it?
nothing  Every context is empty, at all steps. How likely is the right symbol?

`EXPECTED` was written down before the run, from a pilot with other data. Each is to hold with every
seed, at both budgets.

Rates are each reader's own (`RATES`). `PLAN` says what is run, as far as time allows in its order;
what has not been run is not claimed.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from attn_course.interventions import exchanged, hidden, reweighted, symbol_probabilities, written
from attn_course.measures import exact_match
from attn_course.models.decoder import Memory
from attn_course.models.translator import Translator
from attn_course.search import answer
from attn_course.tasks import dates
from attn_course.training import device
from attn_lab.experiment import SEEDS, declared
from attn_lab.faithful_maps import faithful_models as readers
from attn_lab.faithful_maps.faithful_models import RATES, Condition
from attn_lab.measuring import by_length, shares_of

EPOCHS = (2, 8)
DATES = 2_000  # unseen, for exact match
SOME = 600  # of them, for the interventions
DIGITS = [i for places in dates.TARGET_PLACES.values() for i in places]
PLAN = tuple((name, epochs) for epochs in EPOCHS for name in readers.MODELS)


class Same(NamedTuple):
    """Dates whose sources have one length, as tensors."""

    pairs: list
    sources: Tensor
    lengths: Tensor


def measure(condition: Condition, seed: int) -> dict[str, object]:
    """Train one reader, and make every measurement on it."""
    model, _ = readers.train_reader(condition, seed)
    return judge(model, condition.model, seed)


def judge(model: Translator, name: str, seed: int) -> dict[str, object]:
    """Measure a trained reader."""
    test = dates.date_pairs(DATES, seed=2_000 + seed, days="test")
    answers = answer(
        model, [readers.text(pair, name) for pair in test], *readers.vocabularies(name)
    )
    right = [written.text == pair.target for written, pair in zip(answers, test, strict=True)]
    whole = [(p, a.weights) for p, a, ok in zip(test, answers, right, strict=True) if ok]
    return {
        "exact": exact_match([written.text for written in answers], [pair.target for pair in test]),
        **looks(*zip(*whole, strict=True)),
        "swap": swap(model, name, readers.twins(test[:SOME], seed)),
        **weakened(model, name, test[:SOME], seed),
    }


def looks(pairs: Sequence[dates.DatePair], weights: Sequence[np.ndarray]) -> dict[str, float]:
    """How often the largest weight lies in the field, and how much of all weight, per digit."""
    tops, shares = [], []
    for pair, table in zip(pairs, weights, strict=True):
        gold = dates.gold_possible(pair)[DIGITS]
        rows = table[DIGITS]
        tops += list(gold[np.arange(len(rows)), rows.argmax(axis=1)])
        shares += list((rows * gold).sum(axis=1))
    return {"field": float(np.mean(tops)), "mass": float(np.mean(shares))}


# ---- swapping annotations


@torch.no_grad()
def swap(
    model: Translator, name: str, pairs: Sequence[readers.Twins]
) -> dict[str, dict[str, list]]:
    """Whose field is written if its annotations, or all others, come from the other date?

    For each field and each choice of positions: the shares of pairs that write the other date's
    field and their own date's, and how many pairs there were.
    """
    votes: dict[str, dict[str, list]] = {"own field": {}, "all others": {}}
    for group in by_length(pairs, lambda pair: pair.one):
        memories = read_both(model, group, name)
        start, plain = model.decoder.first_state(memories[0]), alone(model, memories, name)
        differ = [[field == pair.field for field in pair.one.fields] for pair in group]
        own = torch.tensor(differ, device=memories[0].annotations.device)
        for places, chosen in {"own field": own, "all others": ~own}.items():
            swapped = targets(model, exchanged(*memories, chosen), start, name)
            for field, whose in written_fields(group, swapped, plain):
                votes[places].setdefault(field, []).append(whose)
    return {
        places: {field: shares_of(cast) for field, cast in fields.items()}
        for places, fields in votes.items()
    }


def read_both(model: Translator, group: Sequence[readers.Twins], name: str) -> list[Memory]:
    """The memories of one date of each pair, and those of the other."""
    sides = [[pair.one for pair in group], [pair.other for pair in group]]
    same = [tensors(side, name) for side in sides]
    return [model.read(dates.sources, dates.lengths) for dates in same]


def alone(model: Translator, memories: Sequence[Memory], name: str) -> list[list[str]]:
    """The targets of each memory, from its own first state."""
    starts = map(model.decoder.first_state, memories)
    return [targets(model, *both, name) for both in zip(memories, starts, strict=True)]


def written_fields(
    group: Sequence[readers.Twins], changed: Sequence[str], plain: Sequence[Sequence[str]]
) -> Iterator[tuple[str, tuple[bool, bool]]]:
    """Of the pairs of which both dates are read: the field that differs, and whose is written.

    Whether it is the other date's, and whether it is the own.
    """
    for pair, target, *read in zip(group, changed, *plain, strict=True):
        if read == [pair.one.target, pair.other.target]:
            first, *_, last = dates.TARGET_PLACES[pair.field]
            part = slice(first, last + 1)
            other, own = (target[part] == date.target[part] for date in (pair.other, pair.one))
            yield pair.field, (other, own)


def targets(model: Translator, memory, start, name: str) -> list[str]:
    """The target that is written for each source of a memory."""
    symbols = written(model.decoder, memory, start, dates.TARGET_LENGTH + 1)
    return [readers.vocabularies(name)[1].decode(row) for row in symbols.cpu()]


# ---- hiding places


@torch.no_grad()
def weakened(
    model: Translator, name: str, pairs: Sequence[dates.DatePair], seed: int
) -> dict[str, list[float]]:
    """How likely the right symbol is at each of the ten steps, with weights taken away."""
    generator = torch.Generator().manual_seed(seed)
    ways: dict[str, Callable | None] = {
        "p": None,
        "p, top hidden": lambda weights, _: hidden(weights, _top(weights)),
        "p, another hidden": lambda weights, _: hidden(weights, _another(weights, generator)),
        "p, nothing": lambda weights, _: torch.zeros_like(weights),
    }
    chances: dict[str, list[Tensor]] = {name: [] for name in ways}
    for group in by_length(pairs):
        same = tensors(group, name)
        vocabulary = readers.vocabularies(name)[1]
        right = torch.tensor([vocabulary.encode(pair.target) for pair in group])
        inputs = (model, same.sources, same.lengths, right.to(same.sources.device))
        for number, change in ways.items():
            if change is None:
                chances[number].append(symbol_probabilities(*inputs))
                continue
            with reweighted(model.decoder, change):
                chances[number].append(symbol_probabilities(*inputs))
    return {name: torch.cat(parts).mean(dim=0).tolist() for name, parts in chances.items()}


def _top(weights: Tensor) -> Tensor:
    """The position with the largest weight of each row."""
    return torch.zeros_like(weights, dtype=torch.bool).scatter(
        -1, weights.argmax(dim=-1, keepdim=True), True
    )


def _another(weights: Tensor, generator: torch.Generator) -> Tensor:
    """A position drawn from all but the one with the largest weight."""
    drawn = torch.rand(weights.shape, generator=generator).to(weights.device)
    return _top(drawn.masked_fill(_top(weights), -1.0))


# ---- batches


def tensors(pairs: list[dates.DatePair], name: str) -> Same:
    """Dates of one length as symbol numbers."""
    vocabulary = readers.vocabularies(name)[0]
    sources = torch.tensor([vocabulary.encode(readers.text(pair, name)) for pair in pairs])
    lengths = torch.full((len(pairs),), sources.shape[1])
    return Same(pairs, sources.to(device()), lengths.to(device()))


# ---- what was expected


def _follows(swapped: str, model: str, epochs: int, fields: str = "ymd") -> np.ndarray:
    """How often the other date's field is written: (seed, field)."""
    shares = [EXPERIMENT.of("swap", model, epochs, at=(swapped, field)) for field in fields]
    return np.array(shares)[..., 0].T


def _reads_there(model: str, epochs: int) -> np.ndarray:
    own, others = (_follows(places, model, epochs) for places in ("own field", "all others"))
    return ((own > 0.95) & (others < 0.05)).all(axis=1)


def _lies(epochs: int) -> np.ndarray:
    own, others = (_follows(at, "forbidden", epochs, "md") for at in ("own field", "all others"))
    return ((own < 0.1) & (others > 0.9)).all(axis=1)


def _without_a_look(epochs: int) -> np.ndarray:
    likely = EXPERIMENT.of("p, nothing", "attending", epochs)
    return (likely[:, [1, 4, 7]] > 0.95).all(axis=1) & (likely[:, [2, 3, 6, 9]] < 0.3).all(axis=1)


def _hidden(place: str, epochs: int) -> np.ndarray:
    """What hiding a place costs attending, the mean of the digits."""
    before, after = (EXPERIMENT.of(p, "attending", epochs) for p in ("p", f"p, {place} hidden"))
    return (before - after)[:, DIGITS].mean(axis=1)


EXPECTED = """
2026-11-23

Own field swapped: attending, blind start and single characters write the other date's field in more
than 95 % of the pairs, whichever field it is; all other places swapped: in less than 5 %.
    attending: every(_reads_there("attending", epochs) for epochs in EPOCHS)
    blind start: every(_reads_there("blind start", epochs) for epochs in EPOCHS)
    single characters: every(_reads_there("single characters", epochs) for epochs in EPOCHS)

Forbidden reads more than 90 % of the dates after 2 epochs. With its own field swapped it writes the
other date's day or month in less than 10 %, with all other places swapped in more than 90 %. Its
year follows less, since the first state knows the last digit of most years.
    dates read: of("exact", "forbidden", 2) > 0.9
    swapped: every(_lies(epochs) for epochs in EPOCHS)

Weight in the field (sum of the weights on the field that is being written, mean over the digits) is
above 80 % for attending, and the digits' largest weight lies in the field in more than 90 %.
    every((of("mass", "attending", epochs) > 0.8) & (of("field", "attending", epochs) > 0.9)
        for epochs in EPOCHS)

With nothing at all, attending holds the second digit of the year and both hyphens likely (above
.95), and the third and fourth digit of the year and the second of month and day not (below .3).
    every(_without_a_look(epochs) for epochs in EPOCHS)

Hiding the top place costs attending more than .15 of probability (mean over the digits), hiding
another place less than .05.
    every((_hidden("top", epochs) > 0.15) & (_hidden("another", epochs) < 0.05)
        for epochs in EPOCHS)

Luong's map lies in the field at least as often as that of attending (largest weight).
    every(of("field", "luong", epochs) >= of("field", "attending", epochs) for epochs in EPOCHS)
"""


ROWS = [([row], SEEDS) for row in PLAN]
EXPERIMENT = declared(__name__, measure, ROWS, Condition, rates=RATES)
results = EXPERIMENT.results
