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
from typing import Annotated

import numpy as np

from attn_course._signature import checked, unchecked
from attn_course._values import Count, Share, Some, Split, one_of
from attn_course.tasks.date_noise import (
    FORMS,
    ROMAN,
    Writing,
    added_characters,
    apply_noise,
    as_typed,
    named,
    short_month,
    text,
    typed_forms,
)
from attn_course.tasks.date_patterns import (
    CASES,
    INCOMPLETE,
    KINDS,
    LOCALES,
    Case,
    Kind,
    days_of,
    templates,
)
from attn_course.tasks.vocabulary import Vocabulary

# Which target characters a field makes: YYYY-MM-DD
TARGET_PLACES = {"y": (0, 1, 2, 3), "m": (5, 6), "d": (8, 9)}
TARGET_LENGTH = 10
FormName = Annotated[str, one_of(FORMS)]
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
        writing = apply_noise(name, writing, rng)
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
    templates(locales, kinds)  # all of them, before anything is drawn
    pool, rng = days_of(days), random.Random(seed)
    cases = [case for case, tenths in CASES.items() for _ in range(tenths)]
    pairs: list[DatePair] = []
    with unchecked():  # each fits
        for _ in range(count):
            kind = rng.choice(kinds)
            writing = Writing.of(rng.choice(pool), rng.choice(locales), kind, rng.choice(cases))
            if rng.random() < noise:
                writing = as_typed(writing, rng)
            pairs.append(pair_of(writing, kind))
    return pairs


@checked
def everyday_pairs(
    count: Count, seed: int, days: Split = "train", *, forms: Some[FormName] = tuple(FORMS)
) -> list[DatePair]:
    """Draw pairs: the form by its share, the day uniformly; ``kind`` is the name of the form.

    ``forms`` are names from `FORMS` of `attn_course.tasks.date_noise`, and ``days`` is "train" or
    "test", as in `date_pairs`. The same arguments give the same pairs in every process. The target
    of a date with a part missing stops where the text does (`partial`); that of a name is empty.

    >>> for pair in everyday_pairs(7, seed=324):
    ...     if pair.kind != "nothing":  # names, which differ with Babel's version
    ...         print(f"{pair.kind:10} {pair.target:10} {pair.source}")
    joined     2002-03-30 30MAR2002
    roman      2028-04-13 13/IV/28
    incomplete 2042-02    fevereiro de 2042
    incomplete --11-18    18/11
    timed      2008-04-08 2008-04-08 07:56:05+00:00
    american   1967-02-23 2.23.1967
    """
    pool, rng = days_of(days), random.Random(seed)
    drawn = rng.choices(list(forms), [FORMS[form].share for form in forms], k=count)
    with unchecked():  # each fits
        return [pair_of(FORMS[form].write(rng.choice(pool), rng), form) for form in drawn]


@cache
def everyday_vocabularies() -> tuple[Vocabulary, Vocabulary]:
    """The vocabularies of `date_vocabularies`, with what these forms add.

    The characters of names are not among them: to the model those are unknown ones.
    """
    source, target = date_vocabularies()
    months = [
        short_month(m, name, case) for name in named() for m in range(1, 13) for case in CASES
    ]
    texts = [*source.symbols, *ROMAN, *months, "T:+ GMTAPZ", *_words_of(LOCALES, INCOMPLETE)]
    new = set[str]().union(*texts) - set(source.symbols)
    return Vocabulary([*source.symbols, *sorted(new)]), target


@checked
def gold_possible(pair: DatePair) -> np.ndarray:
    """Which source characters each target character may be read from: its whole field.

    Boolean, (target, source). The rows of hyphens are all False: they come from nothing in
    the source, so no look is right or wrong while they are written.
    """
    gold = np.zeros((len(pair.target), len(pair.source)), dtype=bool)
    for field, places in _rows(pair).items():
        gold[places] = [field == other for other in pair.fields]
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
            for j, (character, other) in enumerate(zip(pair.source, pair.fields, strict=True))
            if other == field and character.isdecimal()
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
    words = _words_of(locales, kinds)
    typed = [form for word in words for form in typed_forms(word)]
    added = [character for locale in locales for character in added_characters(locale)]
    return Vocabulary.from_texts([*typed, *added]), Vocabulary("0123456789-")


@checked
def longest_source(locales: Some[str] = LOCALES, kinds: Some[Kind] = KINDS) -> int:
    """The number of characters of the longest clean source; noise can add a few."""
    return _longest_source(tuple(locales), tuple(kinds))


@lru_cache(maxsize=8)
def _longest_source(locales: tuple[str, ...], kinds: tuple[str, ...]) -> int:
    return max(
        sum(max(map(len, part.words.values())) for part in parts)
        for *_, parts in templates(locales, kinds)
    )


def _words_of(locales: Sequence[str], kinds: Sequence[str]) -> set[str]:
    """All that the patterns can write, in every case."""
    return {
        word
        for *_, parts in templates(locales, kinds)
        for part in parts
        for word in part.words.values()
    }


@checked
def pair_of(writing: Writing, kind: str) -> DatePair:
    """The pair of a writing: what it writes of the day is the target, as `partial` has it."""
    fields: list[str] = []
    for word, writes in writing.pieces:
        fields += [writes if writes in TARGET_PLACES else ""] * len(word)
    source, target = text(writing.pieces), partial(writing.day, set(fields) - {""})
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
