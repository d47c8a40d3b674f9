import datetime
import random
import unicodedata

import pytest
from babel.core import Locale
from babel.dates import format_date, format_skeleton, get_month_names

from attn_course.tasks import date_patterns
from attn_course.tasks.date_patterns import (
    CASES,
    FIRST_DAY,
    KINDS,
    LAST_DAY,
    LOCALES,
    change_case,
    digits,
    find_locale,
    template,
    write,
)

EVERY = [(locale, kind) for locale in LOCALES for kind in KINDS]


def some_days(seed, count):
    """Random days, and those on which the week-based year would be wrong."""
    rng = random.Random(seed)
    span = (LAST_DAY - FIRST_DAY).days
    days = [FIRST_DAY + datetime.timedelta(rng.randint(0, span)) for _ in range(count)]
    year = rng.randint(1950, 2048)
    return [*days, datetime.date(year, 12, 31), datetime.date(year + 1, 1, 1), FIRST_DAY, LAST_DAY]


def written(pieces):
    return "".join(piece.text for piece in pieces)


def babel_writes(day, locale, kind):
    if kind in ("short", "medium", "long", "full"):
        return format_date(day, kind, locale)
    return format_skeleton(kind, datetime.datetime.combine(day, datetime.time()), locale=locale)


@pytest.mark.parametrize("locale", LOCALES)
def test_writes_what_babel_writes_but_for_the_digits(locale):
    to_european = {ord(native): str(value) for value, native in enumerate(digits(locale))}
    for kind in KINDS:
        for day in some_days(f"{locale} {kind}", 5):
            expected = unicodedata.normalize("NFC", babel_writes(day, locale, kind))
            assert written(write(day, locale, kind)).translate(to_european) == expected


def test_there_are_enough_locales_and_scripts():
    scripts = {
        unicodedata.name(character).split()[0]
        for locale in LOCALES
        for character in written(write(FIRST_DAY, locale, "full"))
        if character.isalpha()
    }
    assert len(set(LOCALES)) >= 24
    assert scripts >= {"LATIN", "CYRILLIC", "GREEK", "HEBREW", "ARABIC", "THAI", "HANGUL", "CJK"}


@pytest.mark.parametrize("locale", ["ar_EG", "fa"])
def test_locales_with_digits_of_their_own_use_no_others(locale):
    for kind in KINDS:
        for character in written(write(datetime.date(1987, 10, 26), locale, kind)):
            assert not character.isdecimal() or character in digits(locale)


def test_every_date_has_one_year_one_month_and_one_day():
    for locale, kind in EVERY:
        writes = [part.writes for part in template(locale, kind)]
        assert [writes.count(field) for field in "ymd"] == [1, 1, 1]
        assert writes.count("w") <= 1


@pytest.mark.parametrize("case", CASES)
def test_words_are_whole_distinct_and_composed(case):
    for locale, kind in EVERY:
        for part in template(locale, kind, case):
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
        plain, lower, upper = (written(write(day, locale, kind, case)) for case in CASES)
        assert lower == plain.lower() or locale == "tr"
        assert not any(character.islower() for character in upper)
        assert not any(character.isupper() for character in lower)


def test_turkish_and_greek_have_case_rules_of_their_own():
    assert change_case("Kasım Nisan", "tr", "upper") == "KASIM NİSAN"
    assert change_case("KASIM NİSAN", "tr", "lower") == "kasım nisan"
    assert change_case("Μαΐου Αύγουστος", "el", "upper") == "ΜΑΪΟΥ ΑΥΓΟΥΣΤΟΣ"
    assert change_case("ΑΥΓΟΥΣΤΟΣ", "el", "lower") == "αυγουστος"
    assert change_case("Avril", "fr", "cldr") == "Avril"


def test_each_digit_system_has_its_digits_in_order():
    for system in date_patterns._ZEROS:
        values = [unicodedata.decimal(digit) for digit in date_patterns.digits_of(system)]
        assert values == list(range(10))


def test_a_year_of_weeks_is_refused():
    for letters in ("YYYY", "LLLLL", "QQ", "ddd", "MMMMM"):
        with pytest.raises(ValueError, match=letters):
            date_patterns._part(find_locale("en_US"), letters[0], len(letters))


def test_only_what_the_task_knows_is_written():
    day = datetime.date(2005, 4, 3)
    with pytest.raises(ValueError, match=r"kind must be .*yMMMEd; got 'tiny'"):
        write(day, "de", "tiny")
    with pytest.raises(ValueError, match="between 1950-01-01 and 2049-12-31; got 2050-01-01"):
        write(LAST_DAY + datetime.timedelta(1), "de", "short")
    with pytest.raises(ValueError, match="got 1949-12-31"):
        write(FIRST_DAY - datetime.timedelta(1), "de", "short")
    with pytest.raises(TypeError, match=r"datetime\.date; got datetime"):
        write(datetime.datetime(2005, 4, 3), "de", "short")


@pytest.mark.parametrize("name", ["", "de-DE", "d", "de_QQ"])
def test_names_that_are_no_locale_are_refused(name):
    with pytest.raises(ValueError, match="locale must be one that Babel knows"):
        find_locale(name)


def test_locales_outside_of_the_course_are_welcome():
    assert "hu" not in LOCALES
    assert isinstance(find_locale("hu"), Locale)
    for kind in KINDS:
        assert written(write(datetime.date(2005, 4, 3), "hu", kind)) == babel_writes(
            datetime.date(2005, 4, 3), "hu", kind
        )


@pytest.mark.parametrize("locale", ["pl", "fi", "ru", "uk", "el"])
def test_a_month_without_a_day_has_a_name_of_its_own(locale):
    alone, beside_a_day = (
        get_month_names("wide", context, locale) for context in ("stand-alone", "format")
    )
    for month in range(1, 13):
        day = datetime.date(2005, month, 3)
        assert alone[month] != beside_a_day[month]
        assert written(write(day, locale, "yMMMM")).startswith(f"{alone[month]} ")
        assert f" {beside_a_day[month]}" in written(write(day, locale, "MMMMd"))
