"""The models, data and training of the bottleneck experiments.

A condition says what is done (``task``), where the decoder may look (``model``), how large the
state is, how long the training lasts and at which rate:

fixed        at the encoder's last state, the same vector at every step (Cho et al. 2014)
start only   nowhere: the vector starts the decoder and is not given again (Sutskever et al. 2014)
attending    at all the encoder's states, weighted by the dot score

All three have the same parameters, to the last number. Random letters are copied or reversed;
number names are translated from English.

Every training pair is drawn anew, so more steps also mean more data. (Of two letters there are only
676 sources, which come again; longer ones hardly ever do.) A step reads 64 pairs. For letters the
15 lengths share the steps equally; for number names the batches that are not full add a few.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from attn_course.measures import by_group, correct
from attn_course.models.translator import Translator, bahdanau, fixed_context
from attn_course.search import Answer, answer
from attn_course.tasks import numbers, reversal
from attn_course.tasks.corpus import Corpus
from attn_course.tasks.vocabulary import Vocabulary
from attn_course.training import Settings, train
from attn_lab.experiment import RateSearch, results_of

LANGUAGES = {"German": "de", "French": "fr"}
TRAINED_ON, TESTED_ON = range(2, 17), (*range(2, 17), 18, 20, 24)  # letters
DIGITS, DIGITS_TESTED_ON = range(1, 10), range(2, 13)
STEPS = (300, 1_200, 4_800)
BATCH, TESTED_PAIRS = 64, 150


class Condition(NamedTuple):
    """One cell of the grid, for each seed."""

    task: str
    model: str
    size: int
    steps: int
    rate: float


@dataclass(frozen=True)
class Data:
    """The vocabularies, the corpus to train on, and pairs to test on with the length of each."""

    vocabularies: tuple
    corpus: Corpus
    test: list
    lengths: list[int]


def vocabularies_of(task: str) -> tuple[Vocabulary, Vocabulary]:
    """The vocabularies of a task: of the source and of the target."""
    if task in reversal.TASKS:
        return (reversal.letter_vocabulary(),) * 2
    return numbers.number_vocabularies(LANGUAGES[task])


def data_of(condition: Condition, seed: int) -> Data:
    """The training and test data, the same for every model, size and rate."""
    return _data(condition.task, condition.steps, seed)


@lru_cache(maxsize=2)
def _data(task: str, steps: int, seed: int) -> Data:
    letters, vocabularies = task in reversal.TASKS, vocabularies_of(task)
    if letters:
        count = steps // len(TRAINED_ON) * BATCH
        train_on = [
            pair
            for length in TRAINED_ON
            for pair in reversal.letter_pairs(count, 100 * seed + length, [length], task)
        ]
    else:
        train_on = numbers.number_pairs(steps * BATCH, seed, DIGITS, LANGUAGES[task])
    lengths = [n for n in (TESTED_ON if letters else DIGITS_TESTED_ON) for _ in range(TESTED_PAIRS)]
    test = [pair for n in dict.fromkeys(lengths) for pair in _test_pairs(task, n, seed)]
    return Data(vocabularies, Corpus(train_on, *vocabularies), test, lengths)


def _test_pairs(task: str, length: int, seed: int) -> list:
    seed = 100 * seed + length
    if task in reversal.TASKS:
        return reversal.letter_pairs(TESTED_PAIRS, seed, [length], task, "test")
    return numbers.number_pairs(TESTED_PAIRS, seed, [length], LANGUAGES[task], "test")


def build(condition: Condition, symbols: tuple[int, int]) -> Translator:
    """An untrained model, for these numbers of source and target symbols."""
    size = condition.size
    if condition.model == "attending":
        sizes = {"embedding_size": 32, "encoder_size": size, "state_size": size}
        return bahdanau(*symbols, "dot", **sizes, directions=1)
    every_step = condition.model == "fixed"
    return fixed_context(*symbols, embedding_size=32, state_size=size, every_step=every_step)


def trained(condition: Condition, seed: int) -> Translator:
    """One model after training; a second call returns the same one."""
    return _trained(condition, seed)  # a cache takes seed=0 and 0 for two questions


@lru_cache(maxsize=4)
def _trained(condition: Condition, seed: int) -> Translator:
    known = data_of(condition, seed)
    symbols = tuple(len(vocabulary) for vocabulary in known.vocabularies)
    return train(
        lambda: build(condition, symbols),
        known.corpus,
        seed=seed,
        settings=Settings(epochs=1, batch_size=BATCH, learning_rate=condition.rate),
        title=f"{condition.task}, {condition.model}, {condition.size}",
    )[0]


def answers(condition: Condition, seed: int) -> list[Answer]:
    """The answers of the trained model to the test pairs."""
    known = data_of(condition, seed)
    model = trained(condition, seed)
    return answer(model, [pair.source for pair in known.test], *known.vocabularies)


def exact(condition: Condition, seed: int, answers: list[Answer]) -> dict[str, float]:
    """By length, the share of targets written without a mistake."""
    known = data_of(condition, seed)
    right = correct([one.text for one in answers], [pair.target for pair in known.test])
    return {str(length): share for length, share in by_group(right, known.lengths).items()}


def overall(shares: dict[str, float], task: str = "copy") -> float:
    """The mean share of exact matches over the lengths that were trained on and tested."""
    trained_on = TRAINED_ON if task in reversal.TASKS else DIGITS
    return float(np.mean([shares[str(n)] for n in trained_on if str(n) in shares]))


def overall_exact(condition: Condition, seed: int) -> dict[str, float]:
    """The share of exact matches over the lengths of training, by which a rate is chosen."""
    shares = exact(condition, seed, answers(condition, seed))
    return {"exact": overall(shares, condition.task)}


RATES = RateSearch(
    Condition,
    overall_exact,
    results_of("bottleneck_rates"),
    judge="exact",
    smaller=False,
    first=(0.004, 0.008, 0.016, 0.032),
)
