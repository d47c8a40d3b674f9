"""What is averaged, from which annotations, and where does the result go? Nine readers of dates.

The question: what does a weighted average whose weights move with every step buy that four times
the steps do not buy a reader without it?

The conditions. One date reader, the model of Bahdanau et al. 2015, is changed in one place at a
time (`context_models.DESIGNS`). None of them knows anything of the source before its first look.

attention       annotations of both directions; the context enters the cell and the readout

mean            every position weighs the same
sum             the annotations are added up
concatenate     the annotations are written one after the other, up to a longest source

forward         annotations of the same size, made from the left only
backward        made from the right only

cell            the context enters the cell, [y ; c], and nowhere else
readout         it enters the readout, [s ; c], and nowhere else
tanh            it enters the readout through Luong's tanh(W [c ; s])

The three that differ in where the context enters have the state size that comes nearest to the
parameters of "attention". The others differ in parameters as their designs ask: mean and sum have
no score, concatenate has a large matrix, one direction needs more than two that share.

All are trained for 2 epochs of 16,000 dates, about 280 steps; the first six also for 8 epochs,
about 1,130 steps, as far as time allows, in the order given here. Each has its own learning rate
for each number of epochs, the best of at least four (`RATES`).

An earlier version of this experiment had trained all readers at one common rate, on one set of
dates for all seeds: there the mean read 33 %, the sum 51 %, the concatenation 39 % after 2 epochs,
and the mean 99.8 % after 8. A trial with another seed had given 74 % to the mean and 70 % to the
sum at a rate of their own. Before 11 and 12 the six had been trained for 8 epochs at their best
rate for 2; now they have a rate of their own for 8 too.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch

from attn_course.measures import exact_match
from attn_course.models.encoder import Encoder
from attn_course.models.translator import Translator
from attn_course.search import Answer, answer
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.dates import DatePair, gold_sure
from attn_course.training import Settings, loss_on, train
from attn_lab.context_vectors import context_models as models
from attn_lab.context_vectors.context_models import DESIGNS, DIRECTIONS, POOLS, Design
from attn_lab.experiment import SEEDS, RateSearch, declared, every, results_of
from attn_lab.measuring import fresh, parameters

EPOCHS = (2, 8)

# readers and epochs in the order in which they are run
PLAN = (
    (POOLS, 2),
    (("attention", "mean"), 8),
    (DIRECTIONS, 2),
    (models.ENTRIES, 2),
    (POOLS, 8),
    (DIRECTIONS, 8),
)

OFFSETS = range(-3, 4)  # which neighbours the probe asks for
DAY = 8  # where the day begins in YYYY-MM-DD


class Condition(NamedTuple):
    """A design, how many times through the data, and the learning rate at its peak."""

    encoder: str
    pool: str
    entry: str
    epochs: int
    rate: float

    @property
    def design(self) -> Design:
        """How the reader differs from the others."""
        return Design(self.encoder, self.pool, self.entry)


def condition(name: str, epochs: int = 2) -> Condition:
    """The reader of this name in `DESIGNS`, with its own learning rate."""
    if name not in DESIGNS:
        raise ValueError(f"name must be one of {', '.join(DESIGNS)}; got {name!r}")
    return EXPERIMENT.condition(*DESIGNS[name], epochs)


# ---- what is measured


def trained(condition: Condition, seed: int) -> tuple[Translator, int]:
    """One reader after training, and its number of steps; a second call returns the same one."""
    return _trained(condition, seed)  # a cache takes seed=0 and 0 for two questions


@lru_cache(maxsize=4)
def _trained(condition: Condition, seed: int) -> tuple[Translator, int]:
    model, history = train(
        lambda: models.build(condition.design),
        models.corpus(seed),
        seed=seed,
        settings=Settings(epochs=condition.epochs, learning_rate=condition.rate),
    )
    return model, len(history.losses)


def loss(condition: Condition, seed: int) -> dict[str, float]:
    """The loss on dates that were not trained on, by which a rate is chosen."""
    model, _ = trained(condition, seed)
    return {"loss": loss_on(model, Corpus(models.validation_pairs(seed), *models.vocabularies()))}


RATES = RateSearch(Condition, loss, results_of("context_rates"))


def measure(condition: Condition, seed: int) -> dict[str, float]:
    """Train one reader; measure what it reads, where it looks, and what its annotations carry.

    exact   share of unseen dates read right; "spaced" the same with two spaces before each
    "trained -1", "untrained +2" and so on are what `probe` finds; the others are those of `looks`
    and of `looks_for_days`
    """
    (model, steps), test = trained(condition, seed), models.test_pairs(seed)
    answers = read(model, [pair.source for pair in test])
    spaced = read(model, ["  " + pair.source for pair in test])
    targets = [pair.target for pair in test]
    result = {
        "exact": exact_match([written.text for written in answers], targets),
        "spaced": exact_match([written.text for written in spaced], targets),
        "parameters": parameters(model),
        "steps": steps,
    }
    if condition.design in [DESIGNS[name] for name in DIRECTIONS]:
        untrained = fresh(lambda: models.build(condition.design), seed).encoder
        for name, encoder in (("trained", model.encoder), ("untrained", untrained)):
            result |= {f"{name} {at:+d}": share for at, share in probe(encoder, seed).items()}
        result |= looks(test, answers) | looks_for_days(test, answers)
    return result


def read(model: Translator, sources: Sequence[str]) -> list[Answer]:
    """The model's answers to these dates."""
    return answer(model, list(sources), *models.vocabularies())


