"""What every experiment promises of its results: the plan and no more, once, at searched rates."""

import doctest
import importlib

import pytest

import attn_lab
from attn_lab import registry
from attn_lab.grid import cell_name, stored_cells
from attn_lab.rates import RateSearch

EXPERIMENTS = [registry.experiment(name) for name in registry.questions()]
every = pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.name)
EXAMPLES = [path for path in registry.ROOM.rglob("*.py") if ">>>" in path.read_text("utf-8")]


def at_any_rate(condition):
    return condition._replace(rate=None) if hasattr(condition, "rate") else condition


@every
def test_what_is_stored_is_what_is_planned(experiment):
    """A rate at an edge, or one that is still to be tried, is a ValueError of the plan."""
    cells = stored_cells(experiment.path)
    names = [cell_name(cell) for cell in cells]
    assert len(names) == len({*names}), "each is stored once"
    planned, seeds, searching = set(), set(), set()
    for what, which in experiment.parts():
        if isinstance(what, RateSearch):
            assert not any(what.missing(*row) for row in which)
            searching |= {*what.seeds}
            continue
        seeds |= {*which}
        for condition in what:
            plain = condition._asdict() if hasattr(condition, "_asdict") else condition
            assert {cell_name({"condition": plain, "seed": seed}) for seed in which} <= {*names}
            planned.add(at_any_rate(condition))
    assert not seeds & searching, "what chooses a rate judges nothing"
    kind, stored = experiment.kind, [cell["condition"] for cell in cells]
    assert {
        at_any_rate(kind(**condition)) if kind else condition for condition in stored
    } == planned


JOINT = {("joint", 2): {0.006: 0.7, 0.012: 0.8, 0.024: 0.9, 0.048: 0.5}}
THREE = {0.006: 0.9, 0.012: 0.8, 0.024: 0.7}
AT_EDGE = THREE | {0.048: 0.6}
OVER = AT_EDGE | {0.003: 0.8}
DOT = ("names", "dot", 2)
ONE = {(*DOT, 1): {0.006: 2.0, 0.012: 1.0, 0.024: 1.5, 0.048: 3.0}}
FOUR = {0.003: 2.0, 0.006: 1.0, 0.012: 1.5, 0.024: 3.0, 0.048: 4.0}
# what was tried so far; a row, some of which have a rate of their own once its search is over
SO_FAR = [
    ("must_attention_be_learnt", JOINT, ("cut, x 3", 8), 0.024),
    ("must_attention_be_learnt", JOINT | {("frozen", 8): THREE}, ("frozen", 8), 0.024),
    ("must_attention_be_learnt", JOINT | {("frozen", 8): AT_EDGE}, ("frozen", 8), 0.024),
    ("must_attention_be_learnt", JOINT | {("frozen", 8): OVER}, ("frozen", 8), 0.006),
    ("must_attention_be_learnt", JOINT | {("frozen", 8): OVER}, ("frozen", 2), 0.024),
    ("must_attention_be_learnt", JOINT | {("joint", 8): OVER}, ("joint", 8), 0.024),
    ("word_order", ONE, (*DOT, 4), 0.012),
    ("word_order", ONE | {(*DOT, 4): {0.012: 1.0}}, (*DOT, 4), 0.012),
    ("word_order", ONE | {(*DOT, 4): FOUR}, (*DOT, 4), 0.006),
]


@pytest.mark.parametrize(("name", "tried", "row", "rate"), SO_FAR)
def test_a_rate_of_its_own_is_taken_once_it_is_known(monkeypatch, name, tried, row, rate):
    monkeypatch.setattr(RateSearch, "tried", lambda _, *search: tried.get(search, {}))
    assert registry.experiment(name).condition(*row).rate == rate


UPWARDS = {0.012: 0.94, 0.024: 0.92, 0.048: 0.9, 0.096: 0.89, 0.192: 0.9}
NOTHING = dict.fromkeys((0.0015, 0.003, 0.006, 0.012, 0.024), 0.94)
HARD, LATER, PLAIN = (
    *(("hard", "few", steps) for steps in (400, 1_600)),
    ("mask, no batch norm", "clutter", 400),
)
GRU = ("gru", "torch", "none", 500)
# of searches that do not begin, or end, as all do: what was tried, and what is to be tried next
NEXT = [
    ("gradient_training", GRU, {}, [0.01]),
    ("gradient_training", GRU, {0.01: 0.045}, []),  # it is learnt
    ("gradient_training", GRU, {0.01: 0.055}, [0.005, 0.02, 0.0025]),
    ("seeing", ("mask", "clutter", 400), UPWARDS, []),
    ("seeing", HARD, UPWARDS, [0.003, 0.006]),  # it found nothing, and goes on below
    ("seeing", HARD, UPWARDS | {0.003: 0.4, 0.006: 0.5}, [0.0015]),
    ("seeing", HARD, UPWARDS | {0.0015: 0.6, 0.003: 0.4, 0.006: 0.5}, []),
    ("seeing", LATER, {}, [0.00075, 0.0015, 0.003]),
    ("seeing", LATER, {0.00075: 0.4, 0.0015: 0.3, 0.003: 0.2}, [0.006]),
    ("seeing", PLAIN, NOTHING, [0.048]),
    ("seeing", PLAIN, NOTHING | {0.048: 0.94}, []),  # no rate learns
    ("seeing", PLAIN, NOTHING | {0.048: 0.5}, [0.096]),
]


@pytest.mark.parametrize(("name", "search", "tried", "following"), NEXT)
def test_a_search_goes_on_with_these_rates(monkeypatch, name, search, tried, following):
    monkeypatch.setattr(RateSearch, "tried", lambda *_: dict(sorted(tried.items())))
    assert registry.experiment(name).rates.missing(*search) == following


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_true(path):
    name = ".".join(path.relative_to(registry.ROOM).with_suffix("").parts)
    module = importlib.import_module(f"{attn_lab.__name__}.{name}")
    assert doctest.testmod(module).failed == 0
