"""The experiment on sharpness before training."""

from attn_course.experiments import untrained_sharpness as grid


def test_a_cell_is_measured_as_it_is_stored():
    stored = grid.results("largest")
    for seed in grid.SEEDS:
        assert abs(grid.measure("dot", seed)["largest"] - stored["dot"][seed]) < 1e-4
