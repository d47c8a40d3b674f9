"""The vector that is pooled, and what is done to it on other sizes."""

import numpy as np
import pytest
import torch

pytest.importorskip("sklearn")

from attn_course.models.one_look import AverageReader, MaskReader, MaxReader
from attn_lab.canvases import seeing_models, seeing_sizes


@pytest.mark.parametrize("kind", [AverageReader, MaskReader, MaxReader])
def test_what_is_pooled_is_what_is_read_out(kind):
    model, pixels = kind().eval(), torch.rand(3, 16, 20)
    with torch.no_grad():
        c = seeing_sizes.pooled(model, pixels)
        torch.testing.assert_close(model.readout(c), model(pixels)[0][:, 0])
    assert not model.readout._forward_pre_hooks


def test_what_is_done_to_it():
    before, now = torch.randn(512, 3) * torch.tensor([1.0, 2.0, 3.0]) + 5, torch.randn(512, 3)
    made = seeing_sizes.ways(now, now, before, 48)
    torch.testing.assert_close(made["as it is"], now)
    torch.testing.assert_close(made["sum"], 4 * now)
    for way in ("shifted", "standardised"):
        torch.testing.assert_close(made[way].mean(dim=0), before.mean(dim=0))
    torch.testing.assert_close(made["shifted"].std(dim=0), now.std(dim=0))
    torch.testing.assert_close(made["standardised"].std(dim=0), before.std(dim=0))
    dead = seeing_sizes.ways(now * 0, now * 0, before, 48)
    assert all(each.isfinite().all() for each in dead.values())


def test_a_step_on_mixed_sizes_has_one_of_them():
    rng = np.random.default_rng(0)
    shapes = [seeing_models.drawn_for_training(2, rng, "mixed").pixels.shape for _ in range(300)]
    sides = [height for _, height, _ in shapes]
    assert all(height == width for _, height, width in shapes)
    assert min(sides.count(side) for side in seeing_models.MIXED) > 60
    assert set(sides) == set(seeing_models.MIXED)
    assert max(seeing_models.MIXED) < 48
    alone = seeing_models.drawn_for_training(2, np.random.default_rng(1), "large")
    again = seeing_models.draw(2, np.random.default_rng(1), "train", seeing_models.SCENES["large"])
    torch.testing.assert_close(alone.pixels, again.pixels)


def test_as_it_is_a_reader_names_what_it_names(monkeypatch):
    for module in (seeing_models, seeing_sizes):
        monkeypatch.setattr(module, "EACH_SIZE", 61)
    model = AverageReader().eval()
    found = seeing_sizes.by_size(model, 3)
    assert list(found) == list(seeing_sizes.WAYS)
    for side, scene in seeing_models.SIZES.items():
        judged = seeing_models.judge(model, seeing_models.unseen(3, scene, 61))
        assert found["as it is"][side] == pytest.approx(judged["right"])
    assert found["sum"]["24"] == found["as it is"]["24"]
