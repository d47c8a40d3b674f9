"""Where is the mistake, and of which kind? One pointer for all four kinds of typing mistakes.

The questions. A replaced letter leaves the word's length as it was. Does the pointer of
`typo_place` also find a letter that is superfluous, the gap where one is missing, two that have
changed places, and can it tell which of these happened? What do the other kinds cost where a
letter was replaced?

The conditions (`Condition`). The pointer, told the place, trained on 64,000 mistakes in known
words, the kind drawn evenly, once or four times; it is asked for the kind in the place of the
letter. The learning rate is the best of at least four for one epoch, judged by the loss on new
mistakes in known words, with a seed used for nothing else; it is kept for four. Judged on 2,000 new
mistakes of each kind in known words ("typos") and in unknown ones ("words"). *Located*: the largest
weight lies on the place that the task names, which of a missing letter is the letter behind the
gap, and of two exchanged ones the first.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from attn_course.models.pointer import Mending, WordReader
from attn_course.tasks.typos import KINDS, TypoPair, typo_pairs
from attn_course.training import Settings, train
from attn_lab.experiment import SEEDS, RateSearch, declared, results_of
from attn_lab.measuring import loss_of_words
from attn_lab.typo_corpus import TypoCorpus, ask_kind
from attn_lab.typos import typo_place
from attn_lab.typos.typo_models import PAIRS, SPLITS, TESTED, build, read

EPOCHS = (1, 4)


class Condition(NamedTuple):
    """The number of epochs, and the peak learning rate."""

    epochs: int
    rate: float


def unseen_pairs(seed: int, split: str, kind: str) -> list[TypoPair]:
    """Mistakes of one kind that are not trained on."""
    return typo_pairs(TESTED, 2_000 + seed, [kind], split)


def trained(condition: Condition, seed: int) -> tuple[WordReader, int]:
    """One pointer after training, and its number of steps."""
    settings = Settings(epochs=condition.epochs, learning_rate=condition.rate, guidance=1.0)
    corpus = TypoCorpus(typo_pairs(PAIRS, 1_000 + seed, KINDS), ask_kind)
    model, history = train(lambda: build("pointer"), corpus, seed=seed, settings=settings)
    return model, len(history.losses)


def measure(condition: Condition, seed: int) -> dict:
    """Train one pointer, and measure what it locates and which kind it names, by split and kind."""
    model, steps = trained(condition, seed)
    numbers: dict = {"steps": steps}
    for split in SPLITS:
        for kind in KINDS:
            pairs = unseen_pairs(seed, split, kind)
            for name, share in judge(pairs, read(model, pairs)).items():
                numbers.setdefault(f"{split} {name}", {})[kind] = share
    return numbers


def judge(pairs: Sequence[TypoPair], mendings: Sequence[Mending]) -> dict[str, float]:
    """How often the position and the kind are right."""
    both = list(zip(pairs, mendings, strict=True))
    return {
        "located": float(np.mean([one.place == pair.place for pair, one in both])),
        "kind": float(np.mean([one.letter == pair.kind[0] for pair, one in both])),
    }


def loss(condition: Condition, seed: int) -> dict[str, float]:
    """The mean loss of new mistakes in known words, kind and position together, in nats."""
    model, _ = trained(condition, seed)
    pairs = typo_pairs(TESTED, 2_000 + seed, KINDS, "typos")
    return {"loss": loss_of_words(model, TypoCorpus(pairs, ask_kind), 1.0, TESTED)}


RATES = RateSearch(Condition, loss, results_of("typo_kinds_rates"))


def results(number: str, epochs: int = 4) -> dict[str, list[float]]:
    """One number, such as "typos located", by kind: a value for each seed."""
    return {kind: EXPERIMENT.of(number, epochs, at=[kind]).tolist() for kind in KINDS}


# ---- what was expected


def _by_kind(number: str, epochs: int) -> np.ndarray:
    """A number of known words: a row for each kind, a column for each seed."""
    return np.array(list(results(f"typos {number}", epochs).values()))


def _cost_of_the_others(epochs: int) -> np.ndarray:
    """How far it is behind a pointer that has seen nothing but replaced letters."""
    alone = typo_place.EXPERIMENT.of("typos located", "pointer", True, 12, epochs)
    return alone - _by_kind("located", epochs)[KINDS.index("substitution")]


EXPECTED = """
2026-11-23

In known words it locates at least 40 % of the mistakes of each kind after one epoch, and at least
half after four.
    (_by_kind("located", 1).min(axis=0) >= 0.4) & (_by_kind("located", 4).min(axis=0) >= 0.5)

A missing letter is located least often of the four kinds, in known words, after one epoch and after
four.
    after one epoch: _by_kind("located", 1)[KINDS.index("deletion")] == _by_kind("located",
        1).min(axis=0)
    after four: _by_kind("located", 4)[KINDS.index("deletion")] == _by_kind("located",
        4).min(axis=0)

Where a letter was replaced, it locates at most 10 points less than the pointer that has seen
nothing else and four times as many of these mistakes, after one epoch and after four.
    after one epoch: _cost_of_the_others(1) <= 0.1
    after four: _cost_of_the_others(4) <= 0.1

It names the kind of at least half of new mistakes in known words after one epoch, of at least 60 %
after four.
    after one epoch: _by_kind("kind", 1).mean(axis=0) >= 0.5
    after four: _by_kind("kind", 4).mean(axis=0) >= 0.6
"""


ROWS = [([(epochs,)], SEEDS) for epochs in EPOCHS]
EXPERIMENT = declared(__name__, measure, ROWS, Condition, rates=RATES, searched=lambda _: (1,))
