"""The names of Unicode's signs as a text of tokens, and what counting makes of it.

The signs come in the order of their numbers, one a line, in lower case. Names with a digit are left
out, and those of Korean syllables, which are spelt out by rule. Of the groups of 64 neighbouring
numbers every tenth is held out: a seed chooses which tenth, and so the tokens too.
"""

import math
import re
import unicodedata
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

GROUP, TENTH = 64, 10


class Text(NamedTuple):
    """A text as numbers of tokens: what is trained on, and what is held out.

    tokens      the text of each token; single characters come first
    merges      the pairs of tokens that were joined, in this order
    characters  of the text that is held out
    """

    tokens: list[str]
    merges: list[tuple[str, str]]
    training: Tensor
    held_out: Tensor
    characters: int


@lru_cache(maxsize=4)
def text(count: int, seed: int) -> Text:
    """The text with so many tokens, joined by counts of the training text alone."""
    training, held_out = lines(seed)
    characters = sorted({*training})
    merges, parts = joined(training, count - len(characters))
    tokens = characters + [a + b for a, b in merges]
    numbers = {token: number for number, token in enumerate(tokens)}
    read = [
        torch.tensor([numbers[part] for word in words(text) for part in cut(word, merges, parts)])
        for text in (training, held_out)
    ]
    return Text(tokens, merges, *read, len(held_out))


def lines(seed: int) -> list[str]:
    """The names to train on, and those that are held out, each with a new line after it."""
    parts = ["", ""]
    for number in range(0x110000):
        name = unicodedata.name(chr(number), "").lower()
        if name and not re.search(r"\d|hangul syllable", name):
            parts[number // GROUP % TENTH == seed % TENTH] += name + "\n"
    return parts


def words(text: str) -> list[str]:
    """The words of a text, each with the space before it; hyphens and new lines by themselves."""
    return re.findall(r" ?\w+|\W", text)


def join(parts: list[str], a: str, b: str) -> list[str]:
    """The same parts, each ``a`` joined to a ``b`` that follows it."""
    whole: list[str] = []
    for part in parts:
        if whole and whole[-1] == a and part == b:
            whole[-1] = a + b
        else:
            whole.append(part)
    return whole


def joined(text: str, count: int) -> tuple[list[tuple[str, str]], dict[str, list[str]]]:
    """The commonest pairs of neighbours inside words, joined one after the other.

    And the parts of each word.
    """
    known = Counter(words(text))
    parts = {word: [*word] for word in known}
    pairs: Counter = Counter()
    for word in known:
        pairs.update(dict.fromkeys(pairwise(word), 0))
        for pair in pairwise(word):
            pairs[pair] += known[word]
    merges = []
    for _ in range(count):
        a, b = max(pairs, key=pairs.__getitem__)
        merges.append((a, b))
        for word, old in parts.items():
            if a + b in word:
                parts[word] = join(old, a, b)
                for sign, pieces in ((-1, old), (1, parts[word])):
                    for pair in pairwise(pieces):
                        pairs[pair] += sign * known[word]
    return merges, parts


def cut(word: str, merges: list[tuple[str, str]], parts: dict[str, list[str]]) -> list[str]:
    """The parts of a word, which is added to ``parts`` if it is not yet there."""
    if word not in parts:
        parts[word] = [*word]
        for a, b in merges:
            if a + b in word:
                parts[word] = join(parts[word], a, b)
    return parts[word]


def counted(text: Text, longest: int = 3) -> list[float]:
    """The loss of tables of shares, pairs, triples and so on, in nats per held-out character.

    A context backs off to the shorter one by as many counts as it has different tokens after it
    (Witten and Bell 1991).
    """
    training, held_out = text.training.tolist(), text.held_out.tolist()
    chances, losses = [1 / len(text.tokens)] * len(held_out), []
    for n in range(1, longest + 1):
        counts = Counter(zip(*(training[i:] for i in range(n)), strict=False))
        times, kinds = Counter(), Counter()
        for row, count in counts.items():
            times[row[:-1]] += count
            kinds[row[:-1]] += 1
        for i in range(n - 1, len(held_out)):
            row = tuple(held_out[i - n + 1 : i + 1])
            if before := times[row[:-1]]:
                shorter = kinds[row[:-1]] * chances[i]
                chances[i] = (counts[row] + shorter) / (before + kinds[row[:-1]])
        losses.append(-sum(map(math.log, chances)) / text.characters)
    return losses


def well_counted(text: Text, longest: int = 5, share: float = 0.3) -> tuple[float, list[bool]]:
    """The best that we know how to count: its loss per character, and which tokens it names.

    Counts back off as in Kneser and Ney 1995: what is seen is discounted by .75, and a shorter
    context counts how many different ones it follows. A ``share`` of each probability is that among
    the last 64 tokens.
    """
    training, held_out = text.training.tolist(), text.held_out.tolist()
    levels = [_discounted(training, n, n == longest) for n in range(1, longest + 1)]
    recent, nats, right = np.zeros(len(text.tokens)), 0.0, []
    for i, token in enumerate(held_out):
        chances = np.full(len(recent), 1 / len(recent))
        for n, level in enumerate(levels, 1):
            if entry := level.get(tuple(held_out[i - n + 1 : i])) if i >= n - 1 else None:
                tokens, shares, left = entry
                chances *= left
                chances[tokens] += shares
        if i:
            chances = (1 - share) * chances + share * recent / min(i, 64)
        nats -= math.log(chances[token])
        right.append(bool(chances.argmax() == token))
        recent[token] += 1
        if i >= 64:
            recent[held_out[i - 64]] -= 1
    return nats / text.characters, right


def _discounted(training: list[int], n: int, whole: bool) -> dict[tuple, tuple]:
    """For each context of n - 1 tokens: those that follow, their shares, and what is left over."""
    rows = zip(*(training[i:] for i in range(n + (not whole))), strict=False)
    counts = Counter(rows if whole else (row[1:] for row in {*rows}))
    after: dict[tuple, list] = {}
    for row, times in counts.items():
        after.setdefault(row[:-1], []).append((row[-1], times))
    table = {}
    for context, pairs in after.items():
        tokens, times = np.array(pairs).T
        table[context] = tokens, (times - 0.75) / times.sum(), 0.75 * len(tokens) / times.sum()
    return table
