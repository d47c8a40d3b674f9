"""Batches of one source length: each pair once, in an order that only the seed determines."""

from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
import torch

from attn_course.tasks.corpus import Corpus, pad
from attn_course.tasks.vocabulary import END, PADDING, Vocabulary


class Pair(NamedTuple):
    source: str
    target: str


LETTERS = Vocabulary("abc")


@pytest.fixture
def pairs():
    random = np.random.default_rng(0)
    word = lambda longest: "".join(random.choice(list("abc"), random.integers(1, longest)))  # noqa: E731
    return [Pair(word(7), word(5)) for _ in range(101)]


def drawn(corpus, size, seed):
    return [
        (tuple(source.tolist()), tuple(target.tolist()))
        for batch in corpus.batches(size, np.random.default_rng(seed))
        for source, target in zip(batch.sources, batch.targets, strict=True)
    ]


def test_each_pair_comes_once_and_unpadded(pairs):
    corpus = Corpus(pairs, LETTERS, LETTERS)
    unpadded = [(s, tuple(y for y in t if y != PADDING)) for s, t in drawn(corpus, 11, 0)]
    expected = [
        (tuple(LETTERS.encode(p.source)), tuple(LETTERS.encode(p.target, end=True))) for p in pairs
    ]
    assert sorted(unpadded) == sorted(expected)
    assert len(corpus) == len(pairs)


def test_a_batch_has_one_source_length_and_at_most_its_size(pairs):
    corpus = Corpus(pairs, LETTERS, LETTERS)
    batches = list(corpus.batches(11, np.random.default_rng(0)))
    assert len(batches) == corpus.count_batches(11)
    for batch in batches:
        assert 1 <= len(batch.sources) <= 11
        assert (batch.lengths == batch.sources.shape[1]).all()
        assert (batch.sources != PADDING).all()
        assert ((batch.targets == END).sum(dim=1) == 1).all()


def test_order_depends_on_the_seed_alone(pairs):
    corpus = Corpus(pairs, LETTERS, LETTERS)
    assert drawn(corpus, 11, 0) == drawn(corpus, 11, 0)
    assert drawn(corpus, 11, 0) != drawn(corpus, 11, 1)


def test_pad_fills_up_behind():
    assert pad([[5, 6, 7], [8]]).tolist() == [[5, 6, 7], [8, PADDING, PADDING]]


def test_a_batch_can_move(pairs, device):
    corpus = Corpus(pairs, LETTERS, LETTERS, mirrored)
    batch = next(corpus.batches(3, np.random.default_rng(0)))
    assert {part.device.type for part in batch.to(device)} == {device.type}
    assert torch.equal(batch.to(device).sources.cpu(), batch.sources)


def test_pairs_may_be_plain_tuples(pairs):
    plain = Corpus([(pair.source, pair.target) for pair in pairs], LETTERS, LETTERS, mirrored)
    assert drawn(plain, 11, 0) == drawn(Corpus(pairs, LETTERS, LETTERS), 11, 0)


def mirrored(pair):
    """Links by which every pair and place can be told from all others of the same size."""
    table = np.zeros((len(pair.target), len(pair.source)), dtype=bool)
    for i, letter in enumerate(pair.target):
        table[i, "abc".index(letter) % len(pair.source)] = True
    return table


def test_links_go_with_their_pairs(pairs):
    corpus = Corpus(pairs, LETTERS, LETTERS, mirrored)
    expected = {(p.source, p.target): mirrored(p) for p in pairs}
    for batch in corpus.batches(11, np.random.default_rng(0)):
        assert batch.links.shape == (*batch.targets.shape, batch.sources.shape[1])
        assert batch.links.dtype == torch.bool
        for source, target, links in zip(batch.sources, batch.targets, batch.links, strict=True):
            texts = LETTERS.decode(source), LETTERS.decode(target)
            rows = len(texts[1])
            np.testing.assert_array_equal(links[:rows].numpy(), expected[texts])
            assert not links[rows:].any()  # END and padding
        assert batch.to(torch.device("cpu")).links is not None
    [batch, *_] = Corpus(pairs, LETTERS, LETTERS).batches(11, np.random.default_rng(0))
    assert batch.links is None
    assert batch.to(torch.device("cpu")).links is None


def of(pairs, gold=None):
    return Corpus(pairs, LETTERS, LETTERS, gold)


REFUSED = {
    pad: [
        (([[[5, 6], [7, 8]]],), TypeError, "sequences must be lists of whole numbers; got"),
        (([5, 6],), TypeError, "sequences must be lists of whole numbers; got"),
    ],
    of: [
        (([],), "pairs must hold at least 1; got 0"),
        (([Pair("a", "b"), Pair("", "b")],), "pair 1 has an empty source"),
        (([("a", "b", "c")],), TypeError, "a source and a target; pair 0 is tuple"),
        *(
            (([Pair("a", "b"), half],), TypeError, "and a target; pair 1 is SimpleNamespace")
            for half in (SimpleNamespace(source="a"), SimpleNamespace(target="b"))
        ),
        *(
            (([Pair("abc", "ab")], gold), r"booleans \(2, 3\) \(target, source\) for pair 0; got")
            for gold in (
                lambda pair: mirrored(pair).T,
                lambda pair: mirrored(pair).astype(int),
                lambda pair: np.vstack([mirrored(pair), mirrored(pair)]),
                lambda pair: None,
            )
        ),
    ],
}
