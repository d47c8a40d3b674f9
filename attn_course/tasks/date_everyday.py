"""Dates in forms that CLDR's patterns do not have, dates with a part missing, and other texts.

The habits of `attn_course.tasks.date_noise` change what CLDR writes. The forms here are written
anew, because no habit makes them, or too rarely to be learnt: American numbers with any separator
and padding, 4MAR17, Roman months, a time after the date.

Some texts have a month and a year, or a day and a month, and no more. Nothing in them says the
rest, so their target stops where they do (`attn_course.tasks.dates.partial`). The target of a text
that is no date is empty.

>>> for pair in everyday_pairs(7, seed=324):
...     if pair.kind != "nothing":  # names, which differ with Babel's version
...         print(f"{pair.kind:10} {pair.target:10} {pair.source}")
joined     2002-03-30 30MAR2002
roman      2028-04-13 13/IV/28
incomplete 2042-02    fevereiro de 2042
incomplete --11-18    18/11
timed      2008-04-08 2008-04-08 07:56:05+00:00
american   1967-02-23 2.23.1967

Other calendars are left out. CLDR has the years of the Thai calendar and the eras of the Japanese
one, but Babel copies the Gregorian calendar only. And their years must be computed, not copied.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Iterable
from functools import cache
from typing import Annotated, NamedTuple
from zlib import crc32

from attn_course._signature import checked, unchecked
from attn_course._values import Count, Some, Split, one_of
from attn_course.tasks.date_noise import NOISES, SEPARATORS, Writing, as_typed
from attn_course.tasks.date_patterns import (
    CASES,
    INCOMPLETE,
    KINDS,
    LOCALES,
    Part,
    Piece,
    change_case,
    digits_of,
    find_locale,
    numeral,
    template,
)
from attn_course.tasks.dates import DatePair, date_vocabularies, days_of, is_test_day, pair_of
from attn_course.tasks.vocabulary import Vocabulary

LATIN = digits_of("latn")
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
HOURS = ("%H:%M", "%H:%M:%S", "%H:%M:%S GMT", "%H:%MZ", "%H:%M:%S+00:00", "%I:%M %p")
LONGEST_NAME = 40  # characters

# The habits without those that would complete a date, or leave a number that may be anything
_MILD = {name: noise for name, noise in NOISES.items() if name not in ("compact", "short_year")}
_MARKS = dict(zip(SEPARATORS, (5, 4, 4, 3), strict=True))  # the share of each, in sixteenths


class Numbers(NamedTuple):
    """How an American date is written in numbers: 06-17-14 has "-", 2 and 2.

    mark   between the numbers
    width  digits of the month and the day, at least
    years  digits of the year, 4 or 2
    """

    mark: str
    width: int
    years: int

    def parts(self) -> list[Part]:
        """The parts of this pattern, as `attn_course.tasks.date_patterns.template` has them."""
        month, day = (
            {value: numeral(value, self.width, LATIN) for value in range(1, last + 1)}
            for last in (12, 31)
        )
        year = {value: str(value)[-self.years :] for value in range(1950, 2050)}
        gap = Part("", {0: self.mark})
        return [Part("m", month), gap, Part("d", day), gap, Part("y", year)]

    def writing(self, day: datetime.date) -> Writing:
        """A day, written like this."""
        values = {"y": day.year, "m": day.month, "d": day.day, "": 0}
        pieces = [Piece(words[values[writes]], writes) for writes, words in self.parts()]
        return Writing(pieces, day, "en_US")


# American numbers, each way with its share
AMERICAN = {
    Numbers(mark, width, years): sixteenths / 16 / 2 * share
    for mark, sixteenths in _MARKS.items()
    for width in (1, 2)
    for years, share in ((4, 2 / 3), (2, 1 / 3))
}


def american(day: datetime.date, rng: random.Random) -> Writing:
    """6/17/2014, 06-17-2014, 6.17.14: month, day and year in numbers, with any separator."""
    numbers = rng.choices(list(AMERICAN), list(AMERICAN.values()))[0]
    return _typed(numbers.writing(day), rng)


def joined(day: datetime.date, rng: random.Random) -> Writing:
    """4MAR17, 30-Dec-2011: a day, the short name of a month and a year, joined or with dashes."""
    locale = rng.choice(("en_US", rng.choice(_named())))
    name = _short_month(day.month, locale, rng.choice(("upper", "upper", "cldr", "lower")))
    return _day_month_year(day, name, locale, rng.choice(("", "", "-")), rng.choice((2, 4)), rng)


def roman(day: datetime.date, rng: random.Random) -> Writing:
    """23.VII.2013, 7 IX 2003: the month as a Roman numeral, as in Poland."""
    mark, years = rng.choice(SEPARATORS), rng.choice((4, 4, 2))
    return _day_month_year(day, ROMAN[day.month - 1], "pl", mark, years, rng)


def timed(day: datetime.date, rng: random.Random) -> Writing:
    """2013-07-23 14:05: a date of any locale or in ISO form, followed by a time of day."""
    if rng.random() < 0.3:
        writing, gap = Writing.of(day, "sv", "short"), rng.choice(("T", " "))
    else:
        writing = Writing.of(day, rng.choice(LOCALES), rng.choice(KINDS), _case(rng))
        writing = writing._replace(pieces=as_typed(writing, rng))
        gap = rng.choice((" ", " ", ", "))
    moment = datetime.time(rng.randrange(24), rng.randrange(60), rng.randrange(60))
    hour = moment.strftime(rng.choice(HOURS))
    return writing._replace(pieces=[*writing.pieces, Piece(gap, ""), Piece(hour, "")])


def incomplete(day: datetime.date, rng: random.Random) -> Writing:
    """02/2013, 26 April, May, 2013: a date with a part missing, in CLDR's own patterns."""
    return _typed(
        Writing.of(day, rng.choice(LOCALES), rng.choice(INCOMPLETE), _case(rng)),
        rng,
    )


