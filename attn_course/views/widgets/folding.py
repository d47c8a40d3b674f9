"""Fold batch normalisation into the convolution before it, so that a page needs only the latter.

    γ (W * x - μ) / √(σ² + ε) + β = W' * x + b'
    W' = γ W / √(σ² + ε)    b' = β - γ μ / √(σ² + ε)

Once a model has been trained, the means and variances of batch normalisation are constants
(Ioffe & Szegedy 2015, section 3.1), and a constant factor and summand can be made part of the
weights and of a bias.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

EPSILON = 1e-5  # as in torch.nn.BatchNorm2d


def folded(
    weight: np.ndarray, norm: Mapping[str, np.ndarray], epsilon: float = EPSILON
) -> tuple[np.ndarray, np.ndarray]:
    """The weight (output input row column) and the bias (output) of the one convolution.

    weight  of a convolution without a bias
    norm    "weight" (γ), "bias" (β), "running_mean" (μ) and "running_var" (σ²), each (output)
    """
    weight = np.asarray(weight)
    gamma, beta, mean, variance = (
        np.asarray(norm[name], dtype=np.float64)
        for name in ("weight", "bias", "running_mean", "running_var")
    )
    for name, array in (("weight", gamma), ("bias", beta), ("mean", mean), ("var", variance)):
        if array.shape != weight.shape[:1]:
            raise ValueError(
                f"the {name} of the normalisation must be {weight.shape[:1]}, one for each output "
                f"of the convolution; got {array.shape}"
            )
    factor = gamma / np.sqrt(variance + epsilon)
    whole = weight * factor.reshape(-1, *[1] * (weight.ndim - 1))
    return whole.astype(np.float32), (beta - mean * factor).astype(np.float32)
