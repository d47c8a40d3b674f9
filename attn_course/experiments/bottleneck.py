"""How much fits in one vector? Length and state size, with and without attention.

    python -m attn_course.experiments.bottleneck            all of it
    python -m attn_course.experiments.bottleneck "German"   these conditions first, then the rest

One encoder, one decoder, one way of training, equally many parameters to the last one. What
differs is where the decoder may look at each step:

fixed        at the encoder's last state, the same vector at every step (Cho et al. 2014)
start only   nowhere: the vector starts it and is not given again (Sutskever et al. 2014)
attending    at all the encoder's states, weighted by the dot score

Random letters are copied or written backwards; number names are translated out of English.
``backwards`` feeds the source from its end, ``longer`` trains four times as long.
"""

import sys
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import torch

from attn_course.experiments.grid import read_grid, results_of, run_grid
from attn_course.measures import by_group, correct
from attn_course.models.translator import Translator, bahdanau, fixed_context
from attn_course.search import Answer, answer
from attn_course.tasks import numbers, reversal
from attn_course.tasks.corpus import Corpus, pad
from attn_course.training import Settings, train

SIZES = (16, 32, 64, 128, 256)
MODELS = ("fixed", "attending")
SEEDS = (0, 1, 2)
RESULTS = results_of(__file__)

TRAINED_ON, TESTED_ON = range(2, 17), (*range(2, 17), 18, 20, 24)  # letters
DIGITS, DIGITS_TESTED_ON = range(1, 10), range(2, 13)
BY_POSITION = (4, 6, 8, 10, 12, 16)  # lengths whose positions are judged one by one
PAIRS, TESTED_PAIRS, SHOWN = 10_000, 150, 3
SETTINGS = Settings(epochs=2, batch_size=64, learning_rate=8e-3)

LETTERS = [
    f"{task}, {model}, {size}" for task in reversal.TASKS for size in SIZES for model in MODELS
]
NAMES = [f"{task}, {model}, 64" for task in ("German", "French") for model in MODELS]
CONTROLS = [
    *(f"{task}, fixed, 64, backwards" for task in ("German", "French")),
    *(f"{task}, start only, 128" for task in reversal.TASKS),
    "copy, fixed, 128, longer",
]  # fmt: skip
CONDITIONS = (*LETTERS, *NAMES, *CONTROLS)


@dataclass(frozen=True)
class Data:
    """The vocabularies, the corpus to train on, and pairs to test on with the length of each."""

    vocabularies: tuple
    corpus: Corpus
    test: list
    lengths: list[int]


@lru_cache(maxsize=4)
def data(task: str, backwards: bool = False) -> Data:
    """What a condition is trained and tested on; the same for every model, size and seed."""
    if task in reversal.TASKS:
        vocabularies = (reversal.letter_vocabulary(),) * 2
        train_on = reversal.letter_pairs(PAIRS, 0, TRAINED_ON, task)
        lengths = [length for length in TESTED_ON for _ in range(TESTED_PAIRS)]
        test = [
            pair
            for length in TESTED_ON
            for pair in reversal.letter_pairs(TESTED_PAIRS, length, [length], task, "test")
        ]
    else:
        language = {"German": "de", "French": "fr"}[task]
        vocabularies = numbers.number_vocabularies(language)
        train_on = numbers.number_pairs(PAIRS, 0, DIGITS, language)
        lengths = [digits for digits in DIGITS_TESTED_ON for _ in range(TESTED_PAIRS)]
        test = [
            pair
            for digits in DIGITS_TESTED_ON
            for pair in numbers.number_pairs(TESTED_PAIRS, digits, [digits], language, "test")
        ]
    if backwards:
        train_on, test = ([turned(pair) for pair in pairs] for pairs in (train_on, test))
    return Data(vocabularies, Corpus(train_on, *vocabularies), test, lengths)


def turned(pair):
    """The pair with its source fed from the end (Sutskever et al. 2014, section 3.3)."""
    return replace(
        pair,
        source=" ".join(reversed(pair.source_pieces)),
        source_parts=tuple(reversed(pair.source_parts)),
    )


def build(condition: str) -> Translator:
    """An untrained model of a condition."""
    model, size = condition.split(", ")[1:3]
    symbols, size = [len(vocabulary) for vocabulary in of(condition).vocabularies], int(size)
    if model == "attending":
        sizes = {"embedding_size": 32, "encoder_size": size, "state_size": size}
        return bahdanau(*symbols, "dot", **sizes, directions=1)
    every_step = model == "fixed"
    return fixed_context(*symbols, embedding_size=32, state_size=size, every_step=every_step)


def trained(condition: str, seed: int) -> Translator:
    """One model, trained: two epochs, or four times as many if it says ``longer``."""
    return _trained(condition, seed)  # a cache takes seed=0 and 0 for two questions


@lru_cache(maxsize=8)
def _trained(condition: str, seed: int) -> Translator:
    settings = replace(SETTINGS, epochs=8) if condition.endswith("longer") else SETTINGS
    corpus = of(condition).corpus
    return train(lambda: build(condition), corpus, seed=seed, settings=settings, title=condition)[0]


def of(condition: str) -> Data:
    """The data of a condition."""
    return data(condition.split(", ")[0], condition.endswith("backwards"))


