"""Training on canvases: what a seed determines, and that something is learnt."""

import pytest
import torch

pytest.importorskip("sklearn")

from attn_course.models.one_look import MaskReader
from attn_course.tasks.digits import canvases
from attn_lab.canvases.canvas_training import BATCH, train_reader


def draw(count, rng):
    return canvases(count, rng, height=8, width=8, pieces=0, shapes=0)


def trained(**options):
    return train_reader(MaskReader, draw, **{"steps": 5, "rate": 6e-3, "seed": 3} | options)


def test_a_seed_determines_start_and_canvases():
    torch.manual_seed(11)
    before = torch.get_rng_state()
    one, losses = trained()
    assert torch.equal(torch.get_rng_state(), before)
    assert not one.training
    assert trained()[1] == losses
    assert trained(seed=4)[1][0] != losses[0]


def test_each_step_draws_its_canvases():
    asked = []

    def watched(count, rng):
        asked.append(draw(count, rng))
        return asked[-1]

    train_reader(MaskReader, watched, steps=3, rate=1e-3)
    assert [len(scene.pixels) for scene in asked] == [BATCH] * 3
    assert not torch.equal(asked[0].pixels, asked[1].pixels)


def test_it_learns():
    _, losses = trained(steps=60)
    assert sum(losses[-5:]) < 0.6 * sum(losses[:5])


def test_a_loss_that_is_not_finite_stops_it():
    class Broken(MaskReader):
        def loss(self, pixels, digits):
            return super().loss(pixels, digits) * torch.inf

    with pytest.raises(FloatingPointError, match="smaller learning rate"):
        train_reader(Broken, draw, steps=2, rate=1e-3)


@pytest.mark.parametrize("options", [{"steps": 0}, {"rate": 0.0}])
def test_bad_options(options):
    with pytest.raises(ValueError, match=r"steps must be|learning_rate must be"):
        trained(**options)
