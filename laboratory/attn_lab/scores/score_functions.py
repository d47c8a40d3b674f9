"""Which score function? Every score of the course, trained alike for one epoch and for four.

The question: what does a score that sees query and keys, and can be sharp, buy that four times the
steps do not buy a score that lacks one of these?

The conditions. The model is Luong's, the dates those of twelve locales. One epoch is 30,000 dates
once, about 250 steps of 128 dates; four epochs are the same dates four times. All models have as
many parameters, within one percent: where the score has none of its own, the source embedding is
wider instead (`embedding_size`). Query and key are of one size for all. Each score has its own
learning rate for each number of epochs (`RATES`). The scores:

additive .. location     as in `attn_course.alignment.SCORES`
cosine x 10              ten times the cosine: a fixed temperature of 0.1
cosine, learnt           the same with a factor that is learnt, and starts at 1

and, for one epoch, three scores that ask with the state before the step, s_{i-1}, not with s_i.

`PLAN` says what is run, in its order; for four epochs, additive and the three scores that lack
something came first. A run takes what has not been measured yet.

A trial with another seed, at one common rate, had read 17.7, 39.4 and 44.2 % after one epoch, and
92.7, 93.9 and 89.0 % after four, with stacked, cosine and location. 8 and 9 were added when the
scores of expectations 1 to 5, and dot after one epoch, had been measured, and of the others nothing
but two trainings in the search for a rate of cosine x 10; 10 to 12 when everything above had been
measured, but for the learnt factor and concat, and for four epochs only additive, stacked, cosine
and location. Until 13 and 14 these four had been trained for four epochs at their best rate for
one; now they have a rate of their own for four too. Nothing was expected of the other numbers of
`judge`, among them the dates of more than 20 characters.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from attn_course.measures import correct, exact_match
from attn_course.models.translator import Translator
from attn_course.search import answer
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.dates import TARGET_LENGTH, DatePair, gold_possible
from attn_course.training import Settings, loss_on, train
from attn_course.weights import entropy
from attn_lab.experiment import SEEDS, RateSearch, declared, results_of
from attn_lab.measuring import parameters
from attn_lab.reading_dates.learnt_models import alignment
from attn_lab.scores import score_models as models
from attn_lab.scores.score_models import HEAD, SCORES, vocabularies

BEFORE = ("additive", "general", "scaled_dot")  # asked with s_{i-1} too
LATER = ("cosine, learnt", "concat")  # trained when the others had been measured
PLAN = (  # scores, the state that asks, epochs
    *((score, "after", 1) for score in SCORES if score not in LATER),
    *((score, "after", 4) for score in ("additive", "stacked", "cosine", "location")),
    *((score, "before", 1) for score in BEFORE),
    *((score, "after", 4) for score in ("dot", "general")),
    *(("cosine, learnt", "after", 1), ("scaled_dot", "after", 4), ("cosine, learnt", "after", 4)),
    *(("concat", "after", epochs) for epochs in (1, 4)),
)
LONG = 20  # characters; a longer date counts as long


class Reader(NamedTuple):
    """One date reader."""

    score: str
    asks_with: str  # the state "after" the step, s_i, or "before" it, s_{i-1}
    epochs: int
    rate: float


class Trial(NamedTuple):
    """One date reader, of the search for a rate."""

    score: str
    epochs: int
    rate: float


def loss(trial: Trial, seed: int) -> dict[str, float]:
    """The loss on dates that were not trained on, by which a rate is chosen."""
    model, _ = trained(Reader(trial.score, "after", trial.epochs, trial.rate), seed)
    return {"loss": loss_on(model, Corpus(models.validation_pairs(seed), *vocabularies()))}


RATES = RateSearch(Trial, loss, results_of("score_rates"))


def reader(score: str, asks_with: str = "after", epochs: int = 1) -> Reader:
    """The condition with its own learning rate."""
    return EXPERIMENT.condition(score, asks_with, epochs)


def measure(condition: Reader, seed: int) -> dict[str, float]:
    """Train one model, and measure what it reads, and where it looks."""
    model, steps = trained(condition, seed)
    return judge(model, models.test_pairs(seed)) | {
        "steps": steps,
        "parameters": parameters(model),
        "of the score": parameters(model.decoder.score),
    }


def trained(condition: Reader, seed: int) -> tuple[Translator, int]:
    """The trained model of a condition, and its number of steps."""
    model, history = train(
        lambda: models.build(condition.score, condition.asks_with),
        models.corpus(seed),
        seed=seed,
        settings=Settings(epochs=condition.epochs, learning_rate=condition.rate),
    )
    return model, len(history.losses)


def judge(model: Translator, pairs: Sequence[DatePair]) -> dict[str, float]:
    """How well a model reads, and where it looks.

    exact    share of dates read without an error; "long" that of the long ones alone, "later" that
             of all with `HEAD` written before them
    error    alignment error rate
    field    share of target characters whose largest weight lies in the field that made them
    entropy  of the weights, in nats, the mean over the characters that have a gold link
    """
    targets = [pair.target for pair in pairs]
    answers = answer(model, [pair.source for pair in pairs], *vocabularies())
    later = answer(model, [HEAD + pair.source for pair in pairs], *vocabularies())
    right = correct([written.text for written in answers], targets)
    maps = alignment(pairs, answers)
    spread = [
        entropy(torch.tensor(written.weights[gold_possible(pair).any(axis=1)]))
        for pair, written in zip(pairs, answers, strict=True)
        if len(written.text) == TARGET_LENGTH
    ]
    return {
        "exact": float(right.mean()),
        "long": float(right[[len(pair.source) > LONG for pair in pairs]].mean()),
        "later": exact_match([written.text for written in later], targets),
        "error": maps["alignment error"],
        "field": maps["field"],
        "entropy": torch.cat(spread).double().mean().item(),
    }


def results(number: str, epochs: int = 1, asks_with: str = "after") -> dict[str, list[float]]:
    """One number of the scores: a value for each seed."""
    rows = EXPERIMENT.by_row(number).items()
    return {score: values for (score, *rest), values in rows if rest == [asks_with, epochs]}


# ---- what was expected

LACKING = ("stacked", "cosine", "location")
SHARP = ("dot", "general", "scaled_dot", "cosine, learnt", "concat")


def _of(score: str, epochs: int = 1, number: str = "exact", asks: str = "after") -> np.ndarray:
    """One number of a score, by seed."""
    return EXPERIMENT.of(number, score, asks, epochs)


EXPECTED = """
2026-11-22

