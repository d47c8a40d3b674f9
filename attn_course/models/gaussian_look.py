"""A Gaussian glimpse: a centre and a width instead of a weight for each cell."""

from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor, nn

from attn_course._signature import checked
from attn_course._values import Count
from attn_course.models.one_look import WeighingReader
from attn_course.models.trunk import FEATURES, cell_centres
from attn_course.weights import attention_weights

Centre = Literal["map", "linear"]


class GaussianReader(WeighingReader):
    """Look through a window with soft edges; only its centre depends on the canvas.

        α_j ∝ exp(-‖x_j - μ‖² / 2σ²)               Gregor et al. 2015 (DRAW), equations 25 and 26

    x_j is the centre of cell j, and σ is learnt, the same for all canvases. Two ways to the centre:

        "linear"   μ = W · 1/n Σ_j h_j + b          read off one vector, as DRAW's equation 21 does
        "map"      μ = Σ_j β_j x_j                  the mean place of β = softmax(v · tanh(U h_j))

    A linear map of the *mean* feature has to infer where something is from what is there, since a
    convolution treats all places alike. With the map, two things worth looking at pull the centre
    between them, where there may be nothing.

    Places are measured as `cell_centres` does, from -1 to 1 across the canvas; σ in cells.
    """

    @checked
    def __init__(self, *, normalise: bool = True, centre: Centre = "map", hidden_size: Count = 32):
        super().__init__(normalise=normalise)
        if centre == "map":
            self.map = nn.Sequential(
                nn.Conv2d(FEATURES, hidden_size, 1),  # U
                nn.Tanh(),
                nn.Conv2d(hidden_size, 1, 1, bias=False),  # v
            )
        else:
            self.place = nn.Linear(FEATURES, 2)  # W, b
        self.log_width = nn.Parameter(torch.zeros(()))  # ln σ

    def centres(
        self, features: Float[Tensor, "batch row column channel"]
    ) -> Float[Tensor, "batch 2"]:
        """μ, (x, y), of each canvas."""
        if hasattr(self, "place"):
            return self.place(features.mean(dim=(1, 2)))
        first = attention_weights(self.map(features.permute(0, 3, 1, 2)).flatten(1))
        return first @ cell_centres(*features.shape[1:3], like=features)

    def weights(
        self, features: Float[Tensor, "batch row column channel"]
    ) -> Float[Tensor, "batch 1 cell"]:
        """The Gaussian around μ, which sums to one."""
        rows, columns = features.shape[1:3]
        away = cell_centres(rows, columns, like=features) - self.centres(features).unsqueeze(1)
        in_cells = away * away.new_tensor([columns, rows]) / 2
        scores = -in_cells.square().sum(dim=-1) / (2 * self.log_width.exp().square())
        return attention_weights(scores.unsqueeze(1))
