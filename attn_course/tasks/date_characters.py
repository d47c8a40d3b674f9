"""The characters that people type instead of those that CLDR writes.

CLDR writes accents, typographic marks, zero-width marks, and one set of digits per locale. A
keyboard offers fewer characters, or others. Each function here changes characters one by one and
keeps their order, so that a changed word still belongs to the part that wrote it.
"""

from __future__ import annotations

import unicodedata

from attn_course._signature import checked
from attn_course.tasks.date_patterns import digits, digits_of, language

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
