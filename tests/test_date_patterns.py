import datetime
import random
import unicodedata

import pytest
from babel.dates import format_date, format_skeleton, get_month_names

from attn_course.tasks import date_patterns as patterns

EVERY = [(locale, kind) for locale in patterns.LOCALES for kind in patterns.KINDS]


def some_days(seed, count):
    """Random days, and those on which the week-based year would be wrong."""
    rng = random.Random(seed)
    span = (patterns.LAST_DAY - patterns.FIRST_DAY).days
    days = [patterns.FIRST_DAY + datetime.timedelta(rng.randint(0, span)) for _ in range(count)]
    year = rng.randint(1950, 2048)
    return [
        *days,
        datetime.date(year, 12, 31),
        datetime.date(year + 1, 1, 1),
        patterns.FIRST_DAY,
        patterns.LAST_DAY,
    ]


def written(pieces):
    return "".join(piece.text for piece in pieces)


def babel_writes(day, locale, kind):
    if kind in ("short", "medium", "long", "full"):
        return format_date(day, kind, locale)
    return format_skeleton(kind, datetime.datetime.combine(day, datetime.time()), locale=locale)


@pytest.mark.parametrize("locale", [*patterns.LOCALES, "hu"])  # which the course does not have
def test_writes_what_babel_writes_but_for_the_digits(locale):
    to_european = {ord(native): str(value) for value, native in enumerate(patterns.digits(locale))}
    for kind in patterns.KINDS:
        for day in some_days(f"{locale} {kind}", 5):
            expected = unicodedata.normalize("NFC", babel_writes(day, locale, kind))
            assert written(patterns.write(day, locale, kind)).translate(to_european) == expected


def test_there_are_enough_locales_and_scripts():
    scripts = {
        unicodedata.name(character).split()[0]
        for locale in patterns.LOCALES
        for character in written(patterns.write(patterns.FIRST_DAY, locale, "full"))
        if character.isalpha()
    }
    assert len(set(patterns.LOCALES)) >= 24
    assert scripts >= {"LATIN", "CYRILLIC", "GREEK", "HEBREW", "ARABIC", "THAI", "HANGUL", "CJK"}


@pytest.mark.parametrize("locale", ["ar_EG", "fa"])
def test_locales_with_digits_of_their_own_use_no_others(locale):
    for kind in patterns.KINDS:
        for character in written(patterns.write(datetime.date(1987, 10, 26), locale, kind)):
            assert not character.isdecimal() or character in patterns.digits(locale)


def test_every_date_has_one_year_one_month_and_one_day():
    for locale, kind in EVERY:
        writes = [part.writes for part in patterns.template(locale, kind)]
        assert [writes.count(field) for field in "ymd"] == [1, 1, 1]
        assert writes.count("w") <= 1


@pytest.mark.parametrize("case", patterns.CASES)
def test_words_are_whole_distinct_and_composed(case):
    for locale, kind in EVERY:
        for part in patterns.template(locale, kind, case):
            words = list(part.words.values())
            assert all(words)
            assert all(unicodedata.is_normalized("NFC", word) for word in words)
            assert (
                len(set(words))
                == len(words)
                == {"y": 100, "m": 12, "d": 31, "w": 7, "": 1}[part.writes]
            )


def test_case_changes_letters_only_where_there_are_cases():
    for locale, kind in EVERY:
        day = datetime.date(1999, 8, 31)
        plain, lower, upper = (
            written(patterns.write(day, locale, kind, case)) for case in patterns.CASES
        )
        assert lower == plain.lower() or locale == "tr"
        assert not any(character.islower() for character in upper)
        assert not any(character.isupper() for character in lower)


def test_turkish_and_greek_have_case_rules_of_their_own():
    assert patterns.change_case("Kasım Nisan", "tr", "upper") == "KASIM NİSAN"
    assert patterns.change_case("KASIM NİSAN", "tr", "lower") == "kasım nisan"
    assert patterns.change_case("Μαΐου Αύγουστος", "el", "upper") == "ΜΑΪΟΥ ΑΥΓΟΥΣΤΟΣ"
    assert patterns.change_case("ΑΥΓΟΥΣΤΟΣ", "el", "lower") == "αυγουστος"
    assert patterns.change_case("Avril", "fr", "cldr") == "Avril"


def test_each_digit_system_has_its_digits_in_order():
    for system in patterns._ZEROS:
        values = [unicodedata.decimal(digit) for digit in patterns.digits_of(system)]
        assert values == list(range(10))


@pytest.mark.parametrize("locale", ["pl", "fi", "ru", "uk", "el"])
def test_a_month_without_a_day_has_a_name_of_its_own(locale):
    alone, beside_a_day = (
        get_month_names("wide", context, locale) for context in ("stand-alone", "format")
    )
    for month in range(1, 13):
        day = datetime.date(2005, month, 3)
        assert alone[month] != beside_a_day[month]
        assert written(patterns.write(day, locale, "yMMMM")).startswith(f"{alone[month]} ")
        assert f" {beside_a_day[month]}" in written(patterns.write(day, locale, "MMMMd"))


DAY, ONE = datetime.date(2005, 4, 3), datetime.timedelta(1)
REFUSED = {
    patterns._part: [
        ((patterns.find_locale("en_US"), letters[0], len(letters)), letters)
        for letters in ("YYYY", "LLLLL", "QQ", "ddd", "MMMMM")  # of weeks, for example
    ],
    patterns.write: [
        ((DAY, "de", "tiny"), r"kind must be .*yMMMEd; got 'tiny'"),
        (
            (patterns.LAST_DAY + ONE, "de", "short"),
            "between 1950-01-01 and 2049-12-31; got 2050-01-01",
        ),
        ((patterns.FIRST_DAY - ONE, "de", "short"), "got 1949-12-31"),
        (
            (datetime.datetime(2005, 4, 3), "de", "short"),
            TypeError,
            r"datetime\.date; got datetime",
        ),
    ],
    patterns.find_locale: [
        ((name,), "locale must be one that Babel knows") for name in ("", "de-DE", "d", "de_QQ")
    ],
}