def looks(pairs: Sequence[DatePair], answers: Sequence[Answer]) -> dict[str, float]:
    """Where the largest weight lies while a digit is copied, relative to that digit."""
    distances = []
    for pair, written in zip(pairs, answers, strict=True):
        for i, j in np.argwhere(gold_sure(pair)[: len(written.weights)]):
            distances.append(written.weights[i].argmax() - j)
    distances = np.array(distances)
    return {
        "before": float((distances < 0).mean()),
        "on it": float((distances == 0).mean()),
        "behind": float((distances > 0).mean()),
    }


def looks_for_days(pairs: Sequence[DatePair], answers: Sequence[Answer]) -> dict[str, float]:
    """How often the largest weight lies just after a copied digit of the day, by the day's digits.

    Only the character after a lone digit shows that the day has no second one.
    """
    behind = {"one-digit day": [], "two-digit day": []}
    for pair, written in zip(pairs, answers, strict=True):
        for i, j in np.argwhere(gold_sure(pair)[: len(written.weights)]):
            if i >= DAY:
                before, after = pair.source[:j][-1:], pair.source[j + 1 :][:1]
                alone = not before.isdigit() and not after.isdigit()
                is_behind = written.weights[i].argmax() > j
                behind["one-digit day" if alone else "two-digit day"].append(is_behind)
    return {f"behind, {name}": float(np.mean(hits)) for name, hits in behind.items()}


@torch.no_grad()
def probe(encoder: Encoder, seed: int, strings: int = 1_000) -> dict[int, float]:
    """How well a linear map reads the neighbours of position j off the annotation h_j.

    The strings are random digits: only the annotation itself can reveal a neighbour. The map
    is fitted on half of the strings by least squares and tried on the other half.
    """
    digits = np.random.default_rng(seed).integers(10, size=(strings, 13))
    symbols = torch.tensor(
        [models.vocabularies()[0].encode("".join(map(str, row))) for row in digits]
    )
    lengths = torch.full((strings,), symbols.shape[1])
    at = encoder.embedding.weight.device
    annotations = encoder(symbols.to(at), lengths.to(at)).cpu().numpy()
    inner = slice(max(OFFSETS), digits.shape[1] - max(OFFSETS))
    accuracy = {}
    for offset in OFFSETS:
        neighbours = digits[:, inner.start + offset : inner.stop + offset]
        accuracy[offset] = linear_reading(annotations[:, inner], neighbours)
    return accuracy


def linear_reading(vectors: np.ndarray, classes: np.ndarray) -> float:
    """Fit classes (string place) to vectors (string place size) on half; accuracy on the rest."""
    half = len(vectors) // 2
    size = vectors.shape[-1]
    wanted = np.eye(classes.max() + 1)[classes[:half].ravel()]
    inputs = with_one(vectors[:half].reshape(-1, size))
    map_ = np.linalg.lstsq(inputs, wanted, rcond=1e-6)[0]
    guessed = (with_one(vectors[half:].reshape(-1, size)) @ map_).argmax(axis=1)
    return float((guessed == classes[half:].ravel()).mean())


def with_one(rows: np.ndarray) -> np.ndarray:
    """Rows with a one at their end, for the constant of a linear map."""
    return np.concatenate([rows, np.ones((len(rows), 1))], axis=1)


def results(number: str, epochs: int = 2) -> dict[str, list[float]]:
    """One number of every reader that has it, by its name in `DESIGNS`: a value for each seed."""
    rows = {(*design, epochs): name for name, design in DESIGNS.items()}
    return {rows[row]: runs for row, runs in EXPERIMENT.by_row(number).items() if row in rows}


# ---- what was expected

NEIGHBOURS = [offset for offset in OFFSETS if offset]


