"""A file of pairs: what is read, what is left out, how it is split and stored."""

import random
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from capstone_corpora import pairs, written

from attn_course.tasks.corpus import Corpus
from attn_course.tasks.vocabulary import Vocabulary
from attn_own import limits, own_corpus
from attn_own.compact import CompactCorpus
from attn_own.lines import MOST_BYTES, Bad, Line, Reading, lines
from attn_own.own_corpus import TRAINING, Files, part_of, read_corpus


def read_lines(path, longest=100, **options):
    """What the lines say, without whether they were rewritten."""
    read = lines(path, Reading(longest=longest, **options))
    return [line[:4] if isinstance(line, Line) else line for line in read]


# ---- lines


def test_a_line_contains_a_pair_and_perhaps_a_group_and_links(tmp_path):
    path = written(tmp_path / "a.tsv", ["ab\tXYZ", " ab \tXYZ\tfirst", "ab\tXYZ\t\t0-2 1-0"])
    assert read_lines(path) == [
        ("ab", "XYZ", "", None),
        ("ab", "XYZ", "first", None),
        ("ab", "XYZ", "", ((0, 2), (1, 0))),
    ]


def test_texts_are_composed_and_a_mark_of_byte_order_is_no_character(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_bytes("\ufeffe\u0301\ta\u2028b\r\nx\ty".encode())
    assert read_lines(path) == [("é", "a\u2028b", "", None), ("x", "y", "", None)]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"no tab here", "no tab between source and target"),
        (b"", "empty"),
        (b"  \t ", "empty"),
        (b"\tx", "an empty source"),
        (b"x\t ", "an empty target"),
        (b"a\tb\tc\td\te\t ", "5 columns"),
        (b"a\xff\tb", "not UTF-8 (byte 2 of the line)"),
        (b"a\tb\x07", "a control character in the target"),
        (b"abcdefgh\tx", "a source of 8 characters; at most 7"),
        (b"a\tb\t\t0:0", "links that are not written as in 0-0 1-2"),
        (b"a\tb\t\t0-1", "a link to a place that its text does not have"),
        (b"x" * MOST_BYTES + b"\ty", f"longer than {MOST_BYTES:,} bytes"),
    ],
)
def test_a_bad_line_is_reported_and_the_next_one_is_read(tmp_path, line, why):
    path = tmp_path / "a.tsv"
    path.write_bytes(b"good\tGOOD\n" + line + b"\nmore\tMORE\n")
    before, bad, after = read_lines(path, longest=7)
    assert (before[0], after[0]) == ("good", "more")
    assert bad.why.startswith(why)


def test_half_of_a_surrogate_pair_is_a_bad_line(tmp_path):
    rows = ['{"src": "a", "tgt": "b"}', r'{"src": "a\ud83d", "tgt": "b"}']
    *_, bad = read_lines(written(tmp_path / "a.jsonl", rows))
    assert bad == Bad("half of a surrogate pair")


