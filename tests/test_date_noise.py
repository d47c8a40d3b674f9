import datetime
import random
import unicodedata
from collections import Counter
from itertools import combinations, pairwise

import pytest
from babel import Locale

from attn_course.tasks.date_noise import (
    NOISES,
    Writing,
    apply_noise,
    as_typed,
    keyboard,
    ordinal_suffix,
    other_digits_of,
    plain,
    text,
    typed_forms,
    visible,
)
from attn_course.tasks.date_patterns import CASES, KINDS, LOCALES, digits, template
from attn_course.tasks.dates import render

DAY = datetime.date(2005, 4, 3)


def some_writings(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        day = datetime.date(rng.randint(1950, 2049), rng.randint(1, 12), rng.randint(1, 28))
        yield Writing.of(day, rng.choice(LOCALES), rng.choice(KINDS), rng.choice(list(CASES)))


EXAMPLES = {
    "compact": ("en_US", "long", "20050403", "yyyymmdd"),
    "other_padding": ("en_GB", "long", "03 April 2005", "dd·mmmmm·yyyy"),
    "other_digits": ("fa", "short", "2005/4/3", "yyyy·m·d"),
    "without_year_mark": ("ru", "long", "3 апреля 2005", "d·mmmmmm·yyyy"),
    "without_invisible_marks": ("ar_EG", "short", "٣/٤/٢٠٠٥", "d·m·yyyy"),
    "keyboard_marks": ("he", "medium", "3 באפר' 2005", "d··mmmm·yyyy"),
    "without_punctuation": ("en_US", "long", "April 3 2005", "mmmmm·d·yyyy"),
    "spaces_around_separators": ("en_US", "short", "4 / 3 / 05", "m···d···yy"),
    "without_spaces": ("es", "long", "3deabrilde2005", "d··mmmmm··yyyy"),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_habit_by_example(name):
    locale, kind, source, fields = EXAMPLES[name]
    pair = render(DAY, locale, kind, noises=[name], seed=1)
    assert pair.source == source
    assert "".join(field or "·" for field in pair.fields) == fields


FIRST, LAST = datetime.date(2005, 4, 1), datetime.date(2005, 12, 31)
# all that a habit makes of a day: the third of April, unless another is named
HABITS = [
    ("ordinal", "en_US", "long", {}, ["April 3rd, 2005", "April the 3rd, 2005"]),
    ("ordinal", "en_GB", "long", {"case": "upper"}, ["3RD APRIL 2005", "3RD OF APRIL 2005"]),
    ("ordinal", "en_US", "long", {"case": "upper"}, ["APRIL 3RD, 2005", "APRIL THE 3RD, 2005"]),
    ("ordinal", "en_GB", "short", {}, ["03/04/2005"]),
    ("ordinal", "fr", "long", {"day": FIRST}, ["1er avril 2005"]),  # only the first, elsewhere
    ("ordinal", "es", "long", {"day": FIRST}, ["1º de abril de 2005"]),
    ("ordinal", "fr", "long", {}, ["3 avril 2005"]),
    ("ordinal", "de", "long", {"day": FIRST}, ["1. April 2005"]),
    ("short_year", "en_US", "long", {}, ["April 3, 05", "April 3, '05"]),
    ("short_year", "en_US", "yMd", {}, ["4/3/2005"]),
    ("other_padding", "en_US", "yMd", {}, ["04/03/2005"]),
    ("other_padding", "en_GB", "yMd", {}, ["3/4/2005"]),
    ("other_padding", "fa", "yMd", {}, ["۲۰۰۵/۰۴/۰۳"]),
    ("other_padding", "en_US", "yMd", {"day": LAST}, ["12/31/2005"]),
    ("other_padding", "en_GB", "yMd", {"day": LAST}, ["31/12/2005"]),
    ("other_separator", "en_US", "short", {}, ["4-3-05", "4.3.05", "4 3 05"]),
    ("other_separator", "nl", "long", {}, ["3 april 2005"]),
    ("other_separator", "ja", "long", {}, ["2005年4月3日"]),
    ("extra_punctuation", "en_GB", "long", {}, [
        text.replace("_", mark) for mark in ",."
        for text in ("3_ April 2005", "3 April_ 2005", "3 April 2005_")
    ]),
    ("extra_space", "en_GB", "yMd", {}, [
        f"{'03/04/2005'[:place]} {'03/04/2005'[place:]}" for place in (0, 2, 3, 5, 6, 10)
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "locale", "kind", "options", "sources"), HABITS)
def test_all_that_a_habit_makes_of_a_day(name, locale, kind, options, sources):
    options = {"day": DAY, **options, "noises": [name]}
    drawn = {render(locale=locale, kind=kind, **options, seed=seed).source for seed in range(60)}
    assert drawn == {*sources}


def test_english_suffixes_end_as_the_spoken_number_does():
    ends = {"st": {1, 21, 31}, "nd": {2, 22}, "rd": {3, 23}}
    for day in range(1, 32):
        suffix = ordinal_suffix(day, "en_US")
        assert day in ends[suffix] if suffix in ends else suffix == "th"
        assert not any(day in days for end, days in ends.items() if end != suffix)


@pytest.mark.parametrize("name", NOISES)
def test_a_habit_keeps_every_part_and_makes_no_day_of_another(name):
    rng = random.Random(name)
    for writing in some_writings(name, 300):
        pieces = apply_noise(name, writing, rng).pieces
        writes = [piece.writes for piece in pieces]
        assert [writes.count(field) for field in "ymd"] == [1, 1, 1], writing
        assert set(writes) <= {"", *"ymdw"}, writing
        assert (
            not any(
                before.text[-1:].isdecimal() and after.text[:1].isdecimal()
                for before, after in pairwise(pieces)
            )
            or name == "compact"
        ), writing


@pytest.mark.slow
def test_two_numbers_never_grow_together_whatever_is_left_out():
    rng = random.Random(13)
    names = [name for name in NOISES if name != "compact"]
    for writing in some_writings(17, 1500):
        for name in names:
            writing = apply_noise(name, writing, rng)
        numbers = "".join(c if c.isdecimal() else " " for c in text(writing.pieces)).split()
        assert all(len(number) in (1, 2, 4) for number in numbers), text(writing.pieces)


@pytest.mark.parametrize("name", NOISES)
def test_a_habit_changes_some_dates_and_leaves_the_given_ones_alone(name):
    changed = 0
    for writing in some_writings(19, 400):
        before = list(writing.pieces)
        changed += apply_noise(name, writing, random.Random(1)).pieces != before
        assert writing.pieces == before
    assert changed


def test_months_stay_distinct_without_their_marks():
    for locale in LOCALES:
        for kind in KINDS:
            months = next(part for part in template(locale, kind, "lower") if part.writes == "m")
            forms = [
                {form.replace(".", "") for form in typed_forms(word)}
                for word in months.words.values()
            ]
            assert not any(one & other for one, other in combinations(forms, 2)), locale


def test_no_combining_accent_is_left_on_a_letter():
    for accent in map(chr, range(0x300, 0x370)):  # the whole block, including both ends
        assert plain(f"a{accent}b") == "ab"


def test_the_other_digits_are_the_native_ones_and_full_width_ones_in_japanese_and_chinese():
    for locale in LOCALES:
        own, other = digits(locale), other_digits_of(locale)
        assert [unicodedata.decimal(digit) for digit in other] == list(range(10))
        native = Locale.parse(locale).other_numbering_systems["native"]
        if locale in ("ja", "zh_Hans"):
            assert {unicodedata.east_asian_width(digit) for digit in other} == {"F"}
        elif native == "latn" or own != "0123456789":
            assert other == "0123456789"
        else:
            names = {unicodedata.name(digit).split()[0] for digit in other}
            assert names == {{"deva": "DEVANAGARI", "thai": "THAI"}[native]}


def test_characters_are_simplified_in_their_own_script_only():
    assert plain("Żółć ĄĘ, März, kasım, ø") == "Zolc AE, Marz, kasim, o"
    assert plain("Μαΐου Αύγουστος") == "Μαιου Αυγουστος"
    assert plain("أغسطس مهٔ ژوئن آوریل") == "اغسطس مه ژوئن اوریل"
    for name in ("ธันวาคม", "दिसंबर फ़रवरी", "4월", "水曜日", "ינואר"):
        assert plain(name) == name
    assert visible("a\u200cb\u200f\u202fc\u00a0d") == "ab c d"
    assert keyboard("׳ʼ’،॰") == "''',."


def test_a_typed_word_can_lack_several_things_at_once():
    assert typed_forms("ʼé\u200c") == {
        mark + letter + end for mark in "ʼ'" for letter in "ée" for end in ("\u200c", "")
    }


def often(times, count, share):
    """Whether a count is consistent with this share, within four standard deviations."""
    return abs(times / count - share) < 4 * (share * (1 - share) / count) ** 0.5


def test_english_words_and_apostrophes_come_in_their_share():
    count = 2000
    for name, mark, share in (("ordinal", "the", 0.5), ("short_year", "'", 0.3)):
        writing = Writing.of(DAY, "en_US", "long")
        drawn = (apply_noise(name, writing, random.Random(seed)) for seed in range(count))
        typed = [text(one.pieces) for one in drawn]
        assert often(sum(mark in one for one in typed), count, share)


def test_each_habit_befalls_its_share_of_the_typed_dates(monkeypatch):
    """Training on the chapter's dates meets each of them, and most dates are affected by few."""
    writing, count, met = Writing.of(DAY, "en_US", "long"), 6000, Counter()
    for name, noise in NOISES.items():

        def note(writing, rng, name=name):
            met[name] += 1
            return writing.pieces

        monkeypatch.setitem(NOISES, name, noise._replace(apply=note))
    rng = random.Random(31)
    for _ in range(count):
        as_typed(writing, rng)
    assert all(often(met[name], count, noise.share) for name, noise in NOISES.items())
    assert 0.5 < sum(noise.share for noise in NOISES.values()) < 2.5
