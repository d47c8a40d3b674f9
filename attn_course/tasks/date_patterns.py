"""How a locale writes a day: the patterns of CLDR, part by part.

The Unicode Consortium's Common Locale Data Repository (CLDR) says how people write dates; Babel
contains a copy. A pattern such as ``d. MMMM y`` is a sequence of parts, and each part writes one
thing: the year, the month, the day, the weekday, or fixed characters between them. For every part,
`template` returns its words, one for each value that it can take. To write a day is then to look up
its words, so it is known which part each character belongs to. This is where exact gold alignments
come from.

Babel's own formatting is slower and returns a bare string. It also never writes a locale's own
digits, although CLDR lists them; they are added here.
"""

from __future__ import annotations

import datetime
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import Annotated, NamedTuple

from babel import Locale, UnknownLocaleError
from babel.dates import match_skeleton, tokenize_pattern

from attn_course._signature import checked, unchecked
from attn_course._values import Count, CountOrZero, Some, Split, form, one_of

# fmt: off
LOCALES = (
    "en_US", "en_GB", "de", "fr", "es", "it", "pt_BR", "nl", "sv", "da", "pl", "fi",
    "ru", "uk", "el", "he", "ar_EG", "fa", "hi", "th", "ja", "zh_Hans", "ko", "tr",
)
# fmt: on
KINDS = ("short", "medium", "long", "full", "yMd", "yMEd", "yMMMd", "yMMMEd")
# Patterns that leave out a part of the date
INCOMPLETE = ("yMMMM", "yMMM", "yM", "MMMMd", "MMMd", "Md", "MMM", "y")
# The languages in which a month without a day has a name of its own. (Babel 2.18 gives the others,
# which have none, that of whichever locale was asked for first.)
NOMINATIVE = ("pl", "fi", "ru", "uk", "el")
CASES = {"cldr": 6, "lower": 3, "upper": 1}  # the share of each, in tenths

FIRST_DAY = datetime.date(1950, 1, 1)
LAST_DAY = datetime.date(2049, 12, 31)  # a hundred years: two digits name one year

# CLDR's numbering systems, each with its digit zero
_ZEROS = {
    "latn": "0",
    "arab": "\N{ARABIC-INDIC DIGIT ZERO}",
    "arabext": "\N{EXTENDED ARABIC-INDIC DIGIT ZERO}",
    "deva": "\N{DEVANAGARI DIGIT ZERO}",
    "beng": "\N{BENGALI DIGIT ZERO}",
    "mymr": "\N{MYANMAR DIGIT ZERO}",
    "thai": "\N{THAI DIGIT ZERO}",
    "tibt": "\N{TIBETAN DIGIT ZERO}",
    "fullwide": "\N{FULLWIDTH DIGIT ZERO}",
}

Kind = Annotated[str, one_of((*INCOMPLETE, *KINDS))]
Case = Annotated[str, one_of(CASES)]
TenDigits = Annotated[str, form("ten characters", "(?s:.{10})")]


class Part(NamedTuple):
    """One part of a pattern: what it writes, and the word for each value.

    ``writes`` is "y" for the year, "m" for the month, "d" for the day, "w" for the weekday, and ""
    for fixed characters, which have the single value 0.
    """

    writes: str
    words: dict[int, str]


class Piece(NamedTuple):
    """The characters written by one part."""

    text: str
    writes: str


@checked
def write(day: datetime.date, locale: str, kind: Kind, case: Case = "cldr") -> list[Piece]:
    """Write a day, piece by piece.

    >>> write(datetime.date(2005, 4, 3), "de", "long")[:3]
    [Piece(text='3', writes='d'), Piece(text='. ', writes=''), Piece(text='April', writes='m')]
    """
    check_day(day)
    return pieces_of(day, template(locale, kind, case))


def pieces_of(day: datetime.date, parts: Iterable[Part]) -> list[Piece]:
    """A day in the words of these parts."""
    values = {"y": day.year, "m": day.month, "d": day.day, "w": day.weekday(), "": 0}
    return [Piece(words[values[writes]], writes) for writes, words in parts]


@checked
@cache
def template(locale: str, kind: Kind, case: Case = "cldr") -> tuple[Part, ...]:
    """The parts of a locale's pattern, in the order of writing.

    ``kind`` is one of `KINDS`: the four widths of CLDR, or a skeleton, which lists the fields
    wanted and leaves their order to the locale; or one of `INCOMPLETE`. ``case`` is one of `CASES`;
    the words change case one by one, so that no part loses track of its characters. The year is the
    calendar year (``y``). A pattern with the week-based year (``Y``) would move the last days of
    December to the next year, so it is a ValueError, as is every other letter that these dates do
    not need. The words are composed (NFC), as in CLDR.
    """
    data = find_locale(locale)
    parts: list[Part] = []
    with unchecked():  # thousands of words
        for _, token in tokenize_pattern(_pattern(data, kind)):
            part = Part("", {0: token}) if isinstance(token, str) else _part(data, *token)
            words = {value: change_case(word, locale, case) for value, word in part.words.items()}
            if not part.writes and parts and not parts[-1].writes:
                words = {0: parts.pop().words[0] + words[0]}  # fixed characters in a row are joined
            parts.append(Part(part.writes, words))
    return tuple(parts)


