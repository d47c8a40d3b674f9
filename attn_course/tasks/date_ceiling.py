"""How well the best possible reader can do.

Some dates are ambiguous: 03/04/2005 is the third of April in most of the world and the fourth of
March in the United States. A reader who sees only the string can do no better than name the
likeliest day. How often that is right, averaged over all strings, is the ceiling of every model:

    ceiling = Σ_x max_y p(x, y)            x a written date, y a day (the Bayes-optimal decision)

Even a reader at the ceiling fails on the locale that is outvoted, and more training would not
help, since nothing in the string says who wrote it. A weekday does help, because the two days of
an ambiguous date rarely share one.
"""

from __future__ import annotations

import datetime
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from attn_course._signature import checked
from attn_course._values import Positive, Some
from attn_course.tasks.date_noise import (
    AMERICAN,
    NOISES,
    Numbers,
    padded_otherwise,
    separated,
    text,
)
from attn_course.tasks.date_patterns import (
    CASES,
    FIRST_DAY,
    KINDS,
    LAST_DAY,
    LOCALES,
    Kind,
    Part,
    Piece,
    days_of,
    digits,
    pieces_of,
    template,
    templates,
)
from attn_course.tasks.dates import longest_source


@dataclass(frozen=True)
class Ceiling:
    """The best exact match that can be reached, overall and for each locale and kind.

    All are those of one reader, who does not know the locale or the kind.
    """

    overall: float
    by_locale: dict[str, float]
    by_kind: dict[str, float]


class Reading(NamedTuple):
    """A day that a string can mean, its probability, and the locales that write it this way."""

    day: datetime.date
    probability: float
    locales: tuple[str, ...]


Chances = defaultdict[int, float]  # how often which day is meant


class _Pattern(NamedTuple):
    """A way of writing: its parts, and its writers as (locale, kind, how often)."""

    parts: Sequence[Part]
    writers: list[tuple[str, str, float]]


@checked
def ceiling(locales: Some[str] = LOCALES, kinds: Some[Kind] = KINDS) -> Ceiling:
    """The Bayes-optimal exact match on clean dates of the test days.

    Locale, kind and day are uniform and the case follows `CASES`, as in `date_pairs` with
    ``noise=0``. Nothing is sampled: every date is written out. Days that are equally likely share
    the credit, so that no locale gains by its position in a list.
    """
    patterns = _patterns(tuple(locales), tuple(kinds))
    pool = days_of("test")
    texts = [_texts(pattern.parts, pool) for pattern in patterns]
    chances = _chances_of_ambiguous(patterns, texts)
    right: defaultdict[tuple[str, str], float] = defaultdict(float)
    total: defaultdict[tuple[str, str], float] = defaultdict(float)
    for pattern, written in zip(patterns, texts, strict=True):
        shares = [_share_right(chances.get(source), day) for day, source in enumerate(written)]
        for locale, kind, tenths in pattern.writers:
            for group in (("all", ""), ("locale", locale), ("kind", kind)):
                right[group] += tenths * sum(shares)
                total[group] += tenths * len(shares)
    return Ceiling(
        overall=right["all", ""] / total["all", ""],
        by_locale={name: right["locale", name] / total["locale", name] for name in locales},
        by_kind={name: right["kind", name] / total["kind", name] for name in kinds},
    )


@checked
def american_ceilings(share: Positive) -> dict[Numbers, float]:
    """The Bayes-optimal exact match on American dates in numbers, for each way of writing them.

    share  how many American numbers the best reader meets for each date of `date_pairs` with
           ``noise=1``: it knows how often which order, separator and padding occur

    A date whose day is above 12 has only one reading, since that number cannot be a month. For the
    others, the reader names the order that is more often written like this. The days are those of
    the test, and nothing is sampled. Habits that affect all of these dates alike, such as a doubled
    space, are left out.
    """
    pool, americans = days_of("test"), list(AMERICAN)
    patterns = [
        *(
            _Pattern(american.parts(), [("en_US", "american", share * AMERICAN[american])])
            for american in americans
        ),
        *_typed_numbers(),
    ]
    texts = [_texts(pattern.parts, pool) for pattern in patterns]
    chances = _chances_of_ambiguous(patterns, texts)
    return {
        american: sum(_share_right(chances.get(source), day) for day, source in enumerate(written))
        / len(pool)
        for american, written in zip(americans, texts, strict=False)
    }


