"""The trunk: what a cell sees, and what it is told of its place."""

import math

import pytest
import torch

from attn_course.models.trunk import FEATURES, Trunk, cell_centres, position_code


@pytest.fixture
def trunk():
    torch.manual_seed(3)
    trunk = Trunk().eval()
    for part in trunk.layers:
        if isinstance(part, torch.nn.BatchNorm2d):  # as if trained: nothing is 0 or 1
            for value in (part.running_mean, part.weight, part.bias):
                torch.nn.init.normal_(value, std=0.3)
            torch.nn.init.uniform_(part.running_var, 0.5, 2)
    return trunk


@pytest.mark.parametrize("size", [(4, 4), (24, 24), (20, 52), (13, 30)])
def test_a_cell_is_four_by_four_pixels(trunk, size):
    features = trunk(torch.rand(3, *size))
    assert features.shape[0] == 3
    assert features.shape[3] == FEATURES
    for cells, pixels in zip(features.shape[1:3], size, strict=True):
        assert 4 * (cells - 1) < pixels < 4 * (cells + 1)


def convolved(pixels, layer, stride):
    """A 3 by 3 convolution with an edge of zeros, entry by entry: (channel row column)."""
    channels, height, width = pixels.shape
    padded = torch.zeros(channels, height + 2, width + 2, dtype=pixels.dtype)
    padded[:, 1:-1, 1:-1] = pixels
    rows, columns = range(0, height, stride), range(0, width, stride)
    return torch.stack(
        [
            torch.stack(
                [(layer.weight * padded[:, y : y + 3, x : x + 3]).sum((1, 2, 3)) for x in columns],
                dim=1,
            )
            for y in rows
        ],
        dim=1,
    )


def positive(values, norm):
    """Normalised by the means of training, then cut off at zero."""
    scale = norm.weight / (norm.running_var + norm.eps).sqrt()
    shifted = (values - norm.running_mean[:, None, None]) * scale[:, None, None]
    return (shifted + norm.bias[:, None, None]).clamp(min=0)


@torch.no_grad()
def test_the_features_by_loops(trunk):
    trunk = trunk.double()
    pixels = torch.rand(8, 12, dtype=torch.float64)
    first, norm_1, _, _, second, norm_2, _, third, norm_3, _ = trunk.layers
    values = positive(convolved(pixels[None], first, 1), norm_1)
    values = values.unflatten(2, (-1, 2)).unflatten(1, (-1, 2)).amax(dim=(2, 4))
    values = positive(convolved(values, second, 1), norm_2)
    values = positive(convolved(values, third, 2), norm_3)
    torch.testing.assert_close(trunk(pixels[None])[0], values.permute(1, 2, 0))


def test_centres_are_as_exact_as_what_they_go_with():
    like = torch.zeros(1, dtype=torch.float64)
    assert position_code(3, 7, like).dtype == cell_centres(3, 7, like).dtype == torch.float64
    assert cell_centres(3, 7).dtype == torch.float32
    assert cell_centres(3, 7, like)[1, 0].item() == 2 * 1.5 / 7 - 1  # to the last digit


def test_normalisation_can_be_left_out():
    kinds = [type(part).__name__ for part in Trunk(normalise=False).layers]
    assert "BatchNorm2d" not in kinds
    assert [type(part).__name__ for part in Trunk().layers].count("BatchNorm2d") == 3


def test_centres_go_row_by_row_from_edge_to_edge():
    centres = cell_centres(3, 4)
    assert centres.tolist() == [
        pytest.approx([x, y]) for y in (-2 / 3, 0, 2 / 3) for x in (-0.75, -0.25, 0.25, 0.75)
    ]
    for (x, y), code in zip(centres.tolist(), position_code(3, 4).tolist(), strict=True):
        assert code == pytest.approx([x, y, math.sin(3 * x), math.cos(3 * x)], abs=1e-6)


def test_positions_lie_where_the_features_do():
    assert cell_centres(3, 7, torch.empty(1, device="meta")).device.type == "meta"


REFUSED = {
    Trunk(): [
        ((torch.rand(2, 3, 24),), "at least one canvas of 4 by 4; got float32"),
        ((torch.rand(0, 8, 8),), "at least one canvas"),
        ((torch.rand(1, 8, 8).double(),), TypeError, "the trunk's own dtype"),
        ((torch.full((1, 8, 8), torch.nan),), "pixels must be finite"),
    ],
}
