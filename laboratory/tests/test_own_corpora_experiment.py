"""The conditions of the experiment `own_corpora` are what their names say."""

import pytest
import torch

from attn_lab.corpora import own_corpora as grid
from attn_lab.corpora.own_corpora import Condition
from attn_lab.corpora.readers_corpora import CORPORA


@pytest.mark.parametrize("corpus", CORPORA)
def test_only_the_source_is_reversed(corpus):
    pairs = grid.parts(corpus, 0).test
    turned = grid.as_read("reversed", pairs)
    vocabulary, _ = grid.vocabularies(corpus, pairs)
    for one, two in zip(pairs, turned, strict=True):
        assert vocabulary.split(two.source) == vocabulary.split(one.source)[::-1]
        assert two[1:] == one[1:]
    assert grid.as_read("both", pairs) == turned
    assert all(grid.as_read(model, pairs) == pairs for model in grid.MODELS)


def test_a_condition_is_measured(monkeypatch):
    pairs = CORPORA["amounts"](0)[:90]
    monkeypatch.setitem(CORPORA, "amounts", lambda seed: list(pairs))
    numbers = grid.measure(Condition("amounts", "fixed_context", 1, 0.01), 0)
    assert set(numbers) == {"right", "groups", "shorter", "longer", "steps"}
    assert numbers["right"] == 0 == numbers["longer"]
    loss = grid.loss(Condition("amounts", "fixed_context", 1, 0.01), 0)["loss"]
    assert 0 < loss < 10
    again = grid.loss(Condition("amounts", "fixed_context", 1, 0.01), 0)["loss"]
    assert torch.tensor(loss).isclose(torch.tensor(again), rtol=1e-3)


def test_vocabularies_know_the_training_pairs_alone():
    training = grid.parts("names", 0).training
    source, target = grid.vocabularies("names", training)
    assert set(source.symbols) == set("".join(pair.source for pair in training))
    assert set(target.symbols) == set("".join(pair.target for pair in training))
    words = grid.vocabularies("amounts", grid.parts("amounts", 0).training)[1]
    assert {"hundred", "euro", "cents"} <= set(words.symbols)
