"""Masks: which source positions may be read at which target step.

A mask is boolean, and True means *may be read*. Each function returns a mask that can be passed as
``readable`` to `attn_course.weights.attention_weights`; combine two masks with ``&``.
(Libraries disagree about the convention: in PyTorch's ``key_padding_mask``, True means *ignore*.
Mixing up the two is a classic mistake, and no error is raised.)
"""

import torch
from jaxtyping import Bool, Integer, Real
from torch import Tensor

from attn_course._check import expect_between, expect_finite
from attn_course._signature import checked
from attn_course._values import Count, NotNegative


@checked
def padding(lengths: Integer[Tensor, "batch"], source: Count) -> Bool[Tensor, "batch 1 source"]:
    """Hide the padding, which only fills the sources of a batch up to one length.

        readable_bj = j < length_b                 (j counted from 0)

    Without it, the weights of a sentence depend on its neighbours in the batch.

    ``lengths`` are whole numbers from 0 to ``source``. A number outside this range or a tensor of
    another shape is a ValueError; anything but a tensor of whole numbers is a TypeError. A length
    of 0 leaves a row with nothing to read, which `attention_weights` will report.
    """
    lengths = lengths.long()  # a source of 200 positions cannot be compared with an int8
    expect_between("lengths", lengths, 0, source)
    positions = torch.arange(source, device=lengths.device)
    return (positions < lengths.unsqueeze(1)).unsqueeze(1)


@checked
def causal(size: Count) -> Bool[Tensor, "size size"]:
    """Let each position of a sequence read itself and what came before.

        readable_ij = j ≤ i                        Vaswani et al. 2017, section 3.2.3

    With this mask, one pass over a whole sequence gives every position what reading step by step
    would give: training runs in parallel without looking into the future. Row 0 reads only itself,
    so no row is empty.
    """
    return torch.ones(size, size, dtype=torch.bool).tril()


@checked
def local_window(
    centres: Real[Tensor, "batch target"], source: Count, half_width: NotNegative
) -> Bool[Tensor, "batch target source"]:
    """Let each target step read only the positions near a centre.

        readable_ij = |j - p_i| ≤ D                Luong et al. 2015, section 3.2

    The number of positions read no longer grows with the source, but whatever lies outside the
    window is out of reach. Centres may be fractions, as Luong's predicted p_i are. A centre far
    outside the source leaves a row with nothing to read, which `attention_weights` will report.

    ``centres`` are real numbers (batch target), and ``half_width`` is Luong's D, in positions. A
    centre that is not finite or a negative D is a ValueError.
    """
    expect_finite("centres", centres, "a window is around a position")
    positions = torch.arange(source, device=centres.device)
    return (positions - centres.unsqueeze(-1)).abs() <= half_width
