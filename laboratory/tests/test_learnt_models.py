"""The date readers of `must_attention_be_learnt` differ only as stated."""

import numpy as np
import pytest
import torch

from attn_course.search import Answer
from attn_course.tasks.dates import gold_possible, gold_sure, render
from attn_course.training import teacher_forced_loss
from attn_lab.rates import RateSearch
from attn_lab.reading_dates import learnt_models as ways
from attn_lab.reading_dates import must_attention_be_learnt as grid
from attn_lab.reading_dates.learnt_models import Condition


def built(way, ready_made=None):
    torch.manual_seed(3)
    return ways.build(way, ready_made)


def score_of(model):
    return dict(model.decoder.score.named_parameters())


def gradients(way):
    """The loss's gradients in one batch, by the name of the parameter."""
    model = built(way, score_of(built("joint")) if way == "ready-made" else None)
    pairs = ways.date_pairs(7, seed=11)
    batch = next(ways.Corpus(pairs, *ways.vocabularies()).batches(7, np.random.default_rng(0)))
    teacher_forced_loss(model, batch).backward()
    return {name: part.grad for name, part in model.named_parameters()}


@pytest.mark.parametrize("way", ways.WAYS)
def test_only_the_joint_score_learns(way):
    found = [
        name for name, grad in gradients(way).items() if ".score." in name and grad is not None
    ]
    assert bool(found) == (way == "joint")


@pytest.mark.parametrize("way", ways.WAYS)
def test_encoder_and_decoder_learn_whatever_the_score_does(way):
    for name, grad in gradients(way).items():
        if ".score." not in name:
            assert grad is not None, name
            assert grad.abs().sum() > 0, name


def test_cut_keeps_the_weights_and_cuts_their_gradient():
    frozen, cut = built("frozen"), built("cut")
    annotations = torch.randn(2, 5, 96, requires_grad=True)
    state = torch.randn(2, 96)
    looks = [each.decoder.look(state, each.decoder.read(annotations)) for each in (frozen, cut)]
    assert torch.equal(*looks)
    assert looks[0].requires_grad
    assert not looks[1].requires_grad


def test_uniform_weighs_every_readable_position_alike():
    model = built("uniform")
    memory = model.decoder.read(
        torch.randn(2, 3, 96), torch.tensor([[[1, 1, 1]], [[1, 0, 0]]]).bool()
    )
    weights = model.decoder.look(torch.randn(2, 96), memory)
    expected = torch.tensor([[[1 / 3] * 3], [[1.0, 0, 0]]])
    torch.testing.assert_close(weights, expected)


@pytest.mark.parametrize(("large", "small"), [("frozen, x 3", "frozen"), ("cut, x 3", "cut")])
def test_the_larger_score_is_three_times_as_large_and_nothing_else_is(large, small):
    parts = dict(built(small).named_parameters())
    for name, part in built(large).named_parameters():
        torch.testing.assert_close(part, parts[name] * (3 if ".score." in name else 1))


def test_a_ready_made_score_is_taken_as_it_is():
    given = {name: torch.randn_like(part) for name, part in score_of(built("joint")).items()}
    for name, part in score_of(built("ready-made", given)).items():
        assert torch.equal(part, given[name])


@pytest.mark.parametrize("extra", [ways.spaces, ways.letters])
def test_what_stands_before_a_date_is_as_long_as_asked_for(extra):
    pairs = ways.unseen(0, 50)
    for count in ways.EXTRA:
        before = extra(count, pairs)
        assert {len(each) for each in before} == {count}
        assert all(each.endswith(" ") for each in before)
    known = set(ways.vocabularies()[0].symbols)
    assert set(ways.LETTERS) <= known
    assert len(set(ways.letters(16, pairs))) == 50


def test_alignment_of_perfect_and_of_wrong_weights():
    pairs = [render(pair.day, pair.locale, "yMd") for pair in ways.unseen(0, 20)]
    gold = [
        np.where(gold_sure(p).any(axis=1)[:, None], gold_sure(p), gold_possible(p)) for p in pairs
    ]
    good = [Answer(p.target, g.astype(float), None) for p, g in zip(pairs, gold, strict=True)]
    assert ways.alignment(pairs, good) == {"field": 1.0, "alignment error": 0.0}
    bad = [Answer(p.target, 1.0 - gold_possible(p), None) for p in pairs]
    assert ways.alignment(pairs, bad) == {"field": 0.0, "alignment error": 1.0}


def test_an_answer_too_short_to_align_is_left_out():
    pairs = ways.unseen(0, 2)
    short = Answer("2005", np.ones((4, len(pairs[0].source))), None)
    whole = Answer(pairs[1].target, gold_possible(pairs[1]).astype(float), None)
    assert ways.alignment(pairs, [short, whole])["field"] == 1.0


# ---- which rate is taken


@pytest.fixture
def shares(monkeypatch):
    """What each rate read, by way, epochs and rate."""
    found = {("joint", 2): {0.006: 0.7, 0.012: 0.8, 0.024: 0.9, 0.048: 0.5}}
    monkeypatch.setattr(RateSearch, "tried", lambda _, *asked: found.get(asked, {}))
    return found


def test_a_way_without_a_rate_of_its_own_takes_that_of_joint(shares):
    assert grid.condition_of("cut, x 3", 8) == Condition("cut, x 3", 8, 0.024)
    assert {way for planned, _ in grid.PLAN for way in planned} <= set(ways.WAYS)


def test_a_long_training_takes_its_own_rate_once_that_is_selected(shares):
    found = shares["frozen", 8] = {0.006: 0.9, 0.012: 0.8, 0.024: 0.7}
    assert grid.condition_of("frozen", 8) == Condition("frozen", 8, 0.024), "not all rates tried"
    found[0.048] = 0.6
    assert grid.condition_of("frozen", 8) == Condition("frozen", 8, 0.024), "the best at an edge"
    found[0.003] = 0.8
    assert grid.condition_of("frozen", 8) == Condition("frozen", 8, 0.006)
    assert grid.condition_of("frozen", 2) == Condition("frozen", 2, 0.024)
    assert grid.condition_of("joint", 8) == Condition("joint", 8, 0.024)
