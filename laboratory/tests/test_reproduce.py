"""A stored cell and the same one measured anew: the same, within the seeds' range, or neither."""

import json

import pytest

from attn_lab import experiment, rates, reproduce
from attn_lab.grid import GridError

SAME, WITHIN, NOT = reproduce.VERDICTS
SEEDS = [{"share": 0.5, "list": [1, 2.0], "text": "a"}, {"share": 0.7, "list": [3, 2.0]}]


@pytest.mark.parametrize(("changed", "expected", "where"), [
    ({}, SAME, ""),
    ({"share": 0.50001}, SAME, ""),
    ({"share": 0.50002}, WITHIN, "share: 0.50002 for 0.5"),
    ({"share": 0.7}, WITHIN, "share: 0.7 for 0.5"),
    ({"share": 0.70002}, NOT, "share: 0.70002 for 0.5"),
    ({"share": 0.49}, NOT, "share: 0.49 for 0.5"),
    ({"share": float("nan")}, NOT, "share: nan for 0.5"),
    ({"list": [2, 2.0]}, WITHIN, "list 0: 2 for 1"),
    ({"list": [1, 2.1]}, NOT, "list 1: 2.1 for 2.0"),
    ({"list": [1, 2.0, 3.0]}, NOT, "list length: 3 for 2"),
    ({"text": "b"}, NOT, "text: b for a"),
    ({"share": "0.5"}, NOT, "share: 0.5 for 0.5"),
])  # fmt: skip
def test_a_cell_is_as_good_as_its_worst_number(changed, expected, where):
    assert reproduce.verdict(SEEDS[0] | changed, SEEDS[0], SEEDS) == (expected, where)


def test_a_number_that_is_missing_is_told():
    assert reproduce.verdict({"text": "a"}, {"share": 0.5}, SEEDS) == (NOT, "share: 0.5 is missing")


@pytest.mark.parametrize(("name", "numbers", "expected"), [
    ("attention_cost", {"ms": 9.0, "bytes": 8}, SAME),
    ("attention_cost", {"ms": 3.0, "bytes": 9}, NOT),
    ("reading_seconds", {"luong": [[9.0, 0.5]]}, SAME),
    ("reading_seconds", {"luong": [[3.0, 0.6]]}, NOT),
    ("another", {"luong": [[9.0, 0.5]]}, NOT),
])  # fmt: skip
def test_times_are_not_judged(name, numbers, expected):
    stored = {"ms": 3.0, "bytes": 8} if "ms" in numbers else {"luong": [[3.0, 0.5]]}
    assert reproduce.verdict(numbers, stored, [stored], name)[0] == expected


def test_the_report_says_how_much_longer_it_took():
    origin = dict.fromkeys(("attn_course", "torch", "python", "device"), "") | {"seconds": 0}
    stored, new = (
        [{"condition": "c", "seed": 0, "numbers": {"ms": ms}, "made": origin}] for ms in (2.0, 3.0)
    )
    assert "| any | 1 | 1 | 0 | 0 | × 1.50 | 0.0 |" in reproduce.report({"any": (stored, new)})


def measure(condition, seed):
    return {"loss": seed / 10}


def at_a_rate(trial, seed):
    return {"loss": trial.rate}


@pytest.fixture
def made_up(tmp_path, measured_here):
    """An experiment of two cells, one of which was stored with another number."""
    path = tmp_path / "stored" / "made_up.json"
    path.parent.mkdir()
    declared = experiment.Experiment("Is it?", measure, [(["one"], [0, 1])], path)
    declared.run(workers=1)
    path.write_text(path.read_text(encoding="utf-8").replace("0.1", "0.2"), encoding="utf-8")
    return declared


def test_the_stored_cells_are_run_anew_and_compared(made_up, tmp_path, capsys):
    stored = made_up.path.read_bytes()
    lines = list(reproduce.reproduce([made_up], tmp_path / "new", workers=1))
    assert "2 cells of 1 files: about 0.0 CPU hours" in capsys.readouterr().out
    assert "| made_up | 2 | 1 | 1 | 0 | - | 0.0 |" in lines
    assert lines[-1] == f"- {WITHIN}: made_up, one, seed 1 (loss: 0.1 for 0.2)"
    assert made_up.path.read_bytes() == stored
    new = json.loads((tmp_path / "new" / "made_up.json").read_text(encoding="utf-8"))
    assert [cell["seed"] for cell in new["cells"]] == [0, 1]


def test_new_results_never_go_where_the_stored_ones_are(made_up):
    with pytest.raises(GridError, match="holds the stored results"):
        reproduce.reproduce([made_up], made_up.path.parent)


def test_the_files_of_searches_are_reproduced_too(made_up, tmp_path):
    path = tmp_path / "stored" / "rates.json"
    path.write_text('{"cells": []}', encoding="utf-8")
    search = rates.RateSearch(dict, at_a_rate, path)
    several = experiment.Experiment("?", measure, [(search, [])], made_up.path)
    assert reproduce.files_of([several]) == {made_up.path: (measure, None), path: (at_a_rate, dict)}
