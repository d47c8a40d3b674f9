"""Masks: which source positions may be read at which target step.

A mask is boolean, and True means *may be read*. Each function returns a mask that can be passed as
``readable`` to `attn_course.weights.attention_weights`; combine two masks with ``&``.
(Libraries disagree about the convention: in PyTorch's ``key_padding_mask``, True means *ignore*.
Mixing up the two is a classic mistake, and no error is raised.)
"""

import torch
from jaxtyping import Bool, Shaped
from torch import Tensor

from attn_course._check import is_whole
from attn_course._values import describe, expect_count, expect_number


def padding(lengths: Shaped[Tensor, "batch"], source: int) -> Bool[Tensor, "batch 1 source"]:
    """Hide the padding, which only fills the sources of a batch up to one length.

        readable_bj = j < length_b                 (j counted from 0)

    Without it, the weights of a sentence depend on its neighbours in the batch.

    ``lengths`` are whole numbers from 0 to ``source``. A number outside this range is a ValueError,
    and anything but a tensor (batch) of whole numbers is a TypeError. A length of 0 leaves a row
    with nothing to read, which `attention_weights` will report.
    """
    expect_count("source", source, what="number of positions")
    if not is_whole(lengths) or lengths.dim() != 1:
        raise TypeError(
            f"lengths must be a tensor of whole numbers (batch); got {describe(lengths)}"
        )
    lengths = lengths.long()  # a source of 200 positions cannot be compared with an int8
    wrong = lengths[(lengths < 0) | (lengths > source)]
    if len(wrong):
        raise ValueError(f"lengths must lie between 0 and source={source}; got {wrong[0].item()}")
    return (torch.arange(source, device=lengths.device) < lengths.unsqueeze(1)).unsqueeze(1)


def causal(size: int) -> Bool[Tensor, "size size"]:
    """Let each position of a sequence read itself and what came before.

        readable_ij = j ≤ i                        Vaswani et al. 2017, section 3.2.3

    With this mask, one pass over a whole sequence gives every position what reading step by step
    would give: training runs in parallel without looking into the future. Row 0 reads only itself,
    so no row is empty.
    """
    expect_count("size", size, what="number of positions")
    return torch.ones(size, size, dtype=torch.bool).tril()


def local_window(
    centres: Shaped[Tensor, "batch target"], source: int, half_width: float | int
) -> Bool[Tensor, "batch target source"]:
    """Let each target step read only the positions near a centre.

        readable_ij = |j - p_i| ≤ D                Luong et al. 2015, section 3.2

    The number of positions read no longer grows with the source, but whatever lies outside the
    window is out of reach. Centres may be fractions, as Luong's predicted p_i are. A centre far
    outside the source leaves a row with nothing to read, which `attention_weights` will report.

    ``centres`` are real numbers (batch target), and ``half_width`` is Luong's D, in positions. A
    centre that is not finite or a negative D is a ValueError.
    """
    expect_count("source", source, what="number of positions")
    if not isinstance(centres, Tensor) or centres.dim() != 2:
        raise ValueError(f"centres must be a tensor (batch target); got {describe(centres)}")
    if is_whole(centres):
        centres = centres.long()
    elif not centres.is_floating_point():
        raise TypeError(f"centres must be real numbers (batch target); got {describe(centres)}")
    if not centres.isfinite().all():
        raise ValueError(f"centres must be finite; got NaN or infinity in {describe(centres)}")
    width = expect_number("half_width", half_width)
    if width < 0:
        raise ValueError(f"half_width must be 0 or more positions; got {half_width}")
    positions = torch.arange(source, device=centres.device)
    return (positions - centres.unsqueeze(-1)).abs() <= width