@checked
def find_locale(locale: str) -> Locale:
    """Babel's data for a locale such as ``de`` or ``pt_BR``; an unknown name is a ValueError."""
    try:
        return _parse(locale)
    except (UnknownLocaleError, ValueError, TypeError, AttributeError):
        raise ValueError(
            f"locale must be one that Babel knows, such as {', '.join(LOCALES[:4])}; got {locale!r}"
        ) from None


@checked
def templates(
    locales: Some[str], kinds: Some[Kind]
) -> Iterator[tuple[str, str, str, tuple[Part, ...]]]:
    """Each locale, kind and case with its parts; the locales and kinds must be known ones."""
    choices = product(locales, kinds, CASES)
    return iter([(*choice, template(*choice)) for choice in choices])


def check_day(day: datetime.date) -> None:
    """Require a day within the hundred years of the task."""
    if not isinstance(day, datetime.date) or isinstance(day, datetime.datetime):
        raise TypeError(f"day must be a datetime.date; got {type(day).__name__}")
    if not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(f"day must lie between {FIRST_DAY} and {LAST_DAY}; got {day}")


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
    century = map(datetime.date.fromordinal, span)
    return tuple(day for day in century if is_test_day(day) == (days == "test"))


@checked
def digits(locale: str) -> str:
    """The ten digits that a locale writes by default, from zero to nine.

    >>> digits("fa")
    '۰۱۲۳۴۵۶۷۸۹'
    """
    system = find_locale(locale).default_numbering_system
    if system not in _ZEROS:
        raise ValueError(
            f"digits of locale {locale!r}: numbering system {system!r} is not one of "
            f"{', '.join(_ZEROS)}"
        )
    return digits_of(system)


@checked
def digits_of(system: Annotated[str, one_of(_ZEROS)]) -> str:
    """The ten digits of a numbering system, by its name in CLDR."""
    return "".join(chr(ord(_ZEROS[system]) + number) for number in range(10))


@checked
def numeral(value: CountOrZero, width: Count, ten_digits: TenDigits) -> str:
    """A number in the ten digits given, with leading zeros up to ``width`` digits."""
    return f"{value:0{width}}".translate(str.maketrans("0123456789", ten_digits))


@checked
def language(locale: str) -> str:
    """The language of a locale: ``pt`` for ``pt_BR``."""
    return find_locale(locale).language


@checked
def change_case(word: str, locale: str, case: Case) -> str:
    """A word in upper or lower case, by the rules of the language, or as CLDR has it.

    Turkish has an i with a dot and one without, each in both cases. Greek capitals carry no accent;
    without that rule, ΐ would become three characters.
    """
    turkish = language(locale) in ("tr", "az")
    if case == "lower":
        return (word.replace("I", "ı").replace("İ", "i") if turkish else word).lower()
    if case == "upper":
        upper = (word.replace("i", "İ") if turkish else word).upper()
        return _without_accents(upper) if language(locale) == "el" else upper
    return word


@cache
def _parse(locale: str) -> Locale:
    return Locale.parse(locale)


def _pattern(data: Locale, kind: str) -> str:
    if kind in data.date_formats:
        return data.date_formats[kind].pattern
    skeletons = data.datetime_skeletons
    return skeletons[kind if kind in skeletons else match_skeleton(kind, skeletons)].pattern


def _part(data: Locale, letter: str, count: int) -> Part:
    """The words of one field of a pattern: a letter, repeated ``count`` times."""
    native = digits(str(data))

    def numbers(values: range) -> dict[int, str]:
        return {value: numeral(value, count, native) for value in values}

    width = {4: "wide"}.get(count, "abbreviated")
    if letter == "y":
        years = numbers(range(FIRST_DAY.year, LAST_DAY.year + 1))
        return Part("y", {year: text[-2:] for year, text in years.items()} if count == 2 else years)
    if letter == "d" and count <= 2:
        return Part("d", numbers(range(1, 32)))
    if letter in "ML" and count <= 2:
        return Part("m", numbers(range(1, 13)))
    if letter in "ML" and count <= 4:
        alone = letter == "L" and data.language in NOMINATIVE
        return Part("m", dict(data.months["stand-alone" if alone else "format"][width]))
    if letter == "E" and count <= 4:
        return Part("w", dict(data.days["format"][width]))
    if letter == "c" and 3 <= count <= 4:
        return Part("w", dict(data.days["stand-alone"][width]))
    if letter == "G" and count <= 4:
        return Part("", {0: data.eras[width][1]})
    raise ValueError(
        f"pattern of {data}: cannot write {letter * count!r}; expected y, M, L, d, E, c, G"
    )


def _without_accents(word: str) -> str:
    plain = unicodedata.normalize("NFD", word).replace("\N{COMBINING ACUTE ACCENT}", "")
    return unicodedata.normalize("NFC", plain)
