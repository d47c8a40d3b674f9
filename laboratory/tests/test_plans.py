"""What every experiment promises of its results: the plan and no more, once, at searched rates."""

import doctest
import importlib

import pytest

import attn_lab
from attn_lab import registry
from attn_lab.grid import cell_name, stored_cells
from attn_lab.rates import RateSearch

EXPERIMENTS = [registry.experiment(name) for name in registry.questions()]
every = pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
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
            assert not any(what.missing(*asked) for asked in which)
            searching |= {*what.seeds}
            continue
        seeds |= {*which}
        for each in what:
            plain = each._asdict() if hasattr(each, "_asdict") else each
            assert {cell_name({"condition": plain, "seed": seed}) for seed in which} <= {*names}
            planned.add(at_any_rate(each))
    assert not seeds & searching, "what chooses a rate judges nothing"
    kind, stored = experiment.kind, [cell["condition"] for cell in cells]
    assert {at_any_rate(kind(**each)) if kind else each for each in stored} == planned


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_true(path):
    name = ".".join(path.relative_to(registry.ROOM).with_suffix("").parts)
    module = importlib.import_module(f"{attn_lab.__name__}.{name}")
    assert doctest.testmod(module).failed == 0