def _typed_numbers() -> Iterator[_Pattern]:
    """CLDR's dates in numbers with any padding and separator, and how often each is typed."""
    padding, separator = (NOISES[name].share for name in ("other_padding", "other_separator"))
    for locale in LOCALES:
        zero = digits(locale)[0]
        for kind in KINDS:
            parts = template(locale, kind)
            if {part.writes for part in parts} - {*"ymd", ""} or any(
                not word.isdecimal()
                for part in parts
                if part.writes
                for word in part.words.values()
            ):
                continue
            padded = [
                Part(part.writes, {n: padded_otherwise(w, zero) for n, w in part.words.items()})
                if part.writes in ("d", "m")
                else part
                for part in parts
            ]
            gaps, others = separated(
                [Piece(part.words[max(part.words)], part.writes) for part in parts]
            )
            for written, chance in ((parts, 1 - padding), (padded, padding)):
                chance /= len(LOCALES) * len(KINDS)
                unchanged = 1 - separator if others else 1
                yield _Pattern(tuple(written), [(locale, kind, chance * unchanged)])
                for mark in others:
                    other = [
                        Part("", {0: mark}) if index in gaps else part
                        for index, part in enumerate(written)
                    ]
                    yield _Pattern(tuple(other), [(locale, kind, chance * separator / len(others))])


@checked
def readings(text: str, locales: Some[str] = LOCALES, kinds: Some[Kind] = KINDS) -> list[Reading]:
    """Every day that a clean string can mean, likeliest first; none if no locale writes it.

        p(day | text) = p(text, day) / Σ_y p(text, y)        y over all days, trained or tested

    >>> [(str(day), who) for day, _, who in readings("03/04/2005", ["en_US", "en_GB", "fr"])]
    [('2005-04-03', ('en_GB', 'fr'))]
    >>> [str(reading.day) for reading in readings("12/11/2005", ["en_US", "en_GB", "fr"])]
    ['2005-11-12', '2005-12-11']

    (CLDR's American dates have no leading zeros, which decides the first example.) An empty text,
    or one longer than the longest date, is a ValueError.
    """
    longest = longest_source(locales, kinds)
    if not 0 < len(text) <= longest:
        raise ValueError(f"text must have 1 to {longest} characters; got {len(text)}")
    text = unicodedata.normalize("NFC", text)
    chances: defaultdict[datetime.date, float] = defaultdict(float)
    who: defaultdict[datetime.date, dict[str, None]] = defaultdict(dict)
    for pattern in _patterns(tuple(locales), tuple(kinds)):
        for day in _days_meant(text, pattern.parts):
            for locale, _, tenths in pattern.writers:
                chances[day] += tenths
                who[day][locale] = None
    return [
        Reading(day, chance / sum(chances.values()), tuple(who[day]))
        for day, chance in sorted(chances.items(), key=lambda item: (-item[1], item[0]))
    ]


@lru_cache(maxsize=8)
def _patterns(locales: tuple[str, ...], kinds: tuple[str, ...]) -> list[_Pattern]:
    """Every way of writing, each listed once: many locales share their numeric dates."""
    patterns: dict[tuple[Any, ...], _Pattern] = {}
    for locale, kind, case, parts in templates(locales, kinds):
        key = tuple((part.writes, *part.words.items()) for part in parts)
        patterns.setdefault(key, _Pattern(parts, [])).writers.append((locale, kind, CASES[case]))
    return list(patterns.values())


def _texts(parts: Sequence[Part], days: Sequence[datetime.date]) -> list[str]:
    """Each of the days, written in this way."""
    return [text(pieces_of(day, parts)) for day in days]


def _chances_of_ambiguous(patterns: list[_Pattern], texts: list[list[str]]) -> dict[str, Chances]:
    """For each ambiguous text, how often it means which day, by the day's number."""
    meaning: dict[str, int] = {}
    ambiguous: set[str] = set()
    for written in texts:
        for day, source in enumerate(written):
            if meaning.setdefault(source, day) != day:
                ambiguous.add(source)
    chances: dict[str, Chances] = {source: defaultdict(float) for source in ambiguous}
    for pattern, written in zip(patterns, texts, strict=True):
        weight = sum(often for _, _, often in pattern.writers)
        for day, source in enumerate(written):
            if source in chances:
                chances[source][day] += weight
    return chances


def _share_right(chances: Chances | None, day: int) -> float:
    """How often the likeliest reading is this day: always, if the text has only one reading."""
    if chances is None:
        return 1.0
    best = max(chances.values())
    return (chances.get(day, 0.0) == best) / sum(chance == best for chance in chances.values())


def _days_meant(text: str, parts: Sequence[Part]) -> Iterator[datetime.date]:
    """The days that these parts write as this text, found by trying all words from the left."""
    readings: list[tuple[str, dict[str, int]]] = [(text, {})]
    for writes, words in parts:
        readings = [
            (rest[len(word) :], {**known, writes: value})
            for rest, known in readings
            for value, word in words.items()
            if rest.startswith(word)
        ]
    for rest, known in readings:
        if rest:
            continue
        try:
            day = datetime.date(known["y"], known["m"], known["d"])
        except ValueError:  # 30 February
            continue
        if FIRST_DAY <= day <= LAST_DAY and known.get("w", day.weekday()) == day.weekday():
            yield day
