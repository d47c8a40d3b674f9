"""Dates beside CLDR's patterns: what each form writes, and what its target leaves out."""

import datetime
import re
from collections import Counter

import pytest

from attn_course.tasks import dates
from attn_course.tasks.date_noise import AMERICAN, FORMS, ROMAN, Numbers, text
from attn_course.tasks.date_patterns import days_of, is_test_day

DAY = datetime.date(2017, 3, 4)


@pytest.fixture(scope="module")
def pairs():
    return dates.everyday_pairs(4001, seed=3)


def of(form, count=601, **arguments):
    return dates.everyday_pairs(count, seed=7, forms=[form], **arguments)


def characters_of(pair, field):
    return "".join(c for c, part in zip(pair.source, pair.fields, strict=True) if part == field)


def test_the_forms_come_in_their_share(pairs):
    counts, whole = Counter(pair.kind for pair in pairs), sum(f.share for f in FORMS.values())
    assert set(counts) == set(FORMS)
    for form, (share, _) in FORMS.items():
        assert counts[form] / len(pairs) == pytest.approx(share / whole, abs=0.03)


NUMBERS = [
    (Numbers("/", 1, 4), "3/4/2017"),
    (Numbers("-", 2, 4), "03-04-2017"),
    (Numbers(".", 1, 2), "3.4.17"),
    (Numbers(" ", 2, 2), "03 04 17"),
]


@pytest.mark.parametrize(("numbers", "written"), NUMBERS)
def test_american_numbers_have_month_day_and_year_in_this_order(numbers, written):
    writing = numbers.writing(DAY)
    assert text(writing.pieces) == written
    assert "".join(piece.writes for piece in writing.pieces) == "mdy"


def test_every_way_of_american_numbers_is_drawn():
    assert sum(AMERICAN.values()) == pytest.approx(1)
    written = {pair.source for pair in of("american", 3001)}
    ways = {re.sub(r"\d+", lambda number: str(len(number[0])), source) for source in written}
    assert {f"2{mark}2{mark}{years}" for mark in "-./ " for years in (2, 4)} <= ways
    assert {f"1{mark}1{mark}{years}" for mark in "-./ " for years in (2, 4)} <= ways
    for pair in of("american"):
        assert re.sub(r"[^md]+", "", "".join(pair.fields)).startswith("m")


def test_joined_roman_and_timed_dates_are_what_their_names_say():
    joined = of("joined")
    for shape in (r"\d\d?[A-Z]{3}\d\d", r"\d\d-[A-Z][a-z]{2}-\d{4}"):
        assert any(re.fullmatch(shape, pair.source) for pair in joined)
    for pair in joined:
        assert int(characters_of(pair, "d")) == pair.day.day
        assert not any(c.isdecimal() for c in characters_of(pair, "m"))
    for pair in of("roman"):
        assert ROMAN.index(characters_of(pair, "m")) + 1 == pair.day.month
    for pair in of("timed"):
        last = max(j for j, part in enumerate(pair.fields) if part)
        assert re.search(r"\d\d:\d\d", pair.source[last:]), pair.source
        assert pair.target == pair.day.isoformat()


def test_a_date_with_a_part_missing_has_a_target_without_it():
    targets = {}
    for pair in of("incomplete", 2001):
        fields = "".join(field for field in "ymd" if field in pair.fields)
        assert pair.target == dates.partial(pair.day, list(fields))
        targets.setdefault(fields, pair.target)
    assert set(targets) == {"ym", "md", "m", "y"}
    shapes = {fields: re.sub(r"\d", "x", target) for fields, target in targets.items()}
    assert shapes == {"ym": "xxxx-xx", "md": "--xx-xx", "m": "--xx", "y": "xxxx"}


def test_names_have_no_target_and_those_of_the_test_are_others():
    train, test = (
        {p.source.lower() for p in of("nothing", days=side)} for side in ("train", "test")
    )
    assert all(pair.target == "" and set(pair.fields) == {""} for pair in of("nothing"))
    assert len(train) > 400
    assert len(train & test) < 5  # two languages may share a name


def test_days_are_of_their_side(pairs):
    assert {pair.day for pair in pairs} <= set(days_of("train"))
    assert all(is_test_day(pair.day) for pair in dates.everyday_pairs(211, seed=3, days="test"))


PARTS = [
    ("ymd", "2017-03-04", {"y": [0, 1, 2, 3], "m": [5, 6], "d": [8, 9]}),
    ("ym", "2017-03", {"y": [0, 1, 2, 3], "m": [5, 6]}),
    ("md", "--03-04", {"m": [2, 3], "d": [5, 6]}),
    ("m", "--03", {"m": [2, 3]}),
    ("y", "2017", {"y": [0, 1, 2, 3]}),
    ("", "", {}),
]


@pytest.mark.parametrize(("fields", "target", "rows"), PARTS)
def test_the_gold_of_a_part_lies_where_the_part_is_written(fields, target, rows, pairs):
    assert dates.partial(DAY, list(fields)) == target
    pair = next(pair for pair in pairs if "".join(f for f in "ymd" if f in pair.fields) == fields)
    gold = dates.gold_possible(pair)
    assert gold.shape == (len(target), len(pair.source))
    for i, row in enumerate(gold):
        writes = {field for field, places in rows.items() if i in places} or {None}
        assert list(row) == [field in writes for field in pair.fields]
    for i, j in zip(*dates.gold_sure(pair).nonzero(), strict=True):
        assert int(pair.target[i]) == int(pair.source[j])


def test_the_vocabulary_begins_with_that_of_dates_and_holds_what_is_added(pairs):
    (source, target), (before, same) = dates.everyday_vocabularies(), dates.date_vocabularies()
    assert source.symbols[: len(before.symbols)] == before.symbols
    assert target == same
    for pair in pairs:
        if pair.kind != "nothing":
            assert all(character in source for character in pair.source), pair
    assert len(source) < len(before) + 20  # names add none


REFUSED = {
    dates.partial: [
        ((DAY, list(fields)), r"fields must be none or ymd, ym, md, m, y; got")
        for fields in ("yd", "d", "x")
    ],
}
