"""Dates from English to Hungarian, read back by their numbers and by Babel's own formatting."""

import datetime
import re

import numpy as np
import pytest
from babel.dates import format_date

from attn_course.tasks import date_order as task

PAIRS = task.order_pairs(307, seed=2)
DAY = datetime.date(2014, 11, 23)


@pytest.mark.parametrize("kind", task.KINDS)
@pytest.mark.parametrize("locale", task.LOCALES)
def test_the_pieces_are_what_babel_writes(locale, kind):
    for pair in PAIRS[:53]:
        rendered = task.render(pair.day, locale, kind)
        for text, written in ((rendered.source, locale), (rendered.target, "hu")):
            expected = format_date(pair.day, kind, written)
            assert text.replace(" ", "") == re.sub(r"\s", "", expected)


def test_the_target_is_read_back_through_the_links():
    for pair in PAIRS:
        day, sure = pair.day, task.gold_sure(pair)
        expected = {
            "y": list(str(day.year)),
            "m": [day.strftime("%B")],
            "d": list(str(day.day)),
            "w": [day.strftime("%A")],
            "": [None],
        }
        pieces = {field: [] for field in expected}
        for field, row in zip(pair.target_fields, sure, strict=True):
            pieces[field] += [pair.source_pieces[j] for j in row.nonzero()[0]]
        assert pieces[""] == []
        for field in "ymd":
            assert pieces[field] == expected[field]
        assert pieces["w"] in ([], expected["w"])
        for i, j in zip(*sure.nonzero(), strict=True):
            if pair.target_pieces[i].isdigit():
                assert pair.target_pieces[i] == pair.source_pieces[j]


def test_the_whole_order_is_reversed():
    pair = task.render(DAY, "en_US", "full")
    assert pair.source == "Sunday , November 2 3 , 2 0 1 4"
    assert pair.target == "2 0 1 4 . november 2 3 . , vasárnap"
    blocks = [field for at, field in enumerate(pair.source_fields) if field]
    order = list(dict.fromkeys(blocks))
    assert order == ["w", "m", "d", "y"]
    assert list(dict.fromkeys(f for f in pair.target_fields if f)) == ["y", "m", "d", "w"]
    british = task.render(DAY, "en_GB", "long")
    assert british.source == "2 3 November 2 0 1 4"
    assert british.target == "2 0 1 4 . november 2 3 ."


def test_possible_links_are_those_of_the_field():
    pair = task.render(DAY, "en_US", "full")
    possible, sure = task.gold_possible(pair), task.gold_sure(pair)
    assert possible.shape == (len(pair.target_pieces), len(pair.source_pieces))
    for i, field in enumerate(pair.target_fields):
        assert possible[i].tolist() == [bool(field) and f == field for f in pair.source_fields]
    assert sure.sum(axis=1).tolist() == [int(bool(field)) for field in pair.target_fields]
    assert sure.sum(axis=0).max() == 1


def test_both_locales_and_kinds_come_as_often():
    us = task.order_pairs(31, 0, locales=["en_US"], kinds=["full"])
    assert all(pair.source_fields[0] == "w" and pair.source_fields[2] == "m" for pair in us)
    weekday = np.mean(["w" in p.source_fields for p in PAIRS])
    month_first = np.mean([p.source_fields.index("m") < p.source_fields.index("d") for p in PAIRS])
    assert (weekday, month_first) == pytest.approx((0.5, 0.5), abs=0.1)
