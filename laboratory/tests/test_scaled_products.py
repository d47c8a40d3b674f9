"""The experiment on dividing by √d: a task that can be solved only with attention."""

import numpy as np
import pytest
import torch

from attn_lab.scores import scaled_products as experiment
from attn_lab.scores.scaled_products import KEYS, PLACES, VALUES, Learner, LookUp, Tables


def batch(size=31, seed=0):
    return next(Tables(3).batches(size, np.random.default_rng(seed)))


def test_an_answer_is_the_value_beside_the_key_that_was_asked_for():
    sources, lengths, targets, _ = batch()
    asked, keys, values = sources.split([1, PLACES, PLACES], dim=1)
    assert ((keys == asked).sum(dim=1) == 1).all(), "it is there once"
    assert torch.equal(values[keys == asked], targets.squeeze(1))
    assert (lengths == 1 + 2 * PLACES).all()
    assert 0 <= keys.min() <= keys.max() < KEYS
    assert 1 <= values.min() <= values.max() <= VALUES
    assert all(len(set(row.tolist())) == PLACES for row in keys)


def test_there_are_as_many_batches_as_steps_and_none_twice():
    batches = list(Tables(3).batches(5, np.random.default_rng(0)))
    assert len(batches) == Tables(3).count_batches(5) == 3
    assert not torch.equal(batches[0].sources, batches[1].sources)


@pytest.mark.parametrize(
    ("way", "deviation"), [("plain", 16.0), ("divided", 1.0), ("small start", 1.0)]
)
def test_the_scores_start_as_far_apart_as_the_docstring_says(way, deviation):
    model = LookUp(way, 256)
    asked, keys, _ = batch(401).sources.split([1, PLACES, PLACES], dim=1)
    scores = model.score(model.query_embedding(asked), model.key_embedding(keys))
    assert scores.std().item() == pytest.approx(deviation, rel=0.1)


def test_a_model_that_looks_at_the_right_place_answers_right():
    model = LookUp("divided", 67)
    with torch.no_grad():
        model.query_embedding.weight.mul_(100)
        model.key_embedding.weight.copy_(model.query_embedding.weight)
        model.value_embedding.weight.zero_()
        model.value_embedding.weight[:, : VALUES + 1] = torch.eye(VALUES + 1)
        model.readout.weight.copy_(10 * torch.eye(VALUES + 1, 2 * VALUES))
        some = batch(53)
        logits, weights = model(some.sources, some.lengths, some.targets)
    assert torch.equal(logits[:, 0].argmax(dim=1), batch(53).targets[:, 0])
    assert weights.shape == (53, 1, PLACES)


def test_the_search_is_kept_apart_from_what_is_measured():
    asked = ("plain", 256, 400)
    rates = experiment.RATES.tried(*asked)
    best = Learner(*asked, experiment.RATES.best(*asked))
    stored = experiment.EXPERIMENT.results("loss")
    assert experiment.results("loss")[asked] == stored[best][:3]
    assert rates == {each.rate: stored[each][-1] for each in stored if each[:3] == asked}
    assert all(len(each) == 3 for each in experiment.results("loss").values())
