"""Chapter 12 is judged by results of its own, one seed at a time."""

import json
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest

from apparatus import robust_language
from apparatus.robust_language import READ, SEEDS, judged, measure
from attn_lab.language_model.language import passages
from attn_lab.registry import experiment

CLAIM = """
from attn_course.claims import Measured, claim
from attn_lab.language_model import copying_heads
margin = Measured(copying_heads.results("margin"))
claim("It is {margin}.", margin > 2, "found", margin=margin)
"""
CHECK = """
assert len(margin.values) == 1  # of two that were measured
assert margin.mean > 2  # as the prose says
"""


def test_what_is_measured_is_in_the_plans_and_its_seeds_are_not(monkeypatch, tmp_path):
    calls = []
    monkeypatch.setattr(robust_language, "MEASURED", tmp_path)
    monkeypatch.setattr(robust_language, "run_grid", lambda *arguments: calls.append(arguments))
    measure()
    assert len(calls) == len(READ)
    for name, (path, conditions, seeds, by, *_) in zip(READ, calls, strict=True):
        assert (by, seeds) == (experiment(name).measure, SEEDS)
        parts = experiment(name).parts()
        planned = [(condition, seed) for part, by in parts for condition in part for seed in by]
        assert {*conditions} <= {condition for condition, _ in planned}
        assert not {*seeds} & {seed for _, seed in planned}
        assert path == tmp_path / f"{name}.json"
    assert all(passages("prose", seed) for seed in SEEDS)


@pytest.mark.slow
def test_a_seed_is_judged_by_its_own_results(monkeypatch, tmp_path):
    sources = {"a": "", "b": CLAIM, "check": CHECK}
    cells = [nbformat.v4.new_code_cell(source, id=name) for name, source in sources.items()]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "13-small.ipynb")
    stored = [
        {"condition": "symbols", "seed": seed, "numbers": {"margin": margin}}
        for seed, margin in ((3, 2.5), (4, 1.5))
    ]
    (tmp_path / "copying_heads.json").write_text(json.dumps({"cells": stored}), "utf-8")
    monkeypatch.setattr(robust_language, "CHAPTER", tmp_path / "13-small.ipynb")
    monkeypatch.setattr(robust_language, "MEASURED", tmp_path)
    claim, check = "13: It is {margin}.", "13: The assertions of the cell `check`."
    with ThreadPoolExecutor() as pool:  # as `main` does: browsers leave a loop running here
        runs = pool.map(judged, (3, 4))
        passing, failing = ({outcome.claim: outcome.fault for outcome in run} for run in runs)
    assert passing == {claim: "", check: ""}
    assert "0.5" in failing[claim]
    assert failing[check] == "`assert margin.mean > 2  # as the prose says`"
