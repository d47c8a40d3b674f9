"""What people type instead of what CLDR writes: habits, and forms that CLDR does not have.

A model trained on CLDR's dates alone is lost when a space stands beside a slash or an accent is
missing. A *habit* is one way of typing: it takes a `Writing` and a random generator and returns the
new pieces, or the old ones if it does not apply. Every piece still says which field it writes, so
the gold alignment stays exact. `NOISES` lists the habits, each with the share of dates that it
affects, in the order in which they apply: first those that write a part differently, then those
that type a character differently, then those that change the gaps. Case does not count as noise,
since it is drawn for the clean dates too.

>>> writing = Writing.of(datetime.date(2005, 4, 3), "en_US", "long")
>>> text(without_spaces(writing, random.Random(0)))
'April3,2005'

A *form* is written anew, because no habit makes it, or too rarely to be learnt: American numbers
with any separator and padding, 4MAR17, Roman months, a time after the date. Some have a month and a
year, or a day and a month, and no more; some are names, and no dates at all. `FORMS` lists them.

Other calendars are left out. CLDR has the years of the Thai calendar and the eras of the Japanese
one, but Babel copies the Gregorian calendar only. And their years must be computed, not copied.
"""

from __future__ import annotations

import datetime
import random
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Annotated, NamedTuple
from zlib import crc32

from attn_course._signature import checked
from attn_course._values import one_of
from attn_course.tasks.date_patterns import (
    CASES,
    INCOMPLETE,
    KINDS,
    LOCALES,
    Part,
    Piece,
    change_case,
    digits,
    digits_of,
    find_locale,
    is_test_day,
    language,
    numeral,
    pieces_of,
    write,
)

SEPARATORS = ("-", ".", "/", " ")
LATIN = digits_of("latn")
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
HOURS = ("%H:%M", "%H:%M:%S", "%H:%M:%S GMT", "%H:%MZ", "%H:%M:%S+00:00", "%I:%M %p")
LONGEST_NAME = 40  # characters
# Not a base letter with a combining accent, and yet typed without the stroke, dot or hamza
_BARE = str.maketrans("øØłŁıأإآ", "oOlLiااا", "\N{ARABIC HAMZA ABOVE}")
_KEYBOARD = str.maketrans(
    {
        "\N{HEBREW PUNCTUATION GERESH}": "'",
        "\N{MODIFIER LETTER APOSTROPHE}": "'",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{ARABIC COMMA}": ",",
        "\N{DEVANAGARI ABBREVIATION SIGN}": ".",
    }
)
_OTHER_DIGITS = {"hi": "deva", "th": "thai", "ja": "fullwide", "zh": "fullwide"}


class Writing(NamedTuple):
    """A written day: its pieces, the day they mean, and the locale that writes it this way."""

    pieces: list[Piece]
    day: datetime.date
    locale: str

    @classmethod
    def of(cls, day: datetime.date, locale: str, kind: str, case: str = "cldr") -> Writing:
        """The day as CLDR writes it."""
        return cls(write(day, locale, kind, case), day, locale)


def text(pieces: Iterable[Piece]) -> str:
    """The pieces as one string."""
    return "".join(piece.text for piece in pieces)


# Characters: these functions keep their order, so that a changed word still belongs to its part


@checked
def plain(text: str) -> str:
    """Remove the accents of Latin, Greek and Cyrillic letters, and the hamza of Arabic ones.

    Other scripts keep their marks: in Thai and Hindi these are vowels, and without its vowel March
    would become January.

    >>> plain("października août أبريل มี.ค.")
    'pazdziernika aout ابريل มี.ค.'
    """
    apart = unicodedata.normalize("NFD", text.translate(_BARE))
    bare = "".join(character for character in apart if not "\u0300" <= character <= "\u036f")
    return unicodedata.normalize("NFC", bare)


@checked
def keyboard(text: str) -> str:
    """Replace marks with the nearest ones on a keyboard: an apostrophe, a comma, a full stop."""
    return text.translate(_KEYBOARD)


@checked
def visible(text: str) -> str:
    """Remove characters without width, and turn every kind of space into a plain one.

    >>> visible("3\\u200f/4 2005\\u202fг.")
    '3/4 2005 г.'
    """
    return "".join(
        " " if unicodedata.category(character) == "Zs" else character
        for character in text
        if unicodedata.category(character) != "Cf"
    )