def measure(condition: str, seed: int) -> dict:
    """Train one model; exact match by length, accuracy by position, and some of its answers."""
    model = trained(condition, seed)
    result = judge(condition, answers(model, condition))
    if condition.split(", ")[0] in reversal.TASKS:
        result["forced"] = forced(model, condition)
    if seed != SEEDS[0]:
        result["samples"] = {}  # those of one model are enough
    return result


def answers(model: Translator, condition: str) -> list[Answer]:
    """What a model writes for the test pairs of a condition."""
    known = of(condition)
    return answer(model, [pair.source for pair in known.test], *known.vocabularies)


def judge(condition: str, given: list[Answer]) -> dict:
    """The numbers of one cell.

    exact      by length, the share of targets written without a mistake
    positions  by length, for each position of the target the share of right symbols there
    forced     the same, when it is told the right symbols before
    samples    by length, a few triples of source, target and what was written
    """
    known = of(condition)
    written = [one.text for one in given]
    exact = by_group(correct(written, [pair.target for pair in known.test]), known.lengths)
    result = {"exact": {str(length): share for length, share in exact.items()}}
    groups = {
        length: [n for n, each in enumerate(known.lengths) if each == length] for length in exact
    }
    if condition.split(", ")[0] in reversal.TASKS:
        result["positions"] = {
            str(length): by_position([known.test[n].target for n in groups[length]],
                                     [written[n] for n in groups[length]])
            for length in BY_POSITION
        }  # fmt: skip
    result["samples"] = {
        str(length): [
            [known.test[n].source, known.test[n].target, written[n]] for n in members[:SHOWN]
        ]
        for length, members in groups.items()
    }
    return result


def by_position(targets: list[str], written: list[str]) -> list[float]:
    """For each position the share of right symbols, over targets of one length.

    An answer that ended too early is wrong at all the positions that it does not have.
    """
    right = [
        [given[i : i + 1] == symbol for i, symbol in enumerate(target)]
        for target, given in zip(targets, written, strict=True)
    ]
    return np.mean(right, axis=0).tolist()


@torch.no_grad()
def forced(model: Translator, condition: str) -> dict[str, list[float]]:
    """By length and position, how often the likeliest symbol is right if all before it are."""
    vocabulary, shares = reversal.letter_vocabulary(), {}
    at = next(model.parameters()).device
    for length in BY_POSITION:
        pairs = [pair for pair in of(condition).test if len(pair.source) == length]
        sources = pad([vocabulary.encode(pair.source) for pair in pairs]).to(at)
        targets = pad([vocabulary.encode(pair.target) for pair in pairs]).to(at)
        logits, _ = model(sources, torch.full((len(pairs),), length, device=at), targets)
        right = logits.argmax(dim=-1) == targets
        shares[str(length)] = right.double().mean(dim=0).tolist()
    return shares


def half_length(exact: dict[str, float]) -> float:
    """The length at which the share of exact matches first falls to a half.

    Between two measured lengths it is read off the straight line; the longest one if it never
    falls so far, the shortest if it never stands above.
    """
    lengths, shares = [int(length) for length in exact], list(exact.values())
    if shares[0] <= 0.5:
        return float(lengths[0])
    for place in range(1, len(shares)):
        if shares[place] <= 0.5:
            above = (shares[place - 1] - 0.5) / (shares[place - 1] - shares[place])
            return lengths[place - 1] + above * (lengths[place] - lengths[place - 1])
    return float(lengths[-1])


def explorer_task(task: str) -> dict:
    """All that was measured of a task with both models, as the bottleneck explorer takes it."""
    exact, samples = results("exact"), results("samples")
    sizes = [size for size in SIZES if all(f"{task}, {model}, {size}" in exact for model in MODELS)]
    letters = task in reversal.TASKS
    lengths = list(TESTED_ON if letters else DIGITS_TESTED_ON)
    trained_on = TRAINED_ON if letters else DIGITS
    cells = {model: [f"{task}, {model}, {size}" for size in sizes] for model in MODELS}
    asked = samples[cells["fixed"][0]][0]
    return {
        "name": task.capitalize() if letters else f"English to {task}",
        "unit": "letters" if letters else "digits",
        "separator": "" if letters else " ",
        "trained": (trained_on[0], trained_on[-1]),
        "sizes": sizes,
        "lengths": lengths,
        "exact": {
            model: [[[run[str(n)] for n in lengths] for run in exact[cell]] for cell in each]
            for model, each in cells.items()
        },
        "asked": [[(source, target) for source, target, _ in asked[str(n)]] for n in lengths],
        "written": {
            model: [
                [[written for *_, written in samples[cell][0][str(n)]] for n in lengths]
                for cell in each
            ]
            for model, each in cells.items()
        },
    }


def results(name: str) -> dict[str, list[dict]]:
    """What was measured: "exact", "positions" or "samples", by condition, one for each seed."""
    return read_grid(RESULTS, name)


if __name__ == "__main__":
    chosen = tuple(sys.argv[1:]) or ("",)
    order = sorted(CONDITIONS, key=lambda condition: not condition.startswith(chosen))
    run_grid(RESULTS, order, SEEDS, measure)