def _read(name: str, epochs: int = 2, number: str = "exact") -> np.ndarray:
    """The share of dates read, by seed."""
    return EXPERIMENT.of(number, *DESIGNS[name], epochs)


def _behind(name: str, epochs: int = 2) -> np.ndarray:
    """How far a reader is behind the attention of both directions."""
    return _read("attention", epochs) - _read(name, epochs)


def _remaining(name: str, epochs: int = 2) -> np.ndarray:
    """Right answers with two spaces in front, as a share of those without."""
    return _read(name, epochs, "spaced") / _read(name, epochs)


def _stays_in_its_place(epochs: int) -> np.ndarray:
    remains = _remaining("concatenate", epochs)
    more = [_remaining(name, epochs) - remains >= 0.2 for name in POOLS[:3]]
    return (remains < 0.3) & every(more)


def _looks_behind() -> np.ndarray:
    one, two = (f"behind, {digits}-digit day" for digits in ("one", "two"))
    forward = {what: _read("forward", 2, what) for what in ("behind", one, two)}
    more = {what: forward[what] - _read("attention", 2, what) for what in ("behind", one)}
    return (more["behind"] >= 0.1) & (forward[one] - forward[two] >= 0.2) & (more[one] >= 0.5)


def _told(name: str, offsets: Sequence[int], when: str = "trained") -> np.ndarray:
    """The share of these neighbours that annotations tell, after 2 epochs."""
    return np.mean([_read(name, 2, f"{when} {offset:+d}") for offset in offsets], axis=0)


EXPECTED = """
2026-11-22

After 2 epochs attention reads at least 10 points more than mean, sum and concatenation each.
    every(_behind(name) >= 0.1 for name in POOLS[1:])

Mean and sum, which differ by a factor, read within 15 points of each other after 2 epochs: that the
sum was ahead was a matter of the rate.
    abs(_read("mean") - _read("sum")) <= 0.15

More training makes up for it: after 8 epochs mean and sum each read more than 95 %, and less than 3
points fewer than attention.
    every((_read(name, 8) > 0.95) & (_behind(name, 8) < 0.03) for name in ("mean", "sum"))

So it does for the concatenation, though not all of it: after 8 epochs it reads more than 80 %.
    _read("concatenate", 8) > 0.8

What is learnt place by place stays in its place: with two spaces in front, after 2 epochs and after
8, the concatenation keeps less than 30 % of its right answers, and at least 20 points less than
mean, sum and attention each.
    after 2 epochs: _stays_in_its_place(2)
    after 8: _stays_in_its_place(8)

One direction can do: after 2 epochs backward reads within 3 points of both directions, forward at
least 1 point fewer than these. After 8 epochs forward is less than 2 points behind them.
    (abs(_behind("backward")) <= 0.03) & (_behind("forward") >= 0.01)
        & (_read("backward") - _read("forward") >= 0.01) & (_behind("forward", 8) < 0.02)
        & (_read("backward", 8) - _read("forward", 8) < 0.02)

The forward reader looks behind the digit that it copies: after 2 epochs at least 10 points more
often than with both directions. Behind the digit of a one-digit day at least 20 points more often
than behind a digit of a two-digit day, and 50 points more often than with both directions.
    _looks_behind()

With two spaces in front, backward keeps more than 80 % of its right answers after 2 epochs, and at
least 20 points more than forward.
    (_remaining("backward") > 0.8) & (_remaining("backward") - _remaining("forward") >= 0.2)

Of random digits, trained annotations of both directions tell at least 3 points fewer of their six
nearest neighbours than untrained ones, after 2 epochs. One way, they tell less than 15 % of the
neighbours on the unread side.
    (_told("attention", NEIGHBOURS, "untrained") - _told("attention", NEIGHBOURS) >= 0.03)
        & (_told("forward", (1, 2, 3)) < 0.15) & (_told("backward", (-3, -2, -1)) < 0.15)

One door is enough: after 2 epochs cell, readout and tanh each read more than 90 %.
    every(_read(name) > 0.9 for name in models.ENTRIES[1:])

What expectations 3 to 6 found for 8 epochs is found again, each as it was: held or failed.
    not worked out: what 8 epochs gave at the rate
        for 2 was not kept. Expectation 5 failed then, in one seed, and holds now; so this failed

It changes little: the concatenation gains less than 5 points in the mean of the seeds, every other
reader less than 2.
    not worked out: what 8 epochs gave at the rate for 2 was not kept. While it was, this held
"""


ROWS = [([(*DESIGNS[name], epochs) for name in names], SEEDS) for names, epochs in PLAN]
EXPERIMENT = declared(__name__, measure, ROWS, Condition, rates=RATES)
