"""Number names, from English to German and French, as num2words writes them.

A name is cut into pieces, separated by spaces: ``zwei hundert ein und zwanzig``. The symbols are
pieces rather than characters because words are what moves and is aligned. Nine digits make about
twenty pieces but more than a hundred characters, and a model of a chapter's size would have to
learn spelling first.

The three languages name the same values and put the names together differently:

>>> print(*(render(81, language).target for language in LANGUAGES), sep=", ")
ein und achtzig, quatre vingt un
>>> print(*(render(1071, language).target for language in LANGUAGES), sep=", ")
ein tausend ein und siebzig, mille soixante et onze

Each piece denotes some *parts* of the number: a digit, or a scale word such as ``hundred``.
Two pieces are aligned when they share a part, so the gold alignment is exact:

>>> pair = render(81, "de")
>>> [(pair.target_pieces[i], pair.source_pieces[j]) for i, j in zip(*gold_possible(pair).nonzero())]
[('ein', 'one'), ('achtzig', 'eighty')]

``mille`` means both *one* and *thousand*, and ``onze`` in 71 contains the ten of *seventy*: such a
piece has two links. ``and``, ``und`` and ``et`` denote nothing and have no link.

The peculiarities of num2words are kept, such as ``zwei hundert eins tausend``, where people say
``ein``.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

import numpy as np
from num2words import num2words

from attn_course._signature import checked
from attn_course._values import Count, Some, Split, between
from attn_course.tasks.pieced import PiecedPair
from attn_course.tasks.vocabulary import Vocabulary

Language = Literal["de", "fr"]  # to translate into
Either = Literal["en", "de", "fr"]
LANGUAGES: tuple[Language, ...] = ("de", "fr")
LARGEST = 10**12 - 1
Number = Annotated[int, between(1, LARGEST)]
Digits = Annotated[int, between(1, 12)]

# Scale words by their power of ten, singular and plural; then the words that only join
SCALES = {
    "en": {2: "hundred", 3: "thousand", 6: "million", 9: "billion"},
    "de": {2: "hundert", 3: "tausend", 6: "Million Millionen", 9: "Milliarde Milliarden"},
    "fr": {2: "cent cents", 3: "mille", 6: "million millions", 9: "milliard milliards"},
}
JOINTS = {"en": "and", "de": "und", "fr": "et"}

Part = tuple[str, int]  # ("digit", place) or ("scale", power of ten)


@dataclass(frozen=True)
class NumberPair(PiecedPair):
    """A number's name in English and in another language, with what each piece denotes.

    source, target              pieces, separated by spaces
    source_parts, target_parts  the parts of each piece: ("digit", 3) is the thousands digit,
                                ("scale", 3) the word *thousand*
    """

    number: int
    language: str
    source: str
    target: str
    source_parts: tuple[frozenset[Part], ...]
    target_parts: tuple[frozenset[Part], ...]


@checked
def render(number: Number, language: Language) -> NumberPair:
    """The pair of one number."""
    source, target = pieces(number, "en"), pieces(number, language)
    return NumberPair(
        number,
        language,
        " ".join(source),
        " ".join(target),
        _parts(number, "en", source),
        _parts(number, language, target),
    )


@checked
def number_pairs(
    count: Count, seed: int, digits: Some[Digits], language: Language, split: Split = "train"
) -> list[NumberPair]:
    """Draw pairs: the number of digits uniformly from ``digits``, then the number uniformly.

    ``split`` is "train" or "test", the two sides of `is_test_number`. No number below 10 is kept
    for testing, so a single digit with "test" is a ValueError. The same arguments give the same
    pairs in every process.
    """
    if split == "test" and min(digits) < 2:
        raise ValueError(
            f"digits must be 2 or more to test on: one digit is a word; got {digits!r}"
        )
    rng, pairs = random.Random(seed), list[NumberPair]()
    while len(pairs) < count:
        length, number = rng.choice(digits), None
        while number is None or is_test_number(number) != (split == "test"):
            number = rng.randrange(10 ** (length - 1), 10**length)
        pairs.append(render(number, language))
    return pairs


@checked
def is_test_number(number: int) -> bool:
    """Whether a number is kept for testing; about one in eleven is, scattered by a large prime.

    Numbers below 10 are not: each is named by one word, and a word never seen cannot be known.
    """
    return number >= 10 and number * 2_654_435_761 % 2**32 % 11 == 0


@checked
def gold_possible(pair: NumberPair) -> np.ndarray:
    """Which source pieces each target piece may be made from: those it shares a part with.

    Boolean, (target, source). The rows of pieces that only join are all False.
    """
    return np.array([[bool(t & s) for s in pair.source_parts] for t in pair.target_parts])


@checked
def gold_sure(pair: NumberPair) -> np.ndarray:
    """The links of target pieces that have only one: boolean, (target, source)."""
    possible = gold_possible(pair)
    return possible & (possible.sum(axis=1, keepdims=True) == 1)


@checked
def number_vocabularies(language: Language) -> tuple[Vocabulary, Vocabulary]:
    """The vocabularies of English pieces, and of the pieces of one of `LANGUAGES`."""
    english, other = _every_piece("en"), _every_piece(language)
    return Vocabulary(english, separator=" "), Vocabulary(other, separator=" ")


@checked
def pieces(number: Number, language: Either) -> list[str]:
    """A number's name, cut into the pieces that it is made of.

    >>> pieces(201_021, "de")
    ['zwei', 'hundert', 'eins', 'tausend', 'ein', 'und', 'zwanzig']
    """
    words = re.findall(r"\w+", num2words(number, lang=language))
    if language != "de":
        return words
    matches = [_german_pieces().findall(word) for word in words]
    if ["".join(match) for match in matches] != words:
        raise ValueError(f"{words} cannot be cut into known pieces; got {matches}")
    return [piece for word in matches for piece in word]


@checked
def parts(number: Number, language: Either, written: Some[str]) -> tuple[frozenset[Part], ...]:
    """What each piece of a number's name denotes.

    The name is read in groups of three digits. Each group ends with its scale word, and the last
    group where the name ends. ``written`` must be what `pieces` returns.
    """
    expected = pieces(number, language)
    if list(written) != expected:
        raise ValueError(f"{number} is written {expected} in {language!r}; got {written!r}")
    return _parts(number, language, expected)


def _parts(number: int, language: Either, written: Sequence[str]) -> tuple[frozenset[Part], ...]:
    denoted: list[set[Part]] = []
    rest = list(written)
    for power in (9, 6, 3, 0):
        group = number // 10**power % 1000
        if group:
            scale = SCALES[language].get(power, "").split()
            end = next((at for at, piece in enumerate(rest) if piece in scale), len(rest))
            denoted += _group_parts(group, power, language, rest[:end])
            if power:
                alone: set[Part] = {("digit", power)} if end == 0 else set()  # mille, without un
                denoted.append({("scale", power)} | alone)
            rest = rest[end + 1 :]
    return tuple(map(frozenset, denoted))


def _group_parts(
    group: int, power: int, language: Either, written: Sequence[str]
) -> list[set[Part]]:
    """What each piece of a number below 1000 denotes, if its last digit stands at ``power``."""
    denoted: list[set[Part]] = []
    if group >= 100:
        hundred = SCALES[language][2].split()
        end = next(at for at, piece in enumerate(written) if piece in hundred)
        digit, scale = ("digit", power + 2), ("scale", power + 2)
        denoted += [{digit}, {scale}] if end else [{digit, scale}]  # cent, without un
        written = written[end + 1 :]
    tens, units = ("digit", power + 1), ("digit", power)
    names = [at for at, piece in enumerate(written) if piece != JOINTS[language]]
    below: list[set[Part]] = [{tens} if at in names else set() for at in range(len(written))]
    if group % 100 < 10:
        below = [{units} if at in names else set() for at in range(len(written))]
    elif group % 10:
        last = names[0 if language == "de" else -1]  # German puts the units first
        below[last] = {tens, units} if written[last] in _teens(language) else {units}
    return denoted + below


@cache
def _teens(language: Either) -> frozenset[str]:
    """The names from 11 to 19 that are a single piece: *onze*, but not *dix-sept*."""
    names = (pieces(number, language) for number in range(11, 20))
    return frozenset(name[0] for name in names if len(name) == 1)


@cache
def _german_pieces() -> re.Pattern[str]:
    """Matches the pieces of a German name, the longest first."""
    small = [num2words(number, lang="de") for number in (*range(1, 20), *range(20, 100, 10))]
    scales = " ".join(SCALES["de"].values()).split()
    known = [*small, *scales, "ein", "eine", JOINTS["de"]]
    return re.compile("|".join(sorted(known, key=len, reverse=True)))


@cache
def _every_piece(language: Either) -> tuple[str, ...]:
    """All pieces that a name up to `LARGEST` can have, sorted."""
    numbers = [*range(1, 201), *(n * 10**power for power in (3, 6, 9) for n in (1, 2, 200))]
    return tuple(sorted({piece for number in numbers for piece in pieces(number, language)}))