def test_a_line_of_ten_megabytes_is_never_in_memory_as_a_whole(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_bytes(b"a\tb\n" + b"x" * 10_000_000 + b"\n" + b"c\td\n")
    tracemalloc.start()
    read = read_lines(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [isinstance(line, Bad) for line in read] == [False, True, False]
    assert most < 1_000_000


# ---- the split


def test_no_source_is_in_two_parts_and_nothing_is_lost(tmp_path):
    rows = [*pairs(211), *[(source, target + "X") for source, target in pairs(211)]]
    random.Random(1).shuffle(rows)
    corpus = read_corpus(Files(written(tmp_path / "a.tsv", rows), seed=3))
    assert sum(corpus.counts) == len(rows) == corpus.several
    assert corpus.repeated == 0
    sources = [{pair.source for pair in part} for part in (corpus.validation, corpus.test)]
    assert not sources[0] & sources[1]
    trained = [source for source, _ in rows if part_of(source, 3) == TRAINING]
    assert len(trained) == corpus.counts[0] == len(corpus.training)
    assert not set(trained) & (sources[0] | sources[1])
    assert len(corpus.validation) + len(corpus.test) + len(trained) == len(rows)


def test_repeats_are_counted_and_are_no_second_target(tmp_path):
    rows = [*pairs(211), *pairs(211)[:17], *pairs(211)[:5], ("~", "one"), ("~", "two")]
    corpus = read_corpus(Files(written(tmp_path / "a.tsv", rows), seed=3))
    assert (corpus.repeated, corpus.several) == (len(rows) - len(set(rows)), 2)
    assert sum(corpus.counts) == len(rows)


def test_a_ceiling_takes_the_commonest_target_of_each_source_that_can_be_written():
    sources, pairs = np.array([7, 7, 7, 2, 5, 5]), np.array([1, 1, 3, 9, 4, 8])
    every = np.ones(6, dtype=bool)
    assert limits.among_several(sources, pairs).tolist() == [True] * 3 + [False] + [True] * 2
    assert not limits.among_several(sources[:2], pairs[:2]).any()
    assert limits.ceiling(sources, pairs, every) == 4 / 6
    assert limits.ceiling(sources[:2], pairs[:2], every[:2]) == 1
    assert limits.ceiling(sources, pairs, pairs != 1) == 3 / 6  # the rarer target of 7
    assert limits.ceiling(sources, pairs, pairs != 9) == 3 / 6
    assert limits.ceiling(sources, pairs, ~every) == 0


def test_the_parts_are_about_a_tenth_each_and_follow_the_seed():
    words = [source for source, _ in pairs(3001, most=8)]
    counts = np.bincount([part_of(word, 5) for word in words])
    assert np.abs(counts[1:] / len(words) - 0.1).max() < 0.02
    assert [part_of(word, 5) for word in words] != [part_of(word, 6) for word in words]


def test_more_test_pairs_than_are_used_are_drawn_evenly(tmp_path, monkeypatch):
    monkeypatch.setitem(own_corpus.MOST_TRIED, own_corpus.TEST, 7)
    rows = [(source, target, str(at)) for at, (source, target) in enumerate(pairs(701))]
    path, places = written(tmp_path / "a.tsv", rows), []
    for seed in range(31):
        corpus = read_corpus(Files(path, seed=seed))
        assert len(corpus.test) == 7 < corpus.counts[2]
        places += [int(pair.group) for pair in corpus.test]
    assert 290 < np.mean(places) < 410  # 350 and 14, if all have the same chance


def test_symbols_are_those_of_the_training_alone(tmp_path):
    rows, seed = pairs(151), 0
    tested = next(source for source, _ in rows if part_of(source + "ß", seed) != TRAINING)
    path = written(tmp_path / "a.tsv", [*rows, (tested + "ß", "Ω")])
    corpus = read_corpus(Files(path, seed=seed))
    assert "ß" not in corpus.source_vocabulary
    assert "Ω" not in corpus.target_vocabulary
    assert "a" in corpus.source_vocabulary


def test_words_can_be_symbols_of_a_corpus(tmp_path):
    rows = [(" ".join(source), " ".join(target)) for source, target in pairs(151)]
    corpus = read_corpus(Files(written(tmp_path / "a.tsv", rows), Reading("both")))
    assert corpus.source_vocabulary.split("ab cd") == ["ab", "cd"]
    batch = next(iter(corpus.training.batches(3, np.random.default_rng(0))))
    text = corpus.source_vocabulary.decode(batch.sources[0])
    assert corpus.target_vocabulary.decode(batch.targets[0]) == text.upper()


# ---- stored in a few bytes


@pytest.mark.parametrize("separator", ["", " "])
def test_its_batches_are_those_of_a_corpus(separator):
    listed = [SimpleNamespace(source=separator.join(a), target=b) for a, b in pairs(61)]
    sides = [pair.source for pair in listed], [pair.target for pair in listed]
    symbols = sorted({symbol for text in sides[0] for symbol in text.split(separator or None)})
    symbols = symbols if separator else sorted(set("".join(sides[0])))
    vocabularies = Vocabulary(symbols[1:], separator), Vocabulary.from_texts(sides[1])
    mine, other = CompactCorpus(sides, vocabularies), Corpus(listed, *vocabularies)
    assert len(mine) == 61
    assert mine.count_batches(7) == other.count_batches(7)
    orders = [np.random.default_rng(5) for _ in range(2)]
    for one, two in zip(mine.batches(7, orders[0]), other.batches(7, orders[1]), strict=True):
        assert torch.equal(one.sources, two.sources)
        assert torch.equal(one.targets, two.targets)
        assert torch.equal(one.lengths, two.lengths)


@pytest.mark.slow
def test_twenty_thousand_lines_take_a_few_bytes_a_symbol(tmp_path):
    path = tmp_path / "a.tsv"
    with path.open("w") as file:
        file.writelines(f"source {n:>13}\ttarget {n:<13}\n" for n in range(20_011))
    tracemalloc.start()
    corpus = read_corpus(Files(path))
    size, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    symbols = 40 * 20_011
    assert sum(corpus.counts) == 20_011
    assert size < 3 * symbols
    assert most < 12 * symbols
