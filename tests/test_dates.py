import datetime
import subprocess
import sys
import unicodedata
from functools import cache, partial
from itertools import groupby

import numpy as np
import pytest
from sweeps import every

from attn_course.tasks import date_patterns as patterns
from attn_course.tasks import dates as task
from attn_course.tasks.date_noise import NOISES

DAY = datetime.date(2005, 4, 3)


@cache
def drawn(noise=0.0):
    return task.date_pairs(1999, seed=5 if noise else 3, noise=noise)


@pytest.fixture(params=[0.0, 1.0], ids=["clean", "typed"])
def pairs(request):
    return drawn(request.param)


def characters_of(pair, field):
    return "".join(
        character for character, part in zip(pair.source, pair.fields, strict=True) if part == field
    )


def number_in(text):
    """The number written in any script's digits, or None."""
    digits = "".join(str(unicodedata.decimal(c)) for c in text if c.isdecimal())
    return int(digits) if digits else None


def test_the_fields_and_the_gold_give_the_day_back(pairs):
    for pair in pairs:
        year, month, day = (number_in(characters_of(pair, field)) for field in "ymd")
        assert year in (pair.day.year, pair.day.year % 100), pair
        assert (month or pair.day.month, day) == (pair.day.month, pair.day.day), pair
        assert pair.target == pair.day.isoformat()
        assert unicodedata.is_normalized("NFC", pair.source)
        runs = [field for field, _ in groupby(pair.fields) if field]
        assert sorted(runs) == ["d", "m", "y"], "each field stands together"
        possible, sure = task.gold_possible(pair), task.gold_sure(pair)
        assert possible.dtype == bool
        rows = [[place == part for part in pair.fields] for place in "yyyy-mm-dd"]
        assert possible.tolist() == rows
        for i, j in zip(*sure.nonzero(), strict=True):
            assert unicodedata.decimal(pair.source[j]) == int(pair.target[i])
        both = zip(pair.source, pair.fields, strict=True)
        digits = [bool(part) and character.isdecimal() for character, part in both]
        assert list(sure.sum(axis=0)) == digits  # each digit that is written is copied once


def test_month_names_are_the_month_of_their_locale():
    for pair in drawn():
        cases = [patterns.template(pair.locale, pair.kind, case) for case in patterns.CASES]
        months = (part.words for parts in cases for part in parts if part.writes == "m")
        assert characters_of(pair, "m") in {words[pair.day.month] for words in months}


def test_sure_gold_leaves_out_what_was_not_written():
    unlinked = {
        ("en_US", "short"): [0, 1, 4, 5, 7, 8],  # 4/3/05
        ("en_GB", "short"): [4, 7],  # 03/04/2005
        ("de", "long"): [4, 5, 6, 7, 8],  # 3. April 2005
        ("zh_Hans", "long"): [4, 5, 7, 8],  # 2005年4月3日
        ("ko", "long"): [4, 5, 7, 8],  # 2005년 4월 3일: CLDR's month is a name with a digit in it
        ("fa", "short"): [4, 5, 7, 8],  # in Persian digits
    }
    for (locale, kind), rows in unlinked.items():
        empty = ~task.gold_sure(task.render(DAY, locale, kind)).any(axis=1)
        assert list(np.flatnonzero(empty)) == rows, (locale, kind)


def test_the_split_is_by_day_and_complete():
    train, test = set(patterns.days_of("train")), set(patterns.days_of("test"))
    assert not train & test
    assert len(train | test) == (patterns.LAST_DAY - patterns.FIRST_DAY).days + 1
    assert all(patterns.is_test_day(day) for day in test)
    assert [str(day) for day in patterns.days_of("test")[:3]] == [
        "1950-01-15",
        "1950-02-03",
        "1950-02-20",
    ]  # stored results depend on it


def test_a_day_and_its_mirror_image_are_on_the_same_side():
    for day in patterns.days_of("train") + patterns.days_of("test"):
        if day.day <= 12:
            assert patterns.is_test_day(day) == patterns.is_test_day(
                day.replace(month=day.day, day=day.month)
            )


@pytest.mark.parametrize("part", ["year", "month", "day"])
def test_test_days_are_spread_evenly(part):
    def share(value):
        counts = [
            sum(getattr(day, part) == value for day in patterns.days_of(side))
            for side in ("test", "train")
        ]
        return counts[0] / sum(counts)

    values = {getattr(day, part) for day in patterns.days_of("train")}
    assert all(0.06 < share(value) < 0.13 for value in values)


