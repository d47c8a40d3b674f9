"""The experiment on sharpness before training."""

from attn_lab.scores.untrained_sharpness import EXPERIMENT, SEEDS, measure


def test_a_cell_is_measured_as_it_is_stored():
    stored = EXPERIMENT.results("largest")
    for seed in SEEDS:
        assert abs(measure("dot", seed)["largest"] - stored["dot"][seed]) < 1e-4
