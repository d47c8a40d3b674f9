# %% [markdown]
# # Hidden too late
#
# Made up for a test of the recipes. You hide positions after the softmax instead of before it. It
# takes half an hour. Import nothing but torch: the package is not available during grading.

# %%
import torch

# %% [markdown]
# ## What is left (3 points)
#
# Set the weights (target, source) to zero where `readable` (source) is False, and rescale each row
# so that it sums to one again.


# %%
def rescaled(weights, readable):
    """The weights of what may be read, which sum to one."""
    ### BEGIN SOLUTION
    left = torch.where(readable, weights, 0.0)
    return left / left.sum(dim=-1, keepdim=True)
    ### STUB
    # raise NotImplementedError
    ### END SOLUTION


# %%
### BEGIN HIDDEN TESTS
import torch
from torch import Tensor

from attn_class.exercises.frame import Answer, Draw, Exercise, Size

_TARGET, _SOURCE = Size(2, 5), Size(3, 7)
_rescaled = Exercise("rescaled(weights, readable)")


def _drawn(draw: Draw) -> tuple[Tensor, Tensor]:
    readable = draw.booleans(_SOURCE)
    readable[draw.integer(_SOURCE)] = True
    return draw.normal(_TARGET, _SOURCE), readable


@_rescaled.must_also("Each row sums to one.", hint="Divide by the row's own sum.")
def rows_sum_to_one(answer: Answer, draw: Draw) -> bool:
    scores, readable = _drawn(draw)
    sums = answer(weights=scores.softmax(-1), readable=readable).sum(-1)
    return torch.allclose(sums, torch.ones(draw[_TARGET]), atol=1e-5)


@_rescaled.must("It is as if hidden before.", hint="Only the sum may change.", points=2)
def as_if_hidden_before(answer: Answer, draw: Draw) -> bool:
    scores, readable = _drawn(draw)
    expected = scores.masked_fill(~readable, -torch.inf).softmax(-1)
    return answer.gives(expected, weights=scores.softmax(-1), readable=readable)


### END HIDDEN TESTS

# %% [markdown]
# ## Question: early or late (1 point)
#
# Why does this give the same weights as a mask before the softmax?
#
# ### BEGIN SOLUTION
# Both divide the same exponentials by the sum of those that may be read.
# ### STUB
# *Your answer*
# ### END SOLUTION
#
# ### BEGIN RUBRIC
# - 1 point: the ratios of what is left do not depend on what is hidden
# ### END RUBRIC
