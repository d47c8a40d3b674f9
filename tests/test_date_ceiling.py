import datetime
import unicodedata
from collections import Counter, defaultdict
from fractions import Fraction

import pytest
from babel.dates import format_date, format_skeleton
from sweeps import every

from attn_course.tasks import date_ceiling
from attn_course.tasks.date_ceiling import american_ceilings, ceiling, readings
from attn_course.tasks.date_noise import AMERICAN, NOISES, SEPARATORS, visible
from attn_course.tasks.date_patterns import KINDS, LOCALES, days_of, is_test_day, write
from attn_course.tasks.dates import date_pairs, longest_source

ONE = datetime.timedelta(days=1)
FEW = ["en_US", "en_GB", "es", "it", "ko"]
NUMERIC = ["short", "yMd"]


def brute_force(locales, kinds):
    """Every string of every test day as Babel writes it, in one table; no letters, so no case."""
    means = defaultdict(Counter)
    written = []
    for locale in locales:
        for kind in kinds:
            for day in days_of("test"):
                text = (
                    format_date(day, "short", locale)
                    if kind == "short"
                    else format_skeleton(
                        kind, datetime.datetime(*day.timetuple()[:3]), locale=locale
                    )
                )
                means[text][day] += 1
                written.append((locale, kind, day, text))
    right, total = defaultdict(Fraction), Counter()
    for locale, kind, day, text in written:
        best = [other for other, n in means[text].items() if n == max(means[text].values())]
        for group in ("all", locale, kind):
            right[group] += Fraction(day in best, len(best))
            total[group] += 1
    return {group: float(right[group] / total[group]) for group in total}


@pytest.mark.slow
@pytest.mark.parametrize("locales", [FEW, ["es", "en_US", "en_AS"]], ids=str)
def test_the_ceiling_is_that_of_brute_force(locales):
    result, expected = ceiling(locales, NUMERIC), brute_force(locales, NUMERIC)
    assert result.overall == pytest.approx(expected["all"], abs=1e-12)
    assert result.by_locale == pytest.approx({name: expected[name] for name in locales}, abs=1e-12)
    assert result.by_kind == pytest.approx({name: expected[name] for name in NUMERIC}, abs=1e-12)
    assert 0.8 < result.overall < 0.99  # the locales chosen are hard


@pytest.mark.slow
def test_a_locale_alone_is_not_ambiguous():
    for locale in every(3, LOCALES[:7]):
        alone = ceiling([locale])
        assert alone.overall == 1
        assert alone.by_locale == {locale: 1}


def test_a_tie_counts_half_for_either_whatever_the_order():
    one, other = ceiling(["en_US", "es"], NUMERIC), ceiling(["es", "en_US"], NUMERIC)
    assert one.by_locale["en_US"] == one.by_locale["es"] == other.by_locale["es"]
    assert one.overall == other.overall


@pytest.mark.slow
def test_parts_average_to_the_whole():
    whole = ceiling()
    for parts in (whole.by_locale, whole.by_kind):
        assert sum(parts.values()) / len(parts) == pytest.approx(whole.overall, abs=1e-12)
    assert set(whole.by_locale) == set(LOCALES)
    assert set(whole.by_kind) == set(KINDS)
    assert min(whole.by_locale, key=whole.by_locale.get) == "en_US"


def test_what_a_tested_string_can_mean_was_never_trained():
    for pair in date_pairs(101, seed=37, days="test"):
        assert all(is_test_day(reading.day) for reading in readings(pair.source)), pair


def test_the_first_and_the_last_day_can_be_read_and_none_beyond():
    first, last = min(days_of("train")), max(days_of("train"))
    first, last = min(first, *days_of("test")), max(last, *days_of("test"))
    for day, there in ((first, True), (last, True), (first - ONE, False), (last + ONE, False)):
        assert bool(readings(day.isoformat(), ["sv"], ["short"])) == there, day


def test_readings_are_a_distribution_over_what_writers_meant():
    for pair in date_pairs(101, seed=41):
        listed = readings(pair.source)
        assert sum(reading.probability for reading in listed) == pytest.approx(1)
        assert [r.probability for r in listed] == sorted(
            (r.probability for r in listed), reverse=True
        )
        (right,) = [reading for reading in listed if reading.day == pair.day]
        assert pair.locale in right.locales


def test_an_american_slash_is_outvoted_and_a_weekday_tells():
    first, second = readings("3/4/05")
    assert (first.day, second.day) == (datetime.date(2005, 4, 3), datetime.date(2005, 3, 4))
    assert first.probability > second.probability
    assert second.locales == ("en_US",)
    locales = ["en_US", "en_GB"]
    assert len(readings("12/11/2005", locales)) == 2
    (only,) = readings("Sun, 12/11/2005", locales)
    assert only.day == datetime.date(2005, 12, 11)


