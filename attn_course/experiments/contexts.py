"""What is averaged, from which annotations, and where does the result go? Nine readers of dates.

    python -m attn_course.experiments.contexts

One date reader, the model of Bahdanau et al. 2015, is changed in one place at a time. All learn
from the same dates with equal steps, and none knows anything of the source before its first look.

attention       annotations of both directions; the context enters the cell and the readout

forward         annotations of the same size, made from the left only
backward        made from the right only

mean            every position weighs the same
sum             the annotations are added up
concatenate     the annotations are written one after the other, up to a longest source

cell            the context enters the cell, [y ; c], and nowhere else
readout         it enters the readout, [s ; c], and nowhere else
tanh            it enters the readout through Luong's tanh(W [c ; s])

mean x 4        the mean again, trained for four times as many steps

The three that differ in where the context enters have the state size that comes nearest to the
parameters of "attention".
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import torch
from torch import nn

from attn_course.experiments.context_models import READERS, BackwardEncoder, Reader
from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.measures import exact_match
from attn_course.models.encoder import Encoder
from attn_course.models.translator import Translator
from attn_course.search import Answer, answer
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.dates import date_pairs, date_vocabularies, gold_sure
from attn_course.training import Settings, train

DIRECTIONS = ("attention", "forward", "backward")
POOLS = ("attention", "mean", "sum", "concatenate")
ENTRIES = ("attention", "cell", "readout", "tanh")
LONGER = ("mean x 4",)
CONDITIONS = tuple(dict.fromkeys(DIRECTIONS + POOLS + ENTRIES + LONGER))
SEEDS = (0, 1, 2)
RESULTS = results_of(__file__)

LOCALES = ("de", "en_GB", "es", "fr", "pl", "ru")  # all put the day before the month
EMBEDDING, ANNOTATION, STATE = 32, 64, 64
OFFSETS = range(-3, 4)  # which neighbours the probe asks for
DAY = 8  # where the day begins in YYYY-MM-DD


@lru_cache
def data():
    """The vocabularies, the corpus to train on, and dates of unseen days to test on."""
    vocabularies = date_vocabularies(LOCALES)
    corpus = Corpus(date_pairs(16_000, seed=0, locales=LOCALES), *vocabularies)
    return vocabularies, corpus, date_pairs(2_000, seed=1, days="test", locales=LOCALES)


# ---- the models


def build(condition: str, state_size: int | None = None) -> Translator:
    """One reader, fresh. Without a ``state_size`` it gets the one of its condition."""
    if condition not in CONDITIONS:
        raise ValueError(f"condition must be one of {CONDITIONS}; got {condition!r}")
    source, target = (len(vocabulary) for vocabulary in data()[0])
    if condition in ("forward", "backward"):  # one direction has the annotation to itself
        kind = BackwardEncoder if condition == "backward" else Encoder
        encoder = kind(source, EMBEDDING, ANNOTATION, directions=1)
    else:
        encoder = Encoder(source, EMBEDDING, ANNOTATION // 2)
    decoder = READERS.get(condition.removesuffix(" x 4"), Reader)
    return Translator(encoder, decoder(target, state_size or state_sizes()[condition], ANNOTATION))


@lru_cache
def state_sizes() -> dict[str, int]:
    """The state size of each condition; the ways to enter have parameters like "attention"."""
    sizes, tried = dict.fromkeys(CONDITIONS, STATE), range(STATE, 2 * STATE)
    with torch.random.fork_rng():  # the first model to ask must not start from other numbers
        wanted = parameters(build("attention", STATE))
        for condition in ENTRIES:
            sizes[condition] = min(
                tried, key=lambda size: abs(parameters(build(condition, size)) - wanted)
            )
    return sizes


def parameters(model: nn.Module) -> int:
    """How many numbers a model learns."""
    return sum(parameter.numel() for parameter in model.parameters())


# ---- what is measured


def trained(condition: str, seed: int) -> Translator:
    """One reader, trained as all are. Who asks again gets the same one."""
    return _trained(condition, seed)  # a cache takes seed=0 and 0 for two questions


@lru_cache(maxsize=4)
def _trained(condition: str, seed: int) -> Translator:
    settings = Settings(epochs=8 if condition in LONGER else 2)
    return train(lambda: build(condition), data()[1], seed=seed, settings=settings)[0]


def measure(condition: str, seed: int) -> dict[str, float]:
    """Train one reader; what it reads, where it looks, and what its annotations carry."""
    model, (_, _, test) = trained(condition, seed), data()
    answers = read(model, lambda source: source)
    spaced = read(model, lambda source: "  " + source)
    result = {
        "exact": exact_match([given.text for given in answers], [pair.target for pair in test]),
        "spaced": exact_match([given.text for given in spaced], [pair.target for pair in test]),
        "parameters": parameters(model),
    }
    if condition in DIRECTIONS:
        fresh = untrained_encoder(condition, seed)
        for name, encoder in (("trained", model.encoder), ("untrained", fresh)):
            result |= {f"{name} {at:+d}": share for at, share in probe(encoder, seed).items()}
        result |= looks(answers) | looks_for_days(answers)
    return result


def untrained_encoder(condition: str, seed: int) -> Encoder:
    """The encoder of a reader as it is before training."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return build(condition).encoder


