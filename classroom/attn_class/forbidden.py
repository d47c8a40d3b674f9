"""What an exercise forbids raises an error, whatever calls it.

    with without("softmax", "logsumexp"): ...        or, above a function, @without("softmax")

Most of it is replaced in PyTorch's dispatcher, where all ways to an operation end; what is no
operation is replaced by name. The notebook of an assignment holds this text, so that the error
comes while you work, too. It imports nothing of the course.
"""

import contextlib
import fnmatch
import functools
import sys
import warnings
from collections.abc import Iterator

import torch

_ATTENTION = (
    *("aten::*scaled_dot_product*", "aten::*native_multi_head_attention"),
    *("aten::*transformer_encoder_layer_fwd", "torch.nn.functional.multi_head_attention_forward"),
)
KINDS = {
    "softmax": ("aten::*softmax", "aten::cross_entropy_loss", *_ATTENTION),
    "logsumexp": ("aten::*logsumexp", "aten::*logcumsumexp"),
    "attention": _ATTENTION,
    "recurrent layers": tuple(
        f"aten::{name}{cell}"
        for name in ("rnn_tanh", "rnn_relu", "gru", "lstm")
        for cell in ("", "_cell")
    ),
    "autograd": (
        *("torch.autograd.grad", "torch.autograd.backward", "torch.Tensor.backward"),
        *("torch.func.grad", "torch.func.vjp", "torch.func.jacrev", "torch.func.jacfwd"),
        *("torch.func.jvp", "torch.autograd.forward_ad.make_dual", "aten::*softmax_backward_data"),
        "torch.autograd.Variable._execution_engine",  # what the others end in
    ),
    "optimisers": ("torch.optim.Optimizer.__init__",),
}
_KEYS = ("CompositeImplicitAutograd", "CompositeExplicitAutograd", "CPU", "CUDA", "MPS")
_KEYS += ("SparseCPU", "SparseCUDA", "MkldnnCPU", "NestedTensorCPU", "NestedTensorCUDA")


class NotHere(RuntimeError):
    """Raised by what could be used elsewhere, but not here."""


@contextlib.contextmanager
def without(*kinds: str) -> Iterator[None]:
    """Make functions of these kinds unusable within a block, or in a function below it."""
    patterns = [pattern for kind in kinds for pattern in KINDS[kind]]
    library, before = torch.library.Library("aten", "IMPL"), []
    with warnings.catch_warnings():  # of an operation that is replaced
        warnings.simplefilter("ignore")
        for operation, key in _operations(*(pattern for pattern in patterns if "::" in pattern)):
            short = operation.removeprefix("aten::")
            called = short.partition(".")[0].lstrip("_")
            library.impl(short, _unusable(f"PyTorch's {called}"), key)
    for name in (pattern for pattern in patterns if "::" not in pattern):
        path, last = name.rsplit(".", 1)
        place = functools.reduce(getattr, path.split(".")[1:], sys.modules[path.split(".")[0]])
        if hasattr(place, last):  # not every PyTorch has each of them
            before.append((place, last, getattr(place, last)))
            setattr(place, last, _unusable(name))
    try:
        yield
    finally:
        for place, last, function in reversed(before):
            setattr(place, last, function)
        library._destroy()


@functools.cache
def _operations(*patterns: str) -> list[tuple[str, str]]:
    """The operations of these names, each with the keys under which PyTorch computes it."""
    operations = [
        operation
        for operation in torch._C._dispatch_get_all_op_names()
        if any(fnmatch.fnmatchcase(operation.partition(".")[0], pattern) for pattern in patterns)
    ]
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    return [(operation, key) for operation in operations for key in _KEYS if has(operation, key)]


def _unusable(name: str):
    def unusable(*_: object, **__: object) -> None:
        raise NotHere(f"{name} may not be used in this exercise")

    return unusable
