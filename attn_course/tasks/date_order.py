"""Long dates from English to Hungarian: the same parts in the opposite order.

American and British dates have the day and the month in different orders, and both end with the
year; a Hungarian date begins with the year and ends with the weekday. So almost every link crosses
every other, and a piece's position in the target does not follow from that in the source:

>>> day = datetime.date(2005, 4, 3)
>>> print(*(render(day, locale, "full").source for locale in LOCALES), sep=chr(10))
Sunday , April 3 , 2 0 0 5
Sunday , 3 April 2 0 0 5
>>> pair = render(day, "en_US", "full")
>>> pair.target
'2 0 0 5 . április 3 . , vasárnap'

A text is cut into pieces: words, single digits, and punctuation. A digit is linked to the digit
that it copies, and a word to the word of the same field; punctuation has no links.
"""

import datetime
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from attn_course._signature import checked
from attn_course._values import Count, Some, Split
from attn_course.tasks.date_patterns import Piece, days_of, template, write
from attn_course.tasks.pieced import PiecedPair
from attn_course.tasks.vocabulary import Vocabulary

English = Literal["en_US", "en_GB"]  # translated from
LOCALES: tuple[English, ...] = ("en_US", "en_GB")
TARGET = "hu"
Kind = Literal["full", "long"]  # with the weekday, and without
KINDS: tuple[Kind, ...] = ("full", "long")


@dataclass(frozen=True)
class OrderPair(PiecedPair):
    """A day in English and in Hungarian, with the field that each piece belongs to.

    source, target                pieces, separated by spaces
    source_fields, target_fields  "y", "m", "d", "w" or "" (punctuation) for each piece
    """

    day: datetime.date
    source: str
    target: str
    source_fields: tuple[str, ...]
    target_fields: tuple[str, ...]


@checked
def render(day: datetime.date, locale: English, kind: Kind) -> OrderPair:
    """The pair of one day: from a locale of `LOCALES`, in a kind of `KINDS`."""
    source, target = (_cut(write(day, language, kind)) for language in (locale, TARGET))
    return OrderPair(
        day,
        " ".join(piece.text for piece in source),
        " ".join(piece.text for piece in target),
        tuple(piece.writes for piece in source),
        tuple(piece.writes for piece in target),
    )


@checked
def order_pairs(
    count: Count,
    seed: int,
    days: Split = "train",
    *,
    locales: Some[English] = LOCALES,
    kinds: Some[Kind] = KINDS,
) -> list[OrderPair]:
    """Draw pairs: day, locale and kind uniformly.

    ``days`` is "train" or "test", the two sides of `attn_course.tasks.date_patterns.is_test_day`.
    The same arguments give the same pairs, in every process.
    """
    pool, rng = days_of(days), random.Random(seed)
    return [render(rng.choice(pool), rng.choice(locales), rng.choice(kinds)) for _ in range(count)]


@checked
def gold_possible(pair: OrderPair) -> np.ndarray:
    """Which source pieces each target piece may come from: those of its field.

    Boolean, (target, source). Rows of punctuation are all False.
    """
    return np.array(
        [[other == field != "" for other in pair.source_fields] for field in pair.target_fields]
    )


@checked
def gold_sure(pair: OrderPair) -> np.ndarray:
    """The link of each word and of each digit, exact to the piece: boolean, (target, source).

    The digits of a number stand in the same order on both sides.
    """
    gold = gold_possible(pair)
    for field in "ymdw":
        rows, columns = (
            [at for at, name in enumerate(fields) if name == field]
            for fields in (pair.target_fields, pair.source_fields)
        )
        gold[np.ix_(rows, columns)] = np.eye(len(rows), dtype=bool)
    return gold


@cache
def order_vocabularies() -> tuple[Vocabulary, Vocabulary]:
    """The pieces of English and of Hungarian."""
    return _pieces(LOCALES), _pieces((TARGET,))


def _pieces(locales: Sequence[str]) -> Vocabulary:
    words = {
        piece.text
        for locale in locales
        for kind in KINDS
        for part in template(locale, kind)
        for word in part.words.values()
        for piece in _cut([Piece(word, part.writes)])
    }
    return Vocabulary(sorted(words), separator=" ")


def _cut(written: Sequence[Piece]) -> list[Piece]:
    """Words, single digits and punctuation marks, each with the field that it belongs to."""
    return [
        Piece(text, piece.writes)
        for piece in written
        for text in re.findall(r"\d|[^\W\d]+|[^\w\s]", piece.text)
    ]