def read(model: Translator, written: Callable[[str], str]) -> list[Answer]:
    """The model's answers to the test dates, each written in another way."""
    vocabularies, _, test = data()
    return answer(model, [written(pair.source) for pair in test], *vocabularies)


def looks(answers: list[Answer]) -> dict[str, float]:
    """Where the largest weight lies, while a digit is copied, against that very digit."""
    distances = []
    for pair, given in zip(data()[2], answers, strict=True):
        for i, j in np.argwhere(gold_sure(pair)[: len(given.weights)]):
            distances.append(given.weights[i].argmax() - j)
    distances = np.array(distances)
    return {
        "before": float((distances < 0).mean()),
        "on it": float((distances == 0).mean()),
        "behind": float((distances > 0).mean()),
    }


def looks_for_days(answers: list[Answer]) -> dict[str, float]:
    """How often the largest weight lies behind a copied digit of the day, by the day's digits.

    Behind a digit that stands alone it first shows that the day is written with one digit.
    """
    behind = {"one-digit day": [], "two-digit day": []}
    for pair, given in zip(data()[2], answers, strict=True):
        for i, j in np.argwhere(gold_sure(pair)[: len(given.weights)]):
            if i >= DAY:
                before, after = pair.source[:j][-1:], pair.source[j + 1 :][:1]
                alone = not before.isdigit() and not after.isdigit()
                found = given.weights[i].argmax() > j
                behind["one-digit day" if alone else "two-digit day"].append(found)
    return {f"behind, {name}": float(np.mean(found)) for name, found in behind.items()}


@torch.no_grad()
def probe(encoder: Encoder, seed: int, strings: int = 1_000) -> dict[int, float]:
    """How well a linear map reads the neighbours of position j off the annotation h_j.

    The strings are random digits: nothing but the annotation itself can tell a neighbour. The map
    is fitted on half of the strings by least squares and tried on the other half.
    """
    digits = np.random.default_rng(seed).integers(10, size=(strings, 13))
    symbols = torch.tensor([data()[0][0].encode("".join(map(str, row))) for row in digits])
    lengths = torch.full((strings,), symbols.shape[1])
    at = encoder.embedding.weight.device
    annotations = encoder(symbols.to(at), lengths.to(at)).cpu().numpy()
    inner = slice(max(OFFSETS), digits.shape[1] - max(OFFSETS))
    found = {}
    for offset in OFFSETS:
        neighbours = digits[:, inner.start + offset : inner.stop + offset]
        found[offset] = linear_reading(annotations[:, inner], neighbours)
    return found


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


def results(number: str) -> dict[str, list[float]]:
    """One number of every condition that has it, a value for each seed."""
    return read_grid(RESULTS, number)


if __name__ == "__main__":
    run_grid(RESULTS, CONDITIONS, SEEDS, measure)
