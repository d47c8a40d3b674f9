"""The table of single symbols that stands beside a trained model on its card."""

import random
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from capstone_corpora import pairs, written

from attn_course.capstone import rival
from attn_course.capstone.command import main
from attn_course.capstone.compact import Texts
from attn_course.capstone.findings import find
from attn_course.capstone.own_corpus import TEST, part_of, read_corpus
from attn_course.capstone.verdicts import doubts

SIDES = "abcdefg", "vwxyz"


def learnt(rows, chosen=None, words=False):
    """The table of these rows, and the vocabulary of their sources."""
    sides = []
    for side in zip(*rows, strict=True):
        texts = Texts(words)
        for text in side:
            texts.add(text)
        sides.append(texts)
    every = np.ones(len(rows), dtype=bool)
    vocabularies = [texts.vocabulary(every) for texts in sides]
    encoded = [texts.encoded(each) for texts, each in zip(sides, vocabularies, strict=True)]
    chosen = np.arange(len(rows)) if chosen is None else np.array(chosen, dtype=int)
    return rival.symbol_table(*encoded, chosen, vocabularies), vocabularies[0]


def counted_out(rows, separator):
    """The same by counting one symbol after another; of equal counts the smallest symbol."""
    counts = {}
    for sides in rows:
        one, two = (side.split(separator) if separator else list(side) for side in sides)
        if len(one) == len(two):
            for a, b in zip(one, two, strict=True):
                counts.setdefault(a, Counter())[b] += 1
    return {a: min(each, key=lambda b: (-each[b], b)) for a, each in counts.items()}


@pytest.mark.parametrize("separator", ["", " "])
@pytest.mark.parametrize("seed", range(5))
def test_a_table_has_the_commonest_partner_of_each_symbol(separator, seed):
    rng = random.Random(seed)
    rows = [
        tuple(separator.join(rng.choices(side, k=rng.randint(1, 3))) for side in SIDES)
        for _ in range(41)
    ]
    rows += [(separator.join("ab"), separator.join("vwx")) for _ in range(60)]  # of other lengths
    table, _ = learnt(rows, words=bool(separator))
    assert table == counted_out(rows, separator)


def test_only_the_chosen_pairs_are_learnt_from():
    rows = [("a", "x"), ("b", "y"), ("a", "z"), ("a", "z")]
    assert learnt(rows, chosen=[0, 1])[0] == {"a": "x", "b": "y"}
    assert learnt(rows, chosen=[1, 2])[0] == {"a": "z", "b": "y"}
    assert learnt(rows, chosen=[])[0] == {}


def test_a_large_corpus_is_learnt_from_a_part_of_it(monkeypatch):
    monkeypatch.setattr(rival, "MOST_READ", 3)
    rows = [(letter, letter.upper()) for letter in "abcdefghijk"]
    table, _ = learnt(rows)
    assert len(table) == 3
    assert all(two == one.upper() for one, two in table.items())


def test_what_the_table_lacks_stays_as_it_is():
    table, vocabulary = learnt([("ab", "xy"), ("abc", "x")])
    assert rival.by_table("cabé", table, vocabulary) == "cxyé"
    table, vocabulary = learnt([("one two", "un deux")], words=True)
    assert rival.by_table("two one three", table, vocabulary) == "deux un three"
    assert rival.by_table("", table, vocabulary) == ""


def test_the_table_is_asked_the_test_pairs_and_has_not_seen_them(tmp_path):
    rows = pairs(211)
    assert read_corpus(written(tmp_path / "a.tsv", rows)).by_table == 1
    tested = [row for row in rows if part_of(row[0], 0) == TEST]
    others = [row for row in rows if row not in tested]
    spoilt = [(source, target.lower()) for source, target in tested]
    assert read_corpus(written(tmp_path / "b.tsv", [*others, *spoilt])).by_table == 0
    mixed = [*others, *spoilt[:7], *tested[7:]]
    share = read_corpus(written(tmp_path / "c.tsv", mixed)).by_table
    assert share == pytest.approx(1 - 7 / len(tested))


def test_the_card_names_the_table_and_doubts_a_model_that_is_no_better(tmp_path, capsys):
    path = written(tmp_path / "a.tsv", pairs())
    assert main(["train", str(path), "--size", "8", "--epochs", "1"]) == 0
    folder = tmp_path / "a-bahdanau"
    assert main(["report", str(folder)]) == 0
    card = (folder / "report.html").read_text("utf-8")
    told = "rewriting each symbol on its own, by a table made from the training pairs, 100.0%."
    assert told in card
    found = find(folder)
    for low, doubted in (0.4, True), (0.5, True), (0.6, False):
        found.trained.facts["by_table"] = 0.5
        overall = SimpleNamespace(mean=0.7, low=low, high=0.9)
        said = " ".join(doubts(found._replace(overall=overall)))
        assert ("gets 50.0% of the test pairs right" in said) == doubted
