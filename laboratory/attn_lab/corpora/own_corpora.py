"""What comes of a corpus that nobody prepared? Three of them, three models, two budgets.

The question: somebody brings a thousand pairs of texts and trains a model with the usual settings.
How much does it read right, what is attention worth there, and what do four times the steps change?

The corpora (`attn_lab.corpora.readers_corpora`), each of 1,150 to 1,300 pairs: *welsh*, dates of a
locale that no chapter has; *amounts*, euros in English words, where symbols are digits and words;
*names*, from Serbian in Latin letters to Serbian in Cyrillic ones.

The models, of the sizes that ``python -m attn_course train`` took at the time: *bahdanau*,
*fixed_context*, whose decoder gets one vector, and *transformer*. Of the sources a tenth is for
validation and another for the test, as there; but a seed shuffles them. Batches of 64 at most,
whose sources have one length. 15 epochs, the fewest that this command takes by default, and 60.
No dropout; the last weights are kept. Each model has its own rate for each corpus and budget, the
best of at least four by the loss on the validation pairs of seed 100, which is used for nothing
else. A seed redraws corpus (of names there is but one), parts, start and order.

*Right* is the share of test pairs that are written to the last character.

A trial with another split of the names (seed 100 alone, 40 epochs, no validation) had given 36 to
39 of 144 right after 160 steps. The reason given in 4, that few pairs do not suit a Transformer,
does not stand: with more epochs it is level on dates and amounts. Found afterwards: a table of
letters, counted in the training pairs, writes more of the names right than any of the three models.

Controls, after a referee had read the page (`CONTROLS`). Two that could overturn "one vector":
*reversed*, fixed_context that is given the source from its end, as in Sutskever et al. 2014, and
*double state*, fixed_context with 192 entries in place of 96. One for what else differs: *one
direction*, bahdanau whose encoder reads from the left only, with 96 entries as in fixed_context.
And *luong*, the decoder with the general score in place of bahdanau's. All at rates of their own,
searched as above; on names first, then reversed and double state on amounts. Before 7 to 12
the referee had got, of names, with other rates and parts: reversed .165 and .148, double state
.217, one direction .809 and .765, after 15 epochs; luong .617 and .583 then, which at its own rate
nobody repeated, and .852 after 60.

While the search for reversed on names after 60 epochs ran, it went down to .0015, with a lower loss
each time. That of fixed_context had ended in a valley at .048, between 1.95 at .024 and 1.84 at
.096, and had tried nothing below .012, whose loss was nearly as low (1.76 against 1.73). So the
rate of fixed_context for names and 60 epochs is searched again, from .003 on (`BEGIN`): 13 and 14.
At .003 and .006 the loss was 1.76 and 1.84, so .0015, the best rate of reversed, is tried too; 13
and 14 stay as they are.

Somebody who wanted to overturn what the page says of these controls asked for the strongest rival:
*both*, one vector with 192 entries that reads the source from its end: 15. What was expected of
controls that were never run (dates; after 60 epochs, all but reversed) is not listed.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from torch import nn

from attn_course.measures import correct
from attn_course.models import translator
from attn_course.search import answer
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.vocabulary import Vocabulary
from attn_course.training import Settings, loss_on, train
from attn_lab.corpora.readers_corpora import CORPORA, OwnPair
from attn_lab.experiment import SEEDS, RateSearch, declared, results_of
from attn_lab.rates import FIRST

MODELS = ("bahdanau", "fixed_context", "transformer")
EPOCHS = (15, 60)
BATCH = 64
LONGEST = 100  # symbols that an answer may have
# in the order in which they are run
PLAN = tuple((corpus, model, epochs) for epochs in EPOCHS for model in MODELS for corpus in CORPORA)
CONTROLS = ("reversed", "double state", "one direction", "luong", "both")
CONTROLLED = (
    *(("names", control, 15) for control in CONTROLS),
    *(("amounts", control, 15) for control in CONTROLS[:2]),
    *((corpus, "reversed", 60) for corpus in ("names", "amounts")),
)
AT_RATES_OF_FEWER = (("names", "fixed_context"),)  # after many epochs, at the rate of few
# where a search begins if not with `FIRST`
BEGIN = {
    ("names", "fixed_context", 60): (0.0015, 0.003, 0.006, *FIRST),
    ("names", "both", 15): (0.003, 0.006, 0.012),
}


class Condition(NamedTuple):
    """A corpus, a model, the number of epochs, and the peak learning rate."""

    corpus: str
    model: str
    epochs: int
    rate: float


class Parts(NamedTuple):
    """The pairs of a corpus, divided for training, validation and test."""

    training: list[OwnPair]
    validation: list[OwnPair]
    test: list[OwnPair]


def parts(corpus: str, seed: int) -> Parts:
    """A corpus as a seed draws and divides it; each source is in only one part."""
    pairs = CORPORA[corpus](seed)
    random.Random(seed).shuffle(pairs)
    tenth = len(pairs) // 10
    return Parts(pairs[2 * tenth :], pairs[:tenth], pairs[tenth : 2 * tenth])


def vocabularies(corpus: str, pairs: list[OwnPair]) -> tuple[Vocabulary, Vocabulary]:
    """The symbols of the training pairs: characters, or words for amounts."""
    sides = [[pair.source for pair in pairs], [pair.target for pair in pairs]]
    if corpus != "amounts":
        return tuple(Vocabulary.from_texts(texts) for texts in sides)
    words = (sorted({word for text in texts for word in text.split()}) for texts in sides)
    return tuple(Vocabulary(side, separator=" ") for side in words)


def build(model: str, source_symbols: int, target_symbols: int) -> nn.Module:
    """An untrained model."""
    counts = source_symbols, target_symbols
    if model == "transformer":
        return translator.transformer(*counts, size=64, heads=4, hidden_size=128)
    if model in ("fixed_context", "reversed", "double state", "both"):
        size = 192 if model in ("double state", "both") else 96
        return translator.fixed_context(*counts, embedding_size=48, state_size=size)
    if model == "one direction":
        return translator.bahdanau(*counts, embedding_size=48, encoder_size=96, directions=1)
    if model == "luong":
        return translator.luong(*counts, embedding_size=48)
    return translator.bahdanau(*counts, embedding_size=48)


def as_read(model: str, pairs: list[OwnPair]) -> list[OwnPair]:
    """The pairs as a model is given them: from the end of the source, if that is its way."""
    if model not in ("reversed", "both"):
        return pairs
    return [pair._replace(source=pair.source[::-1]) for pair in pairs]  # symbols of one letter


def trained(condition: Condition, seed: int) -> tuple[nn.Module, int, tuple]:
    """A model after training, its number of steps, and its vocabularies."""
    pairs = as_read(condition.model, parts(condition.corpus, seed).training)
    both = vocabularies(condition.corpus, pairs)
    corpus = Corpus(pairs, *both)
    settings = Settings(
        epochs=condition.epochs,
        batch_size=BATCH,
        learning_rate=condition.rate,
        warm_up=150 if condition.model == "transformer" else 30,
    )
    fresh: Callable = partial(build, condition.model, *map(len, both))
    model, history = train(fresh, corpus, seed=seed, settings=settings)
    return model, len(history.losses), both


def measure(condition: Condition, seed: int) -> dict:
    """Train one model, and let it write the targets of the test pairs.

    right    share that is right to the last character
    groups   the same by group
    shorter, longer   the same for sources up to the median length, and above it
    steps    of the training
    """
    model, steps, both = trained(condition, seed)
    test = as_read(condition.model, parts(condition.corpus, seed).test)
    answers = answer(model, [pair.source for pair in test], *both, longest=LONGEST)
    right = correct([one.text for one in answers], [pair.target for pair in test]).astype(float)
    lengths = np.array([len(both[0].split(pair.source)) for pair in test])
    long = lengths > np.median(lengths)
    groups = np.array([pair.group for pair in test])
    return {
        "right": right.mean().item(),
        "groups": {str(name): right[groups == name].mean().item() for name in np.unique(groups)},
        "shorter": right[~long].mean().item(),
        "longer": right[long].mean().item(),
        "steps": steps,
    }


# ---- rates


def loss(condition: Condition, seed: int) -> dict[str, float]:
    """The loss on the validation pairs after training; infinite losses end a search upwards."""
    try:
        model, _, both = trained(condition, seed)
    except FloatingPointError:
        return {"loss": 1e9}
    pairs = as_read(condition.model, parts(condition.corpus, seed).validation)
    return {"loss": loss_on(model, Corpus(pairs, *both))}


def first_rates(corpus: str, model: str, epochs: int) -> Sequence[float]:
    """Where a search begins."""
    return BEGIN.get((corpus, model, epochs), FIRST)


RATES = RateSearch(Condition, loss, results_of("own_corpora_rates"), first=first_rates)


def at_rate_of_fewer(corpus: str, model: str) -> Condition:
    """The condition of many epochs at the rate that is best for few."""
    few, many = EPOCHS
    return Condition(corpus, model, many, condition(corpus, model, few).rate)


# ---- what was expected


def _right(corpus: str, model: str, epochs: int = 15) -> np.ndarray:
    """The share of test pairs written right, by seed."""
    return EXPERIMENT.of("right", corpus, model, epochs)


def _behind(corpus: str, model: str, epochs: int = 15) -> np.ndarray:
    """How far a model is behind bahdanau."""
    return _right(corpus, "bahdanau", epochs) - _right(corpus, model, epochs)


def _best_loss(epochs: int) -> float:
    """The lowest loss of fixed_context on names."""
    return min(RATES.tried("names", "fixed_context", epochs).values())


EXPECTED = """
2026-11-23

