"""Dates of many locales, and their ISO form.

A pair is a date as some locale writes it, and the same day in ISO 8601: ten characters,
``YYYY-MM-DD``. The generator wrote the source, so it knows which characters made the year, the
month and the day. The gold alignment is therefore exact, and nobody had to annotate it.

One example:

>>> pair = render(datetime.date(2005, 4, 3), "de", "long")
>>> pair.source, pair.target
('3. April 2005', '2005-04-03')
>>> "".join(field or "·" for field in pair.fields)
'd··mmmmm·yyyy'

The target's month may be read from any letter of ``April``, the target's day from the 3:

>>> possible = gold_possible(pair)  # (target, source)
>>> [pair.source[j] for j in possible[5].nonzero()[0]]
['A', 'p', 'r', 'i', 'l']

For a digit that was copied, the exact character is known. The 0 of ``03`` was never written, and
the digits of ``04`` do not occur in ``April``, so these have no sure link:

>>> sure = gold_sure(pair)
>>> [(pair.target[i], pair.source[j]) for i, j in zip(*sure.nonzero())]
[('2', '2'), ('0', '0'), ('0', '0'), ('5', '5'), ('3', '3')]
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from attn_course._signature import checked, unchecked
from attn_course._values import Count, Share, Some, Split
from attn_course.tasks.date_characters import typed_forms
from attn_course.tasks.date_noise import Writing, added_characters, apply_noise, as_typed
from attn_course.tasks.date_patterns import (
    CASES,
    FIRST_DAY,
    KINDS,
    LAST_DAY,
    LOCALES,
    Case,
    Kind,
    check_choices,
    template,
)
from attn_course.tasks.vocabulary import Vocabulary

# Which target characters a field makes: YYYY-MM-DD
TARGET_PLACES = {"y": (0, 1, 2, 3), "m": (5, 6), "d": (8, 9)}
TARGET_LENGTH = 10
# What is written of YYYY-MM-DD if a text has these fields only, and what stands before it
_PARTIAL = {
    "ymd": ("", slice(0, 10)),
    "ym": ("", slice(0, 7)),
    "md": ("--", slice(5, 10)),
    "m": ("--", slice(5, 7)),
    "y": ("", slice(0, 4)),
    "": ("", slice(0, 0)),
}


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
        if not {"y", "m", "d", ""}.issuperset(self.fields):
            raise ValueError(f"fields must be 'y', 'm', 'd' or ''; got {set(self.fields)}")


@checked
def render(
    day: datetime.date,
    locale: str,
    kind: Kind,
    case: Case = "cldr",
    *,
    noises: Sequence[str] = (),
    seed: int = 0,
) -> DatePair:
    """Write a day as a locale does, in a case of `CASES`, then apply the named noises in turn.

    ``noises`` are names from `attn_course.tasks.date_noise.NOISES`; ``seed`` is for those that
    choose at random.

    >>> render(datetime.date(2005, 4, 3), "fr", "full", "upper").source
    'DIMANCHE 3 AVRIL 2005'
    >>> render(datetime.date(2005, 4, 3), "fr", "short", noises=["spaces_around_separators"]).source
    '03 / 04 / 2005'
    """
    writing, rng = Writing.of(day, locale, kind, case), random.Random(seed)
    for name in noises:
        writing = writing._replace(pieces=apply_noise(name, writing, rng))
    return pair_of(writing, kind)


@checked
def date_pairs(
    count: Count,
    seed: int,
    days: Split = "train",
    *,
    locales: Some[str] = LOCALES,
    kinds: Some[Kind] = KINDS,
    noise: Share = 0.0,
) -> list[DatePair]:
    """Draw pairs: locale, kind and day uniformly, the case by `CASES`.

    ``days`` is "train" or "test", the two sides of `is_test_day`. ``noise`` is the share of pairs,
    from 0 to 1, to which the habits of `attn_course.tasks.date_noise` are applied. The same
    arguments give the same pairs in every process.
    """
    check_choices(locales, kinds)
    pool, rng = days_of(days), random.Random(seed)
    cases = [case for case, tenths in CASES.items() for _ in range(tenths)]
    pairs: list[DatePair] = []
    with unchecked():  # each fits
        for _ in range(count):
            kind = rng.choice(kinds)
            writing = Writing.of(rng.choice(pool), rng.choice(locales), kind, rng.choice(cases))
            if rng.random() < noise:
                writing = writing._replace(pieces=as_typed(writing, rng))
            pairs.append(pair_of(writing, kind))
    return pairs


@checked
def is_test_day(day: datetime.date) -> bool:
    """Whether a day is kept for testing; about one in eleven is.

    A day and its mirror image, with day and month exchanged, are always on the same side:
    03/04/2005 is one day to some and another to others, and no string may be tested if its other
    reading was trained on. Apart from that, multiplying by a large prime scatters the days.
    """
    low, high = sorted((day.month, day.day))
    number = (day.year * 32 + high) * 32 + low
    return number * 2_654_435_761 % 2**32 % 11 == 0


@checked
@cache
def days_of(days: Split) -> tuple[datetime.date, ...]:
    """Every day of a split, "train" or "test", in order."""
    span = range(FIRST_DAY.toordinal(), LAST_DAY.toordinal() + 1)
    every = map(datetime.date.fromordinal, span)
    return tuple(day for day in every if is_test_day(day) == (days == "test"))


@checked
def gold_possible(pair: DatePair) -> np.ndarray:
    """Which source characters each target character may be read from: its whole field.

    Boolean, (target, source). The rows of hyphens are all False: they come from nothing in
    the source, so no look is right or wrong while they are written.
    """
    gold = np.zeros((len(pair.target), len(pair.source)), dtype=bool)
    for field, places in _rows(pair).items():
        gold[places] = [field == made for made in pair.fields]
    return gold


@checked
def gold_sure(pair: DatePair) -> np.ndarray:
    """The links that are exact to the character: target digits that are copies of source digits.

    Boolean, (target, source). Counted from the right, a written number and its field in the target
    agree digit by digit, whatever the script of the digits. Month names have no sure link, nor do
    digits that were not written, such as a leading zero or the century of a two-digit year.
    """
    gold = np.zeros((len(pair.target), len(pair.source)), dtype=bool)
    for field, places in _rows(pair).items():
        written = [
            j
            for j, (character, made) in enumerate(zip(pair.source, pair.fields, strict=True))
            if made == field and character.isdecimal()
        ]
        for i, j in zip(reversed(places), reversed(written), strict=False):
            gold[i, j] = True
    return gold


@checked
def date_vocabularies(
    locales: Some[str] = LOCALES, kinds: Some[Kind] = KINDS
) -> tuple[Vocabulary, Vocabulary]:
    """The source and target vocabularies: every character that can be written, noise included.

    They are made from the patterns, not from a sample, so that no rare character is missing and the
    numbering does not depend on a seed.
    """
    check_choices(locales, kinds)
    words = {
        word
        for locale in locales
        for kind in kinds
        for case in CASES
        for part in template(locale, kind, case)
        for word in part.words.values()
    }
    typed = [form for word in words for form in typed_forms(word)]
    added = [character for locale in locales for character in added_characters(locale)]
    return Vocabulary.from_texts([*typed, *added]), Vocabulary("0123456789-")


@checked
def longest_source(locales: Some[str] = LOCALES, kinds: Some[Kind] = KINDS) -> int:
    """The number of characters of the longest clean source; noise can add a few."""
    check_choices(locales, kinds)
    return _longest_source(tuple(locales), tuple(kinds))


@lru_cache(maxsize=8)
def _longest_source(locales: tuple[str, ...], kinds: tuple[str, ...]) -> int:
    return max(
        sum(max(map(len, part.words.values())) for part in template(locale, kind, case))
        for locale in locales
        for kind in kinds
        for case in CASES
    )


@checked
def pair_of(writing: Writing, kind: str) -> DatePair:
    """The pair of a writing: what it writes of the day is the target, as `partial` has it."""
    fields: list[str] = []
    for text, writes in writing.pieces:
        fields += [writes if writes in TARGET_PLACES else ""] * len(text)
    source = "".join(piece.text for piece in writing.pieces)
    target = partial(writing.day, {field for field in fields if field})
    return DatePair(source, target, writing.locale, kind, writing.day, tuple(fields))


@checked
def partial(day: datetime.date, fields: Collection[str]) -> str:
    """The part of a date that fields give: 2005-04-03, or with less 2005-04, --04-03, --04 or 2005.

    ISO 8601 writes a year and a month like this, and XML Schema (part 2, sections 3.2.10 to 3.2.14)
    a month without a year. No field gives an empty text; other combinations are a ValueError.
    """
    before, part = _part_written(fields)
    return before + day.isoformat()[part]


def _part_written(fields: Collection[str]) -> tuple[str, slice]:
    written = "".join(field for field in "ymd" if field in fields)
    if written not in _PARTIAL or not set("ymd").issuperset(fields):
        known = ", ".join(filter(None, _PARTIAL))
        raise ValueError(f"fields must be none or {known}; got {sorted(fields)}")
    return _PARTIAL[written]


def _rows(pair: DatePair) -> dict[str, list[int]]:
    """Which target characters each field of a pair makes, from left to right."""
    fields = set(pair.fields) - {""}
    before, part = _part_written(fields)
    return {
        field: [position - part.start + len(before) for position in places]
        for field, places in TARGET_PLACES.items()
        if field in fields
    }