@checked
def typed_forms(word: str) -> set[str]:
    """A word of CLDR and everything that these functions can turn it into."""
    forms = {word}
    for change in (plain, keyboard, visible):
        forms |= {change(form) for form in forms}
    return forms


@checked
def other_digits_of(locale: str) -> str:
    """The ten digits that people in a locale also type, besides the ones that CLDR uses."""
    latin = digits_of("latn")
    if digits(locale) != latin:
        return latin
    return digits_of(_OTHER_DIGITS.get(language(locale), "latn"))


# Habits of writing a part differently


def compact(writing: Writing, rng: random.Random) -> list[Piece]:
    """20050403: eight digits with nothing between them."""
    day, native = writing.day, digits(writing.locale)
    return [
        Piece(numeral(day.year, 4, native), "y"),
        Piece(numeral(day.month, 2, native), "m"),
        Piece(numeral(day.day, 2, native), "d"),
    ]


def ordinal(writing: Writing, rng: random.Random) -> list[Piece]:
    """April 3rd, April the 3rd, 3rd of April; 1er in French, 1º in Spanish and some others.

    Only beside a month's name: nobody types 4/3rd/2005.
    """
    month = _text_of(writing, "m")
    suffix = ordinal_suffix(writing.day.day, writing.locale)
    if not suffix or not _is_name(month):
        return writing.pieces
    wordy = language(writing.locale) == "en" and rng.random() < 0.5
    pieces: list[Piece] = []
    for piece in writing.pieces:
        before = {earlier.writes for earlier in pieces}
        if piece.writes == "d":
            if wordy and "m" in before:
                pieces.append(Piece(_cased_like("the ", month), ""))
            piece = Piece(piece.text + _cased_like(suffix, month), "d")
        if piece.writes == "m" and wordy and "d" in before:
            pieces.append(Piece(_cased_like("of ", month), ""))
        pieces.append(piece)
    return pieces


def short_year(writing: Writing, rng: random.Random) -> list[Piece]:
    """3 April 05, sometimes '05. Only beside a month's name: 3/4/05 would be too ambiguous."""
    if not _is_name(_text_of(writing, "m")):
        return writing.pieces
    mark = "'" if rng.random() < 0.3 else ""
    return [
        Piece(mark + piece.text[-2:], "y") if piece.writes == "y" else piece
        for piece in writing.pieces
    ]


def other_padding(writing: Writing, rng: random.Random) -> list[Piece]:
    """03 April for 3 April, and 3.4. for 03.04."""
    zero = digits(writing.locale)[0]
    return [
        piece._replace(text=padded_otherwise(piece.text, zero))
        if piece.writes in ("d", "m")
        else piece
        for piece in writing.pieces
    ]


def padded_otherwise(text: str, zero: str) -> str:
    """A number below ten with its leading zero if it has none, and without it if it has one."""
    if not text.isdecimal():
        return text
    if text[0] == zero:
        return text[1:]
    return zero + text if len(text) == 1 else text


def other_separator(writing: Writing, rng: random.Random) -> list[Piece]:
    """3-4-2005 or 3 4 2005 for 3/4/2005: a different separator throughout."""
    pieces = writing.pieces
    gaps, others = separated(pieces)
    if not others:
        return pieces
    chosen = rng.choice(others)
    return [Piece(chosen, "") if index in gaps else piece for index, piece in enumerate(pieces)]


def separated(pieces: Sequence[Piece]) -> tuple[list[int], list[str]]:
    """The indices of a date's separators, and those of `SEPARATORS` that could stand there instead.

    Both are empty if the gaps differ, or hold anything but one of `SEPARATORS`.
    """
    places = [index for index, piece in enumerate(pieces) if piece.writes in ("y", "m", "d")]
    gaps = [index for index in range(places[0], places[-1]) if not pieces[index].writes]
    now = {visible(pieces[gap].text).strip() for gap in gaps}
    if len(now) != 1 or not now < set(SEPARATORS):
        return [], []
    return gaps, [mark for mark in SEPARATORS if mark not in now]


def other_digits(writing: Writing, rng: random.Random) -> list[Piece]:
    """European digits for the locale's own, or its own where CLDR writes European ones."""
    table = str.maketrans(digits(writing.locale), other_digits_of(writing.locale))
    return [piece._replace(text=piece.text.translate(table)) for piece in writing.pieces]


