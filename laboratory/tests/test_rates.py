"""The search for learning rates: at least four, and the best not at an edge."""

import itertools
import json
import math
from dataclasses import replace
from typing import NamedTuple

import pytest

from attn_lab.rates import FIRST, LEAST, RateSearch, next_rates


class Run(NamedTuple):
    """A training run of a made-up model."""

    model: str
    steps: int
    rate: float


def measure(run, seed):
    """The farther from .1, the worse; with noise that two seeds take away."""
    return {"loss": abs(math.log(run.rate / 0.1)) + (1 if seed % 2 else -1)}


@pytest.fixture
def search(tmp_path, measured_here):
    return RateSearch(Run, measure, tmp_path / "some_rates.json", seeds=(100, 101))


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


def test_a_search_writes_its_trials_and_goes_on_until_the_best_is_at_no_edge(search):
    assert search.tried("one", 100) == {}
    with pytest.raises(ValueError, match=r"one, 100: the rates \[0.012, 0.024, 0.048\] are still"):
        search.best("one", 100)
    search.search([("one", 100), ("two", 100)], workers=1, command="a command")
    assert list(search.tried("one", 100)) == [*FIRST, 0.096, 0.192]
    assert search.best("one", 100) == search.best("two", 100) == 0.096
    cells = json.loads(search.path.read_text("utf-8"))["cells"]
    assert {cell["seed"] for cell in cells} == {100, 101}
    assert {cell["made"]["command"] for cell in cells} == {"a command"}
    assert search.tried("one", 200) == {}, "a longer training has a search of its own"


def test_the_mean_of_all_its_seeds_decides(search):
    search.search([("one", 100)], workers=1)
    assert search.tried("one", 100)[0.048] == pytest.approx(math.log(0.1 / 0.048), abs=1e-4)
    assert replace(search, seeds=(100,)).tried("one", 100)[0.048] == pytest.approx(
        math.log(0.1 / 0.048) - 1, abs=1e-4
    )
    assert replace(search, seeds=(100, 102)).tried("one", 100) == {}, "a seed is missing"


def test_what_is_to_be_large_and_where_it_begins_are_said(search, monkeypatch):
    known = {0.5: 0.1, 1.0: 0.3, 2.0: 0.2}
    monkeypatch.setattr(RateSearch, "tried", lambda *_: known)
    search = replace(search, smaller=False, first=lambda model, steps: [0.5, 1.0, steps])
    assert search.missing("one", 6) == [6]
    assert search.missing("one", 2) == [4.0], "the third is the better neighbour"
    known[4.0] = 0.1
    assert search.best("one", 2) == 1.0
    known[4.0] = 0.4
    assert search.missing("one", 2) == [8.0]
    assert replace(search, is_over=lambda tried: max(tried.values()) > 0.35).best("one", 2) == 4.0
