"""How much of a processor's time does each date reader need until it reads?

The question: `transformer_parts` compares readers after as many epochs. But an epoch costs one
reader more time than another. How does a Transformer compare with Bahdanau's reader and with
Luong's if seconds are counted, and not epochs?

The readers, dates, rates and batches are those of `transformer_parts`. One cell trains all three
one after the other, on one thread of one processor; with each seed another one begins, so that a
machine that slows down favours none. The clock is the CPU time of the process, and stops while a
reader is tested, on 500 unseen dates after every `CHECK` dates that it was trained on. Seconds
differ between machines, so only their ratios are used, between readers of one cell.

Nothing was expected of Luong's reader. Whoever begins also pays for torch's first steps, about a
second: with seed 0 that is Bahdanau's reader, with seed 2 the Transformer. The bars do not decide
what comes out: at others between 50 and 98 % the Transformer is behind in each seed, too.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from attn_course.models.translator import Translator
from attn_course.training import Settings, train
from attn_lab.experiment import SEEDS, declared
from attn_lab.reading_dates import learnt_models
from attn_lab.reading_dates.learnt_models import corpus, exact, unseen
from attn_lab.transformers import transformer_models
from attn_lab.transformers.transformer_models import Reader, best_rate

READERS = ("bahdanau", "luong", "whole")  # "whole" is the Transformer
BAHDANAU = 0.024  # the rate of "joint" in `must_attention_be_learnt`
CHECK = 960  # dates of the training, a multiple of each batch
DATES = 500  # to test with
BARS = {2: 0.9, 8: 0.97}


class Epochs(NamedTuple):
    """How many epochs each reader is trained for."""

    epochs: int


def measure(condition: Epochs, seed: int) -> dict[str, list]:
    """For each reader, the seconds spent and the share of dates read, test by test."""
    start = seed % len(READERS)
    order = READERS[start:] + READERS[:start]
    return {kind: curve(kind, condition.epochs, seed) for kind in order}


def curve(kind: str, epochs: int, seed: int) -> list[list[float]]:
    """Train one reader; after each stretch, the CPU seconds so far and the share that it reads."""
    dates, test, points = corpus(seed), unseen(seed)[:DATES], []
    spent, since = 0.0, time.process_time()

    def look(model: Translator) -> float:
        nonlocal spent, since
        spent += time.process_time() - since
        share = exact(model, test)
        points.append([round(spent, 3), share])
        since = time.process_time()
        return share

    settings = settings_of(kind, epochs)
    train(lambda: build(kind), dates, look, seed=seed, settings=settings)
    return points


def build(kind: str) -> Translator:
    """An untrained reader."""
    if kind == "bahdanau":
        return learnt_models.build("joint")
    return transformer_models.build(kind)


def settings_of(kind: str, epochs: int) -> Settings:
    """The settings of its own experiment, with tests during training."""
    if kind == "bahdanau":
        settings = Settings(epochs=epochs, batch_size=96, learning_rate=BAHDANAU)
    else:
        settings = transformer_models.settings(Reader(kind, epochs, best_rate(kind)))
    return replace(settings, check_every=CHECK // settings.batch_size)


def seconds_to(points: Sequence[Sequence[float]], bar: float) -> float:
    """The seconds at the first test that reaches the bar; infinite if none does."""
    return next((seconds for seconds, share in points if share >= bar), float("inf"))


def curves(kind: str) -> dict[Epochs, list]:
    """The result of `curve` for a reader, for each seed."""
    return EXPERIMENT.results(kind)


def ratios(kind: str, epochs: int = 2) -> list[float]:
    """A reader's seconds to the bar, divided by those of Bahdanau's reader, for each seed."""
    to_bar = [
        [seconds_to(points, BARS[epochs]) for points in curves(reader)[Epochs(epochs)]]
        for reader in (kind, "bahdanau")
    ]
    return [one / other for one, other in zip(*to_bar, strict=True)]


# ---- what was expected

EXPECTED = """
2026-11-24

In a training of two epochs the Transformer needs more seconds than Bahdanau's reader until it reads
90 % of the dates.
    np.array(ratios("whole", 2)) > 1

The same in a training of eight epochs, until it reads 97 %.
    np.array(ratios("whole", 8)) > 1
"""


PLAN = [([Epochs(epochs)], SEEDS) for epochs in BARS]
EXPERIMENT = declared(__name__, measure, PLAN, Epochs)
