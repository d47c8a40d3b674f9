"""What people type instead of what CLDR writes.

A model trained on CLDR's dates alone is lost when a space stands beside a slash or an accent is
missing. Each function here is one typing habit. It takes a `Writing` and a random generator and
returns the new pieces, or the old ones if the habit does not apply. Every piece still says which
field it writes, so the gold alignment stays exact.

`NOISES` lists the habits, each with the share of dates that it affects, in the order in which they
apply: first those that write a part differently, then those that type a character differently, then
those that change the gaps. Case does not count as noise, since it is drawn for the clean dates too.

>>> writing = Writing.of(datetime.date(2005, 4, 3), "en_US", "long")
>>> text(without_spaces(writing, random.Random(0)))
'April3,2005'
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, NamedTuple

from attn_course._signature import checked
from attn_course._values import one_of
from attn_course.tasks.date_characters import keyboard, other_digits_of, plain, visible
from attn_course.tasks.date_patterns import Piece, digits, language, numeral, write

SEPARATORS = ("-", ".", "/", " ")


class Writing(NamedTuple):
    """A written day: its pieces, the day they mean, and the locale that writes it this way."""

    pieces: list[Piece]
    day: datetime.date
    locale: str

    @classmethod
    def of(cls, day: datetime.date, locale: str, kind: str, case: str = "cldr") -> Writing:
        """The day as CLDR writes it."""
        return cls(write(day, locale, kind, case), day, locale)


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
    return _each(writing.pieces, lambda text: text.translate(table))


def without_year_mark(writing: Writing, rng: random.Random) -> list[Piece]:
    """A year at the end without the abbreviation that Russian and Ukrainian put after it."""
    *rest, last = writing.pieces
    return rest if not last.writes and rest and rest[-1].writes == "y" else writing.pieces


# Habits of typing a character differently


def without_diacritics(writing: Writing, rng: random.Random) -> list[Piece]:
    """fevrier, wrzesnia: accents left out."""
    return _each(writing.pieces, plain)


def keyboard_marks(writing: Writing, rng: random.Random) -> list[Piece]:
    """Type what a keyboard has: an apostrophe for the Hebrew geresh, a comma for the Arabic one."""
    return _each(writing.pieces, keyboard)


def without_invisible_marks(writing: Writing, rng: random.Random) -> list[Piece]:
    """Without the right-to-left marks and non-joiners of CLDR, and with plain spaces only."""
    return _each(writing.pieces, visible)


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
def as_typed(
    writing: Writing, rng: random.Random, habits: Mapping[str, Noise] = NOISES
) -> list[Piece]:
    """Apply each of the habits, by default all of `NOISES`, to its share of the dates."""
    for noise in habits.values():
        if rng.random() < noise.share:
            writing = writing._replace(pieces=noise.apply(writing, rng))
    return writing.pieces


@checked
def apply_noise(
    name: Annotated[str, one_of(NOISES)], writing: Writing, rng: random.Random
) -> list[Piece]:
    """Apply one habit by its name; a name that is not in `NOISES` is a ValueError."""
    return NOISES[name].apply(writing, rng)


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


def text(pieces: Iterable[Piece]) -> str:
    """The pieces as one string."""
    return "".join(piece.text for piece in pieces)


def _is_name(month: str) -> bool:
    return not any(character.isdecimal() for character in month)


def _text_of(writing: Writing, writes: str) -> str:
    return next((piece.text for piece in writing.pieces if piece.writes == writes), "")


def _cased_like(word: str, model: str) -> str:
    return word.upper() if model.isupper() else word


def _each(pieces: list[Piece], change: Callable[[str], str]) -> list[Piece]:
    return [piece._replace(text=change(piece.text)) for piece in pieces]


def _insert(mark: str, place: int, pieces: list[Piece]) -> list[Piece]:
    return [*pieces[:place], Piece(mark, ""), *pieces[place:]]


def _without(characters: str, pieces: list[Piece], everywhere: bool) -> list[Piece]:
    """Drop characters, ``everywhere`` or only from the gaps, but never so that two numbers join."""
    kept: list[Piece] = []
    for piece, after in zip(pieces, [*pieces[1:], Piece("", "")], strict=True):
        if everywhere or not piece.writes:
            left = "".join(c for c in piece.text if c not in characters)
            grown = not left and text(kept)[-1:].isdecimal() and after.text[:1].isdecimal()
            piece = piece if grown else piece._replace(text=left)
        kept.append(piece)
    return kept