def nothing(day: datetime.date, rng: random.Random) -> Writing:
    """Estland, yen japonais: a name that is no date. Test days have names of their own."""
    locale = rng.choice(LOCALES)
    name = change_case(rng.choice(_names(locale, is_test_day(day))), locale, _case(rng))
    return Writing([Piece(name, "")], day, locale)


class Form(NamedTuple):
    """A way of writing, and its share of the pairs, in seventieths."""

    share: int
    write: Callable[[datetime.date, random.Random], Writing]


FORMS = {
    "american": Form(12, american),
    "incomplete": Form(26, incomplete),
    "joined": Form(7, joined),
    "roman": Form(8, roman),
    "timed": Form(6, timed),
    "nothing": Form(11, nothing),
}
FormName = Annotated[str, one_of(FORMS)]


@checked
def everyday_pairs(
    count: Count, seed: int, days: Split = "train", *, forms: Some[FormName] = tuple(FORMS)
) -> list[DatePair]:
    """Draw pairs: the form by its share, the day uniformly; ``kind`` is the name of the form.

    ``forms`` are names from `FORMS`, and ``days`` is "train" or "test", as in
    `attn_course.tasks.dates.date_pairs`. The same arguments give the same pairs in every process.
    """
    pool, rng = days_of(days), random.Random(seed)
    drawn = rng.choices(list(forms), [FORMS[form].share for form in forms], k=count)
    with unchecked():  # each fits
        return [pair_of(FORMS[form].write(rng.choice(pool), rng), form) for form in drawn]


@cache
def everyday_vocabularies() -> tuple[Vocabulary, Vocabulary]:
    """The vocabularies of `attn_course.tasks.dates.date_vocabularies`, with what these forms add.

    The characters of names are not among them: to the model those are unknown ones.
    """
    source, target = date_vocabularies()
    months = [
        _short_month(m, name, case) for name in _named() for m in range(1, 13) for case in CASES
    ]
    texts = [*source.symbols, *ROMAN, *months, "T:+ GMTAPZ", *_words(INCOMPLETE)]
    new = set[str]().union(*texts) - set(source.symbols)
    return Vocabulary([*source.symbols, *sorted(new)]), target


def _words(kinds: Iterable[str]) -> Iterable[str]:
    for locale in LOCALES:
        for kind in kinds:
            for case in CASES:
                for part in template(locale, kind, case):
                    yield from part.words.values()


def _typed(writing: Writing, rng: random.Random) -> Writing:
    return writing._replace(pieces=as_typed(writing, rng, _MILD))


def _day_month_year(
    day: datetime.date, month: str, locale: str, mark: str, years: int, rng: random.Random
) -> Writing:
    """The three parts with a mark between them; the day padded or not."""
    gap = [Piece(mark, "")] if mark else []
    number = Piece(numeral(day.day, rng.choice((1, 2)), LATIN), "d")
    year = Piece(str(day.year)[-years:], "y")
    return Writing([number, *gap, Piece(month, "m"), *gap, year], day, locale)


def _short_month(month: int, locale: str, case: str) -> str:
    name = find_locale(locale).months["format"]["abbreviated"][month]
    return change_case(name.rstrip("."), locale, case)


def _case(rng: random.Random) -> str:
    return rng.choices(list(CASES), list(CASES.values()))[0]


@cache
def _named() -> tuple[str, ...]:
    """The locales whose short month is a name; in Japanese it is a number with a sign."""
    return tuple(
        locale
        for locale in LOCALES
        if not any(c.isdecimal() for m in range(1, 13) for c in _short_month(m, locale, "cldr"))
    )


@cache
def _names(locale: str, tested: bool) -> list[str]:
    """Names of places, languages and currencies; about one in eleven is kept for testing."""
    data = find_locale(locale)
    names: set[str] = {
        *data.territories.values(),
        *data.languages.values(),
        *data.currencies.values(),
    }
    return sorted(
        name
        for name in names
        if len(name) <= LONGEST_NAME and (crc32(name.casefold().encode()) % 11 == 0) == tested
    )
