"""From pixels to a map of features: what every reader of canvases looks at."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from attn_course._check import expect_finite
from attn_course._signature import checked, expect
from attn_course._values import Count, describe
from attn_course.tasks.digits import CELL

FEATURES = 32


class Trunk(nn.Module):
    """Describe each cell of a canvas by what can be seen around it.

        pixels -> 3x3, 16 -> norm, ReLU -> largest of 2x2 -> 3x3, 32 -> norm, ReLU
               -> 3x3 with stride 2, 32 -> norm, ReLU -> features, one vector for 4x4 pixels

    The cells play the part of the source positions j, and their features that of the annotations
    h_j. No array depends on the size of the canvas, since a convolution is the same everywhere. A
    feature is computed from 12 by 12 pixels, three cells across, so a cell that lies *beside* a
    digit may have seen all of it. That is why a weight on the cell next to the digit need not be a
    mistake.

    normalise  whether batch normalisation (Ioffe & Szegedy 2015) follows each convolution; where it
               does not, the convolution has a bias instead

    pixels (batch row column), floating point, at least 4 by 4, on any device;
    features (batch row column channel).
    """

    @checked
    def __init__(self, *, normalise: bool = True):
        super().__init__()
        self.layers = nn.Sequential(
            *_layer(1, 16, 1, normalise),
            nn.MaxPool2d(2),
            *_layer(16, FEATURES, 1, normalise),
            *_layer(FEATURES, FEATURES, 2, normalise),
        )

    def forward(
        self, pixels: Float[Tensor, "batch row column"]
    ) -> Float[Tensor, "batch cell_row cell_column channel"]:
        """The features of each cell."""
        expect(Float[Tensor, "batch row column"], pixels=pixels)
        if min(pixels.shape[1:]) < CELL or not len(pixels):
            raise ValueError(
                f"pixels must hold at least one canvas of {CELL} by {CELL}; got {describe(pixels)}"
            )
        own = next(self.parameters())
        if own.dtype != pixels.dtype:
            raise TypeError(
                f"pixels must have the trunk's own dtype, {describe(own)}; got {describe(pixels)}"
            )
        expect_finite("pixels", pixels, "are they from 0 to 1?")
        return self.layers(pixels.to(own.device).unsqueeze(1)).permute(0, 2, 3, 1)


def _layer(inputs: int, outputs: int, stride: int, normalise: bool) -> list[nn.Module]:
    convolution = nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=not normalise)
    return [convolution, *([nn.BatchNorm2d(outputs)] if normalise else []), nn.ReLU()]


@checked
def cell_centres(
    rows: Count, columns: Count, like: Float[Tensor, "..."] | None = None
) -> Float[Tensor, "{rows}*{columns} 2"]:
    """(x, y) of each cell, row by row: -1 at the left and the top edge, 1 at the right and bottom.

    ``like`` gives the dtype and the device.
    """
    dtype, device = (None, None) if like is None else (like.dtype, like.device)
    y = (torch.arange(rows, dtype=dtype, device=device) + 0.5) * 2 / rows - 1
    x = (torch.arange(columns, dtype=dtype, device=device) + 0.5) * 2 / columns - 1
    return torch.stack([x.expand(rows, -1), y[:, None].expand(-1, columns)], dim=-1).flatten(0, 1)


@checked
def position_code(
    rows: Count, columns: Count, like: Float[Tensor, "..."] | None = None
) -> Float[Tensor, "{rows}*{columns} 4"]:
    """The code of a cell's position: [x, y, sin 3x, cos 3x], x and y as above.

    Features say what can be seen and not where, since a convolution treats all places alike (except
    near the edges, where it can see the padding). sin 3x and cos 3x let a linear map tell
    neighbouring columns apart, and ask for "a little further to the right" by a rotation.
    """
    centres = cell_centres(rows, columns, like)
    x = 3 * centres[:, :1]
    return torch.cat([centres, x.sin(), x.cos()], dim=-1)
