"""The readers of the experiment `typo_place`, the words that they read, and how they are judged."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from string import ascii_lowercase as LETTERS
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from attn_course.models.pointer import FlattenedReader, Mending, PointerReader, WordReader, mend
from attn_course.tasks.typos import LONGEST, SHORTEST, TypoPair, typo_pairs, typo_vocabulary
from attn_course.training import Settings, train
from attn_lab.experiment import RateSearch, results_of
from attn_lab.measuring import fresh, loss_of_words, parameters
from attn_lab.typo_corpus import TypoCorpus

PAIRS = 64_000  # of one epoch, which is about 500 steps
TESTED = 2_000
EACH_LENGTH = 300
VOWELS = "aeiou"
SPLITS = ("typos", "words")


class PartReadout(nn.Linear):
    """W_o of a pointer that reads the letter off some entries of [c ; d] alone."""

    def __init__(self, entries: range, symbols: int):
        super().__init__(len(entries), symbols)
        self.entries = entries

    def forward(self, both: Tensor) -> Tensor:
        """The logits, from [c ; d]."""
        return super().forward(both[..., self.entries.start : self.entries.stop])


def _reading(part: str, symbols: int) -> PointerReader:
    """A pointer whose letter is read off the "context" alone, or off the "state" alone."""
    model = PointerReader(symbols)
    size, both = model.annotation_size, model.readout.in_features
    entries = {"context": range(size), "state": range(size, both)}[part]
    model.readout = PartReadout(entries, symbols)
    return model


READERS = {
    "pointer": PointerReader,
    "context alone": lambda symbols: _reading("context", symbols),
    "state alone": lambda symbols: _reading("state", symbols),
    "three layers": lambda symbols: PointerReader(symbols, layers=3, directions=1),
    "flattened": FlattenedReader,
    "window": lambda symbols: PointerReader(symbols, reach=2),
}


class Condition(NamedTuple):
    """A reader, its loss on the position or none, its longest words, epochs and learning rate.

    reader   a name of `READERS`
    told     whether the loss on the position is added
    longest  the letters of the longest words that it is trained on
    epochs   of `PAIRS` wrong words
    rate     the learning rate at its peak
    """

    reader: str
    told: bool
    longest: int
    epochs: int
    rate: float


def build(name: str) -> WordReader:
    """An untrained reader of this name."""
    return READERS[name](len(typo_vocabulary()))


def untrained(name: str, seed: int) -> WordReader:
    """The reader as it is before training with this seed."""
    return fresh(lambda: build(name), seed)


@lru_cache(maxsize=2)
def corpus(seed: int, longest: int = LONGEST) -> TypoCorpus:
    """The wrong words of one seed that are trained on."""
    lengths = range(SHORTEST, longest + 1)
    return TypoCorpus(typo_pairs(PAIRS, 1_000 + seed, lengths=lengths))


def unseen_pairs(seed: int, split: str, length: int | None = None) -> list[TypoPair]:
    """New mistakes in known words ("typos") or mistakes in unknown ones ("words")."""
    if length is None:
        return typo_pairs(TESTED, 2_000 + seed, split=split)
    return typo_pairs(EACH_LENGTH, 2_000 + seed, split=split, lengths=[length])


def trained(
    condition: Condition, seed: int, watch: Callable | None = None, every: int = 80
) -> tuple[WordReader, int]:
    """One reader after training, and its number of steps.

    ``watch``, a function of the model, is called every ``every`` steps, and returns a number.
    """
    settings = Settings(
        epochs=condition.epochs,
        learning_rate=condition.rate,
        guidance=float(condition.told),
        check_every=every,
    )
    model, history = train(
        lambda: build(condition.reader),
        corpus(seed, condition.longest),
        watch,
        seed=seed,
        settings=settings,
    )
    return model, len(history.losses)


def measure(condition: Condition, seed: int) -> dict:
    """Train one reader; measure the numbers of `judge` for each split, and by length.

    embedding  the vectors of a to z at the end
    entropy    of the weights, in nats, on new mistakes in known words
    """
    model, steps = trained(condition, seed)
    numbers = {"steps": steps, "parameters": parameters(model)}
    for split in SPLITS:
        pairs = unseen_pairs(seed, split)
        mendings = read(model, pairs)
        numbers |= {f"{split} {name}": share for name, share in judge(pairs, mendings).items()}
        numbers |= {
            f"{split} {name}": share for name, share in by_kind_of_letter(pairs, mendings).items()
        }
        if split == "typos":
            numbers["entropy"] = float(np.mean([entropy(one.weights) for one in mendings]))
    for length in range(SHORTEST, LONGEST + 1):
        pairs = unseen_pairs(seed, "typos", length)
        for name, share in judge(pairs, read(model, pairs)).items():
            numbers.setdefault(f"{name} by length", {})[str(length)] = share
    numbers["embedding"] = letters_of(model).tolist()
    return numbers


def letters_of(model: WordReader) -> np.ndarray:
    """The embedding of a to z, a row each."""
    symbols = torch.tensor(typo_vocabulary().encode(LETTERS))
    return model.embedding.weight.detach()[symbols.to(model.embedding.weight.device)].cpu().numpy()


def read(model: WordReader, pairs: Sequence[TypoPair]) -> list[Mending]:
    """The readings of the wrong words by a reader."""
    return mend(model, [pair.source for pair in pairs], typo_vocabulary())


def judge(pairs: Sequence[TypoPair], mendings: Sequence[Mending]) -> dict[str, float]:
    """The shares of pairs whose position is right, whose letter is right, and where both are."""
    located = np.array([one.place == pair.place for one, pair in zip(mendings, pairs, strict=True)])
    mended = np.array([one.text == pair.target for one, pair in zip(mendings, pairs, strict=True)])
    letter = [one.letter == right_letter(pair) for one, pair in zip(mendings, pairs, strict=True)]
    return {
        "located": float(located.mean()),
        "letter": float(np.mean(letter)),
        "mended": float(mended.mean()),
    }


def by_kind_of_letter(pairs: Sequence[TypoPair], mendings: Sequence[Mending]) -> dict[str, float]:
    """`judge`, by whether the right letter and the wrong one are vowels: "V>C located"."""
    groups: dict[str, list] = {}
    for pair, one in zip(pairs, mendings, strict=True):
        kinds = ("C", "V")
        right, wrong = right_letter(pair) in VOWELS, pair.source[pair.place] in VOWELS
        groups.setdefault(f"{kinds[right]}>{kinds[wrong]}", []).append((pair, one))
    return {
        f"{kind} {name}": share
        for kind, members in sorted(groups.items())
        for name, share in judge(*zip(*members, strict=True)).items()
    }


class Trigrams:
    """A reader without a network: which change of one letter makes the word likeliest?

        p(word) = Π_k p(x_k | x_{k-2}, x_{k-1})      counted in the words trained on, plus 1/10

    It tries every other letter at every position, and takes the best.
    """

    def __init__(self, known: Sequence[str]):
        self.counts: Counter[str] = Counter()
        for word in known:
            text = _with_ends(word)
            for end in range(3, len(text) + 1):
                self.counts.update((text[end - 3 : end], text[end - 3 : end - 1]))

    def read(self, source: str) -> tuple[int, str]:
        """The position and the word."""
        text, best = _with_ends(source), (-math.inf, 0, source)
        for index in range(len(source)):
            near = text[index : index + 5]
            before = self._surprise(near)
            for letter in LETTERS.replace(source[index], ""):
                gain = before - self._surprise(near[:2] + letter + near[3:])
                if gain > best[0]:
                    best = gain, index, source[:index] + letter + source[index + 1 :]
        return best[1:]

    def _surprise(self, near: str) -> float:
        """-ln p of the three letters whose probability depends on the middle one of five."""
        total = 0.0
        for end in (3, 4, 5):
            with_it, before = near[end - 3 : end], near[end - 3 : end - 1]
            total -= math.log((self.counts[with_it] + 0.1) / (self.counts[before] + 2.7))
        return total


class WordList:
    """A reader that knows its words by heart: a noisy channel (Kernighan, Church and Gale 1990).

        argmax_y p(y) p(source | y)      y a listed word that differs from the source in one letter

    Here all words and all mistakes are equally likely, so all such y are. Where there is none,
    ``otherwise`` reads.
    """

    def __init__(self, known: Sequence[str], otherwise: Trigrams):
        self.otherwise = otherwise
        self.words: dict[str, list[tuple[int, str]]] = {}
        for word in known:
            for index in range(len(word)):
                gap = f"{word[:index]}_{word[index + 1 :]}"
                self.words.setdefault(gap, []).append((index, word))

    def readings(self, source: str) -> list[tuple[int, str]]:
        """The position and the word, for each of the words that are equally likely."""
        gaps = (f"{source[:index]}_{source[index + 1 :]}" for index in range(len(source)))
        candidates = [one for gap in gaps for one in self.words.get(gap, ()) if one[1] != source]
        return candidates or [self.otherwise.read(source)]

    def judge(self, pairs: Sequence[TypoPair]) -> tuple[float, float]:
        """The shares of mistakes that are located and mended; one of several words is a guess."""
        shares = []
        for pair in pairs:
            readings = self.readings(pair.source)
            right = [(index == pair.place, word == pair.target) for index, word in readings]
            shares.append(np.mean(right, axis=0))
        located, mended = np.mean(shares, axis=0)
        return float(located), float(mended)


def _with_ends(word: str) -> str:
    return f"^^{word}$$"


def right_letter(pair: TypoPair) -> str:
    """The letter that belongs where the mistake is."""
    return pair.target[pair.place]


def entropy(weights: np.ndarray) -> float:
    """How spread out the weights are, in nats."""
    positive = weights[weights > 0]
    return float(-(positive * np.log(positive)).sum())


# ---- rates


class Trial(NamedTuple):
    """One training run of the search for a rate."""

    reader: str
    told: bool
    epochs: int
    rate: float


def loss(trial: Trial, seed: int) -> dict[str, float]:
    """The loss on mistakes that were not trained on, by which a rate is chosen."""
    condition = Condition(trial.reader, trial.told, LONGEST, trial.epochs, trial.rate)
    model, _ = trained(condition, seed)
    pairs = TypoCorpus(unseen_pairs(seed, "typos"))
    return {"loss": loss_of_words(model, pairs, float(trial.told), TESTED)}


RATES = RateSearch(Trial, loss, results_of("typo_rates"))
