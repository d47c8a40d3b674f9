"""Batch normalisation folded into a convolution: the same numbers, with fewer steps."""

import numpy as np
import pytest
import torch
from torch import nn

from attn_course.views.widgets.folding import folded


def layers(outputs=5, epsilon=1e-5):
    torch.manual_seed(3)
    convolution = nn.Conv2d(2, outputs, 3, padding=1, bias=False)
    norm = nn.BatchNorm2d(outputs, eps=epsilon)
    with torch.no_grad():
        for part in (norm.weight, norm.bias, norm.running_mean):
            part.normal_()
        norm.running_var.uniform_(0.01, 3)
    return convolution.eval(), norm.eval()


def arrays(norm):
    return {name: part.numpy() for name, part in norm.state_dict().items()}


@pytest.mark.parametrize("epsilon", [1e-5, 0.1])
@torch.no_grad()
def test_one_convolution_computes_what_two_layers_did(epsilon):
    convolution, norm = layers(epsilon=epsilon)
    weight, bias = folded(convolution.weight.numpy(), arrays(norm), epsilon)
    pixels = torch.randn(3, 2, 7, 11)
    single = nn.functional.conv2d(
        pixels, torch.from_numpy(weight), torch.from_numpy(bias), padding=1
    )
    np.testing.assert_allclose(single, norm(convolution(pixels)), atol=2e-5)
    assert weight.dtype == bias.dtype == np.float32


def test_a_norm_of_another_convolution_is_refused():
    convolution, _ = layers()
    _, other = layers(outputs=7)
    with pytest.raises(ValueError, match=r"must be \(5,\), one for each output .* got \(7,\)"):
        folded(convolution.weight.detach().numpy(), arrays(other))
