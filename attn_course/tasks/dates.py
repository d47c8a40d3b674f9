"""Dates of many locales, and their ISO form.

A pair is a date as some locale writes it, and the same day as ISO 8601 has it: ten characters,
``YYYY-MM-DD``. The generator wrote the source, so it knows which characters made the year, the
month and the day: the gold alignment is exact, with no annotator between.

One day by hand:

>>> pair = render(datetime.date(2005, 4, 3), "de", "long")
>>> pair.source, pair.target
('3. April 2005', '2005-04-03')
>>> "".join(field or "·" for field in pair.fields)
'd··mmmmm·yyyy'

The target's month may be read from any letter of ``April``, the target's day from the 3:

>>> possible = gold_possible(pair)  # (target, source)
>>> [pair.source[j] for j in possible[5].nonzero()[0]]
['A', 'p', 'r', 'i', 'l']

A digit that was copied is known to the very character. The 0 of ``03`` was never written, and
the digits of ``04`` stand nowhere in ``April``, so they have no sure link:

>>> sure = gold_sure(pair)
>>> [(pair.target[i], pair.source[j]) for i, j in zip(*sure.nonzero())]
[('2', '2'), ('0', '0'), ('0', '0'), ('5', '5'), ('3', '3')]
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from attn_course.tasks.date_patterns import (
    CASES,
    FIRST_DAY,
    KINDS,
    LAST_DAY,
    LOCALES,
    Piece,
    template,
    write,
)
from attn_course.tasks.vocabulary import Vocabulary

# Which target characters a field makes: YYYY-MM-DD
TARGET_PLACES = {"y": (0, 1, 2, 3), "m": (5, 6), "d": (8, 9)}
TARGET_LENGTH = 10


@dataclass(frozen=True)
class DatePair:
    """A written day, its ISO form, and the field that made each source character.

    ``fields`` has one of "y", "m", "d" or "" (none of them) for every character of ``source``.
    """

    source: str
    target: str
    locale: str
    kind: str
    day: datetime.date
    fields: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.fields) != len(self.source):
            raise ValueError(
                f"fields must name one field for each of the {len(self.source)} characters of "
                f"{self.source!r}; got {len(self.fields)}"
            )


def render(
    day: datetime.date,
    locale: str,
    kind: str,
    case: str = "cldr",
    noises: Sequence[str] = (),
    seed: int = 0,
) -> DatePair:
    """Write one day as a locale does, in a case of `CASES`, then apply the named noises in turn.

    >>> render(datetime.date(2005, 4, 3), "fr", "full", "upper").source
    'DIMANCHE 3 AVRIL 2005'
    """
    pieces = write(day, locale, kind, case)
    return _pair(pieces, day, locale, kind)


def date_pairs(
    count: int,
    seed: int,
    days: str = "train",
    locales: Sequence[str] = LOCALES,
    kinds: Sequence[str] = KINDS,
    noise: float = 0.0,
) -> list[DatePair]:
    """Draw pairs: locale, kind and day uniformly, the case by `CASES`.

    ``days`` is "train" or "test", the two sides of `is_test_day`. ``noise`` is the share of the
    pairs, from 0 to 1, that are written as people type. The same arguments give the same pairs,
    in every process.
    """
    pool = days_of(days)
    rng = random.Random(seed)
    cases = [case for case, tenths in CASES.items() for _ in range(tenths)]
    pairs = []
    for _ in range(count):
        day, locale, kind = rng.choice(pool), rng.choice(locales), rng.choice(kinds)
        pairs.append(_pair(write(day, locale, kind, rng.choice(cases)), day, locale, kind))
    return pairs


def is_test_day(day: datetime.date) -> bool:
    """Whether a day is kept for testing; about one in eleven is.

    A day and its mirror image, day and month exchanged, are always on the same side: 03/04/2005 is
    one day to some and another to others, and a string that is tested must not have been trained
    with its other reading. Apart from that the days are scattered, by a product with a large prime.
    """
    low, high = sorted((day.month, day.day))
    number = (day.year * 32 + high) * 32 + low
    return number * 2_654_435_761 % 2**32 % 11 == 0


@cache
def days_of(days: str) -> tuple[datetime.date, ...]:
    """Every day of a split, "train" or "test", in order."""
    if days not in ("train", "test"):
        raise ValueError(f"days must be 'train' or 'test'; got {days!r}")
    span = range(FIRST_DAY.toordinal(), LAST_DAY.toordinal() + 1)
    every = map(datetime.date.fromordinal, span)
    return tuple(day for day in every if is_test_day(day) == (days == "test"))


def gold_possible(pair: DatePair) -> np.ndarray:
    """Which source characters each target character may be read from: its whole field.

    Boolean, (target, source). The rows of the two hyphens are all False: nothing in the source
    makes them, and models look anywhere while they write them.
    """
    gold = np.zeros((TARGET_LENGTH, len(pair.source)), dtype=bool)
    for field, places in TARGET_PLACES.items():
        gold[list(places)] = [field == made for made in pair.fields]
    for hyphen in (4, 7):
        gold[hyphen] = False
    return gold


def gold_sure(pair: DatePair) -> np.ndarray:
    """The links that are exact to the character: target digits that are copies of source digits.

    Boolean, (target, source). Counted from the right, a written number and its field in the
    target agree digit by digit, whatever script the digits are in. Month names have no sure link,
    nor has a digit that was not written: the leading zero, the century of a two-digit year.
    """
    gold = np.zeros((TARGET_LENGTH, len(pair.source)), dtype=bool)
    for field, places in TARGET_PLACES.items():
        written = [
            j
            for j, (character, made) in enumerate(zip(pair.source, pair.fields, strict=True))
            if made == field and character.isdecimal()
        ]
        for i, j in zip(reversed(places), reversed(written), strict=False):
            gold[i, j] = True
    return gold


def date_vocabularies(
    locales: Sequence[str] = LOCALES, kinds: Sequence[str] = KINDS
) -> tuple[Vocabulary, Vocabulary]:
    """Source and target vocabulary: every character that can occur, from the patterns themselves."""
    words: Iterable[str] = (
        word
        for locale in locales
        for kind in kinds
        for case in CASES
        for part in template(locale, kind, case)
        for word in part.words.values()
    )
    return Vocabulary.from_texts(words), Vocabulary("0123456789-")


def _pair(pieces: list[Piece], day: datetime.date, locale: str, kind: str) -> DatePair:
    fields: list[str] = []
    for text, writes in pieces:
        fields += [writes if writes in TARGET_PLACES else ""] * len(text)
    source = "".join(piece.text for piece in pieces)
    return DatePair(source, day.isoformat(), locale, kind, day, tuple(fields))