def without_year_mark(writing: Writing, rng: random.Random) -> list[Piece]:
    """A year at the end without the abbreviation that Russian and Ukrainian put after it."""
    *rest, last = writing.pieces
    return rest if not last.writes and rest and rest[-1].writes == "y" else writing.pieces


# Habits of typing a character differently


def without_diacritics(writing: Writing, rng: random.Random) -> list[Piece]:
    """fevrier, wrzesnia: accents left out."""
    return [piece._replace(text=plain(piece.text)) for piece in writing.pieces]


def keyboard_marks(writing: Writing, rng: random.Random) -> list[Piece]:
    """Type what a keyboard has: an apostrophe for the Hebrew geresh, a comma for the Arabic one."""
    return [piece._replace(text=keyboard(piece.text)) for piece in writing.pieces]


def without_invisible_marks(writing: Writing, rng: random.Random) -> list[Piece]:
    """Without the right-to-left marks and non-joiners of CLDR, and with plain spaces only."""
    return [piece._replace(text=visible(piece.text)) for piece in writing.pieces]


# Habits of changing the gaps between parts


def without_punctuation(writing: Writing, rng: random.Random) -> list[Piece]:
    """April 3 2005: commas and full stops left out, except between two digits."""
    return _without(".,،॰", writing.pieces, everywhere=True)


def extra_punctuation(writing: Writing, rng: random.Random) -> list[Piece]:
    """3 April, 2005: one more comma or full stop after a part."""
    places = [
        index + 1
        for index, (piece, after) in enumerate(
            zip(writing.pieces, [*writing.pieces[1:], Piece(" ", "")], strict=True)
        )
        if piece.writes and after.text[:1] == " "
    ]
    return (
        _insert(rng.choice(",."), rng.choice(places), writing.pieces) if places else writing.pieces
    )


def spaces_around_separators(writing: Writing, rng: random.Random) -> list[Piece]:
    """3 / 4 / 2005: spaces on both sides of the separators."""
    return [
        Piece(f" {piece.text.strip()} ", "")
        if not piece.writes and visible(piece.text).strip() in (*SEPARATORS, ",")
        else piece
        for piece in writing.pieces
    ]


def extra_space(writing: Writing, rng: random.Random) -> list[Piece]:
    """One more space, before, after or between the parts."""
    return _insert(" ", rng.randint(0, len(writing.pieces)), writing.pieces)


def without_spaces(writing: Writing, rng: random.Random) -> list[Piece]:
    """3April2005: spaces between the parts left out, except between two digits."""
    return _without(" \N{NARROW NO-BREAK SPACE}", writing.pieces, everywhere=False)


class Noise(NamedTuple):
    """A habit, and the share of typed dates that it affects."""

    share: float
    apply: Callable[[Writing, random.Random], list[Piece]]


NOISES = {
    "compact": Noise(0.02, compact),
    "ordinal": Noise(0.1, ordinal),
    "short_year": Noise(0.05, short_year),
    "other_padding": Noise(0.05, other_padding),
    "other_separator": Noise(0.05, other_separator),
    "other_digits": Noise(0.1, other_digits),
    "without_year_mark": Noise(0.3, without_year_mark),
    "without_diacritics": Noise(0.2, without_diacritics),
    "keyboard_marks": Noise(0.4, keyboard_marks),
    "without_invisible_marks": Noise(0.5, without_invisible_marks),
    "without_punctuation": Noise(0.06, without_punctuation),
    "extra_punctuation": Noise(0.05, extra_punctuation),
    "spaces_around_separators": Noise(0.06, spaces_around_separators),
    "extra_space": Noise(0.06, extra_space),
    "without_spaces": Noise(0.06, without_spaces),
}


@checked
def as_typed(writing: Writing, rng: random.Random, habits: Mapping[str, Noise] = NOISES) -> Writing:
    """Apply each of the habits, by default all of `NOISES`, to its share of the dates."""
    for noise in habits.values():
        if rng.random() < noise.share:
            writing = writing._replace(pieces=noise.apply(writing, rng))
    return writing


@checked
def apply_noise(
    name: Annotated[str, one_of(NOISES)], writing: Writing, rng: random.Random
) -> Writing:
    """Apply one habit by its name; a name that is not in `NOISES` is a ValueError."""
    return writing._replace(pieces=NOISES[name].apply(writing, rng))