@pytest.mark.parametrize(
    "text", ["3", "hello", "30 February 2005", "Monday, 3 April 2005", "1/1/1949"]
)
def test_a_string_that_nobody_writes_has_no_reading(text):
    assert readings(text) == []


def test_the_longest_date_is_read_and_one_character_more_is_refused():
    locales, kinds = ["en_US", "fi"], ["full", "short"]
    written = [
        "".join(piece.text for piece in write(day, locale, kind))
        for day in days_of("test")
        for locale in locales
        for kind in kinds
    ]
    longest = max(written, key=len)
    assert len(longest) == longest_source(locales, kinds)
    assert len(readings(longest, locales, kinds)) == 1
    with pytest.raises(ValueError, match=f"1 to {len(longest)} characters; got {len(longest) + 1}"):
        readings(f"{longest} ", locales, kinds)


def test_decomposed_text_is_read_too():
    assert readings("3 fe\u0301vr. 2005") == readings("3 f\u00e9vr. 2005") != []


def test_a_text_may_be_as_long_as_the_longest_date():
    for text in ("", "3" * 99):
        with pytest.raises(ValueError, match=f"1 to 38 characters; got {len(text)}"):
            readings(text)


@pytest.fixture
def days(monkeypatch):
    """Three years of the test's days; an order of day and month makes no other year of one."""
    few = [day for day in days_of("test") if day.year in (2003, 2004, 2005)]
    monkeypatch.setattr(date_ceiling, "days_of", lambda split: few)
    return few


def typed_in_numbers(day):
    """Each text that stands for a day in numbers, with how often, from the pieces of each locale.

    A habit changes the padding of day and month in 5 of 100 texts, and the separator in 5.
    """
    for locale in LOCALES:
        for kind in KINDS:
            pieces = write(day, locale, kind)
            named = [piece for piece in pieces if piece.writes]
            if not all(piece.text.isdecimal() and piece.writes in "ymd" for piece in named):
                continue
            places = [index for index, piece in enumerate(pieces) if piece.writes]
            gaps = {index for index in range(places[0], places[-1]) if index not in places}
            marks = {visible(pieces[index].text).strip() for index in gaps}
            others = [mark for mark in SEPARATORS if {mark} != marks]
            if len(marks) > 1 or not marks <= set(SEPARATORS):
                others = []
            for pad, often in (False, 0.95), (True, 0.05):
                texts = [padded(piece) if pad else piece.text for piece in pieces]
                share = often / len(LOCALES) / len(KINDS)
                yield "".join(texts), share * (0.95 if others else 1)
                for mark in others:
                    changed = [mark if index in gaps else text for index, text in enumerate(texts)]
                    yield "".join(changed), share * 0.05 / len(others)


def padded(piece):
    number = piece.text
    if piece.writes not in ("d", "m"):
        return number
    if unicodedata.digit(number[0]) == 0:
        return number[1:]
    zero = chr(ord(number[0]) - unicodedata.digit(number[0]))
    return zero + number if len(number) == 1 else number


def american(day, pattern):
    month, number = (f"{part:0{pattern.width}d}" for part in (day.month, day.day))
    return pattern.mark.join([month, number, f"{day.year}"[-pattern.years :]])


def best_reader(days, share, others, americans):
    """How many of these days it names, of each American way: by counting, one text at a time."""
    right = {}
    for pattern in AMERICAN:
        shares = []
        for day in days:
            text = american(day, pattern)
            chances = Counter(others[text])
            for other, often in americans[text].items():
                chances[other] += share * often
            best = [other for other in chances if chances[other] == max(chances.values())]
            shares.append((day in best) / len(best))
        right[pattern] = sum(shares) / len(days)
    return right


@pytest.mark.slow
def test_the_american_ceiling_is_that_of_counting_on_both_sides_of_every_turn(days):
    """A turn: the share of American numbers at which the likelier order of some text changes."""
    assert NOISES["other_padding"].share == NOISES["other_separator"].share == 0.05
    others, americans = defaultdict(Counter), defaultdict(Counter)
    for day in days:
        for text, often in typed_in_numbers(day):
            others[text][day] += often
        for pattern, often in AMERICAN.items():
            americans[american(day, pattern)][day] += often
    turns = set()
    for text, often in americans.items():
        for day in often:
            turns |= {
                (others[text][other] - others[text][day]) / (often[day] - often[other])
                for other in others[text]
                if often[day] > often[other] and others[text][other] > others[text][day]
            }
    few = sorted({float(f"{turn:.4g}") for turn in turns})
    assert len(few) > 10
    for turn in few[::3]:
        for share in (0.99 * turn, 1.01 * turn):
            expected = best_reader(days, share, others, americans)
            assert american_ceilings(share) == pytest.approx(expected, abs=1e-12), share
