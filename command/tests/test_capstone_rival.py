"""The table of single symbols that stands beside a trained model on its card."""

import random
from collections import Counter

import numpy as np
import pytest
from capstone_corpora import ALONE, corpus_of, pairs, written

from attn_course.measures import exact_match, paired
from attn_own import card, limits
from attn_own.findings import Rival, find
from attn_own.own_corpus import TEST, Files, part_of, read_corpus
from attn_own.verdicts import doubts, of_baselines, of_rival

SIDES = "abcdefg", "vwxyz"


def learnt(rows, words=False):
    """The table of these rows, and the vocabulary of their sources."""
    _, vocabularies = corpus_of(rows, " " * words)
    return limits.symbol_table(*zip(*rows, strict=True), vocabularies), vocabularies[0]


def counted_out(rows, separator):
    """The same by counting one symbol after another; of equal counts the smallest symbol."""
    counts = {}
    for sides in rows:
        one, two = (side.split(separator) if separator else list(side) for side in sides)
        if len(one) == len(two):
            for a, b in zip(one, two, strict=True):
                counts.setdefault(a, Counter())[b] += 1
    return {a: min(partners, key=lambda b: (-partners[b], b)) for a, partners in counts.items()}


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


def test_a_large_corpus_is_learnt_from_a_part_of_it(monkeypatch):
    monkeypatch.setattr(limits, "MOST_READ", 3)
    rows = [(letter, letter.upper()) for letter in "abcdefghijk"]
    table, _ = learnt(rows)
    assert len(table) == 3
    assert all(two == one.upper() for one, two in table.items())


def test_what_the_table_lacks_stays_as_it_is():
    table, vocabulary = learnt([("ab", "xy"), ("abc", "x")])
    assert limits.by_table("cabé", table, vocabulary, "-") == "c-x-y-é"
    table, vocabulary = learnt([("one two", "un deux")], words=True)
    assert limits.by_table("two one three", table, vocabulary, " ") == "deux un three"
    assert limits.by_table("", table, vocabulary, " ") == ""


def by_the_table(path):
    corpus = read_corpus(Files(path))
    written_ = [
        limits.by_table(pair.source, corpus.table, corpus.source_vocabulary, "")
        for pair in corpus.test
    ]
    return exact_match(written_, [pair.target for pair in corpus.test])


def test_the_table_is_tried_on_test_pairs_that_it_was_not_made_from(tmp_path):
    rows = pairs(211)
    assert by_the_table(written(tmp_path / "a.tsv", rows)) == 1
    tested = [row for row in rows if part_of(row[0], 0) == TEST]
    others = [row for row in rows if row not in tested]
    spoilt = [(source, target.lower()) for source, target in tested]
    assert by_the_table(written(tmp_path / "b.tsv", [*others, *spoilt])) == 0
    mixed = [*others, *spoilt[:7], *tested[7:]]
    share = by_the_table(written(tmp_path / "c.tsv", mixed))
    assert share == pytest.approx(1 - 7 / len(tested))


def test_the_commonest_target_is_that_of_the_training(tmp_path):
    rows = [(source, "yes" if at % 3 else "no") for at, (source, _) in enumerate(pairs(211))]
    tested = [source for source, _ in rows if part_of(source, 0) == TEST]
    others = [row for row in rows if row[0] not in tested]
    path = written(tmp_path / "a.tsv", [*others, *[(source, "other") for source in tested * 20]])
    assert read_corpus(Files(path)).commonest == "yes"


def test_the_card_names_the_baselines_and_doubts_a_model_that_is_no_better(tmp_path, say):
    rows = [(source, "yes" if at % 9 else "no") for at, (source, _) in enumerate(pairs())]
    path = written(tmp_path / "a.tsv", rows)
    output = say("train", path, *ALONE, "--size", 8, "--epochs", 1).out
    results = find(tmp_path / "a-bahdanau")
    share = np.mean([pair.target == "yes" for pair in results.pairs])
    sentence = f"always writing the commonest target of the training, “yes”, {share:.1%}"
    assert sentence in output
    assert "This model was shown to do worse than always writing" in output
    assert sentence.replace("yes", "<bdi>yes</bdi>") in card.card(results)
    assert [rival.name.split()[0] for rival in results.rivals] == [
        *("copying", "always", "rewriting", "writing")
    ]


NOT_BETTER, WORSE = (
    "has not been shown to do better than copying",
    "was shown to do worse than copying",
)


@pytest.mark.parametrize(
    ("ahead", "behind", "alike", "right", "words"),
    [
        (4, 4, 0, 0.5, NOT_BETTER),
        (5, 0, 0, 0.0, NOT_BETTER),
        (6, 0, 0, 0.0, ""),
        (0, 6, 0, 1.0, WORSE),
        (0, 12, 3, 1.0, WORSE),
        (0, 0, 5, 0.0, NOT_BETTER),
        (0, 0, 5, 0.4, NOT_BETTER),
    ],
)
def test_a_baseline_is_better_worse_level_or_nothing(ahead, behind, alike, right, words):
    compared = paired(
        [1] * ahead + [0] * behind + [0] * alike, [0] * ahead + [1] * behind + [0] * alike
    )
    rivals = [Rival("copying the source", right, compared)] * 3
    text, of_one = " ".join(of_baselines(rivals)), of_rival(rivals[0])
    for verdict in (NOT_BETTER, WORSE):
        assert (verdict in text) == (verdict == words)
    nothing = "there is no source" if right else "gets none right either"
    assert (nothing in text) == (not ahead and not behind)
    assert (nothing in of_one.lower()) == (not ahead and not behind)
    assert ("too few to tell" in of_one) == (words == NOT_BETTER and bool(ahead + behind))
    for sentence in (text, of_one):
        assert ("sign test" in sentence) == bool(ahead + behind) or not words


def test_the_doubts_tell_worse_from_not_better(tmp_path, say):
    path = written(tmp_path / "a.tsv", pairs())
    say("train", path, *ALONE, "--size", 8, "--epochs", 1)
    results = find(tmp_path / "a-bahdanau")
    worse = [rival._replace(compared=paired([0] * 9, [1] * 9)) for rival in results.rivals[:1]]
    level = [rival._replace(compared=paired([1], [1])) for rival in results.rivals[1:]]
    text = " ".join(doubts(results._replace(rivals=[*worse, *level])))
    assert "was shown to do worse than copying the source, and it has not been shown to" in text