@checked
def added_characters(locale: str) -> set[str]:
    """Characters that the habits can add to a locale's dates."""
    suffixes = {ordinal_suffix(day, locale) for day in range(1, 32)}
    words = ("the ", "of ") if language(locale) == "en" else ()
    added = "".join((*suffixes, *words, *SEPARATORS, ",'", other_digits_of(locale)))
    return set(added + added.upper())


@checked
def ordinal_suffix(number: int, locale: str) -> str:
    """The suffix that turns a day's number into an ordinal; empty where it is not written.

    >>> [f"{day}{ordinal_suffix(day, 'en_US')}" for day in (1, 2, 3, 4, 11, 12, 13, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '22nd']
    """
    if language(locale) == "en":
        return (
            "th" if number in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        )
    firsts = {"fr": "er", "es": "º", "it": "º", "pt": "º"}
    return firsts.get(language(locale), "") if number == 1 else ""


def _is_name(month: str) -> bool:
    return not any(character.isdecimal() for character in month)


def _text_of(writing: Writing, writes: str) -> str:
    return next((piece.text for piece in writing.pieces if piece.writes == writes), "")


def _cased_like(word: str, model: str) -> str:
    return word.upper() if model.isupper() else word


def _insert(mark: str, place: int, pieces: list[Piece]) -> list[Piece]:
    return [*pieces[:place], Piece(mark, ""), *pieces[place:]]


def _without(characters: str, pieces: list[Piece], everywhere: bool) -> list[Piece]:
    """Drop characters, ``everywhere`` or only from the gaps, but never so that two numbers join."""
    written: list[Piece] = []
    for piece, after in zip(pieces, [*pieces[1:], Piece("", "")], strict=True):
        if everywhere or not piece.writes:
            left = "".join(c for c in piece.text if c not in characters)
            grown = not left and text(written)[-1:].isdecimal() and after.text[:1].isdecimal()
            piece = piece if grown else piece._replace(text=left)
        written.append(piece)
    return written


# Forms that CLDR's patterns do not have

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
        return Writing(pieces_of(day, self.parts()), day, "en_US")


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
    return as_typed(numbers.writing(day), rng, _MILD)


def joined(day: datetime.date, rng: random.Random) -> Writing:
    """4MAR17, 30-Dec-2011: a day, the short name of a month and a year, joined or with dashes."""
    locale = rng.choice(("en_US", rng.choice(named())))
    name = short_month(day.month, locale, rng.choice(("upper", "upper", "cldr", "lower")))
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
        writing = as_typed(writing, rng)
        gap = rng.choice((" ", " ", ", "))
    moment = datetime.time(rng.randrange(24), rng.randrange(60), rng.randrange(60))
    hour = moment.strftime(rng.choice(HOURS))
    return writing._replace(pieces=[*writing.pieces, Piece(gap, ""), Piece(hour, "")])


def incomplete(day: datetime.date, rng: random.Random) -> Writing:
    """02/2013, 26 April, May, 2013: a date with a part missing, in CLDR's own patterns."""
    writing = Writing.of(day, rng.choice(LOCALES), rng.choice(INCOMPLETE), _case(rng))
    return as_typed(writing, rng, _MILD)


def no_date(day: datetime.date, rng: random.Random) -> Writing:
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
    "nothing": Form(11, no_date),
}


def _day_month_year(
    day: datetime.date, month: str, locale: str, mark: str, years: int, rng: random.Random
) -> Writing:
    """The three parts with a mark between them; the day padded or not."""
    gap = [Piece(mark, "")] if mark else []
    number = Piece(numeral(day.day, rng.choice((1, 2)), LATIN), "d")
    year = Piece(str(day.year)[-years:], "y")
    return Writing([number, *gap, Piece(month, "m"), *gap, year], day, locale)


def short_month(month: int, locale: str, case: str) -> str:
    """The abbreviation of a month, without the full stop."""
    name = find_locale(locale).months["format"]["abbreviated"][month]
    return change_case(name.rstrip("."), locale, case)


def _case(rng: random.Random) -> str:
    return rng.choices(list(CASES), list(CASES.values()))[0]


@cache
def named() -> tuple[str, ...]:
    """The locales whose short month is a name; in Japanese it is a number with a sign."""
    return tuple(
        locale
        for locale in LOCALES
        if not any(c.isdecimal() for m in range(1, 13) for c in short_month(m, locale, "cldr"))
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