Time makes up for most of it: after four epochs stacked, cosine and location each read at least 75 %
of the dates, and at least 30 points more than after one.
    every((_of(one, 4) >= 0.75) & (_of(one, 4) - _of(one) >= 0.3) for one in LACKING)

Not for all of it: after four epochs additive reads at least one point more than each of them.
    every(_of("additive", 4) - _of(one, 4) >= 0.01 for one in LACKING)

More steps do not buy a map: after four epochs the alignment error of stacked is above 50 %, by at
least 30 points above that of additive.
    (_of("stacked", 4, "error") > 0.5)
        & (_of("stacked", 4, "error") - _of("additive", 4, "error") >= 0.3)

Nor sharp weights: after four epochs the entropy of the plain cosine is above 2 nats, by at least 1
nat above that of additive.
    (_of("cosine", 4, "entropy") > 2)
        & (_of("cosine", 4, "entropy") - _of("additive", 4, "entropy") >= 1)

Nor dates that begin elsewhere: with "Berlin, " before every date (eight characters, so that every
place is another one than in training), location reads below 20 % after four epochs, and additive
and dot at least 20 points more than location.
    (_of("location", 4, "later") < 0.2)
        & every(_of(score, 4, "later") - _of("location", 4, "later") >= 0.2
        for score in ("additive", "dot"))

Dot reads at least 2 points more than general after one epoch; after four epochs the two are less
than 3 points apart.
    after one epoch: _of("dot") - _of("general") >= 0.02
    after four: np.abs(_of("dot", 4) - _of("general", 4)) < 0.03

The state before the step reads as much as the state after it, within 10 points, for additive and
scaled dot.
    (abs(_of("additive", asks="before") - _of("additive")) <= 0.1)
        & (abs(_of("scaled_dot", asks="before") - _of("scaled_dot")) <= 0.1)

A cosine that can be sharp reads as a dot product does: after one epoch cosine x 10 and cosine,
learnt each read at least 30 points more than the plain cosine.
    every(_of(one) - _of("cosine") >= 0.3 for one in ("cosine x 10", "cosine, learnt"))

What is one function in two notations reads alike: after one epoch concat and additive are less than
5 points apart; and so are scaled dot and dot, whose scores lie close together from the start.
    concat and additive: abs(_of("concat") - _of("additive")) < 0.05
    scaled dot and dot: abs(_of("scaled_dot") - _of("dot")) < 0.05

What remains after four epochs is no matter of the formula, as long as a score sees query and keys
and can be sharp: after four epochs dot, general, scaled dot, learnt cosine and concat each read
within 2 points of additive.
    every(np.abs(_of(one, 4) - _of("additive", 4)) <= 0.02 for one in SHARP)

They have a map: after four epochs the alignment error of each lies below 25 %.
    every(_of(one, 4, "error") < 0.25 for one in SHARP)

A cosine learns to be sharp: after four epochs the entropy of cosine, learnt is at least 1 nat below
that of the plain cosine.
    _of("cosine", 4, "entropy") - _of("cosine, learnt", 4, "entropy") >= 1

Expectations 1 to 5 and 10 hold again. (Expectation 2, that additive stays a point ahead of each of
the three, is the one that may fall.)
    1 to 4 and 10: every(holds(number) for number in (1, 2, 3, 4, 10))
    5: holds(5)

It changes little: none of the four reads more than 3 points more than at the rate for one epoch, in
the mean of the seeds.
    not worked out: what four epochs gave at the rate
        for one was not kept. While it was, this failed by a hair, for location
"""


ROWS = [([row], SEEDS) for row in PLAN]
EXPERIMENT = declared(__name__, measure, ROWS, Reader, rates=RATES, searched=lambda *row: row[::2])
