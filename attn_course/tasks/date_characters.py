"""The characters that people type in place of those that CLDR writes.

CLDR writes accents, typographic marks, marks without width, and one set of digits for a locale.
A keyboard offers less, or something else. Each function here changes characters one by one and
keeps their order, so that a changed word still belongs to the part that wrote it.
"""

from __future__ import annotations

import unicodedata

from attn_course._values import expect_text
from attn_course.tasks.date_patterns import digits, digits_of, language

# What is no base letter with an accent, and yet is typed without its stroke, dot or hamza
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


def plain(text: str) -> str:
    """Leave out the accents of Latin, Greek and Cyrillic letters, and the hamza of Arabic ones.

    Other scripts keep their marks: those of Thai and Hindi are vowels, and without its vowel
    March would be January.

    >>> plain("października août أبريل มี.ค.")
    'pazdziernika aout ابريل มี.ค.'
    """
    expect_text("text", text)
    apart = unicodedata.normalize("NFD", text.translate(_BARE))
    bare = "".join(character for character in apart if not "\u0300" <= character <= "\u036f")
    return unicodedata.normalize("NFC", bare)


def keyboard(text: str) -> str:
    """The nearest marks on a keyboard: an apostrophe, a comma, a full stop."""
    expect_text("text", text)
    return text.translate(_KEYBOARD)


def visible(text: str) -> str:
    """Leave out what has no width, and write every kind of space as the plain one.

    >>> visible("3\\u200f/4 2005\\u202fг.")
    '3/4 2005 г.'
    """
    expect_text("text", text)
    return "".join(
        " " if unicodedata.category(character) == "Zs" else character
        for character in text
        if unicodedata.category(character) != "Cf"
    )


def typed_forms(word: str) -> set[str]:
    """A word of CLDR, and everything that the habits of characters can make of it."""
    forms = {word}
    for change in (plain, keyboard, visible):
        forms |= {change(form) for form in forms}
    return forms


def other_digits_of(locale: str) -> str:
    """The ten digits that people of a locale type besides those that CLDR gives it."""
    latin = digits_of("latn")
    if digits(locale) != latin:
        return latin
    return digits_of(_OTHER_DIGITS.get(language(locale), "latn"))
