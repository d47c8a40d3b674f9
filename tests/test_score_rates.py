"""The search for learning rates: at least four, and the best not at an edge."""

import itertools
import math

import pytest

from attn_course.experiments import score_rates
from attn_course.experiments.score_rates import FIRST, LEAST, next_rates


def walk(best):
    """All rates that are tried if the loss is lowest at ``best``."""
    tried = {}
    while rates := next_rates(tried):
        assert not set(rates) & set(tried), "no rate is tried again"
        tried |= {rate: abs(math.log(rate / best)) for rate in rates}
    return sorted(tried)


@pytest.mark.parametrize("best", [0.0007, 0.011, 0.013, 0.025, 0.05, 0.7])
def test_the_best_rate_stands_between_two_others(best):
    rates = walk(best)
    assert len(rates) >= LEAST
    assert rates[0] < min(rates, key=lambda rate: abs(math.log(rate / best))) < rates[-1]
    assert all(b / a == pytest.approx(2) for a, b in itertools.pairwise(rates))


def test_it_begins_with_the_same_rates_and_goes_on_beside_the_better_neighbour():
    assert next_rates({}) == list(FIRST)
    low, middle, high = FIRST
    assert next_rates({low: 2.0, middle: 1.0, high: 3.0}) == [low / 2]
    assert next_rates({low: 3.0, middle: 1.0, high: 2.0}) == [2 * high]
    assert next_rates({low: 1.0}) == [middle, high]


def test_a_best_rate_is_named_only_where_the_search_is_over(monkeypatch):
    tried = {0.012: 3.0, 0.024: 1.0, 0.048: 2.0}
    monkeypatch.setattr(score_rates, "losses", lambda score, epochs: tried)
    with pytest.raises(ValueError, match="dot, 4 epochs"):
        score_rates.best_rate("dot", 4)
    tried[0.096] = 5.0
    assert score_rates.best_rate("dot", 4) == 0.024