def test_draws_are_as_stated():
    pairs = task.date_pairs(6007, seed=11, locales=["en_US", "de", "fr"])
    assert all(abs(sum(p.locale == name for p in pairs) - 2002) < 200 for name in ("de", "fr"))
    assert all(abs(sum(p.kind == kind for p in pairs) - 751) < 150 for kind in patterns.KINDS)
    american = [p.source for p in pairs if p.locale == "en_US" and p.kind == "full"]
    upper, lower = (
        sum(map(check, american)) / len(american) for check in (str.isupper, str.islower)
    )
    assert 0.03 < upper < 0.2
    assert 0.2 < lower < 0.4


def test_noise_is_a_share():
    def share_changed(noise):
        """Of dates that are written as in no case of their pattern."""
        pairs = task.date_pairs(499, seed=2, noise=noise)
        plain = [
            {task.render(p.day, p.locale, p.kind, case).source for case in patterns.CASES}
            for p in pairs
        ]
        return np.mean([p.source not in sources for p, sources in zip(pairs, plain, strict=True)])

    assert task.date_pairs(99, seed=2) == task.date_pairs(99, seed=2, noise=0.0)
    none, half, whole = map(share_changed, (0.0, 0.5, 1.0))
    assert none == 0
    assert 0.4 * whole < half < 0.6 * whole
    assert whole > 0.3


def test_a_vocabulary_of_one_locale_holds_what_each_habit_makes_of_its_words():
    for locale in every(5, patterns.LOCALES):
        source, _ = task.date_vocabularies([locale])
        for seed, pair in enumerate(task.date_pairs(97, seed=7, locales=[locale], noise=1.0)):
            case = list(patterns.CASES)[seed % 3]
            noisy = task.render(pair.day, locale, pair.kind, case, noises=list(NOISES), seed=seed)
            for text in (pair.source, noisy.source):
                assert all(character in source for character in text), (locale, text)


def test_a_small_vocabulary_holds_little_else():
    source, _ = task.date_vocabularies(["en_GB"], ["short"])
    assert set("0123456789/. -") <= set(source.symbols)
    assert len(source) < 40
    assert "г" in task.date_vocabularies(["ru"])[0]


def test_longest_source_is_reached_and_never_passed():
    longest = task.longest_source()
    assert all(len(pair.source) <= longest for pair in task.date_pairs(5003, seed=1))
    assert task.longest_source(["en_US"], ["long"]) == len("September 30, 2005")
    assert task.longest_source(["de"]) < longest


def test_noise_that_chooses_does_so_by_the_seed():
    def written() -> list[str]:
        day = datetime.date(2005, 4, 3)
        return [
            task.render(day, "en", "full", noises=["extra_space"], seed=seed).source
            for seed in range(20)
        ]

    assert written() == written()
    assert len(set(written())) > 1


IN_ANOTHER_ORDER = """
from babel import Locale
for name in ("he", "ja", "th"):
    for names in (Locale.parse(name).months, Locale.parse(name).days):
        for context in names: [dict(names[context][width]) for width in names[context]]
from attn_course.tasks.date_patterns import KINDS, LOCALES, template
from attn_course.tasks.dates import date_pairs, date_vocabularies, everyday_pairs
backwards = [template(l, k) for l in reversed(LOCALES) for k in reversed(KINDS)]
drawn = [p.source for p in date_pairs(211, seed=5, noise=0.5) + everyday_pairs(211, seed=5)]
print(ascii([backwards[::-1], drawn, date_vocabularies()[0].symbols]))
"""


@pytest.mark.slow
def test_nothing_depends_on_hashes_or_on_the_locales_that_were_read_before():
    """Babel stores a resolved alias where other locales find it; no word may come from there."""
    command = [sys.executable, "-c", IN_ANOTHER_ORDER]
    environment = {"PYTHONHASHSEED": "1", "PYTHONPATH": ":".join(sys.path)}
    there = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    templates = [
        patterns.template(locale, kind) for locale in patterns.LOCALES for kind in patterns.KINDS
    ]
    drawn = [
        p.source for p in task.date_pairs(211, seed=5, noise=0.5) + task.everyday_pairs(211, seed=5)
    ]
    here = [templates, drawn, task.date_vocabularies()[0].symbols]
    assert there.stdout.strip() == ascii(here)


REFUSED = {
    task.DatePair: [
        (
            ("03/04/05", "2005-04-03", "fr", "short", DAY, ("d", "d")),
            r"8 characters of '03/04/05'; got 2",
        ),
        (("03", "2005-04-03", "fr", "short", DAY, ("d", "x")), "'x'"),
    ],
    partial(task.date_pairs, 1, seed=0): [
        ({"locales": [*patterns.LOCALES, "xx"]}, "got 'xx'"),
        ({"kinds": [*patterns.KINDS, "tiny"]}, "got 'tiny'"),
    ],
    partial(task.render, DAY, "de", "long"): [
        ({"noises": ["rain"]}, r"name must be .*: one of compact, .*; got 'rain'")
    ],
}
