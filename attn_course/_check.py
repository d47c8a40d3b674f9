"""Error messages for bad tensors: what came and what was expected."""

from typing import TypeGuard

import torch
from torch import Tensor

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


def expect_sources(sources: Tensor, lengths: Tensor, count: int) -> None:
    """Require rows of symbols below ``count``, and for each row how much of it is real."""
    if not is_whole(sources) or sources.dim() != 2:
        raise ValueError(f"sources must be symbol numbers (batch source); got {describe(sources)}")
    if sources.numel() == 0:
        raise ValueError(f"sources must hold at least 1 symbol; got {describe(sources)}")
    if not is_whole(lengths) or lengths.shape != sources.shape[:1]:
        raise ValueError(
            f"lengths must be whole numbers, one entry per source, ({sources.shape[0]},); "
            f"got {describe(lengths)}"
        )
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
    if not value.sum().isfinite() and not value.isfinite().all():
        raise ValueError(f"{name} must be finite; got NaN or infinity in {describe(value)} ({why})")


def expect_tensor(name: str, value: object, axes: str) -> None:
    """Require a floating-point tensor with one axis for each word in ``axes``."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be a tensor ({axes}); got {describe(value)}")
    if not value.is_floating_point():
        raise TypeError(f"{name} must be floating point ({axes}); got {describe(value)}")
    if value.dim() != len(axes.split()):
        raise ValueError(f"{name} must have the axes ({axes}); got {describe(value)}")
    if value.shape[-2:].numel() == 0:
        raise ValueError(f"{name} is empty: expected ({axes}); got {describe(value)}")


def expect_size(name: str, value: Tensor, axis: int, size: int, why: str) -> None:
    """Require ``size`` entries along ``axis``."""
    if value.shape[axis] != size:
        raise ValueError(
            f"{name} has {value.shape[axis]} entries along axis {axis}, expected {size} ({why}); "
            f"got {describe(value)}"
        )


def expect_alike(first_name: str, first: Tensor, second_name: str, second: Tensor) -> None:
    """Require two tensors to have the same dtype, device and batch size."""
    if first.dtype != second.dtype:
        raise TypeError(
            f"{first_name} and {second_name} must have the same dtype; "
            f"got {describe(first)} and {describe(second)}"
        )
    if first.device != second.device:
        raise ValueError(
            f"{first_name} and {second_name} must be on the same device; "
            f"got {describe(first)} and {describe(second)}"
        )
    if first.shape[0] != second.shape[0]:
        raise ValueError(
            f"{first_name} and {second_name} must hold the same batch; "
            f"got {describe(first)} and {describe(second)}"
        )


def expect_mask(readable: Tensor, scores: Tensor) -> None:
    """Require a boolean mask that is on the scores' device and broadcasts to their shape."""
    if not isinstance(readable, Tensor) or readable.dtype != torch.bool:
        raise ValueError(
            f"readable must be a boolean tensor (True = may be read); got {describe(readable)}"
        )
    if readable.device != scores.device:
        raise ValueError(
            f"readable must be on {scores.device}, where the scores are; got {describe(readable)}"
        )
    try:
        fits = torch.broadcast_shapes(readable.shape, scores.shape) == scores.shape
    except RuntimeError:
        fits = False
    if not fits:
        raise ValueError(
            f"readable must broadcast to the scores' shape {tuple(scores.shape)}; "
            f"got {describe(readable)}"
        )
