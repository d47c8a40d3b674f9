"""Error messages for bad tensors: what came and what was expected."""

import math
from typing import TypeGuard

import torch
from jaxtyping import Integer
from torch import Tensor

from attn_course._signature import checked
from attn_course._values import describe


def is_whole(value: object) -> TypeGuard[Tensor]:
    """Whether ``value`` is a tensor of whole numbers; booleans do not count as numbers."""
    if not isinstance(value, Tensor) or value.dtype == torch.bool:
        return False
    return not value.is_floating_point() and not value.is_complex()


def expect_symbols(name: str, symbols: Tensor, count: int) -> None:
    """Require every number to belong to one of ``count`` symbols, numbered from 0."""
    low, high = torch.stack(symbols.aminmax()).tolist()  # once, since a GPU is waited for
    if low < 0 or high >= count:
        raise ValueError(f"{name} must be numbers from 0 to {count - 1}; got {low} to {high}")


@checked
def expect_sources(
    sources: Integer[Tensor, "batch source"], lengths: Integer[Tensor, "batch"], count: int
) -> None:
    """Require rows of symbols below ``count``, and for each row how much of it is real."""
    if sources.numel() == 0:
        raise ValueError(f"sources must hold at least 1 symbol; got {describe(sources)}")
    shortest, longest = torch.stack(lengths.aminmax()).tolist()
    if shortest < 1:
        raise ValueError("a source is empty: each needs at least 1 symbol")
    if longest > sources.shape[1]:
        raise ValueError(
            f"lengths must be at most {sources.shape[1]}, the width of the batch; got {longest}"
        )
    expect_symbols("source symbols", sources, count)


def expect_finite(name: str, value: Tensor, why: str) -> None:
    """Require every entry to be finite; the sum is tested first, which is quick."""
    if not value.is_floating_point():
        return  # whole numbers are finite, and a GPU need not be waited for
    if not math.isfinite(value.detach().sum().item()) and not value.isfinite().all():
        raise ValueError(f"{name} must be finite; got NaN or infinity in {describe(value)} ({why})")


def expect_between(name: str, value: Tensor, low: float, high: float) -> None:
    """Require every entry to lie between two numbers, both included."""
    fits = (value >= low) & (value <= high)
    if not fits.all():
        raise ValueError(f"{name} must lie between {low} and {high}; got {value[~fits][0].item()}")


def expect_above(name: str, value: Tensor, low: float) -> None:
    """Require every entry to be larger than this."""
    if not (value > low).all():
        raise ValueError(f"{name} must be above {low} everywhere; got {value.min():.4g}")


def expect_weighed(weights: Tensor, scores: Tensor, masked: Tensor) -> None:
    """Require finite weights and scores; if they are not, `expect_something_to_read` of these."""
    total = weights.detach().sum() + scores.detach().sum()  # of the hidden scores, too
    if not math.isfinite(total.item()):  # one test for all, since a GPU is waited for
        expect_something_to_read(scores, masked)


def expect_something_to_read(scores: Tensor, masked: Tensor) -> None:
    """Require scores below infinity, and in each row one of ``masked`` above -infinity."""
    fits = scores < torch.inf  # NaN is not below infinity either
    empty = (masked == -torch.inf).all(dim=-1, keepdim=True)
    if (fits & ~empty).all():  # one test for both, since a GPU is waited for
        return
    if not fits.all():
        raise ValueError(f"scores must not be NaN or +∞; {_row(~fits)} has one")
    raise ValueError(f"{_row(empty)} has nothing to read: its weights cannot sum to one")


def _row(marked: Tensor) -> str:
    """Name the first row in which an entry is marked."""
    index = marked.any(dim=-1).nonzero()[0].tolist()
    if len(index) == 2:
        return f"row (batch {index[0]}, target {index[1]})"
    return f"row {tuple(index)}" if index else "the only row"


def expect_weights(weights: Tensor, within: float) -> None:
    """Require rows of numbers that are not negative and sum to one, give or take ``within``."""
    if not ((weights >= 0) & (weights < torch.inf)).all():
        raise ValueError(f"weights must not be negative, infinite or NaN; got {describe(weights)}")
    total = weights.detach().cpu().sum(dim=-1, dtype=torch.float64)  # not every GPU has float64
    if not ((total - 1).abs() < within).all():
        raise ValueError(
            f"each row of weights must sum to one; got {describe(weights)} with sums from "
            f"{total.min():.4g} to {total.max():.4g}"
        )
