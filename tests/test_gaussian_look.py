"""The Gaussian glimpse: a window around a centre, by loops."""

import math

import pytest
import torch

from attn_course.models.gaussian_look import GaussianReader
from attn_course.models.one_look import MaskReader


@pytest.mark.parametrize("centre", ["map", "linear"])
@torch.no_grad()
def test_the_window_by_loops(centre):
    torch.manual_seed(3)
    model = GaussianReader(centre=centre).eval()
    model.log_width.fill_(math.log(1.7))
    features = model.trunk(torch.rand(2, 12, 28))
    rows, columns = features.shape[1:3]
    weights, centres = model.weights(features)[:, 0], model.centres(features)
    for one, (x, y), alpha in zip(features, centres.tolist(), weights, strict=True):
        if centre == "map":
            U, v = model.map[0], model.map[2].weight[0, :, 0, 0]
            first = [
                math.exp(v @ torch.tanh(U.weight[:, :, 0, 0] @ cell + U.bias))
                for cell in one.flatten(0, 1)
            ]
            across = sum(e * ((k % columns) + 0.5) for k, e in enumerate(first)) / sum(first)
            down = sum(e * ((k // columns) + 0.5) for k, e in enumerate(first)) / sum(first)
        else:
            mean = sum(one.flatten(0, 1)) / (rows * columns)
            place = model.place.weight @ mean + model.place.bias
            across, down = (place + 1).div(2).mul(torch.tensor([columns, rows])).tolist()
        assert (x, y) == pytest.approx((across / columns * 2 - 1, down / rows * 2 - 1), abs=1e-5)
        squares = [
            (k % columns + 0.5 - across) ** 2 + (k // columns + 0.5 - down) ** 2
            for k in range(rows * columns)
        ]
        powers = torch.tensor([math.exp(-float(s) / (2 * 1.7**2)) for s in squares])
        torch.testing.assert_close(alpha, powers / powers.sum())


def test_the_centre_is_a_mean_of_places_where_nothing_else_is_asked():
    names = [*GaussianReader().state_dict()]
    assert names == [*GaussianReader(centre="map", normalise=True).state_dict()]
    assert names != [*GaussianReader(centre="linear").state_dict()]
    assert [*GaussianReader().trunk.state_dict()] == [*MaskReader().trunk.state_dict()]


def test_the_map_adds_no_constant():
    """One added to all scores leaves a softmax as it was: the parameter would learn nothing."""
    torch.manual_seed(5)
    reader = GaussianReader()
    reader(torch.rand(3, 12, 28))[1][:, 0, 0].sum().backward()
    gradients = [parameter.grad.abs().max() for parameter in reader.map.parameters()]
    assert min(gradients) > 1e-6