With attention a thousand pairs suffice: bahdanau writes more than half of each corpus right after
15 epochs, and more than 80 % after 60.
    after 15 epochs: every(_right(one, "bahdanau") > 0.5 for one in CORPORA)
    after 60: every(_right(one, "bahdanau", 60) > 0.8 for one in CORPORA)

Names are long and copied letter by letter: on them fixed_context writes at least 20 points fewer
right than bahdanau, after 15 epochs and after 60.
    every(_behind("names", "fixed_context", epochs) >= 0.2 for epochs in EPOCHS)

On dates, which fit into one vector, the two are within 10 points after 60 epochs.
    abs(_behind("welsh", "fixed_context", 60)) <= 0.1

Few pairs do not suit a Transformer: on each corpus it writes fewer right than bahdanau after 15
epochs.
    every(_behind(one, "transformer") > 0 for one in CORPORA)

Four times the steps are worth at least 10 points to bahdanau on each corpus.
    every(_right(one, "bahdanau", 60) - _right(one, "bahdanau") >= 0.1 for one in CORPORA)

Of the names in the longer half bahdanau writes at least 10 points fewer right than of those in the
shorter half, after 15 epochs.
    of("shorter", "names", "bahdanau", 15) - of("longer", "names", "bahdanau", 15) >= 0.1

