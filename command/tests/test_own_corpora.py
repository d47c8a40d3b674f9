"""The corpora that readers might bring are right: checked against rules that were written apart."""

import datetime
import os
import re
import subprocess
import sys
import unicodedata
from types import SimpleNamespace

import pytest
from babel import Locale

from attn_lab.corpora import readers_corpora
from attn_lab.corpora.readers_corpora import (
    CORPORA,
    OwnPair,
    euro_amounts,
    serbian_names,
    welsh_dates,
    write_pairs,
)
from attn_own.lines import Reading
from attn_own.own_corpus import Files, read_corpus

MONTHS = ("ion", "chw", "maw", "ebr", "mai", "meh", "gor", "awst", "medi", "hyd", "tach", "rhag")
UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


@pytest.mark.parametrize("name", CORPORA)
def test_each_source_is_there_once_and_the_same_seed_gives_the_same(name):
    pairs = CORPORA[name](3)
    assert len({pair.source for pair in pairs}) == len(pairs) > 1_000
    assert pairs == CORPORA[name](3)
    assert (pairs == CORPORA[name](4)) == (name == "names")
    for pair in pairs:
        assert all(part and part == part.strip() for part in pair)
        assert not re.search(r"[\t\n]", "".join(pair))


@pytest.mark.parametrize("name", CORPORA)
def test_every_corpus_is_described(name):
    assert re.search(rf"^{name} ", readers_corpora.__doc__, re.MULTILINE)


@pytest.mark.parametrize("make", [welsh_dates, euro_amounts])
def test_more_pairs_begin_with_the_same_ones(make):
    some, more = make(37, seed=5), make(211, seed=5)
    assert more[: len(some)] == some


def test_small_amounts_come_as_often_as_large_ones():
    groups = [pair.group for pair in euro_amounts(800, seed=3)]
    shares = [groups.count(f"{digits} digits") / len(groups) for digits in (1, 2, 3, 4)]
    assert sum(shares) == pytest.approx(1)
    assert shares == pytest.approx([0.25] * 4, abs=0.05)


def test_welsh_dates_say_the_day():
    for pair in welsh_dates(300, seed=7):
        day = datetime.date.fromisoformat(pair.target)
        text = pair.source.casefold()
        numbers = [int(number) for number in re.findall(r"\d+", text)]
        assert day.day in numbers
        assert day.year in numbers or day.year % 100 in numbers
        if pair.group not in ("short", "yMd", "yMEd"):
            named = [month for month in MONTHS if re.search(rf"\b{month}", text)]
            assert MONTHS[day.month - 1] in named or day.month == 7
        else:
            assert day.month in numbers


def test_amounts_are_written_in_words():
    for pair in euro_amounts(300, seed=5):
        euros, cents = map(int, pair.source.replace(" ", "").split("."))
        assert pair.group == f"{len(str(euros))} digits"
        before, after = re.fullmatch(r"(.+) euro (.+) cents?", pair.target).groups()
        assert (_value(before), _value(after)) == (euros, cents), pair


def _value(words: str) -> int:
    """The number that English words say."""
    total = part = 0
    for word in words.split():
        if word in UNITS:
            part += UNITS.index(word)
        elif word in TENS:
            part += 10 * (TENS.index(word) + 2)
        elif word == "hundred":
            part *= 100
        elif word == "thousand":
            total, part = total + 1_000 * part, 0
        else:
            assert word == "and", word
    return total + part


def test_names_change_their_script():
    pairs = serbian_names()
    latin = [p for p in pairs if all("CYRILLIC" not in unicodedata.name(c, "") for c in p.source)]
    assert len(latin) == len(pairs)
    turned = [p for p in pairs if any("CYRILLIC" in unicodedata.name(c, "") for c in p.target)]
    assert len(turned) > 0.98 * len(pairs)
    table = dict(zip("abvgdđežzijklmnoprstćufhcčš", "абвгдђежзијклмнопрстћуфхцчш", strict=True))
    plain = [
        p for p in pairs if set(p.source) <= set(table) and not re.search("lj|nj|dž", p.source)
    ]
    assert len(plain) > 100
    right = sum("".join(table[c] for c in p.source) == p.target for p in plain)
    assert right > 0.97 * len(plain)
    assert {pair.group for pair in pairs} == {"territories", "languages", "currencies"}


@pytest.mark.parametrize("name", CORPORA)
def test_a_written_corpus_is_read_as_it_was(name, tmp_path):
    pairs = CORPORA[name](0)
    write_pairs(pairs, tmp_path / "own.tsv")
    words = "both" if name == "amounts" else "none"
    read = read_corpus(Files(tmp_path / "own.tsv", Reading(words, longest=100)))
    assert read.left_out == []
    assert sum(read.counts) == len(pairs)
    lines = (tmp_path / "own.tsv").read_bytes().decode("utf-8").split("\n")
    assert [tuple(line.split("\t")) for line in lines] == [*pairs, ("",)]


def test_a_corpus_is_written_in_utf_8_whatever_the_system_prefers(tmp_path):
    script = (
        "import sys, pathlib; from attn_lab.corpora.readers_corpora import OwnPair, write_pairs;"
        "write_pairs([OwnPair('\\u0107', '\\u045b', 'g')], pathlib.Path(sys.argv[1]))"
    )
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}  # ASCII alone
    path = tmp_path / "own.tsv"
    subprocess.run([sys.executable, "-c", script, path], env=os.environ | plain, check=True)
    assert path.read_bytes() == "ć\tћ\tg\n".encode()


def test_a_name_without_a_cyrillic_one_is_left_out(monkeypatch):
    whole = serbian_names()
    lacking = Locale.parse("sr_Cyrl")
    code, name = next(iter(lacking.languages.items()))
    one = {other: translation for other, translation in lacking.languages.items() if other != code}
    parts = {"territories": lacking.territories, "currencies": lacking.currencies}
    both = {"sr_Latn": Locale.parse("sr_Latn"), "sr_Cyrl": SimpleNamespace(languages=one, **parts)}
    monkeypatch.setattr(readers_corpora, "Locale", SimpleNamespace(parse=both.get))
    missing = set(whole) - set(serbian_names())
    assert [(pair.target, pair.group) for pair in missing] == [(name, "languages")]


def test_the_group_of_a_pair_comes_last():
    assert OwnPair("a", "b", "c").group == "c"
