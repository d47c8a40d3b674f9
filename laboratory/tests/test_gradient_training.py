"""Training for the chapter on gradient paths: rates, seeds and what is recorded."""

import json
from dataclasses import replace

import pytest

from attn_lab.gradients import gradient_training as experiment
from attn_lab.gradients.gradient_training import LEARNT, RATES, Condition, Way
from attn_lab.rates import RateSearch

FIRST = (0.01, 0.005, 0.02, 0.0025)
GRU = Way("gru", "torch", "none")


@pytest.fixture
def tried(monkeypatch):
    """The rates tried for `GRU`, and what was judged of them."""
    found = {}
    monkeypatch.setattr(RateSearch, "tried", lambda *_: dict(sorted(found.items())))
    return found


def missing():
    return RATES.missing(*GRU, experiment.SHORT)


def test_a_search_ends_early_where_the_task_is_learnt(tried):
    assert missing() == [0.01]
    tried[0.01] = 0.9 * LEARNT
    assert missing() == []
    tried[0.01] = 1.1 * LEARNT
    assert missing() == [0.005, 0.02, 0.0025]


def test_a_long_search_begins_around_the_best_rate_of_the_short_one(monkeypatch, tmp_path):
    trained = {  # the loss in the search, and the share of right answers of what was measured
        Condition(*GRU, 500, 0.01): (0.7, 0.8),
        Condition(*GRU, 500, 0.005): (0.8, None),
        Condition(*GRU, 500, 0.0025): (0.9, None),
        Condition(*GRU, 500, 0.02): (0.4, 0.9),
        Condition(*GRU, 500, 0.04): (0.6, None),
        Condition(*GRU, 2_000, 0.04): (0.1, None),
        Condition("lstm", "torch", "none", 500, 0.08): (0.2, None),
    }
    cells = [
        {"condition": condition._asdict(), "seed": seed, "numbers": {name: number}}
        for condition, numbers in trained.items()
        for seed, name, number in zip((100, 0), ("chosen by", "right"), numbers, strict=True)
        if number is not None
    ]
    stored = tmp_path / "stored.json"
    rates = replace(experiment.RATES, path=stored)
    monkeypatch.setattr(experiment, "RATES", rates)
    monkeypatch.setattr(
        experiment, "EXPERIMENT", replace(experiment.EXPERIMENT, path=stored, rates=rates)
    )
    assert rates.tried(*GRU, 500) == {}
    assert experiment.first_rates(*GRU, 500) == [0.01]
    stored.write_text(json.dumps({"cells": cells}))
    assert rates.tried(*GRU, 500) == {0.0025: 0.9, 0.005: 0.8, 0.01: 0.7, 0.02: 0.4, 0.04: 0.6}
    assert experiment.first_rates(*GRU, 500) == list(FIRST)
    assert experiment.first_rates(*GRU, 2_000) == pytest.approx([0.02, 0.01, 0.04, 0.005])
    assert experiment.results("right") == {(GRU, 500): [0.9]}
    with pytest.raises(ValueError, match="are still to be tried"):
        rates.best(*GRU, 2_000)


def test_every_way_of_the_plan_is_a_model_and_the_long_ones_come_after_their_short_ones():
    for way, steps in experiment.PLAN:
        model = experiment.build(way, state_size=3)
        assert model.attention == (way.contexts != "none")
        if steps == experiment.LONG:
            short = experiment.PLAN.index((way, experiment.SHORT))
            assert short < experiment.PLAN.index((way, steps))
    assert len(set(experiment.PLAN)) == len(experiment.PLAN)


@pytest.mark.slow
def test_a_cell_holds_a_gain_before_training_and_one_for_every_look():
    condition = Condition("gru", "+1", "none", 40, 0.01)
    one, again, other = (experiment.measure(condition, seed, state_size=7) for seed in (0, 0, 1))
    assert one == again
    assert len(one["gains"]) == 1 + 40 // experiment.LOOK_EVERY
    assert 0 < one["right"] < 1
    assert 0 <= one["exact"] < 1
    assert not set(one["gains"]) & set(other["gains"])
    assert experiment.choose(condition, 0, state_size=7) == {"chosen by": one["loss"]}


def test_each_seed_is_judged_on_sequences_of_its_own(monkeypatch):
    seen = []

    def noted(name):
        original = getattr(experiment, name)

        def call(*args, seed, **others):
            seen.append((name, seed))
            return original(*args, seed=seed, **others)

        monkeypatch.setattr(experiment, name, call)

    noted("farthest_gain")
    noted("look_into")
    for seed in (0, 1):
        experiment.measure(Condition(*GRU, 20, 0.01), seed, state_size=3)
    assert set(seen) == {
        (name, place + seed)
        for name, place in (("farthest_gain", 20_000), ("look_into", 10_000))
        for seed in (0, 1)
    }
