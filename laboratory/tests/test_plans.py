"""What every experiment promises of its results: all of the plan, once, at a rate between two."""

import pytest

from attn_lab import registry
from attn_lab.grid import cell_name, stored_cells
from attn_lab.rates import RateSearch

EXPERIMENTS = [registry.experiment(name) for name in registry.questions()]
every = pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)


@every
def test_all_that_is_planned_is_stored_once(experiment):
    names = [cell_name(cell) for cell in stored_cells(experiment.path)]
    assert len(names) == len(set(names))
    for what, which in experiment.parts():  # a rate that is still to be searched is a ValueError
        if isinstance(what, RateSearch):
            assert not any(what.missing(*asked) for asked in which)
        else:
            for condition in what:
                plain = condition._asdict() if hasattr(condition, "_asdict") else condition
                missing = {cell_name({"condition": plain, "seed": seed}) for seed in which} - {
                    *names
                }
                assert not missing
