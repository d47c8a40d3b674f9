"""Readers that take in a canvas at one look, and differ in how all cells become one vector.

`MaskReader` weighs the cells with attention. `AverageReader` and `MaxReader` do what image
classifiers do without attention: the same trunk, the same readout, no mask.
"""

from abc import ABC, abstractmethod

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from attn_course._check import is_whole
from attn_course._signature import checked
from attn_course._values import describe
from attn_course.context import context_vectors
from attn_course.models.trunk import FEATURES, Trunk
from attn_course.weights import attention_weights

DIGITS = 10


class OneLookReader(nn.Module, ABC):
    """Name the one digit on a canvas; the part that all these readers share.

        h_j = Trunk(pixels)_j    c = Σ_j A_j ⊙ h_j    p(digit) = softmax(W_o c + b)

    A_j says how much of each channel of cell j is let through. Only A_j differs between the
    readers. As no array depends on the number of cells, a canvas of any size will do.

    normalise  see `Trunk`
    """

    @checked
    def __init__(self, *, normalise: bool = True):
        super().__init__()
        self.trunk = Trunk(normalise=normalise)
        self.readout = nn.Linear(FEATURES, DIGITS)

    def forward(
        self, pixels: Float[Tensor, "batch row column"]
    ) -> tuple[Float[Tensor, "batch 1 digit"], Float[Tensor, "batch 1 cell"]]:
        """The logits of the digit, and the weights of the cells, row by row."""
        return self.look(self.trunk(pixels))

    @abstractmethod
    def look(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """`forward`, given the features (batch row column channel)."""

    @abstractmethod
    def shares(self, features: Tensor) -> Tensor:
        """A_j, broadcast to (batch cell channel), given the features (batch row column channel)."""

    def evidence(self, pixels: Float[Tensor, "batch row column"]) -> Float[Tensor, "batch 1 cell"]:
        """The contribution of each cell to the logit of the digit that is named.

            logit_y = b_y + Σ_j w_y · (A_j ⊙ h_j)     Zhou et al. 2016, equation 1, for averages

        Their *class activation map*, which costs nothing more and needs no attention.
        """
        features = self.trunk(pixels)
        named = self.look(features)[0].argmax(dim=-1)  # (batch 1)
        let_through = self.shares(features) * features.flatten(1, 2)
        return (self.readout.weight[named] * let_through).sum(dim=-1).unsqueeze(1)

    def loss(
        self, pixels: Float[Tensor, "batch row column"], digits: Int[Tensor, "batch object"]
    ) -> Tensor:
        """The mean cross-entropy of the digit, in nats."""
        digits = expect_digits(digits, len(pixels), most=1)
        logits = self(pixels)[0][:, 0]
        return F.cross_entropy(logits, digits[:, 0].to(logits.device))


class WeighingReader(OneLookReader):
    """A reader with one weight for each cell: A_j = α_j for every channel."""

    @abstractmethod
    def weights(
        self, features: Float[Tensor, "batch row column channel"]
    ) -> Float[Tensor, "batch 1 cell"]:
        """α."""

    def look(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """The weighted mean, read out."""
        weights = self.weights(features)
        return self.readout(context_vectors(weights, features.flatten(1, 2))), weights

    def shares(self, features: Tensor) -> Tensor:
        """α_j."""
        return self.weights(features).transpose(1, 2)


class MaskReader(WeighingReader):
    """Look with a mask: one score for each cell, a softmax over all of them.

        e_j = w · h_j + b    α = softmax(e)    c = Σ_j α_j h_j

    A 1x1 convolution gives the scores, so there is no query: the score is that of `AdditiveScore`
    with neither a query nor a hidden layer, and the same vector w scores the cells of every canvas.
    b moves all scores alike and so changes nothing. This is the deterministic attention of Xu et
    al. 2015 (section 4.2), for one step.
    """

    @checked
    def __init__(self, *, normalise: bool = True):
        super().__init__(normalise=normalise)
        self.mask = nn.Conv2d(FEATURES, 1, 1)

    def weights(
        self, features: Float[Tensor, "batch row column channel"]
    ) -> Float[Tensor, "batch 1 cell"]:
        """The softmax of the mask's scores."""
        return attention_weights(self.mask(features.permute(0, 3, 1, 2)).flatten(2))


class AverageReader(WeighingReader):
    """Average pooling: every cell counts the same.

        c = 1/n Σ_j h_j                             Lin et al. 2014, section 3.2

    A mask whose scores are all equal. The larger the canvas, the smaller the share of one digit.
    """

    def weights(
        self, features: Float[Tensor, "batch row column channel"]
    ) -> Float[Tensor, "batch 1 cell"]:
        """1/n."""
        count = features.shape[1] * features.shape[2]
        return features.new_full((len(features), 1, count), 1 / count)


class MaxReader(OneLookReader):
    """Max pooling: of each channel, the largest value on the whole canvas.

        c_k = max_j h_jk

    This is a choice too, and a hard one, but each channel makes its own. The weights that are
    returned say what share of the channels each cell wins. A channel that is 0 everywhere counts
    for no cell; if all channels are, all cells have the same weight.
    """

    def look(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """The largest of each channel, read out."""
        flat = features.flatten(1, 2)
        won = (self.shares(features) * (flat > 0)).sum(dim=-1, keepdim=True)
        won = won + (won.sum(dim=1, keepdim=True) == 0)
        weights = (won / won.sum(dim=1, keepdim=True)).transpose(1, 2)
        return self.readout(flat.amax(dim=1, keepdim=True)), weights

    def shares(self, features: Tensor) -> Tensor:
        """1 for the cell with the largest value of the channel, the first of a tie; else 0."""
        flat = features.flatten(1, 2)
        return torch.zeros_like(flat).scatter(1, flat.argmax(dim=1, keepdim=True), 1.0)


def expect_digits(digits: object, count: int | None = None, most: int | None = None) -> Tensor:
    """Require digits as `attn_course.tasks.digits.Canvases` holds them; return them as int64.

    ``count`` is the number of canvases, ``most`` how many digits one may have.
    """
    if not is_whole(digits) or digits.dim() != 2 or count not in (None, len(digits)):
        raise ValueError(
            "digits must be whole numbers (batch object), a row for each "
            f"{'canvas' if count is None else f'of the {count} canvases'}; got {describe(digits)}"
        )
    digits = digits.long()
    there = digits >= 0
    holes = (there[:, 1:] & ~there[:, :-1]).any()
    if digits.numel() == 0 or not there[:, 0].all() or holes or digits.max() >= DIGITS:
        raise ValueError(
            f"digits must be from 0 to {DIGITS - 1}, at least one on each canvas, -1 after the "
            f"last; got {describe(digits)}"
        )
    if most is not None and digits.shape[1] > most:
        raise ValueError(f"this reader names {most} digit; a canvas has {digits.shape[1]}")
    return digits
