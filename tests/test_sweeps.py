"""A sweep tries everything, or a sample if `make test` asks for one."""

import pytest
import sweeps


@pytest.mark.parametrize("sample", [False, True])
def test_a_sample_is_taken_if_it_is_asked_for(monkeypatch, sample):
    monkeypatch.setattr(sweeps, "SAMPLE", sample)
    names = ["a", "b", "c", "d", "e"]
    assert sweeps.sweep(names, {"d", "b"}) == (["b", "d"] if sample else names)
    assert sweeps.every(3, names) == (["a", "d"] if sample else names)
    assert sweeps.examples(11, 2) == (2 if sample else 11)
