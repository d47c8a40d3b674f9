"""Rows that are shorter than a vector of the CPU are computed by columns: nothing else changes."""

import pytest
import torch
from torch.nn import functional as F

from attn_course._rows import VECTOR, cross_entropy, softmax
from attn_course.symbols import PADDING

SHORT_AND_LONG = [1, 2, VECTOR - 1, VECTOR, VECTOR + 1]
close = torch.testing.assert_close


@pytest.mark.parametrize("size", SHORT_AND_LONG)
@pytest.mark.parametrize("rows", [(), (3,), (2, 5), (2, 3, 5)])
def test_a_softmax_of_rows(rows, size):
    scores = torch.randn(*rows, size).requires_grad_()
    weights, expected = softmax(scores), F.softmax(scores, dim=-1)
    close(weights, expected)
    assert weights.is_contiguous()  # otherwise the product with the annotations is slow
    upstream = torch.randn(*rows, size)
    gradients = [torch.autograd.grad(one, scores, upstream)[0] for one in (weights, expected)]
    close(*gradients, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("symbols", SHORT_AND_LONG[1:])
@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_the_cross_entropy_of_targets_that_are_not_padding(symbols, reduction):
    logits = torch.randn(3, 7, symbols).requires_grad_()
    targets = torch.randint(0, symbols, (3, 7))
    targets[0, :2] = PADDING
    targets[1, 0] = PADDING + 1
    surprise = -logits.log_softmax(-1).gather(-1, targets[..., None])[targets != PADDING]
    loss, expected = cross_entropy(logits, targets, reduction), getattr(surprise, reduction)()
    close(loss, expected)
    close(torch.autograd.grad(loss, logits), torch.autograd.grad(expected, logits))


def test_short_rows_are_computed_by_columns(monkeypatch):
    """Which is what makes them fast."""
    axes, softmax_of = [], torch.Tensor.softmax
    monkeypatch.setattr(
        torch.Tensor, "softmax", lambda x, dim: axes.append(dim) or softmax_of(x, dim)
    )
    for size in SHORT_AND_LONG:
        softmax(torch.randn(3, size))
    assert axes == [0, 0, 0, -1, -1]
    shapes, entropy_of = [], F.cross_entropy
    monkeypatch.setattr(
        F, "cross_entropy", lambda x, *y, **z: shapes.append(x.shape) or entropy_of(x, *y, **z)
    )
    for size in (VECTOR - 1, VECTOR):
        cross_entropy(torch.randn(2, 3, size), torch.ones(2, 3, dtype=torch.long))
    assert shapes == [(1, VECTOR - 1, 6), (6, VECTOR)]