2026-11-26

Of names, reversed and double state each write at least 40 points fewer right than bahdanau after 15
epochs, and reversed after 60 too.
    after 15 epochs: (_behind("names", "reversed") >= 0.4)
        & (_behind("names", "double state") >= 0.4)
    after 60: _behind("names", "reversed", 60) >= 0.4

After 15 epochs they write at least 10 points fewer right than bahdanau on amounts too.
    reversed: _behind("amounts", "reversed") >= 0.1
    double state: _behind("amounts", "double state") >= 0.1

After 60 epochs reversed stays at least 5 points behind bahdanau on amounts.
    _behind("amounts", "reversed", 60) >= 0.05

One direction stays within 10 points of bahdanau on names after 15 epochs.
    abs(_behind("names", "one direction")) <= 0.1

luong is at least 5 points behind bahdanau on names after 15 epochs.
    _behind("names", "luong") >= 0.05

None of them writes as many names right as the table of letters, after 15 epochs or after 60.
    not worked out: chapter 13 counts the table of letters, which is not stored

The best loss is below 1.6 then, at a rate below .012, and still above that of 15 epochs, 1.16.
    _best_loss(15) < _best_loss(60) < 1.6 and RATES.best("names", "fixed_context", 60) < 0.012

At that rate fixed_context writes at least 40 points fewer names right than bahdanau, and not more
than 10 points more than after 15 epochs, in every seed.
    (_behind("names", "fixed_context", 60) >= 0.4)
        & (_right("names", "fixed_context", 60) - _right("names", "fixed_context") <= 0.1)

Of names, *both* writes at least 40 points fewer right than bahdanau after 15 epochs.
    _behind("names", "both") >= 0.4
"""


def plan() -> Iterator:
    """Each at its own rate, in the order of the plan; last, those at another rate."""
    yield from (([row], SEEDS) for row in PLAN + CONTROLLED)
    yield from (([at_rate_of_fewer(*row)], SEEDS) for row in AT_RATES_OF_FEWER)


EXPERIMENT = declared(__name__, measure, plan, Condition, rates=RATES)
condition, results = EXPERIMENT.condition, EXPERIMENT.by_row
